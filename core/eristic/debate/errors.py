"""Everything Eristic refuses, as one tree.

EristicError
├── InputRefused            something a person wrote: a spec, a case file, an option
│   ├── SpecRefused
│   ├── CaseRefused
│   └── NameRefused
├── LogError                something is wrong with a log
│   ├── StalePosition       another writer was faster
│   ├── LogDamaged          chain, order or bytes do not hold
│   ├── LogTooNew           written by a later version of Eristic
│   └── LogMissing
├── BusError                NATS is away, refuses, or is not what we need
│   ├── BusUnavailable
│   ├── BusRefused
│   └── MessageTooLarge
├── ModelError              a model call that did not give a turn
│   ├── ModelUnknown
│   ├── CredentialMissing
│   └── ModelFailed
├── RunRefused              a run of that name exists with another spec
└── ExtraMissing            an optional dependency is not installed
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.debate.asks import FailedAttempt

__all__ = [
    "BusError",
    "BusRefused",
    "BusUnavailable",
    "CaseRefused",
    "CredentialMissing",
    "EristicError",
    "ExtraMissing",
    "InputRefused",
    "LogDamaged",
    "LogError",
    "LogMissing",
    "LogTooNew",
    "MessageTooLarge",
    "ModelError",
    "ModelFailed",
    "ModelUnknown",
    "NameRefused",
    "RunRefused",
    "SpecRefused",
    "StalePosition",
    "nearest",
]


class EristicError(Exception):
    """Base of every refusal. `str(error)` says what, where and what to do next."""

    exit_code = 1
    """Exit code of the command line when this error ends a command."""


class InputRefused(EristicError):
    """Input from a person that cannot be used as it stands."""

    exit_code = 2


class SpecRefused(InputRefused):
    """An experiment file or a command-line option that cannot be run."""


class CaseRefused(InputRefused):
    """A case file with a record that cannot be used."""


class NameRefused(InputRefused):
    """A run, episode, role or protocol name that is unknown or not allowed."""


class LogError(EristicError):
    """Something is wrong with a log."""

    exit_code = 4


class StalePosition(LogError):
    """The log is not where the writer thought: another writer was faster."""

    def __init__(self, *, episode: str, expected: int, actual: int | None) -> None:
        self.episode = episode
        self.expected = expected
        self.actual = actual
        at = "elsewhere" if actual is None else f"at {actual}"
        super().__init__(
            f"expected position {expected}, episode {episode} is {at}; "
            "another director took over: reload, fold, decide again"
        )


class LogDamaged(LogError):
    """A log whose bytes, order or chain do not hold."""


class LogTooNew(LogError):
    """A log that holds events this version does not know."""


class LogMissing(LogError):
    """No log of that name."""


class BusError(EristicError):
    """NATS is away, refuses, or is not what we need."""

    exit_code = 5


class BusUnavailable(BusError):
    """No NATS server answers at the address."""


class BusRefused(BusError):
    """The server answers but refuses: permissions, limits, wrong stream settings, full disk."""


class MessageTooLarge(BusError):
    """A message over the server's limit; found before it is sent."""


class ModelError(EristicError):
    """A model call that did not give a turn."""

    exit_code = 6


class ModelUnknown(ModelError):
    """No provider serves a model of that name."""


class CredentialMissing(ModelError):
    """The environment variable with the provider's key is not set. Never carries a value."""


class ModelFailed(ModelError):
    """All attempts of a call failed."""

    def __init__(self, message: str, *, error: str, failed: tuple[FailedAttempt, ...] = ()) -> None:
        self.error = error
        """Class of the last failure, as in FailedAttempt.error."""
        self.failed = failed
        super().__init__(message)


class RunRefused(EristicError):
    """A run of that name exists and its spec differs."""

    exit_code = 2


class ExtraMissing(EristicError):
    """An optional dependency is not installed."""

    exit_code = 7

    def __init__(self, *, needs: str, extra: str) -> None:
        self.needs = needs
        self.extra = extra
        super().__init__(f"this needs {needs}: pip install 'eristic[{extra}]'")


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a word that is not among the known ones, ready to end a message.

    Returns ` Did you mean X?` for a near miss, else ` Known: A, B.`; empty when nothing is known.
    """
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f" Did you mean {close[0]!r}?"
    return f" Known: {', '.join(names)}." if names else ""
