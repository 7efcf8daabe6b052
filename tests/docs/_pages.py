"""The pages of the repository and what stands in them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^```(\w*)[ ]?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the words behind it, its text."""

    page: str
    language: str
    title: str
    text: str


def page_names() -> list[str]:
    """Every page that is, or could be, committed; paths from the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).exists())
    hidden = (".venv", ".git", ".eristic", ".pytest_cache", "node_modules")
    found = [path.relative_to(ROOT) for path in ROOT.rglob("*.md")]
    return sorted(str(path) for path in found if not path.parts[0].startswith(hidden))


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> Iterator[Block]:
    for match in _FENCE.finditer(read(page)):
        if match[1] == language:
            yield Block(page, match[1], match[2].removeprefix("title="), match[3])


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", read(page))


def snippet(page: str, title: str) -> str:
    """The Python block of that title."""
    (found,) = [block.text for block in blocks(page, "python") if block.title == title]
    return found
