"""What happened: every event of every protocol. Facts only, in the past tense.

A stored tag never changes its meaning. A new field gets a default; a new meaning gets a new tag
and an upcaster (`upcasting.py`).
"""

from __future__ import annotations

import msgspec

from eristic.debate.asks import FailedAttempt, Served
from eristic.debate.cases import Case
from eristic.debate.cast import Binding, Setting

__all__ = [
    "AnswerRefused",
    "ContextOverflowed",
    "Counterpart",
    "EpisodeClosed",
    "EpisodeOpened",
    "Event",
    "HistoryFolded",
    "Import",
    "ImportCompleted",
    "JudgementMade",
    "JudgingOpened",
    "Lineage",
    "Reading",
    "RoleSwapped",
    "RulingMade",
    "RunClosed",
    "RunOpened",
    "TurnFailed",
    "TurnSpoken",
    "Unshared",
]


class _Fact(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="type"
):
    """Common shape: frozen, keyword-only, a stable tag under `type`, defaults left out.

    gc=False, here and in all frozen values of the core: they cannot form cycles, and a director
    holds so many that looking through them took a tenth of its time.
    """


class RunOpened(_Fact, frozen=True, gc=False, tag="run.opened.v1"):
    """A sweep began. First event of the run's own chain."""

    spec: str
    """The resolved experiment as canonical JSON: what a second start is compared with."""
    prompts: dict[str, str]
    """Template id -> text of the prompt file, so that every prompt can be rebuilt."""
    episodes: int
    """Number of episodes planned."""
    software: str
    """eristic and its version."""
    versions: dict[str, str] = {}
    """Versions of the packages that shape a result (litellm, msgspec, ...)."""
    durability: str = "always"
    """sync_interval of the log's server, as read from the server."""


class RunClosed(_Fact, frozen=True, gc=False, tag="run.closed.v1"):
    """Every planned episode is closed; here are the heads of all chains."""

    heads: dict[str, str]
    """Episode -> digest of its last event. A log shortened afterwards does not match."""
    seal: str = ""
    """Digest of this event's stored bytes with an empty seal: no later event vouches for it."""


class ImportCompleted(_Fact, frozen=True, gc=False, tag="import.completed.v1"):
    """A source was read to its end, and what was new in it is stored. On the run's own chain.

    An imported run grows with its source, so it has no run.closed. Each of these vouches for the
    episodes that none before it vouched for, and the last one, by the chain, for all of them.
    """

    layout: str
    """Importer with version, e.g. `logicom-published.v1`."""
    source: str
    """SHA-256 (hex) over the paths and digests of all files that were read."""
    heads: dict[str, str]
    """Episode -> digest of its last event, for episodes not vouched for before."""
    episodes: int
    """Episodes in the run that are vouched for from here on (count)."""
    counts: dict[str, int] = {}
    """What became of the files: added, already_there, conflicting, unreadable, ignored."""
    seal: str = ""
    """As in run.closed: digest of this event's stored bytes with an empty seal."""


class Unshared(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An event of the source that a branch did not take over."""

    position: int
    digest: str
    """Of its stored bytes."""


class Lineage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Where a branched episode comes from."""

    run: str
    episode: str
    position: int
    """Last position that is shared."""
    digest: str
    """Digest of the event at that position."""
    others: tuple[Unshared, ...] = ()
    """Events before it that are not shared, in order: the header, and turns that come after the
    last one kept but were answered sooner. With these, and the shared events, the source's
    digests can be computed anew, so a branch proves its beginning without its source."""

    @property
    def shared(self) -> int:
        """Events that the branch begins with after its own header (count)."""
        return self.position + 1 - max(1, len(self.others))


class Import(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Where an imported episode comes from. What its source lacks stays absent."""

    layout: str
    """Importer with version, e.g. `logicom-published.v1`."""
    path: str
    """Place in the source, as text; never used as a path."""
    sha256: str
    """Digest of the source's bytes."""
    facts: dict[str, Setting] = {}
    """What the source says beside its texts (ids, folder names as written, counters)."""
    absent: tuple[str, ...] = ()
    """Kinds of facts that a run of ours has and the source does not."""


class EpisodeOpened(_Fact, frozen=True, gc=False, tag="episode.opened.v1"):
    """One episode began. Holds all that its decisions depend on."""

    protocol: str
    protocol_version: int
    case: Case
    condition: str
    repetition: int
    options: dict[str, Setting]
    """The resolved option set, every option named."""
    cast: dict[str, Binding]
    prompts: dict[str, str]
    """Template id -> SHA-256 of its file; the texts are in the run's first event."""
    software: str
    seed: int | None = None
    """None for an imported episode: nobody recorded one."""
    parent: Lineage | None = None
    imported: Import | None = None


class Reading(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What a parser made of a text. The raw text stays beside it."""

    parser: str
    """Parser id with version, e.g. `strict-token.v1`."""
    status: str
    """read, unreadable, empty or refused."""
    value: str | None = None
    """The token read, or the text meant for the other side; None unless status is read."""
    parts: dict[str, str] = {}
    """Further named texts (a helper's label and passage)."""
    flags: tuple[str, ...] = ()
    """Remarks that decide nothing: long, repaired, label_leak, ..."""


class TurnSpoken(_Fact, frozen=True, gc=False, tag="turn.spoken.v1"):
    """A role acted once and gave a text."""

    turn: int
    role: str
    text: str
    """Raw, as the model gave it."""
    attempt: int = 0
    epoch: int = 0
    rank: int = 0
    """0 = the bound model, n = the n-th of its fallback chain."""
    seed: int | None = None
    """The seed sent; None for a text that no model made."""
    call: Served | None = None
    """None when no model was called (a template, an import)."""
    reading: Reading | None = None
    source: str = "model"
    """model, template, imported, human."""
    repetitions: int = 1
    """Copies of this text that were recorded in a row (imports only)."""
    remarks: tuple[str, ...] = ()
    """What is odd about an imported turn, kept as recorded: unsent, placeholder, ..."""


class TurnFailed(_Fact, frozen=True, gc=False, tag="turn.failed.v1"):
    """A role was asked and gave no text after all tries."""

    turn: int
    role: str
    error: str
    message: str
    attempt: int = 0
    epoch: int = 0
    rank: int = 0
    failed: tuple[FailedAttempt, ...] = ()


class ContextOverflowed(_Fact, frozen=True, gc=False, tag="context.overflowed.v1"):
    """A role's prompt was over its trigger, so no model was called."""

    turn: int
    role: str
    tokens: int
    threshold: int
    tokenizer: str
    line_tokens: tuple[int, ...]
    attempt: int = 0


class HistoryFolded(_Fact, frozen=True, gc=False, tag="history.folded.v1"):
    """Messages left a role's history and live on in its summary."""

    role: str
    """Whose history."""
    folded: tuple[int, ...]
    """Turns whose text left the history, in order."""
    summary_turn: int
    """The memory turn whose text is the new summary."""
    policy: str


class RoleSwapped(_Fact, frozen=True, gc=False, tag="role.swapped.v1"):
    """From here on another model answers for a role."""

    role: str
    epoch: int
    rank: int
    cause: str
    """refusal, empty, failed, or operator."""
    turn: int
    """The turn that caused it, or the first turn of the new epoch."""
    scope: str = "rest_of_episode"


class RulingMade(_Fact, frozen=True, gc=False, tag="ruling.made.v1"):
    """A policy decided something from turns in the log."""

    policy: str
    """Policy id with version."""
    inputs: tuple[int, ...]
    """The turns it looked at."""
    decision: str
    reason: str = ""
    round: int = 0
    facts: dict[str, Setting] = {}


class AnswerRefused(_Fact, frozen=True, gc=False, tag="answer.refused.v1"):
    """An answer came that does not count: another epoch, or a turn already answered."""

    turn: int
    role: str
    reason: str
    attempt: int = 0
    epoch: int = 0


class EpisodeClosed(_Fact, frozen=True, gc=False, tag="episode.closed.v1"):
    """The episode ended. No event follows."""

    outcome: str | None
    """None: a role exhausted its retries; excluded from rates and counted."""
    reason: str
    rounds: int
    """Rounds really played."""
    facts: dict[str, Setting] = {}


class JudgingOpened(_Fact, frozen=True, gc=False, tag="judging.opened.v1"):
    """A judge began to score a run. First event of the judge's own chain, beside the log."""

    judge: str
    """Judge id with version, e.g. `stance-words.v1` or `llm-stance.v1`."""
    question: str
    """What is asked, for a reader."""
    values: tuple[str, ...]
    """Every value that the judge may give; unscored is none of them."""
    software: str
    binding: Binding | None = None
    """The model that judges; None for rules and people."""
    prompts: dict[str, str] = {}
    """Template id -> text of the prompt file."""
    options: dict[str, Setting] = {}


class Counterpart(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The turn that a judged turn was compared with."""

    episode: str
    turn: int
    target: str
    """Digest of its event's stored bytes."""
    run: str = ""
    """Empty: the run that is judged."""


class JudgementMade(_Fact, frozen=True, gc=False, tag="judgement.made.v1"):
    """A judge looked at one turn, or compared it with another. One event for every answer.

    Points at what it judged and never changes it. Of several events with the same target,
    counterpart, order and sample the last one counts.
    """

    episode: str
    turn: int
    """The judged turn."""
    target: str
    """Digest of the judged event's stored bytes."""
    status: str
    """scored or unscored."""
    value: str | None = None
    """One of the judge's values, as if asked in order 0; None unless scored."""
    cause: str = ""
    """Why unscored: refused, unreadable, truncated, failed, blank (a label without a value)."""
    text: str = ""
    """Raw answer of the judging model or the remark of a person."""
    evidence: str = ""
    """The rule or the words that decided, where the judge can say; of a failed call, the error."""
    flags: tuple[str, ...] = ()
    fields: dict[str, Setting] = {}
    """Of a rubric with several fields: field -> value, beside the one that they come to."""
    other: Counterpart | None = None
    order: int = 0
    """1: the two sides of a comparison were shown the other way round."""
    sample: int = 0
    """Number of the repetition, from 0."""
    attempt: int = 0
    """Raised when the same is asked again: after a truncated answer, a failure, a correction."""
    seed: int | None = None
    """The seed sent; None when no model was called."""
    call: Served | None = None
    failed: tuple[FailedAttempt, ...] = ()
    """Of a call that gave no answer: its tries."""
    cost_usd: float | None = None
    """None when the price or the tokens are unknown, never 0 for it."""


Event = (
    JudgingOpened
    | JudgementMade
    | RunOpened
    | RunClosed
    | ImportCompleted
    | EpisodeOpened
    | TurnSpoken
    | TurnFailed
    | ContextOverflowed
    | HistoryFolded
    | RoleSwapped
    | RulingMade
    | AnswerRefused
    | EpisodeClosed
)
