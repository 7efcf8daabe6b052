"""Output for people: wrapped to the terminal, coloured where colours work, safe for any text.

Texts of models and cases can hold escape sequences, markup and letters that turn the line around.
Everything printed here is cleaned first and never read as markup.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Screen", "Span", "clean", "clip", "open_screen", "print_json", "width_of", "wrap"]

_PLAIN_WIDTH = 100
"""Columns when the output is no terminal."""
_LEAST_TEXT_WIDTH = 20
_LEAST_COLUMN = 8
_NEWLINES = re.compile("\r\n?|[\u2028\u2029\u0085\v\f]")
_JOINERS = ("\u200c", "\u200d")
"""Invisible, but part of how words and emoji are written."""


class Span(NamedTuple):
    """A piece of a line and how it looks."""

    text: str
    style: str = ""
    """As rich names it: `bold cyan`, `dim`. Means nothing without colours."""


def clean(text: str) -> str:
    """The text without anything that a terminal obeys; newlines stay, tabs become spaces.

    Gone are control characters (escape sequences lose their beginning), direction overrides and
    other invisible format characters.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _NEWLINES.sub("\n", text).replace("\t", "    ")
    return "".join(x for x in text if x == "\n" or x in _JOINERS or not _is_obeyed(x))


def _is_obeyed(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs")


def width_of(text: str) -> int:
    """Columns that a cleaned text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if letter in _JOINERS or unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def clip(text: str, width: int) -> str:
    """A cleaned one-line text in at most so many columns, with a mark where it was cut."""
    text = " ".join(clean(text).split())
    if width_of(text) <= width:
        return text
    used, end = 0, 0
    for letter in text:
        used += _letter_width(letter)
        if used > width - 1:
            break
        end += 1
    return f"{text[:end]}…"


def wrap(text: str, width: int) -> Iterator[str]:
    """Lines of at most so many columns; words that are longer are broken, newlines kept."""
    width = max(width, _LEAST_TEXT_WIDTH)
    for paragraph in clean(text).split("\n"):
        yield from _wrap_paragraph(paragraph.rstrip(), width)


def _wrap_paragraph(paragraph: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for piece in re.findall(r" +|[^ ]+", paragraph):
        size = width_of(piece)
        if used + size <= width:
            line, used = line + piece, used + size
            continue
        if piece.isspace():
            continue
        if line.strip():
            yield line.rstrip()
        line, used = "", 0
        if size <= width:
            line, used = piece, size
            continue
        for letter in piece:
            step = _letter_width(letter)
            if used + step > width:
                yield line
                line, used = "", 0
            line, used = line + letter, used + step
    yield line.rstrip()


class Screen:
    """Standard output. console: rich's, when there is a terminal and rich is installed."""

    def __init__(
        self,
        stream: TextIO,
        *,
        width: int,
        is_terminal: bool = False,
        console: Console | None = None,
    ) -> None:
        self.width = width
        self._stream = stream
        self._is_terminal = is_terminal
        self._console = console

    def line(self, *spans: Span | str) -> None:
        """One line as it is, cleaned; without spans an empty one."""
        pieces = [Span(span) if isinstance(span, str) else span for span in spans]
        pieces = [Span(clean(text).replace("\n", " "), style) for text, style in pieces]
        if self._console is None:
            print("".join(text for text, _ in pieces).rstrip(), file=self._stream)
            return
        from rich.text import Text

        # Text, never a str: a str would be read as markup.
        whole = Text.assemble(*pieces)
        self._console.print(whole, soft_wrap=True, markup=False, highlight=False, emoji=False)

    def block(self, text: str, *, indent: int = 0, style: str = "", label: str = "") -> None:
        """A text of any length, wrapped; label stands in the indent of its first line."""
        lead = label.ljust(indent)
        for line in wrap(text, self.width - indent):
            self.line(Span(lead, "dim"), Span(line, style))
            lead = " " * indent

    def table(
        self,
        names: Sequence[str],
        rows: Sequence[Sequence[str | Span]],
        *,
        right: Sequence[str] = (),
        keep: Sequence[str] = (),
        spare: Sequence[str] = (),
    ) -> None:
        """Rows under names; columns named in `right` are aligned there.

        On a terminal that is too narrow the columns in `spare` go, the last one first, then the
        widest ones are cut, but for those in `keep`.
        """
        columns = {
            name: [Span(x) if isinstance(x, str) else x for x in column]
            for name, *column in zip(names, *rows, strict=True)
        }
        widths = {name: _column_width(name, column) for name, column in columns.items()}
        left_out = []
        if self._is_terminal:
            left_out = _fit(widths, self.width, keep, spare)
        self.line(*_row({name: Span(name, "bold") for name in names}, widths, right))
        for place in range(len(rows)):
            cells = {name: column[place] for name, column in columns.items()}
            self.line(*_row(cells, widths, right))
        if left_out:
            self.line(Span(f"(no room for: {', '.join(left_out)})", "dim"))


def _column_width(name: str, column: Sequence[Span]) -> int:
    texts = [" ".join(clean(text).split()) for text, _ in column]
    return max(width_of(text) for text in (name, *texts))


def _fit(widths: dict[str, int], room: int, keep: Sequence[str], spare: Sequence[str]) -> list[str]:
    """Narrows the columns in place; the names of those that had to go."""

    def excess() -> int:
        return sum(widths.values()) + 2 * (len(widths) - 1) - room

    left_out = []
    for name in reversed(spare):
        if excess() > 0:
            del widths[name]
            left_out.append(name)
    while excess() > 0:
        widest = max((name for name in widths if name not in keep), key=lambda name: widths[name])
        if widths[widest] <= _LEAST_COLUMN:
            break
        rest = [width for name, width in widths.items() if name not in (widest, *keep)]
        # Down to the next widest in one go: a hostile name can be a million columns wide.
        floor = max([_LEAST_COLUMN, *rest])
        widths[widest] = max(min(floor, widths[widest] - 1), widths[widest] - excess())
    return left_out


def _row(cells: dict[str, Span], widths: dict[str, int], right: Sequence[str]) -> list[Span]:
    spans = []
    for place, (name, width) in enumerate(widths.items(), start=1):
        text = clip(cells[name].text, width)
        gap = " " * (width - width_of(text))
        text = gap + text if name in right else text + gap
        is_last = place == len(widths)
        spans.append(Span(text.rstrip() if is_last else f"{text}  ", cells[name].style))
    return spans


def open_screen() -> Screen:
    """The screen that fits where standard output goes."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        # A terminal that lacks a letter shows a question mark and not a traceback.
        stream.reconfigure(errors="replace")
    if not stream.isatty():
        return Screen(stream, width=_PLAIN_WIDTH)
    try:
        from rich.console import Console
    except ImportError:
        return Screen(stream, width=shutil.get_terminal_size().columns, is_terminal=True)
    console = Console()
    return Screen(stream, width=console.width, is_terminal=True, console=console)


def print_json(document: object) -> None:
    """One JSON document on one line: texts as they are in the log, escaped where a terminal or
    another encoding would be in the way."""
    stream = sys.stdout
    is_plain = not stream.isatty() and (stream.encoding or "").lower().startswith("utf")
    print(json.dumps(document, ensure_ascii=not is_plain), file=stream)
