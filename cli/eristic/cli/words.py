"""The words of a command line as argparse reads them; what it cannot read is refused like all else.

argparse would print its usage, end the program and repeat whatever was typed, a key included.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["CommandParser", "parse"]

_CHOICE = re.compile(r"argument ([^:]*): invalid choice: '?([^' ]*)'? \(choose from (.*)\)", re.S)


class CommandParser(argparse.ArgumentParser):
    """Refuses with SpecRefused instead of ending the program; takes no shortened options."""

    def __init__(self, *args: object, **settings: object) -> None:
        settings.setdefault("allow_abbrev", False)
        super().__init__(*args, **settings)  # type: ignore[arg-type]  # argparse's own, unchanged

    def error(self, message: str) -> NoReturn:
        """Raises SpecRefused with what is wrong, the nearest word, and where help is."""
        from eristic.debate.errors import SpecRefused, nearest

        found = _CHOICE.match(message)
        if found is None:
            raise SpecRefused(
                f"{message.removeprefix('argument ')}; `{self.prog} --help` tells more"
            )
        argument, word, choices = found.groups()
        is_verb = argument == "COMMAND"
        what = "there is no command" if is_verb else f"{argument} cannot be"
        hint = nearest(word, re.findall(r"[\w-]+", choices))
        raise SpecRefused(f"{what} {_shown(word)}.{hint} `{self.prog} --help` tells more")


def parse(parser: CommandParser, words: Sequence[str]) -> argparse.Namespace:
    """The words as arguments. Raises SpecRefused, with the nearest option for an unknown one."""
    args, unknown = parser.parse_known_args(words)
    if not unknown:
        return args
    from eristic.debate.errors import SpecRefused

    verb: CommandParser = getattr(args, "parser", parser)
    word = unknown[0]
    if not word.startswith("-"):
        verb.error(f"{_shown(word)} is one word too many; quote a text that holds blanks")
    # Never its value: that may be a key.
    option = word.partition("=")[0]
    if option in verb._option_string_actions:
        raise SpecRefused(
            f"{option} stands before the command; write it after: {parser.prog} COMMAND {option}"
        )
    raise SpecRefused(
        f"{verb.prog} has no option {_shown(option)}.{_near_option(option, verb)} "
        f"`{verb.prog} --help` lists all"
    )


def _near_option(option: str, verb: argparse.ArgumentParser) -> str:
    from eristic.debate.errors import nearest

    hint = nearest(option, verb._option_string_actions)
    return hint if hint.startswith(" Did you") else ""


def _shown(word: str) -> str:
    from eristic.sweeps import looks_secret

    return "(a text that looks like a secret)" if looks_secret("", word) else repr(word)
