"""A report for programs: one document, or one tidy table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from eristic.cli.rendering import clean
from eristic.debate.errors import SpecRefused
from eristic.debate.ids import check_run_name
from eristic.stats import Interval, Undefined

if TYPE_CHECKING:
    from eristic.protocols.reports import Measure, Report

__all__ = ["COLUMNS", "SHOWN_UNITS", "to_csv", "to_document", "write_csv"]

COLUMNS = (
    *("metric", "keys", "value", "low", "high", "level"),
    *("n", "excluded", "cause", "published", "origin", "unit"),
)
SHOWN_UNITS = {
    "fraction": "percent",
    "relative": "percent",
    "difference": "percentage points",
    "points": "percentage points",
}
"""Units that tables show a hundredfold, as publications do."""


def to_document(found: Report, run: str) -> dict[str, Any]:
    """Everything: values in their own units, seeds, rules, versions."""
    from eristic.cli.software import software, versions
    from eristic.protocols.reports import UNITS

    return {
        "run": run,
        "software": software(),
        "versions": versions(),
        "units": dict(UNITS),
        **msgspec.to_builtins(found),
    }


def write_csv(found: Report, folder: str, run: str) -> Path:
    """Write `RUN.csv` into the folder, which is made. Raises SpecRefused when that fails,
    NameRefused for a run whose name is none."""
    # An archive says its run's name itself.
    path = Path(folder) / f"{check_run_name(run)}.csv"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(to_csv(found), encoding="utf-8", newline="")
    except OSError as error:
        raise SpecRefused(f"--csv {folder}: {error.strerror}; name a folder to write to") from error
    return path


def to_csv(found: Report) -> str:
    """One line a measure. Shares are percent here, as `unit` says; an empty value is undefined,
    and `cause` says why."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for measure in found.measures():
        writer.writerow([clean(cell).replace("\n", " ") for cell in _cells(measure)])
    return out.getvalue()


def _cells(measure: Measure) -> Iterator[str]:
    scale = 100 if measure.unit in SHOWN_UNITS else 1
    interval = measure.interval if isinstance(measure.interval, Interval) else None
    tally = measure.tally
    yield measure.metric
    yield "; ".join(f"{name}={value}" for name, value in measure.keys.items())
    yield "" if isinstance(measure.value, Undefined) else _number(measure.value * scale)
    yield _number(interval.low * scale) if interval else ""
    yield _number(interval.high * scale) if interval else ""
    yield _number(interval.level) if interval else ""
    yield str(tally.used) if tally is not None else ""
    yield str(tally.excluded) if tally is not None else ""
    yield _causes(measure)
    yield "; ".join(_published(measure))
    yield "; ".join(dict.fromkeys(number.origin for number in measure.published))
    yield SHOWN_UNITS.get(measure.unit, measure.unit)


def _number(value: float) -> str:
    """Twelve digits: what is beyond is the dust of a hundredfold binary fraction."""
    return f"{value:.12g}"


def _causes(measure: Measure) -> str:
    told = []
    if isinstance(measure.value, Undefined):
        told.append(f"undefined: {measure.value.reason}")
    elif isinstance(measure.interval, Undefined):
        told.append(f"interval undefined: {measure.interval.reason}")
    if measure.tally is not None:
        told += [f"{left.cause}: {left.count}" for left in measure.tally.exclusions]
    return "; ".join(told)


def _published(measure: Measure) -> Iterator[str]:
    """The number alone, or with what tells it from others that stand beside the same of ours."""
    from eristic.protocols.reports import names_apart

    for name, number in zip(names_apart(measure.published), measure.published, strict=True):
        is_only = len(measure.published) == 1 or len({x.value for x in measure.published}) == 1
        yield _number(number.value) if is_only or not name else f"{name}={number.value:g}"
