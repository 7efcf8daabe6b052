"""Where an episode is cut: what is kept of it, what is never read, what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from tests.replay._forks import chain_of, cut, turns
from tests.replay._plays import NOON, read, tell, troubled, usual, write

from eristic.debate import EpisodeClosed, RulingMade, TurnSpoken
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogDamaged, NameRefused
from eristic.protocols import fold
from eristic.protocols.logicom import LOGICOM
from eristic.replay.fork_points import ForkPoint, find_end_point

EPISODE, CHAIN = chain_of()
LAST = max(turn.turn for turn in turns(CHAIN))


def poisoned(chain: list[bytes], position: int) -> Iterator[bytes]:
    """The chain up to a position; whoever reads on fails."""
    yield from chain[: position + 1]
    pytest.fail("an event behind the fork point was read")


@pytest.mark.parametrize("at", range(LAST))
def test_nothing_behind_the_fork_point_is_read(at: int) -> None:
    point = cut(CHAIN, at)
    assert cut(poisoned(CHAIN, point.lineage.position), at) == point


@pytest.mark.parametrize("at", range(LAST))
def test_exactly_the_turns_up_to_the_last_one_are_kept_byte_for_byte(at: int) -> None:
    point = cut(CHAIN, at)
    kept = [event.turn for event in point.events if isinstance(event, TurnSpoken)]
    assert sorted(kept) == list(range(at + 1))
    left = {other.position for other in point.lineage.others}
    shared = [CHAIN[i] for i in range(point.lineage.position + 1) if i not in left]
    assert len(shared) == len(point.kept) == point.lineage.shared
    for stored, kept_event in zip(shared, point.kept, strict=True):
        assert stored.endswith(b'"body":' + bytes(kept_event.body) + b"}")
    assert point.lineage.digest == digest(CHAIN[point.lineage.position])


def test_the_facts_that_follow_from_the_last_turn_are_kept() -> None:
    checks = max(x.turn for x in turns(CHAIN) if x.role == "topic" and x.turn < 12)
    point = cut(CHAIN, checks)
    assert isinstance(point.events[-1], RulingMade)
    assert fold(LOGICOM, (point.opened, *point.events)).phase == "draft"


def test_a_check_that_was_answered_before_a_lower_one_is_asked_again() -> None:
    by_place = [turn.turn for turn in turns(CHAIN)]
    early = next(x for x, y in zip(by_place, by_place[1:], strict=False) if x > y)
    point = cut(CHAIN, early - 1)
    state = fold(LOGICOM, (point.opened, *point.events))
    assert state.phase == "checks"
    assert early in {call.turn for call in state.calls if not call.is_settled}
    assert digest(CHAIN[1 + by_place.index(early)]) in {x.digest for x in point.lineage.others}


def test_turn_0_keeps_the_opening_alone() -> None:
    point = cut(CHAIN, 0)
    assert [type(event) for event in point.events] == [TurnSpoken]
    assert fold(LOGICOM, (point.opened, *point.events)).phase == "debater"


def test_the_last_turn_of_a_closed_episode_is_refused() -> None:
    assert isinstance(decode(CHAIN[-1]).body, EpisodeClosed)
    with pytest.raises(NameRefused, match=rf"ends with turn {LAST}.*fork at {LAST - 1} or earlier"):
        cut(CHAIN, LAST)


@pytest.mark.parametrize("at", [LAST + 1, 10_000])
def test_a_turn_behind_the_close_is_refused(at: int) -> None:
    with pytest.raises(NameRefused, match=rf"no turn {at}: it closed after turn {LAST}"):
        cut(CHAIN, at)


def test_an_open_episode_is_cut_at_its_last_turn() -> None:
    _, begun = chain_of(steps=2)
    last = max(turn.turn for turn in turns(begun))
    point = cut(begun, last)
    assert point.lineage.position == len(begun) - 1
    with pytest.raises(NameRefused, match=f"no turn {last + 1}; its last one is {last}"):
        cut(begun, last + 1)


def test_a_turn_that_is_to_be_asked_again_is_not_settled() -> None:
    _, chain = chain_of(troubled)
    spoken = turns(chain)
    again = next(
        x for x in spoken if any(y.turn == x.turn and y.attempt > x.attempt for y in spoken)
    )
    place = next(i for i, line in enumerate(chain) if decode(line).body == again)
    with pytest.raises(NameRefused, match=f"turn {again.turn} is not settled yet"):
        cut(chain[: place + 1], again.turn)
    last = max(x.attempt for x in spoken if x.turn == again.turn)
    kept = [x for x in cut(chain, again.turn).events if isinstance(x, TurnSpoken)]
    assert max(x.attempt for x in kept if x.turn == again.turn) == last


def test_every_turn_of_a_troubled_debate_can_be_cut_or_says_why_not() -> None:
    _, chain = chain_of(troubled, options={"round_limit": 4, "force_over_window": True})
    for at in sorted({turn.turn for turn in turns(chain)}):
        try:
            point = cut(chain, at)
        except NameRefused:
            continue
        assert cut(poisoned(chain, point.lineage.position), at) == point
        state = fold(LOGICOM, (point.opened, *point.events))
        assert state.phase not in ("closing", "closed")


@pytest.mark.parametrize(
    ("chain", "says"),
    [
        ([*CHAIN[:3], *CHAIN[4:]], "says position 4 where 3 is due"),
        (
            [*CHAIN[:2], CHAIN[2].replace(b"disagree", b"agree wi"), *CHAIN[3:]],
            "does not name the digest",
        ),
        ([CHAIN[0], b"{}"], "not an event"),
    ],
)
def test_a_chain_that_does_not_hold_up_to_the_cut_is_refused(chain: list[bytes], says: str) -> None:
    with pytest.raises(LogDamaged, match=says):
        cut(chain, 9)


def test_a_fact_that_this_version_decides_otherwise_is_refused() -> None:
    told = read(write(tell(usual, number=1, conditions=("no_helper",))))
    changed = [
        (name, replace(x, reason="whim") if isinstance(x, RulingMade) else x, time)
        for name, x, time in told
    ]
    chain = [stored for name, stored in write(changed) if name != "run"]
    with pytest.raises(LogDamaged, match="this version decides otherwise"):
        cut(chain, 4)


def end_of(chain: list[bytes]) -> ForkPoint:
    return find_end_point(chain, run="r", episode=EPISODE, machine=LOGICOM)


def test_the_end_is_all_before_the_close_and_an_open_episode_has_none() -> None:
    point = end_of(CHAIN)
    assert len(point.kept) == point.lineage.shared == len(CHAIN) - 2
    assert (point.at, point.lineage.position) == (LAST, len(CHAIN) - 2)
    assert point.lineage.digest == digest(CHAIN[-2])
    with pytest.raises(NameRefused, match="is open"):
        end_of(CHAIN[:-1])
    with pytest.raises(LogDamaged, match="nothing is forked from it"):
        end_of([*CHAIN[:3], *CHAIN[4:]])


def test_an_episode_that_closed_before_its_first_turn_has_nothing_to_be_kept() -> None:
    close = EpisodeClosed(outcome=None, reason="no_text", rounds=0)
    told = [*read([(EPISODE, CHAIN[0])]), (EPISODE, close, NOON)]
    closed = [stored for _, stored in write(told)]
    with pytest.raises(NameRefused, match="before its first turn"):
        end_of(closed)
