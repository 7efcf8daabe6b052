"""Where a debate stands: everything the next decision depends on, as one frozen value.

    opening -> debater -> checks -> ruling -> draft [-> help [-> rescue]] -> debater ...
                                          \\-> closing -> closed

With `check_timing = after_persuader` the draft (and the help) come between debater and checks.
A debate that was recorded elsewhere is `told` from its first turn to its last: nothing is due.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from eristic.debate import EpisodeOpened, Line
from eristic.protocols.logicom.moderation import RoundChecks, Rules
from eristic.protocols.logicom.options import Options

__all__ = [
    "CHECKS",
    "CONDITIONS",
    "CONVICTION",
    "DEBATER",
    "FALLACIOUS_HELPER",
    "HELPER",
    "HELPER_POLICY",
    "LOGICAL_HELPER",
    "MEMORY",
    "NO_HELPER",
    "PERSUADER",
    "PLEASANTRY",
    "TOPIC",
    "WINDOW_POLICY",
    "Call",
    "Ending",
    "Folding",
    "History",
    "Phase",
    "State",
    "Tally",
    "can_be_replaced",
    "initial",
]

PERSUADER: Final = "persuader"
DEBATER: Final = "debater"
HELPER: Final = "helper"
CONVICTION: Final = "conviction"
PLEASANTRY: Final = "pleasantry"
TOPIC: Final = "topic"
MEMORY: Final = "memory"
CHECKS: Final = (CONVICTION, PLEASANTRY, TOPIC)
"""The moderator's three checks, in the order of their turns."""

NO_HELPER: Final = "no_helper"
FALLACIOUS_HELPER: Final = "fallacious_helper"
LOGICAL_HELPER: Final = "logical_helper"
CONDITIONS: Final = (NO_HELPER, FALLACIOUS_HELPER, LOGICAL_HELPER)
"""Who helps the persuader."""

HELPER_POLICY: Final = "logicom-helper.v1"
"""Rules what becomes of a round whose helper gave nothing usable."""
WINDOW_POLICY: Final = "logicom-window.v1"
"""Rules what becomes of a prompt that is over the window with nothing left to fold."""

Phase = Literal[
    "opening",
    "debater",
    "draft",
    "help",
    "rescue",
    "checks",
    "ruling",
    "closing",
    "closed",
    "told",
]


class Call(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A turn that roles are asked for, with all that happened to it so far."""

    turn: int
    role: str
    attempt: int = 0
    """Raised by every new ask, whatever caused it."""
    rank: int = 0
    copy: int = 1
    """Which copy of the moderator panel; 1 for all other roles."""
    unread: int = 0
    """Answers at this rank that could not be read, or were empty (debater, persuader, memory);
    for the helper: fresh calls made."""
    declined: int = 0
    """Refused or empty answers of a check at this rank."""
    broken: str = ""
    """The helper's output to be re-formatted in this attempt."""
    reformatted: bool = False
    """The helper's one re-format request was used."""
    force: bool = False
    """Ask although the prompt is over the window."""
    is_stuck: bool = False
    """Over the window with nothing left to fold; to be forced."""
    swap_cause: str = ""
    """Why the next model must take over; empty when it need not."""
    is_settled: bool = False
    value: str | None = None
    """What a settled check said; None: unreadable to the end, or failed."""
    is_flagged: bool = False
    """The value is a default, or was read with a remark."""
    error: str = ""
    """Why a settled call has no answer."""

    @property
    def is_awaited(self) -> bool:
        """An answer to this attempt would count."""
        return not (self.is_settled or self.swap_cause or self.is_stuck)


class History(msgspec.Struct, frozen=True, gc=False):
    """What one side remembers: lines word for word, and a summary of those folded away."""

    lines: tuple[Line, ...] = ()
    summary: str = ""


class Folding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Lines on their way out of a history."""

    whose: str
    """persuader or debater."""
    call: Call
    """The memory turn."""
    lines: tuple[Line, ...]
    """What the memory summarises, in order."""
    summary: str | None = None
    """The new summary, once there."""


class Ending(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How the episode is about to close."""

    outcome: str | None
    reason: str
    role: str = ""
    """Who failed; empty when nobody did."""
    turn: int = 0
    error: str = ""


class Tally(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Remarks that add up over an episode (counts)."""

    helper_failed: int = 0
    """Rounds that used the draft because the helper gave nothing usable."""
    label_leaks: int = 0
    """Rewritten texts that name their own label."""
    folds: int = 0
    forced: int = 0
    """Asks sent although they were over the window."""


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One episode. A fold of its events and nothing else."""

    opened: EpisodeOpened
    options: Options
    rules: Rules
    phase: Phase = "opening"
    round: int = 1
    """Of the debater's reply that is asked for or was given last, from 1."""
    next_turn: int = 1
    """The next turn number that is free; 0 is the opening's."""
    calls: tuple[Call, ...] = ()
    """The turns of this phase; more than one only in checks."""
    folding: Folding | None = None
    draft: Line | None = None
    """The persuader's draft while the helper works on it."""
    persuader: History = History()
    debater: History = History()
    moderated: tuple[Line, ...] = ()
    """All utterances as the pleasantry and topic checks may see them."""
    rounds: tuple[RoundChecks, ...] = ()
    """What the checks said, one entry a checked round."""
    replies: int = 0
    """Debater replies given: rounds really played."""
    ranks: tuple[int, int, int] = (0, 0, 0)
    """Model of each check's next round, in the order of CHECKS."""
    epochs: tuple[int, int, int] = (0, 0, 0)
    switches: tuple[int, ...] = ()
    """Rounds in which a moderator was replaced for good."""
    tally: Tally = Tally()
    ending: Ending | None = None


def initial(opened: EpisodeOpened) -> State:
    """A new episode, before its opening utterance.

    Options that the header does not name have today's defaults. Raises msgspec.ValidationError
    for a header whose options were not resolved.
    """
    options = msgspec.convert(opened.options, Options)
    conviction, pleasantry, topic = (
        opened.cast[role].epoch if role in opened.cast else 0 for role in CHECKS
    )
    return State(
        opened=opened,
        phase="opening" if opened.imported is None else "told",
        options=options,
        rules=Rules(
            round_limit=options.round_limit,
            hard_limit=options.hard_limit,
            topic_check=options.topic_check,
            panel_rule=options.panel_rule,
            fresh_counter=options.fallback_counter == "fresh",
        ),
        epochs=(conviction, pleasantry, topic),
    )


def can_be_replaced(state: State, call: Call) -> bool:
    """A next model stands in the fallback chain of this call's role."""
    binding = state.opened.cast.get(call.role)
    return binding is not None and call.rank < len(binding.fallback)
