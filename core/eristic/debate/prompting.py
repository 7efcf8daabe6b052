"""From a view to the messages of a model call: pure, so that every prompt can be rebuilt.

A template file is TOML: `id`, and what is sent, in this order: `system` (left out when empty;
`summary` is appended to it when there is a summary), `messages` (a list of tables with `role`,
user or assistant, and `text`), the history, and `user` (the closing user text). `history` is one
of:

    history = "dialogue"    the role's own lines as assistant, all others as user
    history = "none"        the view's history is not sent as messages (the default)

Placeholders are `{name}`, with a name of a-z, 0-9 and _ . Names are those of the view's fields,
and `{history}` (the lines as a labelled transcript) and `{summary}`. Every other brace is text.
Templates are filled in one pass: what is inserted is never scanned again.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from eristic.debate.asks import Line, View
from eristic.debate.errors import SpecRefused

__all__ = ["Message", "Part", "Template", "digest", "parse_template", "render", "template_digest"]

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_encoder = msgspec.json.Encoder()


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message of a chat request, as sent."""

    role: Literal["system", "user", "assistant"]
    content: str


class Part(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One message that a prompt file spells out."""

    role: Literal["user", "assistant"]
    text: str


class Template(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One prompt file."""

    id: str
    system: str = ""
    summary: str = ""
    messages: tuple[Part, ...] = ()
    """Sent before the history."""
    user: str = ""
    history: Literal["dialogue", "none"] = "none"
    note: str = ""
    """For readers of the file; never sent."""
    speakers: dict[str, str] = {}
    """Role -> label in `{history}`; a role that is not named appears under its own name."""


def parse_template(text: str) -> Template:
    """Read a prompt file. Raises SpecRefused with the place of the mistake."""
    try:
        return msgspec.convert(tomllib.loads(text), Template)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SpecRefused(f"prompt file cannot be read: {error}") from error


def template_digest(text: str) -> str:
    """SHA-256 (hex) of a prompt file's text, the template's identity."""
    return hashlib.sha256(text.encode()).hexdigest()


def render(template: Template, view: View, *, speaker: str) -> tuple[Message, ...]:
    """The messages that `speaker` sends for this view.

    Raises SpecRefused when a placeholder has no text or an empty one: a role must not be asked
    to answer something that is not there.
    """
    system = _fill(template, template.system, view)
    if view.summary and template.summary:
        system = f"{system}\n\n{_fill(template, template.summary, view)}"
    messages = [Message("system", system)] if system else []
    messages += [Message(part.role, _fill(template, part.text, view)) for part in template.messages]
    if template.history == "dialogue":
        messages += [
            Message("assistant" if line.speaker == speaker else "user", line.text)
            for line in view.history
        ]
    if template.user:
        messages.append(Message("user", _fill(template, template.user, view)))
    return tuple(messages)


def _fill(template: Template, text: str, view: View) -> str:
    pieces = _pieces(text)
    if len(pieces) == 1:
        return text
    filled = list(pieces)
    for place in range(1, len(pieces), 2):
        filled[place] = _value(template, pieces[place], view)
    return "".join(filled)


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[str, ...]:
    """Literal text and placeholder names in turn, literal text first and last."""
    return tuple(_PLACEHOLDER.split(text))


def _value(template: Template, name: str, view: View) -> str:
    if name == "history":
        value = _transcript(view.history, template.speakers)
    elif name == "summary":
        value = view.summary
    elif name in view.fields:
        value = view.fields[name]
    else:
        raise SpecRefused(f"template {template.id}: nothing is given for {{{name}}}")
    if not value:
        raise SpecRefused(f"template {template.id}: {{{name}}} is empty for this turn")
    return value


def _transcript(history: Iterable[Line], speakers: Mapping[str, str]) -> str:
    return "\n\n".join(
        [f"{speakers.get(line.speaker, line.speaker)}: {line.text}" for line in history]
    )


def digest(messages: tuple[Message, ...]) -> str:
    """SHA-256 (hex) over the messages as sent: JSON, UTF-8, fields in order, no white space."""
    return hashlib.sha256(_encoder.encode(messages)).hexdigest()
