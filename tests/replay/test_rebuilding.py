"""Columns from rows and rows from columns, and reading imports no more than it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.replay._plays import logged, tell, troubled, write

import eristic.cli
import eristic.replay
import eristic.replay.archive
from eristic.replay.archive import open_archive, write_archive
from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.columns import Row, Rows, frame_of
from eristic.replay.archive.frames import Frame, Pieces, join
from eristic.replay.archive.rebuilding import STORED, rebuild

RECORDS = write(tell(troubled, number=2))

_texts = st.text(st.characters(exclude_categories=["Cs"]))
_events = st.fixed_dictionaries(
    {},
    optional={
        "prev": st.binary(min_size=32, max_size=32),
        "text": _texts,
        "prompt": st.binary(min_size=32, max_size=32),
        "reading_value": _texts,
        "reading_text": _texts,
    },
)


def _stored(event: Row) -> bytes:
    """An event as it may be stored; what it does not say is not there."""
    names = {"prev": "prev", "text": "text", "prompt": "prompt"}
    said = {names.get(name, "value"): value for name, value in event.items()}
    told = {name: x.hex() if isinstance(x, bytes) else x for name, x in said.items()}
    return msgspec.json.encode({"run": "r", **told, "end": 1})


def _batch(rows: list[Row]) -> pa.RecordBatch:
    made = Rows(STORED)
    for row in rows:
        made.add(row)
    return made.flush()


@given(st.lists(_events, max_size=40), st.data())
def test_any_slice_of_a_batch_gives_the_stored_bytes(
    events: list[Row], data: st.DataObject
) -> None:
    for event in events:
        if "reading_value" in event:  # a reading is short or long
            event.pop("reading_text", None)
    stored = [_stored(event) for event in events]
    rows = [event | frame_of(event, line) for event, line in zip(events, stored, strict=True)]
    begin = data.draw(st.integers(0, len(rows)))
    count = data.draw(st.integers(0, len(rows)))
    assert rebuild(_batch(rows).slice(begin, count)) == stored[begin : begin + count]


_at = st.none() | st.integers(0, 4)


@given(st.lists(st.tuples(_events, st.binary(min_size=4), _at, _at, _at, _at), min_size=1))
def test_a_row_gives_what_join_gives_whatever_it_says(
    told: list[tuple[Row, bytes, int | None, int | None, int | None, int | None]],
) -> None:
    names = ("frame", "prev_at", "text_at", "prompt_at", "value_at")
    rows, wanted = [], []
    for event, rest, *at in told:
        # Places come in the order of the pieces.
        places = iter(sorted(place for place in at if place is not None))
        frame: Frame = (rest, *(None if place is None else next(places) for place in at))  # type: ignore[assignment]  # four of them
        rows.append(event | dict(zip(names, frame, strict=True)))
        value = event.get("reading_value")
        value = event.get("reading_text") if value is None else value
        pieces: Pieces = (event.get("prev"), event.get("text"), event.get("prompt"), value)  # type: ignore[assignment]  # as drawn above
        wanted.append(join(frame, pieces))
    assert rebuild(_batch(rows)) == wanted


_KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[object]]] = {
    "words": (pa.dictionary(pa.int32(), pa.string()), st.sampled_from(["a", "b", ""])),
    "texts": (pa.string(), _texts),
    "bytes": (pa.binary(), st.binary()),
    "digests": (pa.binary(32), st.binary(min_size=32, max_size=32)),
    "small numbers": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "numbers": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "floats": (pa.float64(), st.floats(allow_nan=False)),
    "claims": (pa.bool_(), st.booleans()),
    "times": (pa.timestamp("us", tz="UTC"), st.datetimes(timezones=st.timezones())),
    "lists": (pa.list_(pa.string()), st.lists(_texts, max_size=3).map(tuple)),
}


@pytest.mark.parametrize("name", _KINDS)
@settings(deadline=None)  # pyarrow's own first array imports pandas
@given(st.data())
def test_arrays_are_those_that_pyarrow_makes(name: str, data: st.DataObject) -> None:
    kind, cells = _KINDS[name]
    values = data.draw(st.lists(st.none() | cells, max_size=30))
    made = array_of(values, kind)
    made.validate(full=True)
    assert made.equals(pa.array(values, kind))
    assert made.null_count == values.count(None)


@pytest.mark.parametrize(
    ("value", "kind", "refusal"),
    [
        (2**31, pa.int32(), OverflowError),
        (2**63, pa.int64(), OverflowError),
        ("1", pa.int64(), TypeError),
        (b"short", pa.binary(32), TypeError),
        (1, pa.string(), TypeError),
    ],
)
def test_a_value_that_does_not_fit_its_column_is_refused(
    value: object, kind: pa.DataType, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        array_of([None, value], kind)


async def test_one_chain_is_read_without_pandas_and_compute(tmp_path: Path) -> None:
    await write_archive(await logged(RECORDS), "r", tmp_path)
    program = (
        "import asyncio, sys; from eristic.replay.archive import open_archive;"
        "log = open_archive(sys.argv[1]); found = asyncio.run(log.read(sys.argv[2]));"
        "print(len(found), *(x for x in ('pandas', 'pyarrow.compute') if x in sys.modules))"
    )
    name = RECORDS[1][0]
    said = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), name],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == [str(open_archive(tmp_path).manifest.heads[name].length)]


@pytest.mark.parametrize("package", [eristic.replay, eristic.replay.archive, eristic.cli])
def test_every_public_name_is_there(package: object) -> None:
    for name in getattr(package, "__all__"):  # noqa: B009
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(package, "nothing")  # noqa: B009
