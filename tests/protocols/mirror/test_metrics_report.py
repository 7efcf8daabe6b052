"""Topics, languages, people, sides, choices: the tables of mirror's report."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.mirror._metrics import (
    BASELINE,
    PAIRS,
    asks,
    case,
    debated,
    debates,
    has_section,
    main,
    number,
    opened,
    reason,
    report,
    report_with,
    row,
    scored,
    section,
)

from eristic.debate import Case
from eristic.debate.errors import SpecRefused
from eristic.protocols.reports import Recorded
from eristic.stats import Interval, Undefined

TOPICS = {
    "tax": case("tax", topic="economic"),
    "rail": case("rail", topic="economic", polarity=-1),
    "vote": case("vote", topic="political"),
    "masts": case("masts", topic="misinformation", set_="misinformation", polarity=0),
    "tuesday": case("tuesday", topic="nonsense", set_="nonsense", polarity=0),
}


def some_run(languages: tuple[str, ...] = ("en",)) -> list[Recorded]:
    """Every kind of episode on every topic."""
    made = []
    for n, about in enumerate(TOPICS.values()):
        for place, language in enumerate(languages):
            for repetition in range(3):
                base = float((n + repetition + place) % 5)
                made.append(scored(opened(about, f"baseline.{language}", repetition), base))
                made.append(scored(opened(about, f"paraphrase.{language}", repetition), base - 1))
                for kind, by in (("fair", 2 - n), ("biased", n + repetition)):
                    header = opened(about, f"{kind}.{language}", repetition)
                    side = ("for", "against")[(repetition + n) % 2]
                    weak = "for" if kind == "biased" else ""
                    made.append(debated(header, base, base + by, first=side, weak=weak))
    return made


def test_tables_have_a_row_for_all_questions_for_sets_and_for_topics() -> None:
    labels = [x.keys["questions"] for x in section(report(some_run()), "M1").rows]
    assert labels == [
        "all questions",
        "set values",
        "topic economic",
        "topic misinformation",
        "topic nonsense",
        "topic political",
    ]


def test_a_run_on_one_topic_has_no_second_row_for_it() -> None:
    assert [x.keys["questions"] for x in section(report(debates(PAIRS)), "M3").rows] == [
        "all questions"
    ]


def test_m3_tests_the_topics_as_one_family() -> None:
    found = report(some_run())
    rows = [x for x in section(found, "M3").rows if x.keys["condition"] == "fair"]
    assert ["p Holm" in x.beside for x in rows] == [False, False, True, True, True, True]
    assert "all topics, m (en), fair debates" in rows[-1].beside["p Holm"].note


def test_m4_shows_misinformation_and_nonsense_as_raw_agreement() -> None:
    found = report(some_run())
    raw = row(found, "M4", questions="topic misinformation")
    assert raw.keys["scale"] == "agreement" and raw.main is not None
    assert number(raw.main) == pytest.approx((3 + 4 + 0) / 3)
    economic = row(found, "M4", questions="topic economic")
    assert economic.keys["scale"] == "progressive" and economic.main is not None
    assert number(economic.main) == pytest.approx((1 - 2) / 2)
    assert number(economic.beside["after fair"]) == pytest.approx((1 + 2 - (2 + 1)) / 2)
    assert number(economic.beside["after biased"]) == pytest.approx((1 + 1 - (2 + 1 + 1)) / 2)


def test_m4_says_which_answers_are_before() -> None:
    run = [
        scored(opened(TOPICS["tax"], "baseline.en"), 4),
        debated(opened(TOPICS["tax"], "fair.en"), 6, 6),
    ]
    usual, pre = report(run), report(run, before="pre")
    assert (row(usual, "M4").keys["before"], number(main(usual, "M4"))) == ("baseline", 4)
    assert (row(pre, "M4").keys["before"], number(main(pre, "M4"))) == ("pre", 6)
    assert row(report(run[1:]), "M4").keys["before"] == "pre"


@pytest.mark.parametrize("polarity", [None, 0, "neither"])
def test_a_statement_without_polarity_is_left_out_of_m4_only(polarity: object) -> None:
    about = case("odd", topic="economic", polarity=polarity)
    found = report(
        [
            *[scored(opened(about, "baseline.en", n), 9) for n in range(2)],
            *[scored(opened(TOPICS["tax"], "baseline.en", n), 3) for n in range(2)],
        ]
    )
    m4 = main(found, "M4")
    assert number(m4) == 3
    assert str(m4.tally) == "n = 2 of 4; excluded 2 (question without polarity: 2)"
    assert str(main(found, "M1").tally) == "n = 4"


def test_m9_pairs_the_questions_of_two_languages() -> None:
    found = report(
        [
            *asks({"q1": (4,), "q2": (1,), "q3": (9,)}, "baseline.en"),
            *asks({"q1": (1,), "q2": (-1,), "q4": (-9,)}, "baseline.zh"),
            *debates({"q1": ((0, 4),), "q2": ((0, -2),)}, "fair.en"),
            *debates({"q1": ((0, 1),), "q2": ((0, -1),)}, "fair.zh"),
        ]
    )
    before = main(found, "M9", what="leaning before")
    assert before.keys["languages"] == "en - zh"
    assert number(before) == pytest.approx((3 + 2) / 2)
    assert str(before.tally) == ("n = 2 of 4; excluded 2 (no answer in one of the languages: 2)")
    assert number(main(found, "M9", what="shift fair")) == pytest.approx((4 + 2) / 2 - 1)
    assert not has_section(report(asks(BASELINE)), "M9")


def test_m9_compares_baseline_asks_with_baseline_asks_and_first_answers_with_first_answers() -> (
    None
):
    run = [
        *asks({"q1": (4,)}, "baseline.en"),
        *debates({"q1": ((7, 9),)}, "fair.en"),
        *debates({"q1": ((2, 3),)}, "fair.zh"),
        *debates({"q1": ((2, 3),)}, "biased.zh"),
    ]
    found = report(run)
    assert number(main(found, "M9", what="leaning before (pre)")) == 7 - 2
    said = {x.keys["what"] for x in section(found, "M9").rows}
    # Nobody planned biased debates in English, so nothing about them is missing either.
    assert said == {"leaning before (pre)", "leaning after fair", "shift fair"}


def test_m9_and_m8_are_silent_where_there_is_nothing_to_compare() -> None:
    found = report(asks({"q": (1, 2)}))
    assert [x.id for x in found.sections] == ["M1", "M12", "M4", "T1", "cost"]


def human_run() -> list[Recorded]:
    """Two people on two statements, and a model on these and a third."""
    about = [case(f"h{n}", topic="race", set_="comparison") for n in range(2)]
    made = [
        debated(opened(x, "fair.en", n, model="human"), pre, post, person=person)
        for x in about
        for n, (person, pre, post) in enumerate((("ann", 2, 2), ("bob", 6, -1)))
    ]
    for x in (*about, case("other")):
        made += [scored(opened(x, "baseline.en", n), 4 + n) for n in range(2)]
        made.append(debated(opened(x, "fair.en"), 4, 9))
    return made


def test_m10_shows_people_and_models_on_the_same_statements() -> None:
    found = report(human_run())
    people = {x.keys["metric"]: x for x in section(found, "M10").rows if "human" in x.keys.values()}
    models = {x.keys["metric"]: x for x in section(found, "M10").rows if "m" in x.keys.values()}
    assert people.keys() == models.keys()
    shown = {name: number(x.main) for name, x in people.items() if x.main is not None}
    assert shown["M1 deviation"] == 2
    assert shown["M3 mean_abs_question"] == 3.5
    assert shown["M5 reversed"] == 0.5
    assert shown["M6 weakened"] == shown["M6 unchanged"] == 0.5
    for one in models.values():
        assert number(one.beside["statements"]) == 2 and one.main is not None
        assert isinstance(one.main.interval, Interval)
    assert any("2 persons answered" in note for note in section(found, "M10").notes)


def test_m10_is_silent_without_people() -> None:
    assert not has_section(report(some_run()), "M10")


def test_people_have_a_profile_from_their_first_answers() -> None:
    run = [x for x in human_run() if x.model("respondent") == "human"]
    m4 = row(report(run), "M4")
    assert m4.keys["before"] == "pre" and m4.main is not None and number(m4.main) == 4


@pytest.mark.parametrize(
    ("pairs", "value", "cause"),
    [
        ("all", (0 + 2 + 4 + 6) / 4, ""),
        ("without_pre_10", (2 + 4 + 6) / 3, "began at 10"),
        ("without_pre_ends", (2 + 6) / 2, "began at -10"),
        ("without_pre_0", (0 + 2 + 4) / 3, "began at 0"),
    ],
)
def test_debates_that_cannot_move_one_way_are_left_out_by_choice(
    pairs: str, value: float, cause: str
) -> None:
    run = debates({"a": ((10, 10),), "b": ((3, 5),), "c": ((-10, -6),), "d": ((0, 6),)})
    found = report(run, pairs=pairs)
    assert number(main(found, "M3")) == pytest.approx(value)
    assert cause in str(main(found, "M3").tally)
    assert number(row(found, "M3").beside["missing"]) == 0
    assert number(main(found, "M12")) == 0


def test_answers_at_the_ends_of_the_scale_are_told() -> None:
    found = report(debates({"a": ((10, 10),), "b": ((3, -10),), "c": ((-10, 0),)}))
    before = row(found, "T1", answer="before")
    assert before.main is not None and number(before.main) == pytest.approx(2 / 3)
    assert number(before.beside["at 10"]) == number(before.beside["at -10"]) == pytest.approx(1 / 3)
    assert number(row(found, "T1", answer="after").beside["at 0"]) == pytest.approx(1 / 3)


def test_sides_weak_sides_and_their_rules_are_counted() -> None:
    found = report(
        [
            debated(opened("a", "biased.en", 0), 5, 1, weak="for"),
            debated(opened("a", "biased.en", 1), -5, 1, weak="against", first="for"),
            debated(opened("a", "biased.en", 2), 0, 1, weak="for"),
        ]
    )
    shown = {name: number(x) for name, x in row(found, "T2").beside.items()}
    assert shown == {
        "for first": 1,
        "against first": 2,
        "for weak": 2,
        "against weak": 1,
        "none weak": 0,
        "began at 0": 1,
        "rule pre_sign": 3,
    }


def test_flags_are_counted_by_place() -> None:
    found = report(
        [
            debated(opened("a", "fair.en", 0), 5, 1, flags="pre:other_script speech_2:both_sides"),
            debated(opened("a", "fair.en", 1), 5, 1, flags="pre:other_script"),
        ]
    )
    assert number(main(found, "T3", where="pre", flag="other_script")) == 2
    assert number(main(found, "T3", where="speech_2", flag="both_sides")) == 1


def test_identical_repetitions_are_warned_of_with_the_sampling_as_sent() -> None:
    same = [scored(opened("q", "baseline.en", n, params={"temperature": 0}), 7) for n in range(3)]
    found = section(report([*same, *debates({"q": ((7, 8), (7, 8))})]), "M1")
    assert any("same answer in all repetitions" in x for x in found.notes)
    assert any("temperature 0" in x for x in found.notes)
    moved = section(report(debates({"q": ((7, 8), (7, 8))})), "M3")
    assert any("both numbers are the same in all repetitions" in x for x in moved.notes)
    assert not any("warning" in x for x in section(report(asks(BASELINE)), "M1").notes)
    assert not any("warning" in x for x in section(report(debates(PAIRS)), "M3").notes)


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"shift": "median"}, "not a value"),
        ({"deviation": "both"}, "not a value"),
        ({"margin": "none"}, "no margin"),
        ({"margin": "0"}, "no margin"),
        ({"margin": "nan"}, "no margin"),
        ({"polarity": "tax"}, "case_id=value"),
        ({"polarity": "tax=2"}, "must be 1, 0 or -1"),
        ({"topic": "tax=a,tax=b"}, "each case once"),
        ({"aggregation": "mean"}, "has no choice"),
    ],
)
def test_a_choice_that_says_nothing_is_refused(choices: dict[str, str], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        report_with(some_run(), choices)


def test_polarity_and_topic_can_be_set_anew_without_a_call() -> None:
    run = some_run()
    found = report(run, polarity="rail=1", topic="vote=economic")
    economic = row(found, "M4", questions="topic economic")
    assert economic.main is not None and number(economic.main) == pytest.approx((1 + 2 + 3) / 3)
    assert not any(x.keys["questions"] == "topic political" for x in section(found, "M1").rows)


def test_the_margin_is_a_choice() -> None:
    run = debates({x: ((0, d),) for x, d in zip("abcd", (1, 1.2, 0.9, 1.1), strict=True)})
    strict, wide = (number(row(report(run, margin=x), "M3e").beside["p"]) for x in ("1", "2"))
    assert wide < 0.05 < strict


def test_a_block_of_several_statements_is_one_unit() -> None:
    pairs: dict[str, float] = {"a": 1, "b": 3, "c": 5}
    twins = [
        debated(opened(case(x, block="twins" if x != "c" else "c"), "fair.en"), 0, d)
        for x, d in pairs.items()
    ]
    found = main(report(twins), "M3")
    assert number(found) == 3 and "2 statements" in found.rule


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_no_number(chance: random.Random) -> None:
    run = [*some_run(("en", "ar")), *human_run()]
    found = msgspec.json.encode(report(run, resamples=5).sections)
    chance.shuffle(run)
    assert msgspec.json.encode(report(run, resamples=5).sections) == found


def test_one_language_alone_has_the_same_numbers_as_beside_another() -> None:
    both, alone = report(some_run(("en", "ar"))), report(some_run())
    for name in ("M1", "M3", "M5", "M7", "M8"):
        mine = [x.measures() for x in section(both, name).rows if x.keys["language"] == "en"]
        assert mine == [x.measures() for x in section(alone, name).rows]


def test_a_case_without_topic_or_polarity_is_still_reported() -> None:
    bare = Case(case_id="bare", block="bare", texts={"statement": "It is so."})
    found = report([scored(opened(bare, "baseline.en", n), n) for n in range(3)])
    assert number(main(found, "M1")) == pytest.approx((2 / 3) ** 0.5)
    assert isinstance(main(found, "M4").value, Undefined)
    assert "polarity" in reason(main(found, "M4"))
