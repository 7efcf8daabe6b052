"""The parsers of `scr` and `scr-build` by name; each reading holds its own versioned id."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.machine import Parser
from eristic.protocols.scr.comparisons import read_comparison
from eristic.protocols.scr.critiques import read_critique
from eristic.protocols.scr.reflections import reflection_parsers
from eristic.protocols.scr.wording import is_refusal

__all__ = ["BUILD_PARSERS", "PARSERS", "REFUSAL_FLAG", "read_situation", "read_suggestion"]

REFUSAL_FLAG: Final = "refusal"

_QUESTION = re.compile("[?\N{ARABIC QUESTION MARK}]+(?:[!?\N{ARABIC QUESTION MARK}])*")
_CLOSERS = " \t\r\n\"'`*_)\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
_FULLWIDTH = str.maketrans({"\N{FULLWIDTH QUESTION MARK}": "?"})


def read_suggestion(text: str) -> Reading:
    """What others are shown of a suggestion: its text without thinking. Flags a refusal."""
    stripped = strip_thinking(text)
    value = stripped.text.strip()
    if not value:
        return Reading(parser="scr-suggestion.v1", status="empty", flags=stripped.flags)
    flags = (REFUSAL_FLAG, *stripped.flags) if is_refusal(value) else stripped.flags
    return Reading(parser="scr-suggestion.v1", status="read", value=value, flags=flags)


def read_situation(text: str) -> Reading:
    """A situation that ends in its only question; else unreadable, and the flag says why."""
    stripped = strip_thinking(text)
    value = stripped.text.strip()
    if not value:
        return Reading(parser="scr-situation.v1", status="empty", flags=stripped.flags)
    problem = _problem(value)
    if problem:
        flags = (problem, *stripped.flags)
        return Reading(parser="scr-situation.v1", status="unreadable", flags=flags)
    return Reading(parser="scr-situation.v1", status="read", value=value, flags=stripped.flags)


def _problem(situation: str) -> str:
    text = situation.translate(_FULLWIDTH).rstrip(_CLOSERS)
    questions = _QUESTION.findall(text)
    if not questions:
        return "no_question"
    if not _QUESTION.search(text, len(text) - 1):
        return "question_not_last"
    return "several_questions" if len(questions) > 1 else ""


PARSERS: Final = MappingProxyType[str, Parser](
    {
        "suggestion": read_suggestion,
        "critique": read_critique,
        "comparison": read_comparison,
        **reflection_parsers(),
    }
)
BUILD_PARSERS: Final = MappingProxyType[str, Parser]({"situation": read_situation})
