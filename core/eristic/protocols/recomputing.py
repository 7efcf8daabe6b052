"""What a protocol offers so that its decisions can be made again by other rules.

A protocol joins with one object, a `Recomputer`, and one entry point of the group
`eristic.policies` whose name is the protocol's. A protocol that is a story needs none: its rules
are its options, and `retelling` tells it again with others. The engine gives a recomputer the
events of one episode after another and knows none of its rules. Another package adds a policy to
a protocol under the name `PROTOCOL.POLICY` in the same group; what such an object is, the protocol
says.

No model is asked. What follows from the record is exact; where a policy would have gone on beyond
the record, or rests on something that nobody recorded, the episode is censored: never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from eristic.debate import EpisodeOpened, Event

__all__ = [
    "GOES_ON",
    "NOT_RECORDED",
    "NO_TEXTS",
    "Decided",
    "Hearing",
    "PolicyNote",
    "Prepared",
    "Recomputer",
    "Recovering",
]

GOES_ON = "goes_on"
"""Cause: nothing in the record stops the episode by this policy, and the record ends."""
NOT_RECORDED = "not_recorded"
"""Cause: what the policy looks at was not recorded, or was not asked."""
NO_TEXTS = "no_texts"
"""Cause: a parser is to be replaced, and the texts that it would read were not recorded."""


class Decided(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How an episode ends under a policy."""

    outcome: str | None
    """None when censored, and for an episode that ends without one by this policy."""
    reason: str
    """As in episode.closed; `a or b` when the record leaves that open. Empty when censored."""
    round: int
    """The round it ends with; when censored the first one that is not decided."""
    inputs: tuple[int, ...] = ()
    """The turns that this rests on, ascending."""
    censored: str = ""
    """GOES_ON, NOT_RECORDED or NO_TEXTS; empty when exact."""
    by_default: bool = False
    """The outcome rests on unreadable answers alone, so it says nothing."""


class PolicyNote(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A policy for help texts."""

    form: str
    """As it is typed: `round-limit=N`."""
    does: str


class Hearing(Protocol):
    """One episode that is decided again."""

    def take(self, event: Event) -> None:
        """One more event of the episode, in order, without its header."""
        ...

    def decide(self) -> tuple[Decided, ...]:
        """How it ends, one a policy in their order. Asked of closed episodes; of those without an
        outcome only when the policies are `Recovering`."""
        ...


class Prepared(Protocol):
    """Policies and parsers that were found and fit together."""

    @property
    def policies(self) -> tuple[str, ...]:
        """Ids with version and argument, as tables and logs name them."""
        ...

    @property
    def parsers(self) -> Mapping[str, str]:
        """What is read again -> id of the parser."""
        ...

    def subject(self, opened: EpisodeOpened) -> str:
        """What tells episodes of one condition apart in tables (a model under test), or empty."""
        ...

    def hear(self, opened: EpisodeOpened) -> Hearing:
        """Begin with an episode. Raises ValueError for a header that cannot be used."""
        ...


@runtime_checkable
class Recovering(Protocol):
    """Prepared policies by which an episode without an outcome may have one."""

    @property
    def decides_failures(self) -> bool:
        """Such episodes are to be decided as well."""
        ...


class Recomputer(Protocol):
    """How the decisions of one protocol are made again."""

    @property
    def protocol(self) -> str: ...

    @property
    def success(self) -> str:
        """The outcome whose rate is shown; empty: all outcomes are shown."""
        ...

    @property
    def notes(self) -> Sequence[PolicyNote]:
        """Every policy, in the order of help texts."""
        ...

    def prepare(self, policies: Sequence[str], parsers: Mapping[str, str]) -> Prepared:
        """Policies as typed, each for itself; none: every episode's own rules.

        parsers: what is read again -> name of the parser. Raises SpecRefused for unknown ones,
        with the nearest name.
        """
        ...
