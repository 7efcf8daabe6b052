from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.replay._plays import Answers, Told, logged, read, tell, troubled, usual, write

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    HistoryFolded,
    ImportCompleted,
    JudgementMade,
    JudgingOpened,
    Reading,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.errors import NameRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.protocols import Machine, Parser, find_protocol
from eristic.protocols.logicom import LOGICOM, Logicom
from eristic.replay import Verification, Verifier, verify


def verified(
    told: Told, *, head: str | None = None, machine: Machine[Any] = LOGICOM
) -> Verification:
    """The verification of a run that was written with all digests right."""
    verifier = Verifier("r", machine_for=lambda name: machine)
    for episode, stored in write(told):
        verifier.take(episode, stored)
    return verifier.close(head=head)


TROUBLED = tell(troubled, number=1)
"""One case in all three conditions."""
ONE = tell(troubled, number=1, conditions=("fallacious_helper",))
WHOLE = write(TROUBLED)


@pytest.mark.parametrize("answers", [usual, troubled])
@pytest.mark.parametrize("profile", ["paper", "code"])
async def test_a_run_as_it_was_played_is_whole(answers: Answers, profile: str) -> None:
    records = write(tell(answers, options={"profile": profile}))
    found = await verify(await logged(records), "r", machine_for=find_protocol)
    assert found.findings == ()
    assert found.is_whole and found.is_closed
    assert found.events == len(records)
    assert found.episodes == sum(found.outcomes.values()) == 6
    # All but the opening utterance of each episode were made from a prompt.
    assert found.prompts_rebuilt == found.turns - 6 > 0
    assert (found.prompts_not_recorded, found.prompts_refuted, found.not_walked) == (0, 0, 0)


def test_the_troubled_run_has_every_kind_of_event() -> None:
    kinds = {type(event) for _, event, _ in ONE}
    assert kinds >= {TurnFailed, ContextOverflowed, HistoryFolded, RoleSwapped, RulingMade}


def changes(event: Event) -> Iterator[Event]:
    """The event with one thing changed, for everything that follows from the rest of the log."""
    match event:
        case TurnSpoken():
            yield from _changed_turns(event)
        case TurnFailed():
            yield from _elsewhere(event)
            yield replace(event, rank=event.rank + 1)
            yield replace(event, epoch=event.epoch + 1)
        case ContextOverflowed():
            yield from _elsewhere(event)
        case RulingMade():
            yield replace(event, decision="convinced" if event.reason == "" else "continue")
            yield replace(event, reason=event.reason + "x")
            yield replace(event, round=event.round + 1)
            yield replace(event, inputs=event.inputs[1:])
            yield replace(event, policy="logicom-master.v0")
            yield replace(event, facts=event.facts | {"copies": 7})
        case EpisodeClosed():
            yield replace(event, outcome="not_convinced" if event.outcome else "convinced")
            yield replace(event, outcome=None)
            yield replace(event, reason="off_topic")
            yield replace(event, rounds=event.rounds + 1)
            yield replace(event, facts={})
        case HistoryFolded():
            yield replace(event, folded=event.folded[1:])
            yield replace(event, summary_turn=event.summary_turn - 1)
            yield replace(event, role="helper")
            yield replace(event, policy="tiers")
        case RoleSwapped():
            yield replace(event, rank=event.rank + 1)
            yield replace(event, epoch=event.epoch + 1)
            yield replace(event, cause="empty")
            yield replace(event, cause="operator")
            yield replace(event, turn=event.turn + 1)
            yield replace(event, scope="this_call")
        case EpisodeOpened():
            yield from _changed_headers(event)
        case RunOpened():
            yield replace(event, episodes=event.episodes + 1)
            yield replace(event, episodes=event.episodes - 1)
            yield replace(event, spec=event.spec.replace('"seed":11', '"seed":12'))
            yield replace(event, spec=event.spec.replace('"round_limit":10', '"round_limit":9'))
            for name in ("logicom.debater", "logicom.topic", "logicom.memory"):
                yield replace(event, prompts=event.prompts | {name: event.prompts[name] + "\n"})
                yield replace(event, prompts={k: v for k, v in event.prompts.items() if k != name})
        case RunClosed() | ImportCompleted() | AnswerRefused():
            return  # heads are written anew; a refusal may come for any call
        case JudgingOpened() | JudgementMade():
            return  # never in an episode's chain


def _elsewhere(event: TurnSpoken | TurnFailed | ContextOverflowed) -> Iterator[Event]:
    yield replace(event, turn=event.turn + 100)
    yield replace(event, role="nobody")
    yield replace(event, attempt=event.attempt + 1)


def _changed_turns(event: TurnSpoken) -> Iterator[Event]:
    yield from _elsewhere(event)
    other = Reading(parser="strict-token.v1", status="read", value="stop")
    yield replace(event, reading=other if event.reading is None else None)
    if event.reading is not None:
        yield replace(event, reading=replace(event.reading, value="never said"))
        yield replace(event, reading=replace(event.reading, parser="strict-token.v0"))
        yield replace(event, reading=replace(event.reading, flags=("invented",)))
    if event.call is not None:
        yield replace(event, call=None)
        yield replace(event, call=replace(event.call, prompt="0" * 64))
        yield replace(event, seed=(event.seed or 0) + 1)
        yield replace(event, rank=event.rank + 1)
        yield replace(event, epoch=event.epoch + 1)
    if event.role == "debater":
        # The moderator read it.
        yield replace(event, text="I agree!")


def _changed_headers(event: EpisodeOpened) -> Iterator[Event]:
    texts = event.case.texts
    yield replace(event, case=replace(event.case, case_id="another"))
    yield replace(event, case=replace(event.case, block="another"))
    yield replace(event, case=replace(event.case, texts=texts | {"claim": "Another claim"}))
    yield replace(event, case=replace(event.case, texts=texts | {"unused": "text"}))
    yield replace(event, condition="no_helper" if "helper" not in event.condition else "nothing")
    yield replace(event, repetition=event.repetition + 1)
    yield replace(event, seed=(event.seed or 0) + 1)
    yield replace(event, protocol_version=event.protocol_version + 1)
    yield replace(event, options=event.options | {"round_limit": 4})
    yield replace(event, options={})
    yield replace(event, prompts={})
    yield replace(event, prompts=event.prompts | {"logicom.debater": "0" * 64})
    binding = event.cast["debater"]
    yield replace(event, cast=event.cast | {"debater": replace(binding, model="another")})
    yield replace(event, cast=event.cast | {"debater": replace(binding, params={})})
    yield replace(event, cast={})


def test_every_change_is_found_though_all_digests_were_computed_anew() -> None:
    tried = 0
    for place, (episode, event, moment) in enumerate(ONE):
        if isinstance(event, RunOpened | EpisodeOpened):
            continue
        for changed in changes(event):
            if changed != event:
                told = [*ONE[:place], (episode, changed, moment), *ONE[place + 1 :]]
                assert verified(told).found, f"{type(event).__name__} at {place} -> {changed}"
                tried += 1
    assert tried > 400


def test_every_change_of_a_header_is_found_though_all_digests_were_computed_anew() -> None:
    for place, (episode, event, moment) in enumerate(TROUBLED):
        if isinstance(event, RunOpened | EpisodeOpened):
            for changed in changes(event):
                told = [*TROUBLED[:place], (episode, changed, moment), *TROUBLED[place + 1 :]]
                assert verified(told).found, f"{type(event).__name__} at {place} -> {changed}"


def test_every_dropped_event_is_found_though_all_digests_were_computed_anew() -> None:
    for place, (episode, event, _) in enumerate(ONE):
        found = verified(ONE[:place] + ONE[place + 1 :])
        if isinstance(event, RunClosed):
            assert not found.is_whole  # a run without its end is an open run
        else:
            assert found.found, f"{episode} {event}"


def test_every_doubled_event_is_found_though_all_digests_were_computed_anew() -> None:
    for place in range(len(ONE)):
        assert verified([*ONE[: place + 1], *ONE[place:]]).found, ONE[place]


def test_a_dropped_episode_is_found_though_all_digests_were_computed_anew() -> None:
    victim = TROUBLED[1][0]
    found = verified([told for told in TROUBLED if told[0] != victim])
    assert [(x.kind, x.what) for x in found.findings] == [
        ("damaged", "closed, but episodes are missing")
    ]


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(WHOLE) - 1))
    episode, line = WHOLE[place]
    offset = data.draw(st.integers(0, len(line) - 1))
    changed = line[:offset] + bytes([line[offset] ^ data.draw(st.integers(1, 255))])
    verifier = Verifier("r", machine_for=find_protocol)
    for name, stored in [
        *WHOLE[:place],
        (episode, changed + line[offset + 1 :]),
        *WHOLE[place + 1 :],
    ]:
        verifier.take(name, stored)
    assert verifier.close().found


def test_a_changed_ruling_is_told_with_what_was_due_who_wrote_it_and_what_to_do() -> None:
    place, episode, event, moment = _first(RulingMade)
    told = list(TROUBLED)
    told[place] = (episode, replace(event, decision="convinced"), moment)
    (finding,) = verified(told).findings
    assert finding.kind == "redecided"
    assert (finding.episode, finding.event) == (
        episode,
        "ruling.made.v1, logicom-master.v1, round 1",
    )
    assert (finding.expected, finding.actual) == ('decision "continue"', 'decision "convinced"')
    assert finding.written_by == "eristic 0.0.9, logicom 1"
    assert finding.read_by.startswith("eristic ") and finding.read_by.endswith(", logicom 1")
    assert "verify with the version that wrote it" in finding.advice


def _first(kind: type[RulingMade]) -> tuple[int, str, RulingMade, Any]:
    for place, (episode, event, moment) in enumerate(TROUBLED):
        if isinstance(event, kind):
            return place, episode, event, moment
    raise AssertionError("not in the run")


class _StricterLogicom(Logicom):
    """A later version whose conviction parser reads nothing any more."""

    version = 2
    parsers: Mapping[str, Parser] = {
        **LOGICOM.parsers,
        "conviction.strict": lambda text: Reading(parser="stricter.v2", status="unreadable"),
    }


def test_a_text_that_is_read_otherwise_today_is_a_finding_of_its_own_kind() -> None:
    told = tell(usual, number=1, conditions=("no_helper",))
    found = verified(told, machine=_StricterLogicom())
    convictions = [e for _, e, _ in told if isinstance(e, TurnSpoken) and e.role == "conviction"]
    assert {finding.kind for finding in found.findings} == {"redecided"}
    assert found.found == len(convictions) == 10
    first = found.findings[0]
    assert first.event == "turn.spoken.v1, turn 2, conviction"
    assert first.expected == 'value null; status "unreadable"; parser "stricter.v2"'
    assert first.actual == 'status "read"; value "false"; parser "strict-token.v1"'
    assert (first.written_by, first.read_by[-9:]) == ("eristic 0.0.9, logicom 1", "logicom 2")


def test_a_changed_text_shows_in_every_prompt_that_held_it() -> None:
    told = list(TROUBLED)
    place, turn = next(
        (place, event)
        for place, (_, event, _) in enumerate(told)
        if isinstance(event, TurnSpoken) and event.role == "debater"
    )
    told[place] = (told[place][0], replace(turn, text="I never said so."), told[place][2])
    found = verified(told)
    assert {finding.kind for finding in found.findings} == {"prompt"}
    assert found.found == found.prompts_refuted > 3
    assert {finding.episode for finding in found.findings} == {told[place][0]}


def test_a_prompt_without_a_digest_counts_as_not_recorded_and_not_as_proven() -> None:
    told: Told = [(episode, _forgetful(event), moment) for episode, event, moment in tell(number=1)]
    found = verified(told)
    assert found.is_whole
    assert (found.prompts_rebuilt, found.prompts_refuted) == (0, 0)
    assert found.prompts_not_recorded == found.turns - found.episodes


def _forgetful(event: Event) -> Event:
    if isinstance(event, TurnSpoken) and event.call is not None:
        return replace(event, call=replace(event.call, prompt=""))
    return event


def test_one_changed_template_is_one_finding_and_all_its_turns_are_refuted() -> None:
    told = tell(number=2, conditions=("no_helper",))
    opened = told[0][1]
    assert isinstance(opened, RunOpened)
    texts = opened.prompts | {"logicom.debater": opened.prompts["logicom.debater"] + " "}
    found = verified([(RUN_CHAIN, replace(opened, prompts=texts), told[0][2]), *told[1:]])
    assert [finding.kind for finding in found.findings] == ["prompt"]
    assert found.prompts_refuted == 20
    assert found.prompts_rebuilt == found.turns - 2 - 20


@pytest.mark.parametrize("steps", range(0, 40, 3))
def test_an_open_run_is_unfinished_but_undamaged(steps: int) -> None:
    found = verified(tell(troubled, steps=steps, number=1))
    assert found.findings == ()
    assert found.unfinished and not found.is_whole and not found.is_closed


def test_the_head_vouches_for_what_follows_from_nothing() -> None:
    place, turn = max(
        (place, event)
        for place, (_, event, _) in enumerate(TROUBLED)
        if isinstance(event, TurnSpoken) and event.call is not None
    )
    assert turn.call is not None
    told = list(TROUBLED)
    faster = replace(turn, call=replace(turn.call, latency_s=0.01))
    told[place] = (told[place][0], faster, told[place][2])
    head = verified(TROUBLED).head
    assert verified(TROUBLED, head=head).is_whole
    assert verified(told).is_whole
    (finding,) = verified(told, head=head).findings
    assert (finding.kind, finding.expected) == ("damaged", head)


def test_answers_that_came_in_any_order_and_number_are_whole() -> None:
    runs = [tell(troubled, number=1, repetitions=n, options={"profile": "code"}) for n in (1, 3)]
    assert all(verified(told).is_whole for told in runs)


def test_a_protocol_that_is_not_installed_is_a_finding() -> None:
    def none(name: str) -> Machine[Any]:
        raise NameRefused(f"no protocol {name!r} is installed")

    verifier = Verifier("r", machine_for=none)
    for episode, stored in WHOLE:
        verifier.take(episode, stored)
    found = verifier.close()
    assert found.found == 3
    assert "no protocol 'logicom' is installed" in found.findings[0].what
    assert found.not_walked == sum(e != RUN_CHAIN for e, _ in WHOLE) - 3


def test_a_header_that_the_protocol_cannot_take_is_a_finding() -> None:
    told = list(TROUBLED)
    episode, opened, moment = told[1]
    assert isinstance(opened, EpisodeOpened)
    told[1] = (episode, replace(opened, options={"round_limit": "many"}), moment)
    found = verified(told)
    assert any("cannot go on from here" in finding.what for finding in found.findings)


def swapped(epoch: int, turn_epoch: int) -> Told:
    """An operator gives the debater another model; later turns carry an epoch."""
    told = tell(number=1, conditions=("no_helper",))
    place = next(i for i, (_, event, _) in enumerate(told) if isinstance(event, RulingMade)) + 1
    episode, _, moment = told[place]
    swap = RoleSwapped(role="debater", epoch=epoch, rank=0, cause="operator", turn=6)
    rest: Told = []
    for name, event, time in told[place:]:
        if isinstance(event, TurnSpoken) and event.role == "debater":
            event = replace(event, epoch=turn_epoch)
        rest.append((name, event, time))
    return [*told[:place], (episode, swap, moment), *rest]


def test_a_swap_by_an_operator_is_a_fact_of_its_own_and_opens_an_epoch() -> None:
    assert verified(swapped(epoch=1, turn_epoch=1)).findings == ()


@pytest.mark.parametrize(("epoch", "turn_epoch"), [(1, 2), (0, 0)])
def test_an_epoch_that_no_swap_opened_is_found(epoch: int, turn_epoch: int) -> None:
    assert verified(swapped(epoch=epoch, turn_epoch=turn_epoch)).found


def test_what_was_written_reads_back_the_same() -> None:
    assert write(read(WHOLE)) == WHOLE
