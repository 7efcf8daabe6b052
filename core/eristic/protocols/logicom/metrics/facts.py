"""Plain facts of one debate: all that the metrics know of it."""

from __future__ import annotations

import msgspec

__all__ = ["Calls", "Debate", "Helped", "Spoken"]


class Spoken(msgspec.Struct, frozen=True, gc=False):
    """Utterances of one side that the other side got (counts)."""

    utterances: int = 0
    words: int = 0


class Helped(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A helper's text that was sent to the debater."""

    turn: int
    label: str | None
    """Normalised; None when the helper gave none."""
    reply: int
    """Number of the debater's reply to it, from 1."""
    digest: str = ""
    """Of its stored event; empty unless a judge looked at it."""


class Calls(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one role cost in one debate (counts)."""

    calls: int = 0
    """That gave a text, re-asks among them."""
    failed: int = 0
    """Tries that gave none."""
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    """Calls whose provider gave no token counts."""


class Debate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One episode."""

    episode: str
    model: str
    """The debater's, as bound."""
    claim: str
    pair: str
    """Block of every interval: both claims of a topic."""
    condition: str
    repetition: int
    convinced: bool | None = None
    """None: no outcome that counts."""
    cause: str = ""
    """Why it counts in no rate; empty when it does."""
    reason: str = ""
    """Why it stopped."""
    rounds: int | None = None
    """The debater's replies."""
    rounds_counted: int | None = None
    """As the published program counts them; the same as rounds for our own runs."""
    first_check: bool | None = None
    """Whether the moderator found the debater convinced in round 1; None: not recorded, or no
    check of that round could be read."""
    unread_rounds: int = 0
    """Rounds that count as not convinced because a conviction check could not be read."""
    folds: int | None = None
    """Foldings of a history into a summary; None: not recorded."""
    debater: Spoken = Spoken()
    persuader: Spoken = Spoken()
    """As sent; the opening is a template and does not count."""
    helped: tuple[Helped, ...] = ()
    """Sent helper texts in order."""
    last_turn: int | None = None
    """The debater's last utterance."""
    last_digest: str = ""
    calls: dict[str, Calls] = {}
    served: dict[str, tuple[str, ...]] = {}
    """Role -> model ids as reported, sorted."""
    is_imported: bool = False

    @property
    def counts(self) -> bool:
        """It has an outcome that counts in rates."""
        return self.convinced is not None and not self.cause
