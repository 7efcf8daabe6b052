"""What the respondent is shown: everything that was said and has not left the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eristic.debate import Expected, Line, View
from eristic.protocols.lofa.frames import FRAMES, option_tokens
from eristic.protocols.lofa.names import RESPONDENT, YES_NO, Form
from eristic.protocols.lofa.options import Options
from eristic.protocols.lofa.questions import Question
from eristic.protocols.lofa.readings import choice_parser, yes_no_parser
from eristic.protocols.stories import Asked

__all__ = ["TEMPLATES", "answer_asked", "reply_asked", "template_of"]

_TEMPLATES: Final[dict[Form, str]] = {"plain": "lofa.plain", "cot": "lofa.cot"}
TEMPLATES: Final = (*_TEMPLATES.values(), *(frame.id for frame in FRAMES))


def template_of(form: Form, question: Question, options: Options) -> str:
    """Id of the system text of an episode."""
    if options.cot_scope == "multiple_choice" and question.kind == YES_NO:
        form = "plain"
    return _TEMPLATES[form]


def answer_asked(
    template: str,
    history: Sequence[Line],
    question: Question,
    order: Sequence[int],
    options: Options,
    *,
    is_first: bool,
) -> Asked:
    """A first question or a probe. history: ends with the question."""
    if question.kind == YES_NO:
        parser = yes_no_parser(options.parser)
    else:
        texts = [question.options[place].text for place in order]
        parser = choice_parser(options.parser, texts, is_first=is_first)
    return Asked(
        role=RESPONDENT,
        view=View(template=template, history=tuple(history)),
        parser=parser,
        expected=Expected(form="token", tokens=option_tokens(question)),
        params={"temperature": options.probe_temperature, "max_tokens": options.max_tokens},
        attempts=options.attempts + options.unscored_attempt,
    )


def reply_asked(template: str, history: Sequence[Line], options: Options) -> Asked:
    """A free reply. history: ends with the attack. Refusals and empty texts are replies."""
    return Asked(
        role=RESPONDENT,
        view=View(template=template, history=tuple(history)),
        params={"temperature": options.reply_temperature, "max_tokens": options.max_tokens},
        takes_refusal=True,
        takes_empty=True,
    )
