"""Published numbers as data: read from a protocol's reference file, found by metric and keys."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from eristic.debate.errors import SpecRefused

__all__ = ["Audit", "Published", "Reference", "names_apart", "parse_reference"]

_SCHEMA = 1


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """One number as it was published."""

    id: str
    metric: str
    where: str
    value: float
    unit: str
    """Of the publication: a percent there is a percent, not a fraction."""
    origin: str
    """text, figure-label, figure-pixels (read off an image), code or derived."""
    keys: dict[str, str] = {}
    comparison: str = ""
    """How the number is meant where it is no equality: above, at most."""
    note: str = ""


def names_apart(numbers: Sequence[Published]) -> tuple[str, ...]:
    """What tells each from the others: its values of the keys in which they differ."""
    names = dict.fromkeys(name for number in numbers for name in number.keys)
    told = [name for name in names if len({number.keys.get(name) for number in numbers}) > 1]
    return tuple(" ".join(x.keys[name] for name in told if name in x.keys) for x in numbers)


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """A contradiction in the published numbers."""

    id: str
    where: str
    finding: str
    metrics: tuple[str, ...] = ()
    """Metrics whose numbers it concerns."""


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication says."""

    title: str = ""
    source: str = ""
    numbers: tuple[Published, ...] = ()
    audits: tuple[Audit, ...] = ()
    design: dict[str, object] = {}

    def find(self, metric: str, **keys: str) -> tuple[Published, ...]:
        """Numbers of this metric whose keys say nothing else; in the order of the file."""
        return tuple(
            number
            for number in self.numbers
            if number.metric == metric
            and all(number.keys.get(name, value) == value for name, value in keys.items())
        )

    def audits_of(self, *metrics: str) -> tuple[Audit, ...]:
        """What is odd about the published numbers of these metrics."""
        return tuple(audit for audit in self.audits if set(metrics) & set(audit.metrics))


class _Paper(msgspec.Struct):
    title: str
    arxiv: str = ""


class _Value(msgspec.Struct):
    id: str
    where: str
    metric: str
    unit: str
    value: float
    origin: str
    keys: dict[str, str] = {}
    comparison: str = ""
    note: str = ""


class _Grid(msgspec.Struct):
    id: str
    where: str
    metric: str
    unit: str
    origin: str
    row_key: str
    col_key: str
    rows: list[str]
    cols: list[str]
    values: list[list[float]]
    keys: dict[str, str] = {}
    note: str = ""


class _File(msgspec.Struct):
    schema: int
    protocol: str
    paper: _Paper
    design: dict[str, object] = {}
    value: list[_Value] = []
    grid: list[_Grid] = []
    audit: list[Audit] = []


def parse_reference(text: str, *, protocol: str) -> Reference:
    """The reference file of a protocol. Raises SpecRefused for one that cannot be used."""
    try:
        file = msgspec.convert(tomllib.loads(text), _File)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SpecRefused(f"the reference numbers of {protocol} cannot be read: {error}") from error
    if (file.schema, file.protocol) != (_SCHEMA, protocol):
        raise SpecRefused(
            f"reference numbers of {file.protocol!r}, schema {file.schema}; "
            f"expected {protocol!r}, schema {_SCHEMA}"
        )
    return Reference(
        title=file.paper.title,
        source=f"arXiv {file.paper.arxiv}" if file.paper.arxiv else "",
        numbers=(*(_single(value) for value in file.value), *_cells(file.grid)),
        audits=tuple(file.audit),
        design=file.design,
    )


def _single(value: _Value) -> Published:
    return Published(
        id=value.id,
        metric=value.metric,
        where=value.where,
        value=value.value,
        unit=value.unit,
        origin=value.origin,
        keys=value.keys,
        comparison=value.comparison,
        note=value.note,
    )


def _cells(grids: list[_Grid]) -> Iterator[Published]:
    for grid in grids:
        if [len(row) for row in grid.values] != [len(grid.cols)] * len(grid.rows):
            raise SpecRefused(f"reference grid {grid.id}: values do not fit its rows and columns")
        for row, values in zip(grid.rows, grid.values, strict=True):
            for col, value in zip(grid.cols, values, strict=True):
                keys: Mapping[str, str] = {**grid.keys, grid.row_key: row, grid.col_key: col}
                yield Published(
                    id=grid.id,
                    metric=grid.metric,
                    where=grid.where,
                    value=value,
                    unit=grid.unit,
                    origin=grid.origin,
                    keys=dict(keys),
                    note=grid.note,
                )
