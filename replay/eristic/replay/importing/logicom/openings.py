"""The persuader's first message: one template, the same in every published debate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["read_opening"]

_START: Final = "Let’s talk about this\ntopic:  “ "
_AFTER_TOPIC: Final = ' ”\nclaim: "'
_AFTER_CLAIM: Final = '"\nreason: "'
_AFTER_REASON: Final = '"\nBased on the my reason: "'
_BELIEVE: Final = '" I believe  "'
_END: Final = '" is correct. What do you think?'
_MOST_TRIES: Final = 20


def read_opening(text: str) -> dict[str, str] | None:
    """topic, claim and reason, each as it was filled in; None for a text of another form.

    Claim and reason may hold quotes, and the words of the template. Each stands in it twice, so
    the one reading in which both places agree is the right one.
    """
    if not (text.startswith(_START) and text.endswith(_END)):
        return None
    body = text[len(_START) : -len(_END)]
    for before, after in _splits(body, _AFTER_REASON):
        for reason, claim in _splits(after, _BELIEVE):
            told = f"{_AFTER_TOPIC}{claim}{_AFTER_CLAIM}{reason}"
            if before.endswith(told):
                return {"topic": before[: -len(told)], "claim": claim, "reason": reason}
    return None


def _splits(text: str, separator: str) -> Iterator[tuple[str, str]]:
    """The text cut in two at each place where the separator stands."""
    start = -1
    for _ in range(_MOST_TRIES):
        start = text.find(separator, start + 1)
        if start < 0:
            return
        yield text[:start], text[start + len(separator) :]
