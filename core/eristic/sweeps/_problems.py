"""Everything wrong with a file at once, so that it is mended in one go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eristic.debate.errors import SpecRefused

__all__ = ["Problems", "listing"]

SHOWN = 10
"""Problems listed in full; more are counted."""


def listing(problems: Sequence[str]) -> str:
    """The problems, one a line and indented; after the tenth only how many more."""
    lines = [f"  {problem}" for problem in problems[:SHOWN]]
    if len(problems) > SHOWN:
        lines.append(f"  and {len(problems) - SHOWN} more")
    return "\n".join(lines)


class Problems:
    """Collects what is wrong with an experiment, with the line where it can be told."""

    def __init__(self, origin: str, text: str = "") -> None:
        self.origin = origin
        self._lines = text.splitlines()
        self._found: list[str] = []

    def add(self, key: str, what: str) -> None:
        """key: dotted, as the person wrote it."""
        line = self._line(key)
        place = f"line {line}: " if line else ""
        self._found.append(f"{place}{key}: {what}")

    def check(self) -> None:
        """Raises SpecRefused with all that was added, if anything was."""
        if len(self._found) == 1:
            raise SpecRefused(f"{self.origin}: {self._found[0]}")
        if self._found:
            raise SpecRefused(
                f"{self.origin} has {len(self._found)} mistakes:\n{listing(self._found)}"
            )

    def _line(self, key: str) -> int | None:
        # tomllib tells no places; a key that begins exactly one line is there.
        name = re.escape(key.rsplit(".", 1)[-1])
        sets = re.compile(rf"""\s*(?:[\w"'-]+\s*\.\s*)*["']?{name}["']?\s*=""")
        opens = re.compile(rf"""\s*\[(?:[^\]]*\.)?\s*["']?{name}["']?\s*\]""")
        hits = [n for n, line in enumerate(self._lines, 1) if sets.match(line) or opens.match(line)]
        return hits[0] if len(hits) == 1 else None
