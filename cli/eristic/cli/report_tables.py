"""A report as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from eristic.cli.rendering import Screen, Span, clip, width_of
from eristic.stats import Interval, Undefined

if TYPE_CHECKING:
    from eristic.protocols.reports import Measure, Published, Report, Row, Section

__all__ = ["print_report"]

_LABEL = 14
_FOOTNOTES = 8
"""Lines about exclusions; with more only their sums are told."""
_NAMED = 2
"""Published numbers beside one of ours that are shown one by one; programs get all."""
_NONE = "-"
_KEY_COLUMNS = 40
"""Of a name, such as a helper's free-text label; programs get it whole."""


def print_report(screen: Screen, found: Report, run: str, *, room: int) -> None:
    """What ran, then section by section the numbers and what must be known about them.

    room: columns that a table may take; a wider one is printed in parts, so that no number is
    lost on a narrow terminal.
    """
    screen.line(Span(f"report of run {run}", "bold"), f" · protocol {found.protocol}")
    indent = max([_LABEL, *(len(name) + 2 for name, _ in found.header)])
    for name, text in found.header:
        screen.block(text, indent=indent, label=name)
    settings = found.settings
    screen.block(
        f"{100 * settings.level:g} %, block bootstrap, {settings.resamples:,} resamples, "
        f"seed {settings.seed}",
        indent=indent,
        label="intervals",
    )
    screen.block(
        f"{found.source or 'nothing'}. Percent on both sides: our shares and the published numbers",
        indent=indent,
        label="published",
    )
    audited: dict[str, str] = {}
    everywhere = _said_once(found)
    for name, value in everywhere.items():
        screen.block(f"{name} {value}", indent=_LABEL, label="all rows")
    minor = [section for section in found.sections if _is_minor(section)]
    for section in (x for x in found.sections if x not in minor):
        _print_section(screen, section, room, everywhere, audited)
    if minor:
        screen.line()
        told = "; ".join(f"{x.id} {x.title} ({len(x.rows):,})" for x in minor)
        screen.block(f"rows with --json and --csv: {told}", indent=6, label="more")
    screen.line()


def _said_once(found: Report) -> dict[str, str]:
    """Keys that have one value throughout and stand in several sections, with that value."""
    values: dict[str, set[str]] = {}
    sections: dict[str, int] = {}
    for section in found.sections:
        for name in {name for row in section.rows for name in row.keys}:
            # A row without the key is about something else, so the others keep it.
            own = {row.keys.get(name, "") for row in section.rows}
            values.setdefault(name, set()).update(own)
            sections[name] = sections.get(name, 0) + 1
    return {
        name: next(iter(own))
        for name, own in values.items()
        if len(own) == 1 and sections[name] > 1
    }


def _is_minor(section: Section) -> bool:
    """Nothing in it is for people: no row, and no gap in the published numbers."""
    has_rows = bool(section.rows) and all(row.is_minor for row in section.rows)
    return has_rows and not section.audits


def _print_section(
    screen: Screen,
    section: Section,
    room: int,
    everywhere: Mapping[str, str],
    audited: dict[str, str],
) -> None:
    """audited: audit -> section in which it is told in full; grows."""
    screen.line()
    screen.line(Span(f"{section.id}  {section.title}", "bold"))
    screen.block(section.about, style="dim")
    shown = [row for row in section.rows if not row.is_minor]
    if shown:
        constant = _constant(shown, everywhere)
        if constant:
            told = ", ".join(f"{name} {value}" for name, value in constant.items())
            screen.block(f"all rows: {told}", style="dim")
        _print_table(screen, shown, room, everywhere.keys() | constant.keys())
    if len(shown) < len(section.rows):
        more = len(section.rows) - len(shown)
        screen.block(f"{more} more rows with --json and --csv", indent=2, style="dim")
    for note in _footnotes(section, everywhere):
        screen.block(note, indent=2, style="dim")
    for audit in section.audits:
        first = audited.setdefault(audit.id, section.id)
        text = f"{audit.finding} [{audit.where}]"
        if first != section.id:
            text = f"{audit.id}, see {first}"
        screen.block(text, indent=9, label="  audit", style="yellow")


def _constant(rows: Sequence[Row], everywhere: Mapping[str, str]) -> dict[str, str]:
    """Keys that are the same in all these rows, when another key tells the rows apart."""
    names = dict.fromkeys(name for row in rows for name in row.keys if name not in everywhere)
    values = {name: {row.keys.get(name, "") for row in rows} for name in names}
    if not any(len(own) > 1 for own in values.values()):
        return {}
    return {name: next(iter(own)) for name, own in values.items() if len(own) == 1}


def _print_table(screen: Screen, rows: Sequence[Row], room: int, told: Set[str]) -> None:
    """Columns that no row fills are left out. told: keys that stand above the table."""
    known = dict.fromkeys(name for row in rows for name in row.keys)
    keys = [name for name in known if name not in told]
    beside = list(dict.fromkeys(name for row in rows for name in row.beside))
    mains = [row.main for row in rows if row.main is not None]
    columns: dict[str, list[str | Span]] = {
        name: [clip(row.keys.get(name, _NONE), _KEY_COLUMNS) for row in rows] for name in keys
    }
    if mains:
        columns["value"] = [_value(row.main) for row in rows]
    if any(measure.interval is not None for measure in mains):
        columns["interval"] = [_interval(row.main) for row in rows]
    if any(measure.tally is not None for measure in mains):
        columns["n"] = [_used(row.main) for row in rows]
        columns["excl."] = [_excluded(row.main) for row in rows]
    if any(measure.published for measure in mains):
        columns["published"] = [_published(row.main) for row in rows]
    for name in beside:
        columns[name] = [_beside(row.beside.get(name)) for row in rows]
    for place, part in enumerate(_parts(columns, keys, room)):
        if place:
            screen.line()
        _print_columns(screen, part, keys)


def _parts(
    columns: Mapping[str, list[str | Span]], keys: Sequence[str], room: int
) -> Iterator[dict[str, list[str | Span]]]:
    """The columns in as few tables as have room for them, each beginning with the keys."""
    begun = {name: columns[name] for name in keys}
    part = dict(begun)
    for name in (x for x in columns if x not in begun):
        if len(part) > len(begun) and _width({**part, name: columns[name]}) > room:
            yield part
            part = dict(begun)
        part[name] = columns[name]
    yield part


def _print_columns(
    screen: Screen, columns: Mapping[str, Sequence[str | Span]], keys: Sequence[str]
) -> None:
    numbers = [name for name in columns if name not in keys]
    rows = list(zip(*columns.values(), strict=True))
    screen.table(list(columns), rows, right=numbers, keep=numbers)


def _width(columns: Mapping[str, Sequence[str | Span]]) -> int:
    """Columns of a terminal that the whole table takes."""
    widths = [
        max(width_of(cell if isinstance(cell, str) else cell.text) for cell in (name, *cells))
        for name, cells in columns.items()
    ]
    return sum(widths) + 2 * (len(widths) - 1)


def _value(measure: Measure | None) -> str | Span:
    if measure is None:
        return _NONE
    if isinstance(measure.value, Undefined):
        return Span("undefined", "dim")
    return Span(_number(measure.value, measure.unit), "bold")


def _number(value: float, unit: str) -> str:
    match unit:
        case "fraction":
            return f"{100 * value:.1f} %"
        case "relative":
            return f"{100 * value:+.1f} %"
        case "difference":
            return f"{100 * value:+.1f}"
        case "points":
            return f"{100 * value:.1f}"
        case "p":
            return "<0.0001" if value < 0.0001 else f"{value:.4f}"
        case "words":
            return f"{value:.1f}"
        case "number":
            return f"{value:.3f}" if abs(value) >= 0.01 or not value else f"{value:.2g}"
        case _:
            return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def _interval(measure: Measure | None) -> str:
    interval = measure.interval if measure is not None else None
    if measure is None or not isinstance(interval, Interval):
        return _NONE
    if measure.unit in ("fraction", "relative", "difference"):
        sign = "" if measure.unit == "fraction" else "+"
        return f"{100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f}"
    low, high = (_number(end, measure.unit) for end in (interval.low, interval.high))
    return f"{low} to {high}"


def _used(measure: Measure | None) -> str:
    tally = measure.tally if measure is not None else None
    return f"{tally.used:,}" if tally is not None else _NONE


def _excluded(measure: Measure | None) -> str | Span:
    tally = measure.tally if measure is not None else None
    if tally is None:
        return _NONE
    return Span(f"{tally.excluded:,}", "yellow" if tally.excluded else "")


def _published(measure: Measure | None) -> str:
    """`29 %`; of several each with its name, of many the range: 0.28 to 8.82 (9)."""
    from eristic.protocols.reports import names_apart

    numbers = measure.published if measure is not None else ()
    if len(numbers) > _NAMED:
        low, *_, high = sorted(numbers, key=lambda number: number.value)
        return f"{_printed(low)} to {_printed(high)} ({len(numbers)})"
    named = zip(names_apart(numbers), numbers, strict=True)
    return ", ".join(f"{name} {_printed(x)}".strip() for name, x in named) or _NONE


def _printed(number: Published) -> str:
    # "percentage points" are none.
    is_percent = number.unit.split()[0] == "percent"
    return f"{number.value:g}{' %' if is_percent else ''}"


def _beside(measure: Measure | None) -> str | Span:
    if measure is None:
        return _NONE
    if isinstance(measure.value, Undefined):
        return Span("undef.", "dim")
    also = f" [{_printed(measure.published[0])}]" if len(measure.published) == 1 else ""
    return f"{_number(measure.value, measure.unit)}{also}"


def _footnotes(section: Section, everywhere: Mapping[str, str]) -> Iterator[str]:
    measures = [x for row in section.rows for x in row.measures()]
    if any(measure.unit in ("difference", "points") for measure in measures):
        yield "numbers without a percent sign are percentage points where shares are subtracted"
    yield from section.notes
    values = [found for x in measures for found in (x.value, x.interval)]
    reasons = dict.fromkeys(x.reason for x in values if isinstance(x, Undefined))
    for reason in list(reasons)[:_FOOTNOTES]:
        yield f"undefined: {reason}"
    lost = [x for x in measures if x.resamples_undefined and isinstance(x.interval, Interval)]
    if lost:
        most = max(x.resamples_undefined or 0 for x in lost)
        yield (
            f"{len(lost)} intervals leave out resamples in which the number is undefined, "
            f"{most:,} at most"
        )
    yield from _left_out(section, everywhere)
    places = dict.fromkeys(
        f"{number.where}: {', '.join(filter(None, (number.comparison, number.unit)))} "
        f"({number.origin})"
        for measure in measures
        for number in measure.published
    )
    if places:
        brackets = any(len(x.published) == 1 for row in section.rows for x in row.beside.values())
        where = "published, also in brackets" if brackets else "published"
        yield f"{where}: {'; '.join(places)}"


def _left_out(section: Section, everywhere: Mapping[str, str]) -> Iterator[str]:
    """Causes of exclusion: rows that have the same together; summed when they are too many."""
    grouped: dict[str, list[str]] = {}
    sums: dict[str, int] = {}
    for row in section.rows:
        tally = row.main.tally if row.main is not None else None
        if tally is None or not tally.excluded:
            continue
        told = ", ".join(f"{left.count:,} {left.cause}" for left in tally.exclusions)
        name = " ".join(value for key, value in row.keys.items() if key not in everywhere)
        grouped.setdefault(told, []).append(name or "the only row")
        for left in tally.exclusions:
            sums[left.cause] = sums.get(left.cause, 0) + left.count
    if len(grouped) > _FOOTNOTES:
        total = ", ".join(f"{count:,} {cause}" for cause, count in sorted(sums.items()))
        yield f"excluded, all rows together: {total}"
        return
    for told, names in grouped.items():
        where = f"each of {len(names)} rows" if len(names) > 2 else "; ".join(names)
        yield f"excluded, {where}: {told}"
