"""The files that come with a protocol: its prompts and its starter cases."""

from __future__ import annotations

import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from eristic.debate.errors import CaseRefused, SpecRefused
from eristic.debate.prompting import parse_template
from eristic.protocols import Machine

__all__ = ["load_prompts", "load_starter_cases"]


def load_prompts(machine: Machine[Any]) -> dict[str, str]:
    """Template id -> text of each prompt file of the protocol, each of them readable.

    Raises SpecRefused for a file that is missing, cannot be read, or carries another id.
    """
    folder = _package(machine) / "prompts"
    return {name: _load(folder / f"{name}.toml", name) for name in machine.templates}


def _load(path: Traversable, name: str) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecRefused(f"prompt file {path} cannot be read: {error.strerror}") from error
    found = parse_template(text).id
    if found != name:
        raise SpecRefused(f"prompt file {path} has id {found!r}; its name says {name!r}")
    return text


def load_starter_cases(machine: Machine[Any]) -> tuple[str, bytes]:
    """(name, bytes) of the case file that comes with the protocol.

    Raises CaseRefused when it comes with none.
    """
    folder = _package(machine) / "cases"
    if folder.is_dir():
        for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if path.name.endswith(".jsonl"):
                return path.name, path.read_bytes()
    raise CaseRefused(f"{machine.name} comes without cases; name a file with --cases PATH")


def _package(machine: Machine[Any]) -> Traversable:
    module = sys.modules[type(machine).__module__]
    # A protocol may be defined in its package's __init__ or in a module beside it.
    package = module.__name__ if hasattr(module, "__path__") else module.__package__
    return files(package or module.__name__)
