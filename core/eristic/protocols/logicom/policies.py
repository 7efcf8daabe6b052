"""Other ways to rule on recorded rounds, by name, and what would have come of them.

No model is asked: a policy sees the checks that were made. One that would have stopped earlier
is recomputed exactly; one that would have gone on leaves the episode censored, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

import msgspec

from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.logicom.moderation import (
    DECISIONS,
    CheckReading,
    RoundChecks,
    Rules,
    Ruling,
    is_convinced,
    master,
)

__all__ = ["POLICIES", "Policy", "Recomputed", "find_policy", "recompute"]

Rounds = tuple[RoundChecks, ...]
Rule = Callable[[Rounds, Rules, str], Ruling]


class Policy(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A named, versioned way to rule on the last of some rounds."""

    name: str
    does: str
    """One line for help texts."""
    rule: Rule
    """(rounds, rules of the episode, argument) -> ruling on the last round."""
    version: int = 1
    takes: str = ""
    """What must follow `=` in the name; empty when nothing may."""
    fits: str = ""
    """Pattern of the argument."""
    argument: str = ""

    @property
    def id(self) -> str:
        """Goes into the log and into tables: `convinced-twice.v1`, `round-limit.v1=5`."""
        return f"{self.name}.v{self.version}" + (f"={self.argument}" if self.argument else "")

    def decide(self, rounds: Rounds, rules: Rules) -> Ruling:
        """The ruling on the last round. Raises ValueError as `master` does."""
        return self.rule(rounds, rules, self.argument)


class Recomputed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How an episode would have ended."""

    outcome: str | None
    """convinced or not_convinced; None when censored."""
    reason: str
    """As in Ruling; empty when censored."""
    round: int
    """The round it ends with; when censored the last one that is known."""
    censored: bool
    """The policy would have gone on where the record stops."""


def recompute(rounds: Rounds, policy: Policy, rules: Rules) -> Recomputed:
    """The episode under another policy, by the replay rule.

    The policy rules on every round in turn, seeing only the rounds up to it; the first stop is
    exact. Without one the episode is censored. Raises ValueError as `master` does.
    """
    for end in range(1, len(rounds) + 1):
        ruling = policy.decide(rounds[:end], rules)
        if ruling.stop:
            outcome = "convinced" if ruling.convinced else "not_convinced"
            return Recomputed(outcome=outcome, reason=ruling.reason, round=end, censored=False)
    return Recomputed(outcome=None, reason="", round=len(rounds), censored=True)


def find_policy(text: str, added: Mapping[str, Policy] = MappingProxyType({})) -> Policy:
    """The policy of that name, with its argument: `convinced-twice`, `round-limit=5`.

    added: policies of other packages; none of them takes a name that is ours. The version may be
    written out (`round-limit.v1=5`). Raises SpecRefused for an unknown name, with the nearest one,
    and for a missing, needless or unfit argument.
    """
    written, given, argument = text.strip().partition("=")
    name = re.sub(r"\.v\d+$", "", written)
    known = {**added, **POLICIES}
    policy = known.get(name)
    if policy is None:
        raise SpecRefused(f"no policy {name!r}.{nearest(name, known)}")
    if written not in (name, f"{name}.v{policy.version}"):
        raise SpecRefused(f"no policy {written!r}: {name} is at version {policy.version}")
    if bool(given) != bool(policy.takes) or not re.fullmatch(policy.fits, argument):
        form = f"{name}={policy.takes}" if policy.takes else f"{name}, with nothing after it"
        raise SpecRefused(f"policy {text.strip()!r} cannot be used: write {form}")
    return msgspec.structs.replace(policy, argument=argument)


def _as_master(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    return master(rounds, rules)


def _limited(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    return master(rounds, msgspec.structs.replace(rules, round_limit=int(argument)))


def _topical(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    active = "active" if argument == "on" else "ignored"
    return master(rounds, msgspec.structs.replace(rules, topic_check=active))


def _joined(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    return master(rounds, msgspec.structs.replace(rules, panel_rule=argument))


def _ordered(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    first = tuple(dict.fromkeys(argument.split(",")))
    rest = tuple(x for x in DECISIONS if x not in first)
    return master(rounds, msgspec.structs.replace(rules, order=first + rest))


def _twice(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    """A copy's conviction counts once the same copy said so in the round before as well.

    Until then the round is an unconvinced one: the other decisions apply to it.
    """
    before = (None, *rounds[:-1])
    confirmed = tuple(_confirmed(x, y) for x, y in zip(before, rounds, strict=True))
    ruling = master(confirmed, rules)
    earlier = [x.turn for y in rounds[-2:-1] for x in y.checks if x.check == "conviction"]
    return msgspec.structs.replace(ruling, inputs=tuple(sorted({*earlier, *ruling.inputs})))


def _confirmed(before: RoundChecks | None, current: RoundChecks) -> RoundChecks:
    sure = {
        x.copy
        for x in (before.checks if before else ())
        if (x.check, x.value) == ("conviction", "true")
    }

    def doubt(x: CheckReading) -> CheckReading:
        unsure = (x.check, x.value) == ("conviction", "true") and x.copy not in sure
        return msgspec.structs.replace(x, value="false") if unsure else x

    return msgspec.structs.replace(current, checks=tuple(map(doubt, current.checks)))


def _first(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    """A convinced panel ends the debate, also where the rules put another reason before it."""
    ruling = master(rounds, rules)
    if not is_convinced(rounds[-1], rules):
        return ruling
    return msgspec.structs.replace(ruling, stop=True, convinced=True, reason="convinced")


def _final(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    """Ends as the rules say; the outcome is the panel's conviction in that last round."""
    ruling = master(rounds, rules)
    convinced = ruling.stop and is_convinced(rounds[-1], rules)
    return msgspec.structs.replace(ruling, convinced=convinced)


def _any(rounds: Rounds, rules: Rules, argument: str) -> Ruling:
    """Ends as the rules say; convinced when one copy said so in any round up to there."""
    ruling = master(rounds, rules)
    convictions = [x for y in rounds for x in y.checks if x.check == "conviction"]
    turns = {x.turn for x in convictions}.union(ruling.inputs)
    return msgspec.structs.replace(
        ruling,
        convinced=ruling.stop and any(x.value == "true" for x in convictions),
        inputs=tuple(sorted(turns)),
    )


def _named(*policies: Policy) -> Mapping[str, Policy]:
    return MappingProxyType({x.name: x for x in policies})


_DECISION = f"(?:{'|'.join(DECISIONS)})"

POLICIES: Mapping[str, Policy] = _named(
    Policy(name="logicom-master", does="the episode's own rules", rule=_as_master),
    Policy(
        name="convinced-twice",
        does="convinced only when convinced in two rounds in a row",
        rule=_twice,
    ),
    Policy(
        name="round-limit",
        does="another limit of unconvinced rounds",
        rule=_limited,
        takes="N",
        fits=r"[1-9][0-9]{0,5}",
    ),
    Policy(
        name="topic",
        does="the topic check counts or is ignored",
        rule=_topical,
        takes="on|off",
        fits="on|off",
    ),
    Policy(
        name="panel",
        does="another way to join the copies of the moderator",
        rule=_joined,
        takes="single|unanimous|majority",
        fits="single|unanimous|majority",
    ),
    Policy(
        name="order",
        does="decisions named first are made first, the others follow in the usual order",
        rule=_ordered,
        takes="DECISION,...",
        fits=f"{_DECISION}(?:,{_DECISION})*",
    ),
    Policy(
        name="first-conviction",
        does="the first convinced round ends the debate, before any other reason",
        rule=_first,
    ),
    Policy(
        name="final-round",
        does="the outcome is the conviction of the round that ends the debate",
        rule=_final,
    ),
    Policy(
        name="any-conviction",
        does="convinced when any copy was convinced in any round",
        rule=_any,
    ),
)
"""Name -> policy. `find_policy` adds the argument of those that take one."""
