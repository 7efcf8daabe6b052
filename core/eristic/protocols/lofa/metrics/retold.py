"""The same episodes under other options: each fallacy told again on what was recorded.

An episode that went through all fallacies is first cut into one for each, with the same screening
before it: where the rules of a try change, the others stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from eristic.debate import (
    ContextOverflowed,
    Event,
    RulingMade,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.errors import SpecRefused
from eristic.protocols.lofa.metrics.tries import DOUBLE, Try, blank_try, told
from eristic.protocols.lofa.names import (
    ENDURANCE_POLICY,
    SCREEN_POLICY,
    SHARED,
    YES_NO,
    fallacies_of,
    form_of,
)
from eristic.protocols.registry import find_protocol
from eristic.protocols.reports import Recorded, RecordedRun
from eristic.protocols.retelling import StoryRecomputer
from eristic.protocols.stories import StoryMachine

__all__ = ["CENSORED", "retold_tries", "single"]

CENSORED: Final = "censored"
"""The beginning of the cause of a try that would have gone on beyond the record."""

_Turn = TurnSpoken | TurnFailed | ContextOverflowed


def retold_tries(
    run: RecordedRun, tries: Sequence[Try], policies: Sequence[str]
) -> dict[str, list[Try]]:
    """Policy (`option=value`) -> the tries under it, in their order.

    tries: as recorded; no others are told. Doubles, and those that did not come to an end, stay as
    they are.
    """
    recorded = {(one.episode, one.fallacy): one for one in tries}
    found: dict[str, list[Try]] = {policy: [] for policy in policies}
    for one in run.episodes:
        events = single(one)
        for fallacy in fallacies_of(one.condition):
            if (one.episode, fallacy) not in recorded:
                continue
            known = recorded[one.episode, fallacy]
            again = _again(one, known, events[fallacy], policies)
            for policy, again_told in zip(policies, again, strict=True):
                found[policy].append(again_told)
    return found


def _recomputer(protocol: str) -> StoryRecomputer:
    # By name: the machine's own module imports its metrics.
    machine = find_protocol(protocol)
    assert isinstance(machine, StoryMachine)
    return StoryRecomputer(machine)


def _again(
    one: Recorded, known: Try, events: Sequence[Event], policies: Sequence[str]
) -> Sequence[Try]:
    changing = [x for x in policies if _may_change(x, one, known)]
    if not known.decision or known.cause == DOUBLE or not changing:
        return [known] * len(policies)
    opened = replace(one.opened, condition=f"{known.fallacy}.{form_of(one.condition)}")
    blank = replace(blank_try(one, known.fallacy), position=known.position)
    try:
        retold = _recomputer(opened.protocol).retell(opened, events, changing)
    except (SpecRefused, ValueError) as error:
        # An import may lack what a story needs.
        return [replace(known, cause=f"cannot be told again: {error}")] * len(policies)
    found = {
        policy: told(blank, x.rulings, missing=f"{CENSORED}: {x.decided.censored}")
        for policy, x in zip(changing, retold, strict=True)
    }
    return [found.get(policy, known) for policy in policies]


def _may_change(policy: str, one: Recorded, known: Try) -> bool:
    """Whether a rule can say anything else of this try: most need not be told again."""
    name, _, value = policy.partition("=")
    if str(one.opened.options.get(name)).lower() == value:
        return False
    decisions = {probe.decision for probe in known.probes}
    match name:
        case "unparsed_probe":
            return "no_answer" in decisions
        case "dont_know":
            return "dont_know" in decisions
        case "gold_aware":
            return known.kind == YES_NO
        case _:
            return True


def single(one: Recorded) -> Mapping[str, tuple[Event, ...]]:
    """Fallacy -> events of an episode that would have had this fallacy alone."""
    if not one.condition.startswith(f"{SHARED}."):
        return dict.fromkeys(fallacies_of(one.condition), one.events)
    last = max(
        (
            place
            for place, event in enumerate(one.events, 1)
            if isinstance(event, RulingMade) and event.policy == SCREEN_POLICY
        ),
        default=0,
    )
    begun = one.events[:last]
    parts = dict(_parts(one.events[last:]))
    start = 1 + max((event.turn for event in begun if isinstance(event, _Turn)), default=-1)
    return {
        fallacy: (*begun, *_moved(parts.get(fallacy, ()), start))
        for fallacy in fallacies_of(one.condition)
    }


def _parts(events: Sequence[Event]) -> Iterator[tuple[str, Sequence[Event]]]:
    """Each fallacy with its events, which end with how it ended."""
    start = 0
    for place, event in enumerate(events, 1):
        if isinstance(event, RulingMade) and event.policy == ENDURANCE_POLICY:
            yield str(event.facts.get("fallacy")), events[start:place]
            start = place


def _moved(events: Sequence[Event], start: int) -> Iterator[Event]:
    """Turns as they would be numbered. What rulings look at is told anew."""
    first = min((event.turn for event in events if isinstance(event, _Turn)), default=start)
    for event in events:
        if isinstance(event, _Turn):
            yield replace(event, turn=event.turn - first + start)
        else:
            yield event
