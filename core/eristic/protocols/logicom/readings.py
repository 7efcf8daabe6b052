"""What form of text each role is asked for, and how a text is read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from eristic.debate import Expected, Reading
from eristic.judging import contains_true, names_its_label, strict_token, text_object
from eristic.protocols.logicom.state import (
    CONVICTION,
    FALLACIOUS_HELPER,
    LOGICAL_HELPER,
    PLEASANTRY,
    TOPIC,
)
from eristic.protocols.machine import Parser

__all__ = ["ANY_TEXT", "CHECK_VALUES", "EXPECTED", "HELPER_EXPECTED", "HELPER_PARSERS", "PARSERS"]

ANY_TEXT: Final = Expected()

_SHORT: Final = 64

EXPECTED: Final[Mapping[str, Expected]] = MappingProxyType(
    {
        CONVICTION: Expected(form="token", tokens=("true", "false")),
        PLEASANTRY: Expected(form="token", tokens=("stop", "continue")),
        TOPIC: Expected(form="token", tokens=("off-topic", "on-topic")),
    }
)
"""Check -> its tokens: first the one that ends a debate, last the one that lets it go on."""

_VALUES: Final[Mapping[str, str]] = MappingProxyType({"off-topic": "off", "on-topic": "on"})
"""Token -> value, where they differ: `on` alone is a word of every other sentence."""

CHECK_VALUES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        check: tuple(_VALUES.get(token, token) for token in expected.tokens)
        for check, expected in EXPECTED.items()
    }
)
"""Check -> the values that a reading of it may have."""

HELPER_EXPECTED: Final[Mapping[str, Expected]] = MappingProxyType(
    {
        FALLACIOUS_HELPER: Expected(form="object", keys=("label", "passage", "text")),
        LOGICAL_HELPER: Expected(form="object", keys=("label", "tip", "text")),
    }
)
"""Condition -> fields of the helper's object, in order."""

HELPER_PARSERS: Final[Mapping[str, str]] = MappingProxyType(
    {FALLACIOUS_HELPER: "helper.fallacious", LOGICAL_HELPER: "helper.logical"}
)


def _token_parser(check: str) -> Parser:
    pairs = zip(CHECK_VALUES[check], EXPECTED[check].tokens, strict=True)
    tokens = {value: (token,) for value, token in pairs}

    @lru_cache(maxsize=1024)
    def read_short(text: str) -> Reading:
        return strict_token(text, tokens)

    def read(text: str) -> Reading:
        # Checks answer with a word, the same few words over and over.
        return read_short(text) if len(text) <= _SHORT else strict_token(text, tokens)

    return read


def _helper_parser(condition: str) -> Parser:
    labels = HELPER_EXPECTED[condition].keys[:-1]

    def read(text: str) -> Reading:
        reading = text_object(text, labels=labels)
        label = reading.parts.get("label", "")
        if label and reading.value is not None and names_its_label(reading.value, label):
            return replace(reading, flags=(*reading.flags, "label_leak"))
        return reading

    return read


PARSERS: Final[Mapping[str, Parser]] = MappingProxyType(
    {
        "conviction.strict": _token_parser(CONVICTION),
        "conviction.contains_true": contains_true,
        "pleasantry.strict": _token_parser(PLEASANTRY),
        "topic.strict": _token_parser(TOPIC),
        "helper.fallacious": _helper_parser(FALLACIOUS_HELPER),
        "helper.logical": _helper_parser(LOGICAL_HELPER),
    }
)
