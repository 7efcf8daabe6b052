"""What answers mean: the parsers of mirror, under the names that a story asks for them by.

A score is read by `score.RULE.LANGUAGE`, with `+clip` behind the rule when scores outside the
scale are clipped; a speech by `speech.SIDE`, with `+declared` behind the side when a side that it
declares is checked. So every variant can be applied to recorded texts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.machine import Parser
from eristic.protocols.mirror.languages import language_of
from eristic.protocols.mirror.names import ADVOCATES, LANGUAGES, Language, Side
from eristic.protocols.mirror.refusals import declines
from eristic.protocols.mirror.scores import RULES, Rule, find_score
from eristic.protocols.mirror.speeches import read_speech

__all__ = [
    "PARAPHRASE_PARSER",
    "PARSERS",
    "read_paraphrase",
    "read_score",
    "score_parser",
    "speech_parser",
]

PARAPHRASE_PARSER: Final = "paraphrase"

_STATUS: Final = {"refusal": "refused", "empty": "empty"}
_QUOTES: Final = "\"'`*“”‘’«»「」『』 \n\t"


def score_parser(rule: Rule, language: Language, *, clip: bool) -> str:
    """Name of the parser of a score that is asked for in this language."""
    return f"score.{rule}{'+clip' if clip else ''}.{language}"


def speech_parser(side: Side, *, checks_side: bool) -> str:
    """Name of the parser of a speech for this side."""
    return f"speech.{side}{'+declared' if checks_side else ''}"


def read_score(
    text: str, *, rule: Rule = "marked", clip: bool = False, language: Language | None = None
) -> Reading:
    """The score in an answer; also for answers of other runs, for it needs nothing but the text.

    value: a decimal number in ASCII. parts: `cause` when there is none; `steps` that were taken,
    with blanks between; `language` of the answer; `unclipped`, what was said before it was
    clipped. language: the one that was asked in; an answer in another one is read and flagged
    `other_language`. None: nothing is flagged.
    """
    score = find_score(text, rule=rule, clip=clip)
    spoken = language_of(strip_thinking(text).text)
    is_other = language is not None and spoken not in ("", language)
    parts = {
        "cause": score.cause,
        "steps": " ".join(score.steps),
        "language": spoken,
        "unclipped": score.unclipped,
    }
    return Reading(
        parser=f"mirror-score-{rule.replace('_', '-')}{'-clip' if clip else ''}.v1",
        status=_STATUS.get(score.cause, "unreadable") if score.value is None else "read",
        value=score.value,
        parts={name: part for name, part in parts.items() if part},
        flags=(*score.flags, *(("other_language",) if is_other else ())),
    )


def read_paraphrase(text: str) -> Reading:
    """A reworded statement: the text without thinking and without quotation marks around it."""
    stripped = strip_thinking(text)
    statement = stripped.text.strip(_QUOTES)
    cause = "refusal" if declines(statement) else "" if statement else "empty"
    return Reading(
        parser="mirror-paraphrase.v1",
        status=_STATUS[cause] if cause else "read",
        value=None if cause else statement,
        parts={"cause": cause} if cause else {},
        flags=stripped.flags,
    )


def _parsers() -> dict[str, Parser]:
    found: dict[str, Parser] = {PARAPHRASE_PARSER: read_paraphrase}
    for rule in RULES:
        for clip in (False, True):
            for language in LANGUAGES:
                name = score_parser(rule, language, clip=clip)
                found[name] = partial(read_score, rule=rule, clip=clip, language=language)
    for side in ADVOCATES:
        for checks in (False, True):
            name = speech_parser(side, checks_side=checks)
            found[name] = partial(read_speech, side=side, checks_side=checks)
    return found


PARSERS: Final[Mapping[str, Callable[[str], Reading]]] = MappingProxyType(_parsers())
