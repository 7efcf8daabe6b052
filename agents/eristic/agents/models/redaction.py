"""Keep credentials out of everything that is written: errors, logs, events, terminals."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

__all__ = ["MESSAGE_CHARS", "scrub"]

MESSAGE_CHARS = 300
"""Longest message that `scrub` returns by default (characters)."""

_MIN_SECRET_CHARS = 8  # a shorter value would blank out ordinary words
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|\w*KEY|\w*TOKEN|\w*SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|AUTH)"
    r"(?:_|$)"
)
_PATTERNS = (
    # header and field forms: Authorization: Bearer x, "api_key": "x", key=x
    re.compile(
        r"(?i)(\b(?:proxy-)?authorization|\b(?:x-)?(?:goog-)?api[-_]?key)"
        r"""(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;&}\])]+"""
    ),
    re.compile(r"(?i)(\b(?:key|token|secret|password|sig|signature))(=)[^\s\"',;&}\])]+"),
    re.compile(r"(?i)(\bbearer)(\s+)[\w.~+/=-]{6,}"),
    re.compile(r"(\w://)()[^/\s:@]+:[^/\s@]+(?=@)"),
)
_PROVIDER_KEY = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|ghp|AIza)[-_]?[A-Za-z0-9*_-]{6,}\b")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def scrub(text: str, *, limit: int | None = MESSAGE_CHARS) -> str:
    """Text of a stranger as one printable line without credentials.

    Replaces every value of an environment variable whose name looks like a credential (also
    where it is quoted for a URL or JSON), and what looks like a key or an Authorization header.
    Control characters become spaces: the text may come to a terminal. Shortened last, so that
    no half of a secret is left at the cut. limit: characters, None for no limit.
    """
    for secret, name in _secrets(os.environ):
        text = text.replace(secret, f"[{name}]")
    for pattern in _PATTERNS:
        text = pattern.sub(r"\1\2[redacted]", text)
    text = _PROVIDER_KEY.sub(_redact_key, text)
    text = _CONTROL.sub(" ", text).strip()
    if limit is None or len(text) <= limit:
        return text
    return text[: limit - 1] + "…"


def _redact_key(match: re.Match[str]) -> str:
    # "sk-" begins keys, but a word like "skeleton" or "hfdownloader" is none.
    word = match.group()
    looks_like_key = any(mark in word for mark in "-_*") or any(c.isdigit() for c in word)
    return "[redacted]" if looks_like_key else word


def _secrets(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(value as it may be written, name of its variable), longest first."""
    found: dict[str, str] = {}
    for name, value in environment.items():
        if len(value) >= _MIN_SECRET_CHARS and _SECRET_NAME.search(name.upper()):
            for form in (value, quote(value, safe=""), json.dumps(value)[1:-1]):
                found.setdefault(form, name)
    # A secret may be part of another one.
    yield from sorted(found.items(), key=lambda pair: -len(pair[0]))
