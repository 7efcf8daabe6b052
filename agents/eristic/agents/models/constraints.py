"""Hold a model to the form that is asked for, where its server can do that.

    none         nothing is sent; the parser sees what the model says
    json_schema  `response_format` with a JSON schema
    grammar      a GBNF grammar of the allowed tokens (llama.cpp and its kin); objects go by schema

A token asked for by schema comes as {"answer": TOKEN} and is unwrapped, so that parsers see the
same bare token whichever way it was had.
"""

from __future__ import annotations

import json

import msgspec

from eristic.agents.models.params import Nested
from eristic.debate import Expected
from eristic.debate.errors import SpecRefused, nearest

__all__ = ["CONSTRAINTS", "constrain", "unwrap"]

CONSTRAINTS = ("none", "json_schema", "grammar")

_ANSWER = "answer"
_FIELD_CHARS = 2000
_CHARS_PER_TOKEN = 2  # few enough that the closing braces still fit under max_tokens


def constrain(
    expected: Expected, kind: str, *, max_tokens: int | None = None, own_server: bool = False
) -> Nested:
    """Parameters to add to a call, so that its text has the expected form.

    max_tokens: bound of the completion, when there is one; texts are kept below it, since a
    cut object is unreadable. own_server: the call goes to a server of the user's own, which
    takes `maxLength`; OpenAI's strict schemas refuse it. Raises SpecRefused for an unknown kind.
    """
    if kind not in CONSTRAINTS:
        raise SpecRefused(f"constrain = {kind!r} is unknown.{nearest(kind, CONSTRAINTS)}")
    if kind == "none" or expected.form == "text":
        return {}
    if expected.form == "object":
        return _response_format(_object_schema(expected, max_tokens, own_server))
    if kind == "grammar":
        return {"extra_body": {"grammar": _grammar(expected.tokens)}}
    return _response_format(_schema({_ANSWER: {"type": "string", "enum": list(expected.tokens)}}))


def unwrap(text: str, expected: Expected, kind: str) -> str:
    """The bare token of a schema-bound answer; any other text as it is."""
    if kind != "json_schema" or expected.form != "token":
        return text
    try:
        answer = msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return answer[_ANSWER] if answer.keys() == {_ANSWER} else text


def _grammar(tokens: tuple[str, ...]) -> str:
    return "root ::= " + " | ".join(json.dumps(token, ensure_ascii=False) for token in tokens)


def _object_schema(expected: Expected, max_tokens: int | None, own_server: bool) -> Nested:
    keys = expected.keys
    field: Nested = {"type": "string"}
    if own_server:
        room = _FIELD_CHARS if max_tokens is None else max_tokens * _CHARS_PER_TOKEN
        field["maxLength"] = max(8, min(_FIELD_CHARS, room // max(1, len(keys))))
    choice = _choice(expected.tokens) if expected.tokens else field
    return _schema({key: choice if place else field for place, key in enumerate(keys)})


def _choice(tokens: tuple[str, ...]) -> Nested:
    """One of them; where all are digits, as a number, which is what the prompt asks for."""
    if all(token.isdecimal() for token in tokens):
        return {"type": "integer", "enum": [int(token) for token in tokens]}
    return {"type": "string", "enum": list(tokens)}


def _schema(properties: Nested) -> Nested:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _response_format(schema: Nested) -> Nested:
    form: Nested = {"name": _ANSWER, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": form}}
