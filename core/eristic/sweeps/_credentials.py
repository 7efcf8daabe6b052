"""Finds keys and passwords where none may stand. Never repeats what it found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from eristic.debate.cast import Binding

__all__ = ["ADVICE", "find_secrets", "looks_secret", "names_secret"]

ADVICE = (
    "looks like a secret; remove it and set the provider's environment variable "
    "(such as OPENAI_API_KEY) where the roles run: experiment files are logged"
)

# Prefixes of keys as providers hand them out; anything that carries one is a key.
_ISSUED = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|AKIA[0-9A-Z]{12,}|AIza[A-Za-z0-9_-]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|xox[a-z]-[A-Za-z0-9-]{8,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}|Bearer\s+[A-Za-z0-9._-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY)"
)
_SECRET_NAMES = frozenset(
    {"key", "apikey", "token", "secret", "password", "credential", "credentials"}
)
_LONG = re.compile(r"[A-Za-z0-9_.+/=~-]{16,}")
_LOGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s@]*:[^/\s@]*@", re.IGNORECASE)


def looks_secret(name: str, value: str) -> bool:
    """True for a key as providers issue them, a login inside an address, or a long key-like
    text under a name such as `api_key` or `token`."""
    if _ISSUED.search(value) or _LOGIN.match(value):
        return True
    return names_secret(name) and bool(_LONG.fullmatch(value.strip()))


def names_secret(name: str) -> bool:
    """True when a word of it is `key`, `token`, `secret`, ...: `hf_token`, but not `max_tokens`."""
    return bool(_SECRET_NAMES.intersection(re.split(r"[^a-z]+", name.lower())))


def find_secrets(tree: object, path: str = "") -> Iterator[str]:
    """Dotted keys under which a secret seems to stand, at any depth."""
    if isinstance(tree, str):
        if looks_secret(path.rsplit(".", 1)[-1], tree):
            yield path
    elif isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from find_secrets(value, f"{path}.{key}" if path else str(key))
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from find_secrets(value, path)
    elif isinstance(tree, Binding):
        yield from find_secrets(
            {"model": tree.model, "params": tree.params, "api_base": tree.api_base}, path
        )
