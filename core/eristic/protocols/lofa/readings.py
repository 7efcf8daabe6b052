"""The parsers of `lofa` by name. One of them must know the options, so its name holds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from eristic.protocols.lofa.choices import read_code_probe, read_code_question, read_strict
from eristic.protocols.lofa.yes_no import read_code_yes_no, read_strict_yes_no
from eristic.protocols.machine import Parser

__all__ = ["PARSERS", "choice_parser", "yes_no_parser"]

_CHOICES: Final = MappingProxyType(
    {
        "choice.strict": read_strict,
        "choice.code.question": read_code_question,
        "choice.code.probe": read_code_probe,
    }
)
_OTHERS: Final[Mapping[str, Parser]] = MappingProxyType(
    {"yes_no.strict": read_strict_yes_no, "yes_no.code": read_code_yes_no}
)


class _Parsers(Mapping[str, Parser]):
    """`yes_no.strict` and the like, and `choice.strict:["Sydney","Canberra"]`.

    A parser is given nothing but a text, and whether a text is the full text of an option can be
    told only by who knows the options: they stand in the name, in the order shown.
    """

    def __getitem__(self, name: str) -> Parser:
        return _OTHERS[name] if name in _OTHERS else _choice(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_OTHERS)

    def __len__(self) -> int:
        return len(_OTHERS)


PARSERS: Final[Mapping[str, Parser]] = _Parsers()


def choice_parser(rule: str, options: Sequence[str], *, is_first: bool) -> str:
    """Name of a parser. rule: strict or code. options: their texts in the order shown."""
    kind = "strict" if rule == "strict" else "code.question" if is_first else "code.probe"
    return f"choice.{kind}:{json.dumps(list(options), ensure_ascii=False)}"


def yes_no_parser(rule: str) -> str:
    """As `choice_parser`."""
    return f"yes_no.{rule}"


@lru_cache(maxsize=1024)
def _choice(name: str) -> Parser:
    """Raises KeyError for a name that no parser has."""
    kind, _, options = name.partition(":")
    if kind not in _CHOICES:
        raise KeyError(name)
    try:
        texts: list[str] = json.loads(options)
    except ValueError as error:
        raise KeyError(name) from error
    return partial(_CHOICES[kind], options=texts)
