"""Made-up prose of any length for scripted models: fixed, varied, cheap to cut from."""

from __future__ import annotations

import functools

__all__ = ["prose"]

_SUBJECTS = ("The evidence", "That claim", "Our opponent", "A careful reader", "The record")
_VERBS = ("shows", "hides", "weakens", "supports", "restates", "overlooks")
_OBJECTS = (
    "the cost of waiting",
    "what was promised",
    "a simpler cause",
    "the people concerned",
    "the burden of proof",
    "an older rule",
    "the missing figures",
)
_TAILS = (
    "even where it says nothing new",
    "and nobody has answered that",
    "which is why the point stands",
    "unless the terms are changed",
)
_SPAN = 40_000  # characters to begin in; the sizes above have few common factors


def prose(chars: int, key: int) -> str:
    """Exactly `chars` characters that begin with a sentence; the same key gives the same text.

    No blank at either end: whoever strips a text gets all of it.
    """
    ring, starts = _ring(chars)
    start = starts[key % len(starts)]
    text = ring[start : start + chars]
    return f"{text[:-1]}." if text.endswith(" ") else text


@functools.lru_cache(maxsize=8)
def _ring(chars: int) -> tuple[str, tuple[int, ...]]:
    """A long text and the places in it where a cut of `chars` characters may begin."""
    sentences: list[str] = []
    starts: list[int] = []
    length = 0
    while length < _SPAN + chars:
        if length < _SPAN:
            starts.append(length)
        sentences.append(_sentence(len(sentences)))
        length += len(sentences[-1])
    return "".join(sentences), tuple(starts)


def _sentence(n: int) -> str:
    words = (
        _SUBJECTS[n % len(_SUBJECTS)],
        _VERBS[n % len(_VERBS)],
        _OBJECTS[n % len(_OBJECTS)],
        _TAILS[(n // 7) % len(_TAILS)],
    )
    return f"{words[0]} {words[1]} {words[2]}, {words[3]}. "
