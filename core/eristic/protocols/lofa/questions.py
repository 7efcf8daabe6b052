"""The question of a case: its options, its true answer, what is pushed against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from eristic.debate import Case
from eristic.debate.errors import CaseRefused, nearest
from eristic.protocols.lofa.names import ARGUMENTS, FALLACIES, MULTIPLE_CHOICE, YES_NO
from eristic.protocols.lofa.numbers import plain

__all__ = ["Option", "Question", "read_question", "same_text"]

_ENDS: Final = " .!?\"'"
_YES_NO: Final = {
    **dict.fromkeys(("yes", "true", "not no", "not false"), "yes"),
    **dict.fromkeys(("no", "false", "not yes", "not true"), "no"),
}
"""The published questions say `not true` for no."""


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One listed option."""

    text: str
    score: Literal[0, 1, 2]
    """1 correct, 0 wrong, 2 wrong and the easy mistake."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A case as the story needs it."""

    kind: Literal["multiple_choice", "yes_no"]
    text: str
    false_claim: str
    options: tuple[Option, ...] = ()
    """In the case's order; none of a yes/no question."""
    gold: bool | None = None
    """Of a yes/no question."""
    target: int | str | None = None
    """The wrong answer pushed: place among the options (from 0), or yes/no. None: no option
    says what is pushed ("not X"), so nobody can be captured."""
    arguments: Mapping[str, tuple[str, ...]] = {}
    """Fallacy -> arguments up to the first that is missing or blank."""

    def is_target(self, place: int) -> bool:
        """The option there (from 0) says what is pushed; two options may have the same text."""
        target = self.target
        return isinstance(target, int) and same_text(
            self.options[place].text, self.options[target].text
        )

    def repeated(self, fallacy: str) -> int:
        """Arguments that say the same as one before them (count)."""
        texts = self.arguments.get(fallacy, ())
        return len(texts) - len({plain(text) for text in texts})


def read_question(case: Case) -> Question:
    """Raises CaseRefused saying what is wrong with the case, without naming it."""
    options = _options(case.data.get("options"))
    kind: Literal["multiple_choice", "yes_no"] = MULTIPLE_CHOICE if options else YES_NO
    gold = case.data.get("gold")
    target = case.texts.get("target", "").strip()
    question = Question(
        kind=kind,
        text=case.texts.get("question", ""),
        false_claim=case.texts.get("false_claim", ""),
        options=options,
        gold=_gold(gold) if not options else None,
        target=_place(options, target) if options else _yes_or_no(target),
        arguments=_arguments(case.data.get("arguments", {})),
    )
    if options:
        _check_choice(question, gold)
    elif question.target is not None and (question.target == "yes") is question.gold:
        raise CaseRefused(f"target {target!r} is the true answer; push the other one")
    return question


def same_text(one: str, other: str) -> bool:
    """Equal but for case, form of characters and punctuation at the ends."""
    return plain(one).strip(_ENDS) == plain(other).strip(_ENDS)


def _options(value: object) -> tuple[Option, ...]:
    try:
        options = msgspec.convert(value or (), tuple[Option, ...])
    except msgspec.ValidationError as error:
        raise CaseRefused(
            f'options must be a list of {{"text": ..., "score": 0, 1 or 2}}: {error}'
        ) from error
    for number, option in enumerate(options, 1):
        if not option.text.strip():
            raise CaseRefused(f"option {number} is blank")
    return options


def _gold(value: object) -> bool:
    if not isinstance(value, bool):
        raise CaseRefused(
            f"gold = {value!r} must be true or false for a question without options; give "
            "options with scores for a multiple choice"
        )
    return value


def _place(options: Sequence[Option], target: str) -> int | None:
    places = [place for place, option in enumerate(options) if same_text(option.text, target)]
    return places[0] if target and places else None


def _yes_or_no(target: str) -> str | None:
    if not target:
        return None
    if target.casefold() not in _YES_NO:
        raise CaseRefused(f"target {target!r} of a yes/no question must be yes or no")
    return _YES_NO[target.casefold()]


def _check_choice(question: Question, gold: object) -> None:
    options = question.options
    if len(options) < 2:
        raise CaseRefused("a multiple choice needs two options or more")
    if all(option.score != 1 for option in options):
        raise CaseRefused("no option has score 1, so no answer could be correct")
    scores: dict[str, bool] = {}
    for option in options:
        is_correct = option.score == 1
        if scores.setdefault(plain(option.text).strip(_ENDS), is_correct) is not is_correct:
            raise CaseRefused(f"option {option.text!r} is there twice, as correct and as wrong")
    if isinstance(question.target, int) and options[question.target].score == 1:
        raise CaseRefused(f"target {options[question.target].text!r} is a correct option")
    if gold is not None and not isinstance(gold, str):
        raise CaseRefused(f"gold = {gold!r} must be the text of the correct option")
    wrong = [option.text for option in options if option.score != 1]
    if gold is not None and any(same_text(text, gold) for text in wrong):
        raise CaseRefused(f"gold {gold!r} is an option whose score is not 1")


def _arguments(value: object) -> dict[str, tuple[str, ...]]:
    try:
        given = msgspec.convert(value, dict[str, tuple[str, ...]])
    except msgspec.ValidationError as error:
        raise CaseRefused(f"arguments must be lists of texts by fallacy: {error}") from error
    found: dict[str, tuple[str, ...]] = {}
    for fallacy, texts in given.items():
        if fallacy not in FALLACIES:
            raise CaseRefused(f"arguments: no fallacy {fallacy!r}.{nearest(fallacy, FALLACIES)}")
        if len(texts) > ARGUMENTS:
            raise CaseRefused(
                f"arguments: {fallacy} has {len(texts)}; {ARGUMENTS} are played, keep those"
            )
        # What follows a gap could be played only as another argument than it is.
        blank = next((place for place, text in enumerate(texts) if not text.strip()), len(texts))
        found[fallacy] = texts[:blank]
    return found
