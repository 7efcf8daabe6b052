"""Tables of the fields of events and messages, from the structs and their docstrings."""

from __future__ import annotations

import ast
import inspect
import json
import re
import types
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from eristic.debate import Ask, Event, Outcome, Setting

__all__ = ["events", "field_table", "outcomes", "parts_of", "sections"]

Struct = type[msgspec.Struct]

_MEANINGS = {
    "run": "Name of the run.",
    "episode": "Id of the episode.",
    "turn": "Number of the turn in its episode, from 0.",
    "role": "Name of the role.",
    "attempt": "0, then 1, 2, ... when the same turn was asked for again.",
    "epoch": "Epoch of the binding that answered.",
    "rank": "0 = the bound model, n = the n-th of its fallback chain.",
    "error": "Class of the last failure, as in FailedAttempt.",
    "message": "What went wrong, for a person; without secrets.",
    "failed": "The tries that failed, in order.",
    "reason": "Why, in a word or a sentence.",
    "protocol": "Name of the protocol.",
    "protocol_version": "Version of the protocol's rules.",
    "case": "The case, whole.",
    "condition": "What is varied besides the case.",
    "repetition": "Which repetition of the cell, from 0.",
    "cast": "Role -> what answers for it.",
    "seed": "Every seed of the episode derives from it.",
    "software": "eristic and its version.",
    "parent": "Where a branched episode comes from; null for all others.",
    "decision": "What was decided.",
    "round": "The round it belongs to; 0 when it belongs to none.",
    "facts": "Further named values of the decision.",
    "policy": "Id of the rule, with its version.",
    "text": "The text, raw.",
    "latency_s": "Duration of the try (seconds).",
    "tokens": "Tokens of the whole prompt (count).",
    "threshold": "Tokens above which a prompt is too long (count).",
    "tokenizer": "What counted; `estimate` in its name when it is no exact count.",
    "line_tokens": "Tokens of each line of the view's history, in its order.",
    "speaker": "Role that said it.",
    "ask": "The ask, whole.",
    "view": "All that the role may see.",
    "expected": "The form of text that is asked for.",
    "form": "text: anything. token: one of `tokens`. object: a JSON object with `keys`.",
    "outcome": "What came of it.",
    "body": "The event.",
    "options": "Every option by its name.",
    "imported": "Where an imported episode comes from; null for all others.",
    "flags": "Remarks that decide nothing.",
    "call": "The facts of the model call.",
    "reading": "What the turn's parser made of the text; null when it stands as it is.",
    "scope": "How long it lasts: `rest_of_episode` or `this_call`.",
}
"""Fields that need no docstring beside their code, said for strangers."""


def field_docs(kind: Struct) -> dict[str, str]:
    """Field -> the string under it in the source, in one line."""
    (node,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(node, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            if name:
                found[name] = " ".join(str(statement.value.value).split())
            name = ""
        else:
            name = ""
    return found


def type_name(hint: Any) -> str:
    """A field's type in the words of JSON."""
    if get_origin(hint) in (Union, types.UnionType):
        if hint == Setting:
            return "text, number, true, false or null"
        if hint == Event or hint == Outcome:
            return "one of the objects below"
        names = [type_name(part) for part in get_args(hint) if part is not type(None)]
        names += ["null"] if type(None) in get_args(hint) else []
        return " or ".join(names)
    if get_origin(hint) is Literal:
        return " or ".join(f"`{json.dumps(value)}`" for value in get_args(hint))
    if get_origin(hint) is tuple:
        return f"list of {type_name(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return f"object: name -> {type_name(get_args(hint)[1])}"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        # The ask is the subject of its page and has a heading of its own there.
        place = "the-ask" if hint is Ask else hint.__name__.lower()
        return f"[{hint.__name__}](#{place})"
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if hint is object:
        return "any value"
    return {**plain, datetime: "text, RFC 3339 in UTC"}[hint]


def in_json(meaning: str) -> str:
    """A docstring for readers who may not know Python."""
    for python, json_word in {"None": "null", "True": "true", "False": "false"}.items():
        meaning = re.sub(rf"\b{python}\b", json_word, meaning)
    return meaning.replace("|", "\\|")


def default_of(field: msgspec.inspect.Field) -> str:
    """What a missing field stands for."""
    if field.required:
        return "always there"
    if field.default_factory is not msgspec.NODEFAULT:
        value: object = field.default_factory()
    else:
        value = field.default
    if isinstance(value, msgspec.Struct):
        return "its own defaults"
    return f"`{msgspec.json.encode(value).decode()}`"


def field_table(kind: Struct, *, tag: str = "") -> str:
    """Every field with its JSON type, what an absent one means, and its docstring."""
    documented = field_docs(kind)
    hints = get_type_hints(kind)
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    rows = ["| field | JSON | when absent | meaning |", "|---|---|---|---|"]
    if tag:
        rows.append(f'| `type` | `"{tag}"` | always there | The tag. |')
    for field in info.fields:
        meaning = in_json(documented.get(field.name) or _MEANINGS.get(field.name, ""))
        cells = (f"`{field.encode_name}`", type_name(hints[field.name]), default_of(field))
        rows.append(f"| {' | '.join(cells)} | {meaning} |")
    return "\n".join(rows)


def summary(kind: Struct) -> str:
    """The struct's docstring in one line."""
    return " ".join((inspect.getdoc(kind) or "").split())


def parts_of(kinds: Iterable[Struct]) -> tuple[Struct, ...]:
    """The structs inside these ones, each once, in the order in which they come up."""
    found: dict[Struct, None] = {}
    for kind in kinds:
        for hint in get_type_hints(kind).values():
            inner = [part for part in _flat(hint) if part not in found]
            found.update(dict.fromkeys(inner))
            found.update(dict.fromkeys(parts_of(inner)))
    return tuple(found)


def _flat(hint: Any) -> list[Struct]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    return [part for inner in get_args(hint) for part in _flat(inner)]


def sections(kinds: Iterable[Struct]) -> str:
    """One section a struct, named as the tables link it."""
    return "\n\n".join(
        f"### {kind.__name__}\n\n{summary(kind)}\n\n{field_table(kind)}" for kind in kinds
    )


def events() -> str:
    """All events: a list, then one section each."""
    tags = {kind: str(kind.__struct_config__.tag) for kind in get_args(Event)}
    listed = [f"- [`{tag}`](#{kind.__name__.lower()})" for kind, tag in tags.items()]
    parts = ["\n".join(listed)]
    for kind, tag in tags.items():
        parts.append(f"### {kind.__name__}")
        parts.append(f"`{tag}`. {summary(kind)}")
        parts.append(field_table(kind, tag=tag))
    return "\n\n".join(parts)


def outcomes() -> str:
    """All outcomes of an answer, one section each."""
    parts = []
    for kind in get_args(Outcome):
        tag = str(kind.__struct_config__.tag)
        parts.append(f"### {kind.__name__}\n\n{summary(kind)}\n\n{field_table(kind, tag=tag)}")
    return "\n\n".join(parts)
