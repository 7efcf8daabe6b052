"""What follows from a published debate about rounds whose checks nobody recorded.

The published program asked three moderators after every round and stopped when all three wanted
to, for whatever reason; it called the debater convinced when all three said so. It recorded the
joint verdict, the first moderator's reason and the texts, no check. So this is known, the three
being taken as one panel:

- a round before the last: the debate went on, hence the panel was not convinced and did not stop
  for pleasantries, and no limit was reached;
- the last round: the verdict; with `pleasantries` that no conviction and no limit came first, with
  `round_limit` that the limit was reached; with `convinced` nothing about pleasantries;
- reason `convinced` with the verdict "not convinced": the first moderator was convinced, another
  was not and stopped for another reason;
- never: what the topic checks said (they ran and were ignored), what single moderators said.

What is not known is tried both ways. Where a policy rules the same every time the result is exact;
where it does not, the episode is censored. Policy by policy:

logicom-master, panel=unanimous, topic=off
    All exact: these are the program's own rules.
convinced-twice
    Of the joint verdict. Exact: what ended unconvinced. Censored: what ended convinced, since each
    of these debates ended at its first joint conviction and would have gone on; and those whose
    stop rests on the convictions of single moderators.
round-limit=N
    Exact: debates of N rounds or more; shorter ones that ended convinced or with pleasantries.
    Censored: shorter ones that the program's own limit ended.
first-conviction, final-round
    All exact: the outcome is the joint verdict of the last round.
any-conviction
    Exact: convinced by the joint verdict or by the first moderator alone. Censored: all others, a
    single moderator may have been convinced in any round.
order=...
    Exact, unless another reason is asked for before conviction: then it may have held as well
    where the debater was convinced (pleasantries in any round, the limit from round 11 on).
topic=on
    Exact: convinced in round 1. Censored: all others, round 1 may have been off topic.
panel=single, panel=majority
    Exact: some debates of one round. Censored: all others, one or two moderators may have been
    enough in any round before the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from eristic.protocols.logicom.moderation import CheckReading, RoundChecks, Rules
from eristic.protocols.logicom.options import PROFILES
from eristic.protocols.logicom.policies import Policy
from eristic.protocols.logicom.worlds import SINGLE_COPIES, World, decide_worlds
from eristic.protocols.recomputing import NOT_RECORDED, Decided

__all__ = ["LAYOUT", "Tale", "decide_tale"]

LAYOUT: Final = "logicom-published"
"""Importers of this layout, whatever their version, tell what the published program recorded."""

_LEAST_LIMIT: Final = PROFILES["code"].round_limit
"""Unconvinced rounds without which no moderator of the program reaches its limit."""
_AS_RECORDED: Final = frozenset({("logicom-master", ""), ("panel", "unanimous"), ("topic", "off")})


class Tale(NamedTuple):
    """All of an imported debate that its decisions depend on."""

    rounds: int
    outcome: str
    """The joint verdict: convinced or not_convinced."""
    reason: str
    """The first moderator's."""

    @property
    def is_convinced(self) -> bool:
        """The verdict of all moderators."""
        return self.outcome == "convinced"


@lru_cache(maxsize=4096)
def decide_tale(tale: Tale, policy: Policy) -> Decided:
    """How the debate ends under a policy. `inputs` holds numbers of rounds looked at."""
    if (policy.name, policy.argument) in _AS_RECORDED:
        return _recorded(tale)
    if policy.name in SINGLE_COPIES:
        return _by_moderator(tale, policy)
    return decide_worlds(_worlds(tale), policy)


def _recorded(tale: Tale, outcome: str = "") -> Decided:
    return Decided(
        outcome=outcome or tale.outcome,
        reason=tale.reason,
        round=tale.rounds,
        inputs=(tale.rounds,),
    )


def _not_recorded(number: int) -> Decided:
    return Decided(outcome=None, reason="", round=number, inputs=(number,), censored=NOT_RECORDED)


def _by_moderator(tale: Tale, policy: Policy) -> Decided:
    """Policies that ask single moderators: of these, the first one's last word is known."""
    first_was_convinced = tale.is_convinced or tale.reason == "convinced"
    if policy.name == "any-conviction":
        if first_was_convinced:
            return _recorded(tale, "convinced")
        return _not_recorded(tale.rounds)
    # A panel that is joined otherwise may have stopped in any round before the last.
    if tale.rounds > 1:
        return _not_recorded(1)
    if tale.is_convinced or (first_was_convinced and policy.argument == "single"):
        return _recorded(tale, "convinced")
    if policy.argument == "single" and tale.reason == "pleasantries":
        return _recorded(tale)
    return _not_recorded(1)


def _worlds(tale: Tale) -> tuple[World, ...]:
    """Every way in which what is not known may have been; see the top of this file."""
    worlds = []
    for topic, (copies, limit) in product(("on", "off"), _endings(tale)):
        calm = ("false", "continue")
        rounds = [_checks(number, (calm,) * len(copies), topic) for number in range(1, tale.rounds)]
        rounds.append(_checks(tale.rounds, copies, topic))
        rules = Rules(
            round_limit=limit,
            hard_limit=tale.rounds - 1 if tale.reason == "hard_limit" else None,
            topic_check="ignored",
            panel_rule="unanimous",
        )
        worlds.append(World(tuple(rounds), rules))
    return tuple(worlds)


_Copies = tuple[tuple[str, str], ...]
"""Conviction and pleasantry of every copy that is told apart."""


def _endings(tale: Tale) -> Iterator[tuple[_Copies, int]]:
    """What the last round may have been: its checks, and the limit that held."""
    reached, beyond = tale.rounds, tale.rounds + 1
    limits = (beyond, reached) if tale.rounds >= _LEAST_LIMIT else (beyond,)
    either = ("stop", "continue")
    match (tale.outcome, tale.reason):
        case ("convinced", "convinced"):
            for pleasantry, limit in product(either, limits):
                yield (("true", pleasantry),), limit
        case ("not_convinced", "pleasantries"):
            yield (("false", "stop"),), beyond
        case ("not_convinced", "round_limit"):
            for pleasantry in either:
                yield (("false", pleasantry),), reached
        case ("not_convinced", "hard_limit"):
            yield (("false", "continue"),), beyond
        case ("not_convinced", "convinced"):
            for first, other, limit in product(either, either, limits):
                if other == "stop" or limit == reached:
                    yield (("true", first), ("false", other)), limit
        case _:
            # A reason or a contradiction that the program does not have: only the end is known.
            for conviction, pleasantry, limit in product(("true", "false"), either, limits):
                yield ((conviction, pleasantry),), limit


def _checks(number: int, copies: _Copies, topic: str) -> RoundChecks:
    return RoundChecks(
        round=number,
        checks=tuple(
            CheckReading(copy=copy, check=check, value=value, turn=number)
            for copy, (conviction, pleasantry) in enumerate(copies, start=1)
            for check, value in (
                ("conviction", conviction),
                ("pleasantry", pleasantry),
                ("topic", topic),
            )
        ),
    )
