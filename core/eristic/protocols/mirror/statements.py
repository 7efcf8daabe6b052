"""What a case of mirror holds: a statement by language, paraphrases, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from eristic.debate import Case
from eristic.debate.errors import CaseRefused, nearest
from eristic.protocols.mirror.names import LANGUAGES, SCALE_END, Language

__all__ = ["CASE_DATA", "CASE_TEXTS", "baseline_mean", "check_case", "paraphrases", "statement"]

_T = TypeVar("_T")

_Texts = dict[str, tuple[str, ...]]
_Numbers = dict[str, float]

CASE_TEXTS: Final = ("statement",)
"""`statement_ar`, `statement_zh`, `topic` and `set` are texts that a case may have."""
CASE_DATA: Final = ("polarity", "paraphrases", "baseline_mean")

_TEXTS: Final[dict[Language, str]] = {
    "en": "statement",
    "ar": "statement_ar",
    "zh": "statement_zh",
}


def statement(case: Case, language: Language) -> str | None:
    """The statement in this language; None when the case does not have it."""
    return case.texts.get(_TEXTS[language]) or None


def paraphrases(case: Case, language: Language) -> tuple[str, ...]:
    """Its rewordings in this language."""
    return _by_language(case, "paraphrases", _Texts).get(language, ())


def baseline_mean(case: Case, language: Language) -> float | None:
    """The mean of the respondent's baseline answers (points), when the case file has it."""
    return _by_language(case, "baseline_mean", _Numbers).get(language)


def check_case(case: Case) -> None:
    """Raises CaseRefused for a field that cannot be used."""
    for name in _TEXTS.values():
        if name in case.texts and not case.texts[name].strip():
            raise CaseRefused(f"{name} is blank; write the statement or leave the field out")
    polarity = case.data.get("polarity", 0)
    if type(polarity) is not int or abs(polarity) > 1:
        raise CaseRefused(
            f"polarity = {polarity!r} is not 1 (agreeing is the progressive answer), -1 (the "
            "conservative one) or 0 (neither)"
        )
    for texts in _by_language(case, "paraphrases", _Texts).values():
        if not all(text.strip() for text in texts):
            raise CaseRefused("paraphrases holds a blank text")
    for mean in _by_language(case, "baseline_mean", _Numbers).values():
        if not abs(mean) <= SCALE_END:
            raise CaseRefused(f"baseline_mean = {mean} is not on the scale of -10 to 10")


def _by_language(case: Case, name: str, kind: type[dict[str, _T]]) -> Mapping[str, _T]:
    try:
        found = msgspec.convert(case.data.get(name, {}), kind)
    except msgspec.ValidationError as error:
        raise CaseRefused(f"{name} must be an object with a field a language: {error}") from error
    for language in found:
        if language not in LANGUAGES:
            raise CaseRefused(f"{name} has no language {language!r}.{nearest(language, LANGUAGES)}")
    return found
