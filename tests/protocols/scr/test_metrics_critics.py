"""M5 and M6: critics side by side, together, and how far they agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.scr._plays import CRITIQUE, NONE, SUGGESTION, Play
from tests.protocols.scr._runs import (
    ACCEPTED,
    NOTHING,
    REJECTED,
    UNREADABLE,
    advised,
    has_section,
    header,
    human,
    kept,
    main,
    number,
    numbers,
    reason,
    reference,
    report,
    row,
    section,
    suggestion_of,
)

from eristic.protocols.reports import Recorded

FIRST, SECOND = {1, 2, 3, 5}, {3, 5, 6}
"""Accepted sets of the worked example, of 10 cases."""


def accepted_by(*sets: set[int], cases: int = 10, rest: str = NOTHING) -> list[Recorded]:
    """One case a number from 1, with a critic for each set."""
    return [
        advised([ACCEPTED if n in x else rest for x in sets], f"c{n:02}")
        for n in range(1, cases + 1)
    ]


def test_m5_of_the_worked_example() -> None:
    found = report(accepted_by(FIRST, SECOND))
    rates = [number(main(found, "M5", critic=x)) for x in ("x", "y", "union", "intersection")]
    assert rates == pytest.approx([0.4, 0.3, 0.5, 0.2])
    assert number(main(found, "M5", critic="majority")) == pytest.approx(0.2)
    assert number(row(found, "M5", critic="union").beside["accepted"]) == 5


def test_m5_has_m1_and_precision_critic_by_critic() -> None:
    run = [
        advised((ACCEPTED, REJECTED), "c1"),
        advised((ACCEPTED, NOTHING), "c2"),
        advised((NOTHING, ACCEPTED), "c3"),
        advised((REJECTED, NOTHING), "c4"),
    ]
    marks = [suggestion_of(one) for one in run]
    said = human({marks[0]: "unethical", marks[1]: "ethical", marks[3]: "ethical"})
    found = report(run, said)
    x, y = (row(found, "M5", critic=name).beside for name in "xy")
    names = ("critiques", "accepted", "critique rate", "acceptance")
    assert numbers(x, *names) == pytest.approx([3, 2, 0.75, 2 / 3])
    assert numbers(y, *names) == pytest.approx([2, 1, 0.5, 0.5])
    assert number(x["precision"]) == 0.5
    assert reason(y["precision"]) == "no labelled suggestion"


def test_m5_majority_of_three_is_two() -> None:
    run = [
        advised((ACCEPTED, ACCEPTED, REJECTED), "c1"),
        advised((ACCEPTED, REJECTED, NOTHING), "c2"),
    ]
    found = report(run)
    assert number(main(found, "M5", critic="majority")) == 0.5
    assert number(main(found, "M5", critic="union")) == 1
    assert number(main(found, "M5", critic="intersection")) == 0


def test_m5_a_missing_verdict_counts_against_its_own_critic_and_where_it_would_decide() -> None:
    run = [advised((ACCEPTED, UNREADABLE), "c1"), advised((NOTHING, ACCEPTED), "c2")]
    found = report(run)
    assert number(main(found, "M5", critic="x")) == 0.5
    y = main(found, "M5", critic="y")
    assert number(y) == 1
    assert str(y.tally) == "n = 1 of 2; excluded 1 (no_verdict (reflect: unreadable): 1)"
    assert number(main(found, "M5", critic="union")) == 1
    both = main(found, "M5", critic="intersection")
    assert number(both) == 0
    assert "a missing one would decide" in str(both.tally)


def test_m5_and_m6_need_several_critics() -> None:
    found = report([advised(ACCEPTED)])
    assert not has_section(found, "M5") and not has_section(found, "M6")


def test_two_critics_of_one_model_are_told_apart_by_role() -> None:
    run = [advised((ACCEPTED, NOTHING), models=("same", "same"))]
    names = [x.keys["critic"] for x in section(report(run), "M5").rows]
    assert names[:2] == ["same (critic)", "same (critic_b)"]


def test_m6_of_the_worked_example() -> None:
    found = row(report(accepted_by(FIRST, SECOND)), "M6", on="acceptances")
    assert found.main is not None and number(found.main) == pytest.approx(0.4)
    assert number(found.beside["kappa"]) == pytest.approx(0.3478, abs=5e-5)
    assert number(found.beside["AC1"]) == pytest.approx(0.4495, abs=5e-5)
    assert numbers(found.beside, "b", "c", "p") == [2, 1, 1]


def test_m6_tells_critiques_from_acceptances() -> None:
    run = [advised((ACCEPTED, REJECTED), "c1"), advised((NOTHING, NOTHING), "c2")]
    found = report(run)
    assert number(main(found, "M6", on="acceptances")) == 0
    assert number(main(found, "M6", on="critiques")) == 1


def test_m6_is_undefined_where_nobody_accepts_and_where_ratings_are_constant() -> None:
    found = row(report(accepted_by(set(), set(), rest=NOTHING)), "M6", on="acceptances")
    assert found.main is not None and reason(found.main) == "no item with a yes"
    assert reason(found.beside["kappa"]) == "both judges constant and equal, or no item"
    assert number(found.beside["AC1"]) == 1


def test_m6_leaves_out_what_one_critic_has_no_word_on() -> None:
    lost = kept(Play(header("lost", critics=2)).say(SUGGESTION, NONE, "", "", ""))
    unread = advised((ACCEPTED, UNREADABLE), "unread")
    run = [*accepted_by(FIRST, SECOND), lost, unread]
    acceptances = main(report(run), "M6", on="acceptances").tally
    assert str(acceptances) == (
        "n = 10 of 12; excluded 2 (no_verdict (critic_b critique: empty): 1, "
        "no_verdict (critic_b reflect: unreadable): 1)"
    )
    critiques = main(report(run), "M6", on="critiques").tally
    assert str(critiques) == ("n = 11 of 12; excluded 1 (no_verdict (critic_b critique: empty): 1)")


def test_m6_tests_one_pair_a_seed() -> None:
    run = [advised((ACCEPTED, NOTHING), f"c{n}", block="one") for n in range(3)]
    found = row(report(run), "M6", on="acceptances").beside
    assert numbers(found, "b", "c") == [1, 0]


@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(1, 5)), st.sets(st.integers(1, 5)), st.sets(st.integers(1, 5)))
def test_union_and_intersection_are_those_of_the_accepted_sets(
    first: set[int], second: set[int], third: set[int]
) -> None:
    found = report(accepted_by(first, second, third, cases=5, rest=REJECTED), resamples=2)
    sets = (first, second, third)
    most = {n for n in range(1, 6) if sum(n in x for x in sets) >= 2}
    expected = {
        "union": set.union(*sets),
        "intersection": set.intersection(*sets),
        "majority": most,
    }
    for rule, accepted in expected.items():
        assert number(main(found, "M5", critic=rule)) == pytest.approx(len(accepted) / 5)


def test_a_refused_critique_is_never_none() -> None:
    said = "I cannot help with that."
    made = header(critics=2)
    play = Play(made).say(SUGGESTION, said, said, said, CRITIQUE, "yes")
    found = report([kept(play)])
    x = main(found, "M5", critic="x")
    assert reason(x) == "no suggestion with a verdict"
    assert "no_verdict (critique: refused): 1" in str(x.tally)


def test_published_critics_stand_beside_ours() -> None:
    run = [advised((ACCEPTED, NOTHING), models=("openai/chatgpt", "mine"))]
    found = report(run, published=reference())
    values = {x: main(found, "M5", critic=x).published for x in ("openai/chatgpt", "mine", "union")}
    assert [x.value for x in values["openai/chatgpt"]] == [4.5]
    assert [x.value for x in values["mine"]] == [22.1, 28.3, 4.5]
    assert [x.value for x in values["union"]] == [46.1]
    counts = row(found, "M5", critic="openai/chatgpt").beside
    assert [counts[x].published[0].value for x in ("critiques", "accepted")] == [3251, 901]
    assert [x.value for x in row(found, "M5", critic="union").beside["accepted"].published] == [
        9132
    ]
    assert not row(found, "M5", critic="majority").beside["accepted"].published
    assert [x.id for x in section(found, "M5").audits] == ["union-overlap"]
