"""Deciding rounds of which not everything is known: tried in every way it may have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from eristic.protocols.logicom.moderation import CheckReading, RoundChecks, Rules, Ruling
from eristic.protocols.logicom.policies import Policy
from eristic.protocols.recomputing import GOES_ON, NOT_RECORDED, Decided

__all__ = ["SINGLE_COPIES", "World", "decide_worlds", "is_checked_here", "worlds_of"]

SINGLE_COPIES = frozenset({"any-conviction", "panel"})
"""Policies that ask what each copy of the moderator said, and not only what all of them said."""


class World(NamedTuple):
    """One way in which the checks may have been."""

    rounds: tuple[RoundChecks, ...]
    rules: Rules


def decide_worlds(worlds: Sequence[World], policy: Policy) -> Decided:
    """The ruling that is the same in every world; censored where there is none.

    All worlds have the same rounds, at least one. Raises ValueError as `master` does.
    """
    last = len(worlds[0].rounds)
    rulings: list[Ruling] = []
    for end in range(1, last + 1):
        rulings = [policy.decide(world.rounds[:end], world.rules) for world in worlds]
        if all(ruling.stop for ruling in rulings):
            return _joined(rulings, end)
        if any(ruling.stop for ruling in rulings):
            return _censored(GOES_ON if end == last else NOT_RECORDED, end, rulings)
    return _censored(GOES_ON, last, rulings)


def _joined(rulings: list[Ruling], end: int) -> Decided:
    """The ruling of all worlds, if they agree on the outcome; the reason may be open."""
    if len({ruling.convinced for ruling in rulings}) > 1:
        return _censored(NOT_RECORDED, end, rulings)
    return Decided(
        outcome="convinced" if rulings[0].convinced else "not_convinced",
        reason=" or ".join(sorted({ruling.reason for ruling in rulings})),
        round=end,
        inputs=_inputs(rulings),
    )


def _censored(cause: str, end: int, rulings: list[Ruling]) -> Decided:
    return Decided(outcome=None, reason="", round=end, inputs=_inputs(rulings), censored=cause)


def _inputs(rulings: list[Ruling]) -> tuple[int, ...]:
    return tuple(sorted({turn for ruling in rulings for turn in ruling.inputs}))


def is_checked_here(checks: RoundChecks) -> bool:
    """False for a round that a branch took over from an import: it went on there, no more."""
    return any(x.check != "conviction" for x in checks.checks)


def worlds_of(rounds: tuple[RoundChecks, ...], rules: Rules, policy: Policy) -> list[World]:
    """The rounds of an episode of ours; several worlds for a branch of an import.

    A round that was checked elsewhere did not stop the debate there: no joint conviction and no
    pleasantries. What the topic check said matters if the policy asks for it where the episode's
    own rules do not.
    """
    if all(map(is_checked_here, rounds)):
        return [World(rounds, rules)]
    asks_topic = (policy.name, policy.argument) == ("topic", "on")
    topics = ("on", "off") if asks_topic and rules.topic_check == "ignored" else ("on",)
    return [World(tuple(_completed(x, topic) for x in rounds), rules) for topic in topics]


def _completed(checks: RoundChecks, topic: str) -> RoundChecks:
    if is_checked_here(checks):
        return checks
    values = {"conviction": "false", "pleasantry": "continue", "topic": topic}
    return replace(
        checks,
        checks=tuple(
            CheckReading(copy=x.copy, check=check, value=value, turn=x.turn)
            for x in checks.checks
            for check, value in values.items()
        ),
    )
