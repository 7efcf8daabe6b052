from __future__ import annotations

from msgspec.structs import replace
from tests.replay._plays import NOON, Told, tell, troubled, usual, write

from eristic.debate import Failed, Outcome, Served, Spoke
from eristic.debate.envelopes import decode
from eristic.protocols import Due
from eristic.replay import RunSummary, summarise


def summed(told: Told) -> RunSummary:
    return summarise("r", [decode(stored) for _, stored in write(told)])


def test_every_episode_is_a_row_and_every_condition_a_line() -> None:
    found = summed(tell(troubled, number=2))
    assert (found.planned, found.is_closed, found.started) == (6, True, NOON)
    assert found.protocol == "logicom"
    assert [row.number for row in found.rows] == [1, 2, 3, 4, 5, 6]
    assert {(row.case_id, row.condition, row.repetition) for row in found.rows} == {
        (case, condition, 0)
        for case in ("case-0", "case-1")
        for condition in ("no_helper", "fallacious_helper", "logical_helper")
    }
    assert {row.outcome for row in found.rows} == {"convinced"}
    assert [(c.condition, c.n, c.outcomes, c.failed, c.open) for c in found.conditions] == [
        ("no_helper", 2, {"convinced": 2}, {}, 0),
        ("fallacious_helper", 2, {"convinced": 2}, {}, 0),
        ("logical_helper", 2, {"convinced": 2}, {}, 0),
    ]


def test_a_row_adds_up_turns_tokens_and_models_as_served() -> None:
    told = tell(usual, number=1, conditions=("no_helper",), options={"round_limit": 1})
    (row,) = summed(told).rows
    # Turn 0 is a template; turns 1 to 4 have 100 + turn tokens in and 10 out.
    assert (row.turns, row.last_turn, row.rounds) == (5, 4, 1)
    assert (row.tokens_in, row.tokens_out, row.turns_uncounted) == (410, 40, 0)
    assert row.models == ("made-up-0",)
    assert (row.outcome, row.reason, row.state) == ("not_convinced", "round_limit", "closed")


def test_tokens_that_nobody_counted_are_unknown_and_not_zero() -> None:
    def silent(due: Due) -> Outcome:
        outcome = usual(due)
        assert isinstance(outcome, Spoke)
        return replace(outcome, call=Served(model="quiet"))

    told = tell(silent, number=1, conditions=("no_helper",), options={"round_limit": 1})
    (row,) = summed(told).rows
    assert (row.tokens_in, row.tokens_out, row.turns_uncounted) == (None, None, 4)


def test_a_failed_episode_has_no_outcome_and_is_counted_with_its_cause() -> None:
    def dead(due: Due) -> Outcome:
        return Failed(error="auth", message="no") if due.role == "debater" else usual(due)

    found = summed(tell(dead, number=2, conditions=("no_helper",)))
    (line,) = found.conditions
    assert (line.episodes, line.n, line.outcomes, line.failed) == (2, 0, {}, {"debater_failed": 2})
    assert (found.count("failed"), found.count("closed"), found.count("open")) == (2, 0, 0)


def test_an_open_run_counts_its_open_episodes() -> None:
    found = summed(tell(usual, steps=2, number=2))
    assert not found.is_closed
    assert found.count("open") == 6
    assert [(line.n, line.open) for line in found.conditions] == [(0, 2)] * 3
    assert {(row.outcome, row.rounds, row.reason) for row in found.rows} == {(None, None, "")}


def test_a_run_that_has_only_begun_is_summed_up() -> None:
    found = summed(tell(number=1)[:1])
    assert (found.rows, found.conditions, found.protocol, found.planned) == ((), (), "", 3)
