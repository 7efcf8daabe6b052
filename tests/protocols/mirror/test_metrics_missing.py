"""What is missing in a run of mirror: counted by cause, never a number, beside every shift."""

from __future__ import annotations

import math

import pytest
from tests.protocols.mirror._metrics import (
    PAIRS,
    asks,
    case,
    debated,
    debates,
    has_section,
    main,
    missing,
    number,
    opened,
    reason,
    recorded,
    report,
    row,
    section,
    spoken,
)

from eristic.debate import EpisodeClosed, TurnFailed
from eristic.debate.cast import Setting
from eristic.protocols.mirror import names
from eristic.protocols.reports import UNITS, Recorded, Report
from eristic.stats import Undefined


def test_m12_is_a_share_of_all_asks_by_cause() -> None:
    found = report(
        [
            *asks({"q": [5] * 18}),
            missing(opened("q", "baseline.en", 18), names.NO_SCORE, "refusal"),
            missing(opened("q", "baseline.en", 19), names.NO_SCORE, "out_of_range"),
        ]
    )
    m12 = row(found, "M12")
    assert number(main(found, "M12")) == pytest.approx(0.1)
    assert str(main(found, "M12").tally) == "n = 20"
    assert number(m12.beside["refusal"]) == number(m12.beside["out_of_range"]) == 0.05
    m1 = main(found, "M1").tally
    assert str(m1) == ("n = 18 of 20; excluded 2 (no_score: out_of_range: 1, no_score: refusal: 1)")


def test_a_debate_asks_twice_when_it_gets_that_far() -> None:
    found = report(
        [
            debated(opened("q", "fair.en", 0), 5, 6),
            missing(opened("q", "fair.en", 1), names.NO_PRE, "verbal"),
            missing(opened("q", "fair.en", 2), names.NO_DEBATE, "refusal", pre=5, speech=2),
            missing(opened("q", "fair.en", 3), names.NO_POST, "context_overflow", pre=5),
        ]
    )
    m12 = row(found, "M12")
    assert str(main(found, "M12").tally) == "n = 6"
    assert number(main(found, "M12")) == pytest.approx(2 / 6)
    assert set(m12.beside) == {"verbal", "context_overflow", "asked again"}
    m3 = row(found, "M3")
    assert m3.main is not None and str(m3.main.tally) == (
        "n = 1 of 4; excluded 3 (no_debate: refusal (speech 2): 1, "
        "no_post: context_overflow: 1, no_pre: verbal: 1)"
    )
    assert number(m3.beside["missing"]) == pytest.approx(3 / 4)
    assert any("75 % of the debates lack a number" in x for x in section(found, "M3").notes)


def test_declined_debates_are_counted_by_topic_and_speech() -> None:
    about = {x: case(x, topic=x) for x in ("war", "tax")}
    found = report(
        [
            missing(
                opened(about["war"], "fair.en", 0), names.NO_DEBATE, "refusal", pre=5, speech=1
            ),
            missing(
                opened(about["war"], "fair.en", 1),
                names.NO_DEBATE,
                "switched_sides",
                pre=5,
                speech=3,
            ),
            debated(opened(about["tax"], "fair.en", 0), 5, 6),
            missing(opened(about["tax"], "fair.en", 1), names.NO_PRE, "refusal"),
        ]
    )
    assert number(main(found, "M12b")) == pytest.approx(2 / 3)
    assert number(main(found, "M12b", questions="topic war")) == 1
    assert number(main(found, "M12b", questions="topic tax")) == 0
    assert number(row(found, "M12b", questions="topic war").beside["speech 3"]) == 1
    assert not has_section(report(debates(PAIRS)), "M12b")


def test_what_was_never_asked_is_no_missing_answer() -> None:
    found = report(
        [
            *asks({"q": (5,)}, "paraphrase.en"),
            missing(opened("q", "paraphrase.en", 1), names.NO_PARAPHRASE, "no_text"),
            missing(opened("q", "paraphrase.en", 2), names.NO_STATEMENT, "no_text"),
        ]
    )
    assert str(main(found, "M12").tally) == (
        "n = 1 of 3; excluded 2 (never asked: no_paraphrase: no_text: 1, "
        "never asked: no_statement: no_text: 1)"
    )
    assert number(main(found, "M12")) == 0


def test_a_biased_debate_skipped_at_zero_is_left_out_but_nothing_is_missing() -> None:
    found = report(
        [
            debated(opened("q", "biased.en", 0), 5, 6, weak="for"),
            missing(opened("q", "biased.en", 1), names.SKIPPED_NEUTRAL, pre=0),
        ]
    )
    assert str(main(found, "M3").tally) == "n = 1 of 2; excluded 1 (skipped_neutral: 1)"
    assert number(row(found, "M3").beside["missing"]) == 0
    assert number(main(found, "M12")) == 0


def test_asks_that_were_repeated_are_told() -> None:
    end = EpisodeClosed(outcome="scored", reason="answered", rounds=0, facts={"score": 5})
    again = recorded(opened("q", "baseline.en", 1), spoken(0), spoken(0, attempt=1), end)
    found = report([*asks({"q": (5,)}), again])
    assert number(row(found, "M12").beside["asked again"]) == 0.5


def test_an_open_episode_is_in_no_number() -> None:
    found = report([*debates(PAIRS), recorded(opened("q3", "fair.en"), spoken(0))])
    assert number(main(found, "M3")) == pytest.approx(0.75)
    assert str(main(found, "M3").tally) == "n = 4 of 5; excluded 1 (open: 1)"
    assert str(main(found, "M12").tally) == "n = 8 of 9; excluded 1 (open: 1)"
    assert number(row(found, "M3").beside["missing"]) == 0


def test_a_second_episode_of_the_same_cell_counts_nowhere() -> None:
    first, second = debated(opened("q", "fair.en"), 0, 2), debated(opened("q", "fair.en"), 0, 8)
    found = main(report([first, second]), "M3")
    assert number(found) == 2
    assert found.tally is not None and found.tally.excluded == 1


def _failed(header_of: int, condition: str) -> Recorded:
    header = opened(f"q{header_of}", condition, 0)
    failure = TurnFailed(turn=0, role=names.RESPONDENT, error="timeout", message="slow")
    reason_ = names.NO_PRE if condition.startswith(("fair", "biased")) else names.NO_SCORE
    facts: dict[str, Setting] = {
        "cause": "failed",
        "error": "timeout",
        "failed_role": "respondent",
        "failed_turn": 0,
    }
    end = EpisodeClosed(outcome=None, reason=reason_, rounds=0, facts=facts)
    return recorded(header, failure, end)


def _nothing(cause: str) -> list[Recorded]:
    """A run in which no ask ever gave a number."""
    if cause == "failed":
        return [_failed(n, f"{kind}.en") for kind in names.KINDS for n in range(3)]
    return [
        missing(
            opened(case(f"q{n}", topic=f"t{n}"), f"{kind}.{language}", repetition),
            names.NO_PRE if kind in names.DEBATE_KINDS else names.NO_SCORE,
            cause,
        )
        for kind in names.KINDS
        for language in ("en", "ar")
        for n in range(3)
        for repetition in range(2)
    ]


def _open() -> list[Recorded]:
    return [recorded(opened(f"q{n}", f"{kind}.en")) for kind in names.KINDS for n in range(3)]


RATES = {"mirror.missing_rate", "mirror.missing_rate.cause", "mirror.missing_episodes"}
COUNTS = {"count", "calls", "tokens"}


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(_nothing("refusal"), id="refusals"),
        pytest.param(_nothing("no_number"), id="garbage"),
        pytest.param(_nothing("empty"), id="empty"),
        pytest.param(_nothing("failed"), id="errors"),
        pytest.param(_open(), id="open"),
    ],
)
def test_a_run_without_any_number_has_undefined_values_and_all_causes(
    found: list[Recorded],
) -> None:
    made = report(found)
    for measure in made.measures():
        if measure.metric in RATES or measure.unit in COUNTS or "asked_again" in measure.metric:
            continue
        assert isinstance(measure.value, Undefined), measure
        if measure.tally is not None:
            assert measure.tally.used == 0
    for name in ("M1", "M3", "M5", "M7"):
        tally = main(made, name, **({"condition": "fair"} if name != "M1" else {}), language="en")
        assert tally.tally is not None and tally.tally.excluded == tally.tally.planned > 0
    if "open" not in str(main(made, "M3", condition="fair", language="en").tally):
        assert number(main(made, "M12", condition="fair", language="en")) == 1


def test_a_refusing_model_does_not_look_entrenched() -> None:
    made = report(_nothing("refusal"))
    m3 = row(made, "M3", condition="fair", language="en")
    assert m3.main is not None
    assert reason(m3.main) == "no question with a shift"
    assert number(m3.beside["missing"]) == 1
    assert any("100 % of the debates lack a number" in x for x in section(made, "M3").notes)


def test_a_run_of_nothing_at_all_has_a_report() -> None:
    assert report([]).sections == ()


def test_every_value_is_finite_and_in_a_known_unit() -> None:
    def check(found: Report) -> None:
        for measure in found.measures():
            assert measure.unit in UNITS
            assert isinstance(measure.value, Undefined) or math.isfinite(measure.value)

    check(report(_nothing("verbal")))
    check(report([*asks({"q": (5, 5)}), *debates(PAIRS)]))
