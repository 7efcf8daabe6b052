"""From the errors of litellm and its clients to our own, once and without their secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from eristic.agents.models.redaction import scrub
from eristic.agents.models.retries import AttemptFailed

__all__ = ["Filtered", "NotFound", "translate"]

_BY_NAME = {
    "Timeout": "timeout",
    "APITimeoutError": "timeout",
    "APIConnectionError": "connect",
    "ContextWindowExceededError": "context",
    "RateLimitError": "rate_limit",
    "AuthenticationError": "auth",
    "PermissionDeniedError": "auth",
}
"""Class names, since litellm's classes are only there once it has been imported."""

_FILTER_CODES = frozenset({"content_filter", "content_policy_violation"})


class Filtered(Exception):
    """The provider's filter took the prompt: an answer of a kind, not a failure."""


class NotFound(Exception):
    """The provider does not serve the model. The message is free of secrets."""


def translate(error: Exception) -> Exception:
    """AttemptFailed, Filtered or NotFound for whatever a call raised.

    What has no class and no HTTP status of its own is an answer that could not be read: the
    class is server.
    """
    chain = tuple(_chain(error))
    names = [type(link).__name__ for link in chain]
    message = scrub(str(error))
    if "ContentPolicyViolationError" in names or any(_code(x) in _FILTER_CODES for x in chain):
        return Filtered(message)
    status = _status(error)
    if status == 404:
        return NotFound(message)
    # A lost connection reaches us as a made-up 500; only its cause says what it was.
    known = next((_BY_NAME[name] for name in names if name in _BY_NAME), None)
    return AttemptFailed(
        known or _by_status(status), message, retry_after_s=_retry_after_s(_headers(error))
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _code(error: BaseException) -> str:
    return str(getattr(error, "code", None))


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _by_status(status: int | None) -> str:
    if status in (408, 504):
        return "timeout"
    if status == 429:
        return "rate_limit"
    if status in (401, 403):
        return "auth"
    if status is not None and 400 <= status < 500:
        return "bad_request"
    return "server"


def _headers(error: BaseException) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    for holder in (getattr(error, "litellm_response_headers", None), response):
        headers = getattr(holder, "headers", holder)
        if isinstance(headers, Mapping) and headers:
            return headers
    return {}


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds from `retry-after-ms` or `retry-after` (seconds or a date); None without one."""
    named = {name.lower(): value for name, value in headers.items()}
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(named[name]) * unit_s
        except (KeyError, ValueError):
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        moment = parsedate_to_datetime(named["retry-after"])
    except (KeyError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
