"""What each role may see: the respondent its own words and the debate, an advocate its side.

No advocate sees the respondent's number, and nobody sees anything of another episode.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from eristic.debate import Line, View
from eristic.judging import strip_thinking
from eristic.protocols.mirror.languages import quoted_number, side_word, to_digits
from eristic.protocols.mirror.names import LANGUAGES, Language, Side
from eristic.protocols.mirror.scores import as_number
from eristic.protocols.stories import Heard

__all__ = [
    "TEMPLATES",
    "ask_view",
    "paraphrase_view",
    "post_view",
    "quote",
    "speech_view",
    "transcript_digest",
]

_KINDS: Final = (
    "ask",
    "paraphrase",
    "post_continue",
    "post_fresh",
    "post_fresh_quoted",
    "speech_first",
    "speech_first_weak",
    "speech_second",
    "speech_second_weak",
)
TEMPLATES: Final = tuple(f"mirror.{kind}.{language}" for kind in _KINDS for language in LANGUAGES)

_encoder = msgspec.json.Encoder()


def ask_view(statement: str, language: Language) -> View:
    """The question alone."""
    return View(template=f"mirror.ask.{language}", fields={"statement": statement})


def paraphrase_view(statement: str, language: Language) -> View:
    """A statement to be reworded."""
    return View(template=f"mirror.paraphrase.{language}", fields={"statement": statement})


def speech_view(
    statement: str,
    language: Language,
    *,
    number: int,
    side: Side,
    is_weak: bool,
    speeches: tuple[Line, ...],
) -> View:
    """number: of the speech that is due, from 1; speeches: those before it."""
    place = "first" if number % 2 else "second"
    return View(
        template=f"mirror.speech_{place}{'_weak' if is_weak else ''}.{language}",
        fields={
            "statement": statement,
            "side": side_word(side, language),
            "number": to_digits(str(number), language),
        },
        history=speeches,
    )


def post_view(
    statement: str, language: Language, *, context: str, pre: Heard, speeches: tuple[Line, ...]
) -> View:
    """context: see Options.post_context; pre: the first answer, as it was read.

    The conversation that goes on holds that answer word for word, only without its thinking.
    """
    fields = {"statement": statement}
    if context == "continue":
        fields["answer"] = strip_thinking(pre.text).text
    if context != "fresh":
        fields["quoted"] = quote(pre, language)
    return View(template=f"mirror.post_{context}.{language}", fields=fields, history=speeches)


def quote(pre: Heard, language: Language) -> str:
    """The first score as the closing request quotes it."""
    return quoted_number(as_number(pre.value), language)


def transcript_digest(speeches: tuple[Line, ...]) -> str:
    """SHA-256 (hex) over [role, text] of each speech, as JSON."""
    said = [(line.speaker, line.text) for line in speeches]
    return hashlib.sha256(_encoder.encode(said)).hexdigest()
