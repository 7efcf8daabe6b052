"""The contract between a director and a role: one ask, one answer.

A role is whatever answers these messages: a Ray actor, a plain process, a program in another
language, a person. It needs nothing else from Eristic.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from eristic.debate import ids
from eristic.debate.cast import Setting

__all__ = [
    "Answer",
    "Ask",
    "Expected",
    "FailedAttempt",
    "Failed",
    "Line",
    "Outcome",
    "Overflowed",
    "Refused",
    "Served",
    "Spoke",
    "View",
]


class Line(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One utterance of a history as a role sees it: [speaker, text, turn]."""

    speaker: str
    text: str
    turn: int


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """All that a role may see of the record for one turn. Nothing else reaches its prompt."""

    template: str
    """Id of the template to fill."""
    fields: dict[str, str] = {}
    """Named texts for the template's placeholders."""
    history: tuple[Line, ...] = ()
    """The utterances in order; the last one is the one to answer."""
    summary: str = ""
    """What was folded away, if anything was."""


class Expected(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The form of text that is asked for; a model that can be constrained is held to it."""

    form: Literal["text", "token", "object"] = "text"
    tokens: tuple[str, ...] = ()
    """Allowed answers when the form is token; when it is object, of all its fields but the first
    (digits as numbers), and empty when every field is a free text."""
    keys: tuple[str, ...] = ()
    """Fields in order when the form is object."""


class Ask(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A request to a role to act once."""

    run: str
    episode: str
    turn: int
    """Number of the turn in its episode, from 0."""
    role: str
    view: View
    seed: int
    """For models that take one; derived from the episode's seed, role, turn, attempt and rank."""
    attempt: int = 0
    """0, then 1, 2, ... when an unreadable or empty answer is asked for again."""
    epoch: int = 0
    """The binding's epoch the director goes by."""
    rank: int = 0
    """0 = the bound model, n = the n-th model of its fallback chain."""
    expected: Expected = Expected()
    memory_trigger: int | None = None
    """Tokens of prompt above which the role must answer Overflowed instead of calling its model.
    None: the window of the model less the reserve, when known."""
    force: bool = False
    """Send the prompt even when it is over the trigger: nothing is left to fold."""
    params: dict[str, Setting] = {}
    """Sampling that the protocol sets for this turn; what the binding says goes before it."""
    repeat: bool = False
    """The same ask may have been sent before: look for a stored or running answer first."""

    def answered(self, outcome: Outcome, *, epoch: int | None = None) -> Answer:
        """The answer to this ask. epoch: of the binding that answers; None: the one asked for."""
        return Answer(
            episode=self.episode,
            turn=self.turn,
            role=self.role,
            attempt=self.attempt,
            epoch=self.epoch if epoch is None else epoch,
            rank=self.rank,
            outcome=outcome,
        )

    @property
    def call_id(self) -> str:
        """Same for a repeated ask; at most one answer is made for it."""
        return ids.call_id(
            run=self.run,
            episode=self.episode,
            turn=self.turn,
            role=self.role,
            attempt=self.attempt,
        )


class FailedAttempt(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One try of a model call that gave no text."""

    error: str
    """Class of the failure: timeout, connect, rate_limit, server, auth, context, bad_request."""
    latency_s: float
    waited_s: float = 0.0
    """Pause before the next try."""
    message: str = ""
    """What the provider said, shortened and cleared of secrets."""


class Served(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The facts of the call that gave the text."""

    model: str
    """As the provider reports it, not as it was asked for."""
    prompt: str = ""
    """SHA-256 (hex) over the messages as sent, see `prompting.digest`; empty when the role
    made its own prompt and did not say."""
    tokens_in: int | None = None
    """Prompt tokens as billed; None when the provider did not say."""
    tokens_out: int | None = None
    """Completion tokens as billed."""
    tokens_cached: int | None = None
    """Part of tokens_in read from the provider's cache."""
    finish: str = "stop"
    """stop, length, filter, tool or what else the provider says."""
    refusal: bool = False
    """The provider says that the model refused or filtered."""
    latency_s: float = 0.0
    failed: tuple[FailedAttempt, ...] = ()
    """Tries before the one that gave the text."""
    cleaned: bool = False
    """Lone surrogates were replaced in the text."""


class Spoke(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag="spoke"):
    """The role acted: here is its text."""

    text: str
    call: Served
    source: Literal["model", "human"] = "model"
    """human: a person gave the text."""


class Overflowed(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag="overflowed"
):
    """The prompt is over the trigger; no model was called."""

    tokens: int
    threshold: int
    tokenizer: str
    line_tokens: tuple[int, ...]
    """Tokens of each line of the view's history, in its order."""


class Failed(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag="failed"):
    """All tries failed; the episode's protocol decides what follows."""

    error: str
    message: str
    failed: tuple[FailedAttempt, ...] = ()


class Refused(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag="refused"
):
    """The role does not take the ask: another epoch, not its role, shutting down."""

    reason: str


Outcome = Spoke | Overflowed | Failed | Refused


class Answer(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What came of an ask. Repeats what it answers, so that it cannot be taken for another."""

    episode: str
    turn: int
    role: str
    outcome: Outcome
    attempt: int = 0
    epoch: int = 0
    rank: int = 0
