"""Options of a protocol: a struct of defaults, named profiles, values checked at the door."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from eristic.debate.cast import Setting
from eristic.debate.errors import SpecRefused, nearest

__all__ = ["read_options", "resolve_options"]

T = TypeVar("T", bound=msgspec.Struct)

_KIND_NAMES = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "left out",
}


def resolve_options(
    given: Mapping[str, Setting],
    profiles: Mapping[str, T],
    *,
    protocol: str,
    least: Mapping[str, int] | None = None,
) -> T:
    """Every option with its value: those of the profile, with the given ones in their place.

    profiles: name -> options; their struct has a field `profile`, and its fields are texts of a
    `Literal`, numbers, booleans or texts, each perhaps None. least: option -> its smallest whole
    number, 1 where nothing is said. Resolving a resolved set changes nothing. Raises SpecRefused
    for an unknown option or value, with the nearest name, and for a value of another type.
    """
    kind = type(next(iter(profiles.values())))
    types = _types(kind)
    for name in given:
        if name not in types:
            raise SpecRefused(f"{protocol} has no option {name!r}.{nearest(name, types)}")
    for name, value in given.items():
        _check_value(name, value, types[name], (least or {}).get(name, 1))
    profile = profiles[str(given.get("profile", next(iter(profiles))))]
    # The checks above are stricter than a conversion, so a plain merge is enough here.
    return msgspec.convert({**msgspec.structs.asdict(profile), **given}, kind)


def read_options(options: Mapping[str, Setting], kind: type[T]) -> T:
    """The options of a header as the protocol's struct; unknown ones, of a newer version, and
    wrong values raise msgspec.ValidationError."""
    return msgspec.convert(options, kind)


@cache
def _types(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(kind)


def _check_value(name: str, value: Setting, hint: Any, least: int) -> None:
    allowed = get_args(hint)
    kinds = [kind for kind in (allowed or (hint,)) if isinstance(kind, type)]
    if not kinds:
        # `1 == True` in Python: the type decides first.
        if not any(type(value) is type(known) and value == known for known in allowed):
            known = [str(known) for known in allowed]
            raise SpecRefused(f"{name} = {value!r} is not a value.{nearest(str(value), known)}")
        return
    if type(value) is int and float in kinds:
        return
    if type(value) not in kinds:
        names = " or ".join(_KIND_NAMES.get(kind, kind.__name__) for kind in kinds)
        raise SpecRefused(f"{name} = {value!r} must be {names}")
    if type(value) is int and value < least:
        raise SpecRefused(f"{name} = {value} must be {least} or more")
