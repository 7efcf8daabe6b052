"""Counts and bounds over many episodes, in any order of reading."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from tests.replay._plays import NOON, Records, Told, tell, troubled, write
from tests.replay._rounds import (
    CALM,
    POLITE,
    SURE,
    again,
    imported,
    one,
    played,
    rounds,
    tale,
    whole,
)

from eristic.debate import EpisodeOpened, RunOpened
from eristic.debate.errors import LogDamaged, NameRefused, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.protocols.recomputing import Decided
from eristic.replay import Effect, Recomputation, Reheard
from eristic.replay.recomputations import add_up

POLICIES = ("convinced-twice", "round-limit=4", "any-conviction")


def reheard(number: int, before: str | None, after: str | None, state: str = "closed") -> Reheard:
    """An episode of four rounds; after None: censored."""
    decided = Decided(
        outcome=after, reason="", round=4, censored="" if after is not None else "goes_on"
    )
    return Reheard(
        episode=f"e{number}",
        case_id=f"c{number}",
        condition="a",
        repetition=0,
        subject="",
        outcome=before,
        reason="",
        round=4,
        state=state,  # type: ignore[arg-type]  # told by the tests as plain text
        decided=(decided,) if state == "closed" else (),
    )


def summed(*episodes: Reheard) -> Effect:
    found = add_up(
        run="r",
        protocol="logicom",
        success="convinced",
        policies=("p.v1",),
        parsers={},
        episodes=episodes,
    )
    return found.effects[-1]


def test_bounds_count_the_censored_as_failures_and_as_successes() -> None:
    """Ten episodes: 3 convinced and 4 not by the policy, 3 censored: 3/10 to 6/10."""
    yes, no = "convinced", "not_convinced"
    pairs = [(yes, yes)] * 2 + [(no, yes)] + [(yes, no)] + [(no, no)] * 3 + [(yes, None)] * 3
    effect = summed(*(reheard(n, *pair) for n, pair in enumerate(pairs)))
    assert (effect.n, effect.exact, effect.undecided) == (10, 7, 3)
    assert (effect.successes_before, effect.successes_exact) == (6, 3)
    assert (effect.rate_before, effect.rate_low, effect.rate_high) == (0.6, 0.3, 0.6)
    assert effect.flipped == {"convinced -> not_convinced": 1, "not_convinced -> convinced": 1}


def test_failed_and_open_episodes_are_counted_and_in_no_rate() -> None:
    effect = summed(
        reheard(0, "convinced", "convinced"),
        reheard(1, None, None, "failed"),
        reheard(2, None, None, "open"),
        reheard(3, None, None, "open"),
    )
    assert (effect.n, sum(effect.failed.values()), effect.open) == (1, 1, 2)
    assert (effect.rate_low, effect.rate_high) == (1.0, 1.0)


def test_a_rate_of_nothing_is_unknown_and_not_zero() -> None:
    effect = summed(reheard(0, None, None, "open"))
    assert (effect.rate_before, effect.rate_low, effect.rate_high) == (None, None, None)


def test_every_row_adds_up() -> None:
    found = again(write(tell(troubled, number=6)), *POLICIES)
    assert len(found.effects) == 3 * 4
    for effect in found.effects:
        assert effect.n == effect.exact + effect.undecided
        assert effect.exact == effect.same + effect.moved + effect.flips
    for policy in found.policies:
        *parts, total = [x for x in found.effects if x.policy == policy]
        assert total.n == sum(x.n for x in parts) == 18


def test_the_order_of_episodes_changes_no_number() -> None:
    ours = write(tell(troubled, number=4))
    theirs = imported(
        *(
            tale(2 + n % 3, "convinced", "convinced", case=f"case-{n}", model=f"m-{n % 2}")
            for n in range(6)
        )
    )
    for records in (ours, theirs):
        expected = again(records, *POLICIES)
        for seed in range(5):
            assert again(shuffled(records, seed), *POLICIES) == expected


def shuffled(records: Records, seed: int) -> Records:
    """The same chains, mixed in another way: each keeps its own order."""
    chance = random.Random(seed)
    names = [episode for episode, _ in records]
    chance.shuffle(names)
    chains = {name: iter([s for e, s in records if e == name]) for name in names}
    return [(name, next(chains[name])) for name in names]


def test_an_open_run_counts_what_is_open_and_decides_the_rest() -> None:
    told = played(CALM, SURE, steps=2)
    effect = whole(again(write(told), "round-limit=1"), "round-limit")
    assert (effect.n, effect.open) == (0, 1)


def test_a_failed_episode_is_counted_with_its_reason() -> None:
    found = again(one(CALM, {"conviction": ("",)}), "round-limit=1")
    assert whole(found, "round-limit").failed == {"conviction_failed": 1}


def test_a_run_without_episodes_has_no_rows() -> None:
    opened = RunOpened(spec="{}", prompts={}, episodes=0, software="eristic test")
    found = again(write([(RUN_CHAIN, opened, NOON)]), "convinced-twice")
    assert (found.effects, found.episodes, found.protocol) == ((), (), "")


def test_a_missing_event_is_damage_and_not_another_number() -> None:
    records = one(CALM, POLITE)
    with pytest.raises(LogDamaged, match="not the next event of its chain"):
        again(records[:4] + records[5:])


def headers(**fields: object) -> Told:
    """A run whose headers were changed."""
    told = tell(rounds(CALM, SURE), number=2, conditions=("no_helper",))
    return [
        (e, replace(event, **fields) if isinstance(event, EpisodeOpened) else event, moment)
        for e, event, moment in told
    ]


def test_a_header_that_no_run_writes_is_damage() -> None:
    with pytest.raises(LogDamaged, match="cannot be decided again"):
        again(write(headers(options={"round_limit": "ten"})))


def test_a_protocol_without_a_recomputer_is_named() -> None:
    with pytest.raises(NameRefused, match="'chess' cannot be made again"):
        again(write(headers(protocol="chess")))


def test_a_run_of_two_protocols_is_refused() -> None:
    told = tell(rounds(CALM, SURE), number=2, conditions=("no_helper",))
    places = [n for n, (_, event, _) in enumerate(told) if isinstance(event, EpisodeOpened)]
    episode, opened, moment = told[places[1]]
    assert isinstance(opened, EpisodeOpened)
    told[places[1]] = (episode, replace(opened, protocol="chess"), moment)
    with pytest.raises(SpecRefused, match="policies are those of one protocol"):
        again(write(told))


def test_the_result_is_the_same_value_every_time() -> None:
    records = write(tell(troubled, number=3))
    results: list[Recomputation] = [again(records, *POLICIES) for _ in range(2)]
    assert results[0] == results[1]
