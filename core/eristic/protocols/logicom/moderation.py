"""The moderators' decisions as pure, versioned functions of what is in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from eristic.debate import Setting

__all__ = [
    "MASTER",
    "POLICIES",
    "CheckReading",
    "Policy",
    "Recomputed",
    "RoundChecks",
    "Rules",
    "Ruling",
    "find_policy",
    "master",
    "recompute",
]

MASTER = "logicom-master.v1"


class CheckReading(msgspec.Struct, frozen=True, kw_only=True):
    copy: int
    """1 = the first moderator of the panel."""
    check: str
    """conviction, pleasantry or topic."""
    value: str | None
    """true/false, stop/continue, on/off; None: unreadable after all re-asks."""
    turn: int
    flagged: bool = False


class RoundChecks(msgspec.Struct, frozen=True, kw_only=True):
    round: int
    checks: tuple[CheckReading, ...]
    rank: int = 0
    """Index in the moderator's fallback chain of the model that judged this round."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    round_limit: int = 10
    hard_limit: int | None = None
    topic_check: Literal["active", "ignored"] = "active"
    panel_rule: Literal["single", "unanimous", "majority"] = "single"
    fresh_counter: bool = False
    order: tuple[str, ...] = ("conviction", "round_limit", "pleasantry", "topic")


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    stop: bool
    convinced: bool
    reason: str
    """convinced, pleasantries, off_topic, round_limit, hard_limit; empty while it goes on."""
    inputs: tuple[int, ...]
    facts: dict[str, Setting]


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    does: str
    rule: Callable[[tuple[RoundChecks, ...], Rules, str], Ruling]
    version: int = 1
    takes: str = ""
    argument: str = ""

    @property
    def id(self) -> str:
        raise NotImplementedError

    def decide(self, rounds: tuple[RoundChecks, ...], rules: Rules) -> Ruling:
        return self.rule(rounds, rules, self.argument)


class Recomputed(msgspec.Struct, frozen=True, kw_only=True):
    outcome: str | None
    """convinced, not_convinced; None when censored."""
    reason: str
    round: int
    censored: bool


POLICIES: Mapping[str, Policy] = {}


def master(rounds: tuple[RoundChecks, ...], rules: Rules) -> Ruling:
    """The ruling on the last of these rounds."""
    raise NotImplementedError


def find_policy(text: str) -> Policy:
    raise NotImplementedError


def recompute(rounds: tuple[RoundChecks, ...], policy: Policy, rules: Rules) -> Recomputed:
    raise NotImplementedError
