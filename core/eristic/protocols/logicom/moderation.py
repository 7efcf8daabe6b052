"""The master's ruling on a round: a pure function of the checks in the log.

Every copy of the moderator goes through its own checks in the order of the rules; the panel rule
joins the copies. Stop reason and verdict are two facts: a unanimous panel stops when every copy
wants to, for whatever reason, reports the first copy's reason, and convinces only when all copies
say so. Hence 31 published debates with the reason "convinced" and the verdict "not convinced".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from eristic.debate import Setting

__all__ = [
    "DECISIONS",
    "MASTER",
    "CheckReading",
    "RoundChecks",
    "Rules",
    "Ruling",
    "is_convinced",
    "master",
]

MASTER = "logicom-master.v1"
"""Id of the policy that `master` is."""

DECISIONS = ("conviction", "round_limit", "pleasantry", "topic")
"""What can end a debate, in the order in which the published code asks for it."""

_VALUES: Mapping[str, tuple[str, str]] = {
    "conviction": ("true", "false"),
    "pleasantry": ("stop", "continue"),
    "topic": ("off", "on"),
}
"""Check -> the value that ends the debate, the value that does not."""

_REASONS: Mapping[str, str] = {
    "conviction": "convinced",
    "round_limit": "round_limit",
    "pleasantry": "pleasantries",
    "topic": "off_topic",
}


class CheckReading(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one copy of the moderator answered to one check of a round."""

    copy: int
    """Number of the copy; the lowest of a round is its first."""
    check: str
    """conviction, pleasantry or topic."""
    value: str | None
    """true or false, stop or continue, on or off; None: unreadable after all re-asks. None counts
    as not convinced, continue, on topic."""
    turn: int
    """The turn that was read."""
    flagged: bool = False
    """The reading came with a remark."""


class RoundChecks(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """All checks of one round, in any order."""

    round: int
    """From 1, dense: no round is skipped when another model takes over."""
    checks: tuple[CheckReading, ...]
    rank: int = 0
    """Index in the moderator's fallback chain of the model that judged this round."""


class Rules(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The options that a ruling depends on. Defaults are the profile `paper`."""

    round_limit: int = 10
    """Unconvinced rounds after which the debate ends."""
    hard_limit: int | None = None
    """A round with a higher number than this is the last, whatever else holds. The code's guard is
    12 and looks after the round is played, so that its longest debates have 13."""
    topic_check: Literal["active", "ignored"] = "active"
    panel_rule: Literal["single", "unanimous", "majority"] = "single"
    """single: the first copy alone decides."""
    fresh_counter: bool = False
    """False: the round limit counts the rounds of the debate, whoever judged them. True (code):
    every copy counts the rounds that it judged unconvinced itself, and a model that takes over
    starts at 0. A unanimous panel that never agrees then needs a hard limit to end."""
    order: tuple[str, ...] = DECISIONS
    """The DECISIONS, each once: the first that applies gives a copy's reason."""

    def __post_init__(self) -> None:
        if sorted(self.order) != sorted(DECISIONS):
            raise ValueError(f"order must hold {', '.join(DECISIONS)} once each; got {self.order}")
        if self.round_limit < 1:
            raise ValueError(f"round_limit must be at least 1; got {self.round_limit}")


class Ruling(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What follows from a round."""

    stop: bool
    convinced: bool
    reason: str
    """convinced, pleasantries, off_topic, round_limit or hard_limit; empty while it goes on."""
    inputs: tuple[int, ...]
    """The turns looked at, ascending."""
    facts: dict[str, Setting]
    """Counts behind the ruling: copies, copies_convinced, copies_stopping, flagged and defaulted
    checks, and `reasons`, one per copy in order (- for none)."""


def master(rounds: tuple[RoundChecks, ...], rules: Rules) -> Ruling:
    """The ruling on the last of these rounds, the earlier ones being its history.

    Raises ValueError when a check is missing, doubled or has an unknown value, or when the rounds
    are not dense from 1: a round without a verdict must not be ruled on.
    """
    current = _checked(rounds, rules)
    reasons = tuple(_reason(copy, rounds, rules) for copy in _copies(current))
    stop = _holds([bool(reason) for reason in reasons], rules)
    convinced = _holds([reason == "convinced" for reason in reasons], rules)
    reason = _joined(reasons, rules) if stop else ""
    if not stop and rules.hard_limit is not None and current.round > rules.hard_limit:
        stop, reason = True, "hard_limit"
    return Ruling(
        stop=stop,
        convinced=convinced,
        reason=reason,
        inputs=tuple(sorted(x.turn for x in current.checks)),
        facts=_facts(current, reasons),
    )


def is_convinced(round_checks: RoundChecks, rules: Rules) -> bool:
    """Whether the panel's conviction checks of a round say so, whatever else was decided."""
    copies = _copies(round_checks)
    return _holds([_value(round_checks, x, "conviction") == "true" for x in copies], rules)


def _checked(rounds: tuple[RoundChecks, ...], rules: Rules) -> RoundChecks:
    numbers = [x.round for x in rounds]
    if not rounds or numbers != list(range(1, len(rounds) + 1)):
        raise ValueError(f"a ruling needs the rounds 1, 2, ... without gaps; got {numbers}")
    current = rounds[-1]
    seen = Counter((x.copy, x.check) for x in current.checks)
    needed = ["conviction", "pleasantry"] + ["topic"] * (rules.topic_check == "active")
    missing = [(c, k) for c in _copies(current) or (1,) for k in needed if (c, k) not in seen]
    doubled = [key for key, times in seen.items() if times > 1]
    if missing or doubled:
        raise ValueError(
            f"round {current.round} cannot be ruled on: (copy, check) missing {missing}, "
            f"doubled {doubled}; the round has no verdict yet"
        )
    for x in current.checks:
        if x.check not in _VALUES or x.value not in (None, *_VALUES[x.check]):
            raise ValueError(f"turn {x.turn}: {x.value!r} is no value of the check {x.check!r}")
    return current


def _copies(round_checks: RoundChecks) -> tuple[int, ...]:
    return tuple(sorted({x.copy for x in round_checks.checks}))


def _value(round_checks: RoundChecks, copy: int, check: str) -> str | None:
    return next((x.value for x in round_checks.checks if (x.copy, x.check) == (copy, check)), None)


def _reason(copy: int, rounds: tuple[RoundChecks, ...], rules: Rules) -> str:
    """Why this copy would end the debate now; empty when it would not."""
    for decision in rules.order:
        if _applies(decision, copy, rounds, rules):
            return _REASONS[decision]
    return ""


def _applies(decision: str, copy: int, rounds: tuple[RoundChecks, ...], rules: Rules) -> bool:
    current = rounds[-1]
    if decision == "round_limit":
        return _counted(copy, rounds, rules) >= rules.round_limit
    if decision == "topic" and rules.topic_check == "ignored":
        return False
    return _value(current, copy, decision) == _VALUES[decision][0]


def _counted(copy: int, rounds: tuple[RoundChecks, ...], rules: Rules) -> int:
    """The rounds that stand against the limit."""
    current = rounds[-1]
    if not rules.fresh_counter:
        return current.round
    own = [x for x in rounds if x.rank == current.rank and copy in _copies(x)]
    return sum(_value(x, copy, "conviction") != "true" for x in own)


def _holds(votes: Sequence[bool], rules: Rules) -> bool:
    match rules.panel_rule:
        case "single":
            return votes[0]
        case "unanimous":
            return all(votes)
        case "majority":
            return 2 * sum(votes) > len(votes)


def _joined(reasons: tuple[str, ...], rules: Rules) -> str:
    """The first copy's reason; under majority the commonest, the earliest copy's on a tie."""
    if rules.panel_rule != "majority":
        return reasons[0]
    return Counter(x for x in reasons if x).most_common(1)[0][0]


def _facts(current: RoundChecks, reasons: tuple[str, ...]) -> dict[str, Setting]:
    return {
        "copies": len(reasons),
        "copies_convinced": reasons.count("convinced"),
        "copies_stopping": sum(map(bool, reasons)),
        "defaulted": sum(x.value is None for x in current.checks),
        "flagged": sum(x.flagged or x.value is None for x in current.checks),
        "reasons": " ".join(x or "-" for x in reasons),
    }
