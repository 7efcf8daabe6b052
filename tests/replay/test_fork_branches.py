"""A fork from its header to its verification: what may change, and what it proves by itself."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.replay._forks import chain_of, cut, of, planned, play, turns
from tests.replay._plays import Records, logged, spoke, usual

from eristic.debate import Binding, EpisodeClosed, EpisodeOpened, Lineage, Outcome, TurnSpoken
from eristic.debate.envelopes import decode, digest, encode
from eristic.debate.errors import SpecRefused
from eristic.journal import Chain, carry, extend
from eristic.protocols import Due, find_protocol
from eristic.protocols.logicom import LOGICOM
from eristic.replay import Verification, verify
from eristic.replay.branching import Changes, branch

EPISODE, CHAIN = chain_of()
GPT = Binding(model="made-up-9")


def yielding(due: Due) -> Outcome:
    return spoke(due, "true") if due.role == "conviction" else usual(due)


async def verified(records: Records, source: list[bytes] | None = CHAIN) -> Verification:
    async def read(run: str, episode: str) -> list[bytes] | None:
        return source if (run, episode) == ("r", EPISODE) else None

    return await verify(await logged(records), "f", machine_for=find_protocol, read_source=read)


def fork(at: int, **changed: Any) -> Records:
    point = cut(CHAIN, at)
    return play([(point, planned(point, **changed))], yielding)


@pytest.mark.parametrize("at", [0, 1, 2, 3, 4, 5, 6, 7, 9, 20])
async def test_a_fork_anywhere_is_whole_and_begins_as_its_source(at: int) -> None:
    found = await verified(fork(at, roles={"debater": GPT}))
    assert found.findings == ()
    assert found.is_whole
    shared = found.shared
    assert (shared.branches, shared.proven, shared.compared, shared.not_compared) == (1, 1, 1, 0)
    assert found.outcomes == {"convinced": 1}
    assert found.prompts_rebuilt == found.turns - 1


def test_the_header_names_the_point_and_the_changes() -> None:
    point = cut(CHAIN, 5)
    item = planned(point, roles={"debater": GPT}, options={"topic_check": "ignored"})
    source, opened = point.opened, item.opened
    assert opened == replace(
        source,
        cast={**source.cast, "debater": GPT},
        options={**source.options, "topic_check": "ignored"},
        software="eristic test",
        seed=opened.seed,
        parent=point.lineage,
    )
    assert opened.parent is not None
    assert opened.parent.digest == digest(CHAIN[opened.parent.position])


def test_bodies_and_times_stay_and_only_the_place_is_another() -> None:
    point = cut(CHAIN, 5)
    item = planned(point)
    stored, _ = carry(Chain("f", item.episode, 1, "0" * 64), item.kept)
    for line in stored:
        there = CHAIN[decode(line).position]
        assert line.partition(b'"body":')[2] == there.partition(b'"body":')[2]
        assert decode(line).time == decode(there).time
        assert (decode(line).run, decode(line).episode) == ("f", item.episode)


def test_copies_go_on_with_seeds_of_their_own_and_the_same_wish_with_the_same() -> None:
    point = cut(CHAIN, 5)
    copies = [planned(point, copy=copy, copies=3) for copy in range(3)]
    assert len({item.opened.seed for item in copies}) == 3
    assert len({item.episode for item in copies}) == 3
    assert {item.opened.repetition for item in copies} == {0, 1, 2}
    assert planned(cut(CHAIN, 5), copy=1, copies=3) == copies[1]
    assert planned(point, copy=1, copies=9).opened.seed == copies[1].opened.seed
    assert planned(point, seed=1).opened.seed != planned(point).opened.seed
    assert planned(cut(CHAIN, 6)).opened.seed != planned(point).opened.seed


async def test_a_seed_of_the_suffix_that_is_not_the_headers_is_found() -> None:
    records = fork(5)
    wrong = [
        replace(x, body=replace(x.body, seed=1)) if is_suffix(x.body) else x
        for x in (decode(stored) for _, stored in records)
    ]
    found = await verified(rechained([encode(x) for x in wrong]))
    assert {x.what.partition(":")[0] for x in found.findings} == {"seed"}
    assert found.shared.proven == 1


def is_suffix(body: object) -> bool:
    return isinstance(body, TurnSpoken) and body.turn > 5 and body.call is not None


async def test_a_kept_text_that_was_changed_does_not_lead_to_the_source() -> None:
    records = [
        (name, stored.replace(b"I disagree, says turn 1.", b"I disagree, says turn 9."))
        for name, stored in fork(5)
    ]
    assert records != fork(5)
    found = await verified(rechained([stored for _, stored in records]))
    assert found.shared.proven == 0
    assert any("does not lead to the digest of its source" in x.what for x in found.findings)


async def test_a_lineage_that_names_another_digest_than_the_source_is_found() -> None:
    other = [encode(replace(decode(x), time=decode(CHAIN[-1]).time)) for x in CHAIN]
    found = await verified(fork(5), source=other)
    assert [x.what.partition(" at")[0] for x in found.findings] == ["its source has another event"]
    short = await verified(fork(5), source=CHAIN[:3])
    assert "is not there" in short.findings[0].what


async def test_without_its_source_a_fork_is_proven_and_counted_as_not_compared() -> None:
    found = await verified(fork(5), source=None)
    assert found.is_whole
    assert (found.shared.proven, found.shared.compared, found.shared.not_compared) == (1, 0, 1)


def rechained(lines: list[bytes]) -> Records:
    """The same events with all digests computed anew, as somebody who knows how would."""
    records: Records = []
    chains: dict[str, Chain] = {}
    for envelope in map(decode, lines):
        name, body = envelope.episode, envelope.body
        chain = chains.get(name) or Chain.empty(run=envelope.run, episode=name)
        if hasattr(body, "heads"):
            heads = {x: end.head for x, end in chains.items() if x != "run"}
            body = replace(body, heads=heads)
        stored, chains[name] = extend(chain, [body], time=envelope.time)
        records.append((name, stored[0]))
    return records


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"round_limit": 1}, "decided differently"),
        ({"verdict_parse": "contains_true"}, "read otherwise"),
        ({"check_timing": "after_persuader"}, "answers no call that was due"),
        ({"profile": "code"}, "give the options themselves"),
        ({"round_limt": 3}, "Did you mean 'round_limit'"),
    ],
)
def test_an_option_that_contradicts_what_is_kept_is_refused(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(SpecRefused, match=says):
        planned(cut(CHAIN, 9), options=options)


def test_an_option_that_decided_nothing_yet_may_change() -> None:
    assert planned(cut(CHAIN, 1), options={"round_limit": 1}).opened.options["round_limit"] == 1


def test_a_role_that_the_protocol_lacks_is_refused() -> None:
    with pytest.raises(SpecRefused, match="Did you mean 'debater'"):
        planned(cut(CHAIN, 5), roles={"debatr": GPT})


def test_all_binds_the_roles_that_are_not_named() -> None:
    cast = planned(cut(CHAIN, 5), roles={"all": GPT, "debater": Binding(model="b")}).opened.cast
    assert {role: x.model for role, x in cast.items()} == {
        **dict.fromkeys(LOGICOM.roles, "made-up-9"),
        "debater": "b",
    }


def test_a_fork_can_be_forked() -> None:
    first = fork(5)
    episode = next(name for name, _ in first if name != "run")
    chain = of(first, episode)
    point = cut(chain, 6, run="f")
    item = planned(point)
    assert item.opened.parent == Lineage(
        run="f",
        episode=episode,
        position=point.lineage.position,
        digest=digest(chain[point.lineage.position]),
        others=point.lineage.others,
    )
    again = play([(point, item)], yielding, run="g")
    closed = decode(of(again, item.episode)[-1]).body
    assert isinstance(closed, EpisodeClosed)
    assert turns(of(again, item.episode))[:6] == turns(chain)[:6]


def test_branch_gives_the_events_that_a_fork_begins_with() -> None:
    envelopes = [decode(line) for line in CHAIN]
    point = cut(CHAIN, 5)

    def until_the_fork_point() -> Any:
        yield from envelopes[: point.lineage.position + 1]
        pytest.fail("an event behind the fork point was read")

    opened, *kept = branch(until_the_fork_point(), 5, Changes(roles={"debater": GPT}))
    assert isinstance(opened, EpisodeOpened)
    assert opened.cast["debater"] == GPT
    assert opened.parent == point.lineage
    assert tuple(kept) == point.events
