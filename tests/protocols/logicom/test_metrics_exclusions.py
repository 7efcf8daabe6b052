"""Who is in no rate is counted with a cause, and what is undefined says why."""

from __future__ import annotations

import random

import msgspec
import pytest
from tests.protocols.logicom._metrics import (
    SCENARIOS,
    arm,
    debate,
    grid,
    main,
    report,
    row,
    section,
    value,
)

from eristic.debate import RunOpened
from eristic.debate.errors import SpecRefused
from eristic.judging import Score
from eristic.protocols.logicom.metrics import Debate
from eristic.protocols.logicom.metrics.contradictions import pair_outcomes
from eristic.protocols.logicom.metrics.majorities import compare_majorities
from eristic.protocols.reports import Judge, Judged, Settings
from eristic.stats import Undefined

FAILED = "failed: debater_failed (empty)"


def mixed(seed: int = 3) -> list[Debate]:
    """Two debaters, three scenarios, three repetitions, with holes of every kind."""
    chance = random.Random(seed)
    return [
        debate(
            f"c{place}",
            number,
            chance.random() < 0.5,
            condition=condition,
            model=model,
            cause=chance.choice(("", "", "", "", FAILED, "open: not finished")),
            rounds=chance.randint(1, 10),
            reason=chance.choice(("convinced", "round_limit", "pleasantries")),
            first_check=chance.random() < 0.2,
            replies=chance.randint(1, 9),
        )
        for model in ("a", "b")
        for condition in SCENARIOS
        for number in range(3)
        for place in range(8)
    ]


def test_failed_and_open_debates_are_excluded_with_their_causes() -> None:
    debates = [
        debate("c0"),
        debate("c1", convinced=False),
        debate("c2", cause=FAILED),
        debate("c3", cause="open: not finished"),
    ]
    found = main(report(debates), "M1")
    assert value(found) == 0.5
    assert str(found.tally) == f"n = 2 of 4; excluded 2 ({FAILED}: 1, open: not finished: 1)"


def test_debates_that_were_planned_and_never_begun_are_excluded_too() -> None:
    spec = {"conditions": SCENARIOS, "repetitions": 2, "roles": {"debater": {"model": "m"}}}
    opened = RunOpened(
        spec=msgspec.json.encode(spec).decode(), prompts={}, episodes=12, software="test"
    )
    found = report(grid([(1, 0), (1,)]), opened=opened)
    assert str(main(found, "M1", scenario="no_helper").tally) == (
        "n = 3 of 4; excluded 1 (not begun: 1)"
    )
    unbegun = main(found, "M1", scenario="logical_helper")
    assert str(unbegun.tally) == "n = 0 of 4; excluded 4 (not begun: 4)"
    assert isinstance(unbegun.value, Undefined)


def test_planned_used_and_excluded_add_up_in_every_measure() -> None:
    found = report(mixed())
    tallies = [x.tally for x in found.measures() if x.tally is not None]
    assert len(tallies) > 100
    assert all(x.planned == x.used + x.excluded for x in tallies)
    planned = [x.main.tally.planned for x in section(found, "M1").rows if x.main and x.main.tally]
    assert planned == [24] * 6


def test_the_order_of_the_debates_changes_no_number() -> None:
    debates = mixed()
    whole = msgspec.json.encode(report(debates))
    for seed in range(3):
        random.Random(seed).shuffle(debates)
        assert msgspec.json.encode(report(debates)) == whole


def test_another_seed_changes_intervals_and_no_value() -> None:
    first = report(mixed())
    second = report(mixed(), settings=Settings(resamples=50, seed=2))
    assert [x.value for x in first.measures()] == [x.value for x in second.measures()]
    assert [x.interval for x in first.measures()] != [x.interval for x in second.measures()]


def test_a_run_in_which_nothing_succeeded_has_an_honest_report() -> None:
    debates = [
        debate(f"c{n}", cause=FAILED, condition=condition)
        for n in range(4)
        for condition in SCENARIOS
    ]
    found = report(debates)
    for name in ("M1", "M2", "M3", "M5", "M6", "M7", "C1", "T1"):
        for x in section(found, name).rows:
            assert x.main is not None and isinstance(x.main.value, Undefined), (name, x.keys)
            assert x.main.tally is not None and x.main.tally.used == 0
            assert x.main.tally.excluded > 0


def test_a_claim_without_an_outcome_in_every_repetition_has_no_success_count() -> None:
    found = main(report([*grid([(1, 0), (1, 0)]), debate("c2", 0)]), "M2")
    assert found.tally is not None
    assert (found.tally.used, found.tally.excluded) == (2, 1)


def test_a_pair_with_one_claim_missing_is_excluded_and_counted() -> None:
    debates = [*grid([(1, 1, 1)]), debate("c4"), debate("c5", cause=FAILED)]
    found = pair_outcomes(arm(debates))
    assert [block for block, _ in found.items] == ["p0"]
    assert {x.cause: x.count for x in found.tally.exclusions} == {
        "the block has one claim, not two": 1,
        "a claim of the pair has no outcome": 1,
    }


def test_a_second_debate_of_the_same_cell_counts_nowhere() -> None:
    twin = msgspec.structs.replace(debate("c0"), episode="zzz", convinced=False)
    found = main(report([debate("c0"), debate("c1"), twin]), "M1")
    assert value(found) == 1.0
    assert found.tally is not None and found.tally.excluded == 1


def test_ties_over_repetitions_are_no_majority() -> None:
    first = arm(grid([(1, 1, 0), (1, 0, 0)]), repetitions=2)
    second = arm(grid([(0, 0, 0), (0, 0, 0)], condition="logical_helper"), repetitions=2)
    found = compare_majorities(first, second)
    assert (found.first_only, found.second_only, found.tally.used) == (1, 0, 2)
    assert found.tally.exclusions[0].cause == "as many yes as no in an arm"


def test_majorities_are_tested_by_the_claims_that_differ() -> None:
    # S7: b = 10 and c = 2 give p = 0.03857; three claims that both win change nothing.
    fallacious = grid([(1,) * 10 + (0,) * 2 + (1,) * 3], condition="fallacious_helper")
    none = grid([(0,) * 10 + (1,) * 2 + (1,) * 3])
    c1 = row(report([*fallacious, *none]), "C1", contrast="fallacious_helper - no_helper")
    assert (value(c1.beside["b"]), value(c1.beside["c"])) == (10, 2)
    assert value(c1.beside["p"]) == pytest.approx(0.03857, abs=5e-6)


def test_six_contrasts_of_two_debaters_are_adjusted_together() -> None:
    found = section(report(mixed()), "C1")
    assert len(found.rows) == 6
    raw = [value(x.beside["p"]) for x in found.rows]
    adjusted = [value(x.beside["p Holm"]) for x in found.rows]
    assert min(adjusted) == min(1.0, 6 * min(raw))
    assert "6 contrasts" in found.notes[0]


def test_an_unknown_initial_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecRefused, match="Did you mean 'first_check'"):
        report(grid([(1,)]), settings=Settings(choices={"initial_rule": "first_chek"}))
    with pytest.raises(SpecRefused, match="no choice 'initial_rul'"):
        report(grid([(1,)]), settings=Settings(choices={"initial_rul": "first_check"}))


def test_the_published_rate_stands_beside_the_chosen_rule() -> None:
    debates = [debate("c0", model="gpt-4", first_check=False), debate("c1", model="gpt-4")]
    found = report(debates, settings=Settings(choices={"initial_rule": "first_check"}))
    chosen = main(found, "M4", initial_rule="first_check")
    assert [x.value for x in chosen.published] == [20.25]
    assert main(found, "M4", initial_rule="rounds_gt_2").published == ()
    assert chosen.tally is not None
    assert [x.cause for x in chosen.tally.exclusions] == [
        "no readable check of round 1 is recorded"
    ]


def judged(values: tuple[str, ...], **scores: str | None) -> Judged:
    given = {
        digest: Score(status="scored", value=x) if x else Score(status="unscored", cause="refused")
        for digest, x in scores.items()
    }
    judge = Judge(chain="j-1", id="j.v1", model="", values=values, scores=given)
    return Judged(judges=(judge,))


def test_a_judge_is_compared_where_both_have_a_verdict() -> None:
    said = judged(
        ("agrees", "unclear", "disagrees"), d0="agrees", d1="agrees", d2=None, d3="unclear"
    )
    debates = [debate(f"c{n}", convinced=n == 0, last_digest=f"d{n}") for n in range(5)]
    found = report(debates, judged=said)
    measure = main(found, "M9b", judge="j.v1")
    assert value(measure) == pytest.approx(2 / 3)
    assert str(measure.tally) == "n = 3 of 5; excluded 2 (not judged: 1, unscored: refused: 1)"
    assert value(row(found, "M9b", judge="j.v1").beside["judge only"]) == 1


def test_early_stops_are_undefined_until_a_judge_says_so() -> None:
    debates = [
        debate(f"c{n}", convinced=False, reason="pleasantries", last_digest=f"d{n}")
        for n in range(3)
    ]
    assert isinstance(main(report(debates), "M9b", judge="early stops").value, Undefined)
    said = judged(("right", "wrong"), d0="right", d1="wrong")
    found = main(report(debates, judged=said), "M9b", judge="early stops: j.v1")
    assert value(found) == 0.5
    assert found.tally is not None and found.tally.excluded == 1


def test_a_model_that_the_publication_lacks_stands_beside_all_of_its_models() -> None:
    found = main(report(grid([(1, 0)])), "M1")
    assert {x.keys["debater"]: x.value for x in found.published} == {"GPT-3.5": 29, "GPT-4": 37}
