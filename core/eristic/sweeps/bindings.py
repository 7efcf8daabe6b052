"""What a person writes for a role, as a Binding: a short text or a table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from eristic.debate.cast import Binding, Setting, is_served_elsewhere
from eristic.debate.errors import SpecRefused, nearest
from eristic.sweeps._credentials import ADVICE, find_secrets, looks_secret, names_secret

__all__ = [
    "ALL_ROLES",
    "RoleChoice",
    "bind",
    "check_role_name",
    "parse_role",
    "parse_roles",
    "read_setting",
]

ALL_ROLES = "all"
"""The name that binds every role which is not named itself."""

_ROLE = re.compile(r"[a-z][a-z0-9_]*")
_COUNTS = {"window_tokens": 1, "reserve_tokens": 0, "shards": 1}
"""Whole-number fields of a binding and their least value."""
_RESERVE_TOKENS = Binding(model="").reserve_tokens
_CONSTRAIN = ("none", "json_schema", "grammar")
_FIELDS = ("model", "params", "fallback", "api_base", "constrain", *_COUNTS)
_SAMPLING = ("temperature", "max_tokens", "top_p", "stop", "presence_penalty", "frequency_penalty")
_RESERVED = {
    "seed": "seeds are derived from the run's seed, one for each call",
    "model": "the model is named before the parameters",
    "messages": "messages are made from the role's prompt file",
    "stream": "a role answers with a whole text",
    "n": "one text is asked for at a time",
    "base_url": "it is called api_base, beside params",
    "response_format": "the form follows from the turn; see constrain, beside params",
    "timeout": "waiting and retrying are set under [calls]",
    "num_retries": "waiting and retrying are set under [calls]",
    "max_retries": "waiting and retrying are set under [calls]",
    "mock_response": "bind a script: model instead",
    "epoch": "it counts the swaps of a running role",
}
_HOW = "write --role ROLE=MODEL, e.g. --role debater='openai/gpt-5-mini?max_tokens=200'"


class RoleChoice(NamedTuple):
    """A role and what answers for it."""

    role: str
    binding: Binding


def parse_roles(texts: Iterable[str]) -> dict[str, Binding]:
    """All `--role` texts of a command line. Raises SpecRefused, also for a role named twice."""
    roles: dict[str, Binding] = {}
    for text in texts:
        role, binding = parse_role(text)
        if role in roles:
            raise SpecRefused(f"--role {role}: given twice; keep one of them")
        roles[role] = binding
    return roles


def parse_role(text: str) -> RoleChoice:
    """`NAME=MODEL` or `NAME=MODEL?param=value&...`, as given to `--role`.

    Parameters named like a field of a role's table (api_base, fallback, shards, ...) set that
    field, all others are sampling parameters. What follows `?` in a `script:` model belongs to
    the script. Raises SpecRefused.
    """
    role, equals, model = text.partition("=")
    role = role.strip()
    if not equals:
        if looks_secret("", text):
            raise SpecRefused(f"--role: the text {ADVICE}; {_HOW}")
        raise SpecRefused(f"--role {text!r} names no model; {_HOW}")
    try:
        return RoleChoice(check_role_name(role), bind(model.strip()))
    except SpecRefused as error:
        raise SpecRefused(f"--role {role}: {error}") from error


def check_role_name(role: str) -> str:
    """Return the name if a role can have it. Raises SpecRefused."""
    if not _ROLE.fullmatch(role):
        raise SpecRefused(f"{role!r} is no name of a role; names are a-z, 0-9 and _")
    return role


def bind(written: object) -> Binding:
    """A binding from a short text (`MODEL?param=value`) or from a table of an experiment file.

    Raises SpecRefused with what is wrong, without saying where.
    """
    if isinstance(written, Binding):
        return _bind_table({k: v for k, v in _plain(written).items() if k != "epoch"})
    if isinstance(written, str):
        return _bind_table(_split(written))
    if isinstance(written, Mapping):
        return _bind_table(written)
    raise SpecRefused('expected a model, e.g. "openai/gpt-5-mini", or a table with `model`')


def _plain(binding: Binding) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(binding)
    return plain


def _split(text: str) -> dict[str, object]:
    model, mark, query = text.partition("?")
    if text.startswith("script:") or not mark:
        return {"model": text}
    table: dict[str, object] = {"model": model}
    params: dict[str, object] = {}
    fallback: list[str] = []
    for pair in filter(None, query.split("&")):
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise SpecRefused(
                f"a parameter is written name=value; {len(name)} characters have no '='"
            )
        if name == "fallback":
            fallback.append(unquote(value))
        elif name in table or name in params:
            raise SpecRefused(f"parameter {name!r} is given twice")
        elif name in _FIELDS and name not in ("model", "params"):
            table[name] = _scalar(value)
        else:
            params[name] = _scalar(value)
    return table | {"params": params, "fallback": fallback}


def _scalar(text: str) -> Setting:
    plain = unquote(text)
    if plain in ("true", "false"):
        return plain == "true"
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return plain


def _bind_table(table: Mapping[str, object]) -> Binding:
    if where := ", ".join(find_secrets(table)):
        raise SpecRefused(f"the value of {where} {ADVICE}")
    for key in table:
        if key not in _FIELDS:
            raise SpecRefused(_unknown(key))
    constrain = table.get("constrain", "none")
    if constrain not in _CONSTRAIN:
        raise SpecRefused(f"constrain must be one of {', '.join(_CONSTRAIN)}")
    counts = {name: _count(table, name) for name in _COUNTS if table.get(name) is not None}
    model, fallback = _model(table.get("model")), _fallback(table.get("fallback", ()))
    if any(map(is_served_elsewhere, fallback)) or (fallback and model == "human"):
        # Who serves a model's role cannot ask a person, and a person cannot become a model.
        raise SpecRefused("fallback: models alone stand in, and for models alone, not for a person")
    return Binding(
        model=model,
        params=_params(table.get("params", {})),
        fallback=fallback,
        api_base=_address(table.get("api_base")),
        constrain=str(constrain),
        window_tokens=counts.get("window_tokens"),
        reserve_tokens=counts.get("reserve_tokens", _RESERVE_TOKENS),
        shards=counts.get("shards", 1),
    )


def _unknown(key: str) -> str:
    if key in _SAMPLING:
        return f"{key!r} is a sampling parameter: write params = {{ {key} = ... }}"
    if key == "epoch":
        return "'epoch' is not for files: it counts the swaps of a running role"
    return f"a role has no {key!r}.{nearest(key, _FIELDS)}"


def _model(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise SpecRefused('no model is named; write model = "provider/name"')
    if not value.isprintable() or any(letter.isspace() for letter in value):
        raise SpecRefused(f"model {value!r} holds blanks or control characters")
    if "?" in value and not value.startswith("script:"):
        raise SpecRefused(f"model {value!r} holds a '?': write its parameters under params")
    return value


def _params(value: object) -> dict[str, Setting]:
    if not isinstance(value, Mapping):
        raise SpecRefused("params must be a table, e.g. params = { temperature = 0.7 }")
    params: dict[str, Setting] = {}
    for name, setting in value.items():
        if name in _RESERVED:
            raise SpecRefused(f"parameter {name!r} cannot be set: {_RESERVED[name]}")
        if names_secret(str(name)):
            raise SpecRefused(f"parameter {name!r} {ADVICE}")
        if isinstance(setting, Mapping):
            raise SpecRefused(f"parameter {name!r} is a table: write '{name}.NAME' = value")
        try:
            params[str(name)] = read_setting(setting)
        except SpecRefused as error:
            raise SpecRefused(f"parameter {name!r}: {error}") from error
    return params


def read_setting(value: object) -> Setting:
    """A value that can be stored and read back unchanged. Raises SpecRefused for any other."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    # A lone surrogate (a command line that is not UTF-8) cannot be stored.
    if isinstance(value, str) and value == value.encode(errors="replace").decode():
        return value
    raise SpecRefused("a setting is a text, a finite number of at most 64 bits, true or false")


def _fallback(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise SpecRefused('fallback must be a list of models, e.g. ["openai/gpt-5-mini"]')
    return tuple(_model(model) for model in value)


def _address(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise SpecRefused("api_base must be an address, e.g. http://127.0.0.1:8000/v1")
    try:
        parts = urlsplit(value)
    except ValueError as error:
        raise SpecRefused(f"api_base is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise SpecRefused("api_base must begin with http:// or https:// and name a host")
    if "@" in parts.netloc or parts.query:
        raise SpecRefused("api_base must carry no login and no query: an experiment is logged")
    return value


def _count(table: Mapping[str, object], name: str) -> int:
    value, least = table[name], _COUNTS[name]
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SpecRefused(f"{name} must be a whole number of at least {least}")
    return value
