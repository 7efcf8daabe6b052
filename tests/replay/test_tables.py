"""The tables say what is in the log, the same from an archive, a live log and bare records."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.replay._plays import NOON, Told, logged, planned, read, tell, troubled, usual, write

from eristic.debate import (
    EpisodeOpened,
    Event,
    JudgementMade,
    JudgingOpened,
    Reading,
    RulingMade,
    Served,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogMissing, NameRefused, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Chain, extend
from eristic.replay import (
    calls,
    episodes,
    ledger,
    runs,
    summarise,
    table_schema,
    turns,
    verdicts,
)
from eristic.replay.archive import open_archive, parts, write_archive

RECORDS = write(tell(troubled, number=2))
TOLD = read(RECORDS)
ALL = (runs, episodes, turns, calls, verdicts, ledger)
SORTED_BY = {"run", "episode", "position", "role", "model"}


def events(kind: type[Event]) -> list[Any]:
    return [event for _, event, _ in TOLD if isinstance(event, kind)]


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(n, "ascending") for n in table.column_names if n in SORTED_BY])


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("archive")
    asyncio.run(_fill(place))
    return place


async def _fill(place: Path) -> None:
    await write_archive(await logged(RECORDS), "r", place)


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.__name__)
def test_a_table_is_the_same_from_every_source(table: Any, archive: Path) -> None:
    log = asyncio.run(logged(RECORDS))
    found = [table(source) for source in (archive, str(archive), log, RECORDS)]
    found += [table(open_archive(archive)), table(iter(RECORDS))]
    assert found[0].num_rows > 0
    assert all(in_order(one).equals(in_order(found[0])) for one in found)
    assert found[0].schema.equals(table_schema(table.__name__))


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.__name__)
def test_every_column_says_what_it_holds_and_is_typed_when_empty(table: Any) -> None:
    empty = table([])
    assert empty.num_rows == 0
    assert empty.schema.equals(table_schema(table.__name__))
    assert all(field.metadata[b"is"] for field in table_schema(table.__name__))


async def test_tables_can_be_made_inside_a_running_loop(archive: Path) -> None:
    log = await logged(RECORDS)
    assert runs(log).equals(runs(archive))


def test_turns_hold_every_text_with_its_reading(archive: Path) -> None:
    spoken = events(TurnSpoken)
    table = turns(archive)
    assert Counter(table["text"].to_pylist()) == Counter(event.text for event in spoken)
    values = Counter(event.reading.value if event.reading else None for event in spoken)
    assert Counter(table["reading_value"].to_pylist()) == values


def test_what_nobody_said_is_null_and_not_nought(archive: Path) -> None:
    table = turns(archive, where={"source": "template"})
    assert table.num_rows > 0
    for name in ("model", "tokens_in", "latency_s", "refusal", "seed", "reading_status"):
        assert table[name].null_count == table.num_rows
    assert turns(archive)["tokens_cached"].null_count == len(events(TurnSpoken))
    assert ledger(archive)["tokens_cached"].null_count == ledger(archive).num_rows


def test_columns_and_rows_can_be_chosen(archive: Path) -> None:
    table = turns(
        archive,
        columns=["role", "turn"],
        where={"condition": ["no_helper", "logical_helper"], "role": "debater"},
    )
    assert table.column_names == ["role", "turn"]
    assert set(table["role"].to_pylist()) == {"debater"}
    none_at_all = verdicts(archive, where={"value": None})
    assert 0 < none_at_all.num_rows < verdicts(archive).num_rows
    assert none_at_all["value"].null_count == none_at_all.num_rows


def test_one_episode_can_be_chosen(archive: Path) -> None:
    name = episodes(archive)["episode"][0].as_py()
    table = turns(archive, where={"episode": name})
    assert set(table["episode"].to_pylist()) == {name}
    assert table.num_rows == turns(RECORDS, where={"episode": [name]}).num_rows


def test_an_unknown_column_is_refused_with_the_nearest(archive: Path) -> None:
    with pytest.raises(SpecRefused, match="Did you mean 'tokens_out'"):
        turns(archive, columns=["token_out"])
    with pytest.raises(SpecRefused, match="no column 'rolle'"):
        turns(archive, where={"rolle": "x"})
    with pytest.raises(SpecRefused, match="where: turn is of type int32"):
        turns(archive, where={"turn": "five"})
    with pytest.raises(NameRefused, match="Did you mean 'turns'"):
        table_schema("turn")


def test_a_place_without_an_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogMissing, match="no archive"):
        turns(tmp_path)


def test_verdicts_read_no_text_from_an_archive(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    batches = parts.PartReader.batches

    def watched(self: parts.PartReader, columns: Any, **options: Any) -> Any:
        asked.update(columns)
        return batches(self, columns, **options)

    monkeypatch.setattr(parts.PartReader, "batches", watched)
    for table in (verdicts, episodes, runs, ledger, calls):
        table(archive)
    assert asked.isdisjoint({"text", "reading_text", "frame"})
    turns(archive, columns=["role"])
    assert asked.isdisjoint({"text", "reading_text", "frame"})


def test_verdicts_are_readings_and_rulings(archive: Path) -> None:
    table = verdicts(archive)
    read_texts = [event.reading for event in events(TurnSpoken) if event.reading]
    kinds = Counter(table["kind"].to_pylist())
    assert kinds == {"reading": len(read_texts), "ruling": len(events(RulingMade))}
    statuses = Counter(verdicts(archive, where={"kind": "reading"})["status"].to_pylist())
    assert statuses == Counter(reading.status for reading in read_texts)
    ruled = verdicts(archive, where={"kind": "ruling"})
    assert Counter(ruled["value"].to_pylist()) == Counter(e.decision for e in events(RulingMade))
    assert set(ruled["status"].to_pylist()) == {"decided"}


def test_a_long_reading_is_a_text_and_no_verdict() -> None:
    opened, plans = planned(number=1, conditions=("no_helper",))
    long = TurnSpoken(
        turn=0,
        role="helper",
        text="{...}",
        reading=Reading(parser="p.v1", status="read", value="w " * 50),
    )
    told: Told = [(RUN_CHAIN, opened, NOON), (plans[0].episode, plans[0].opened, NOON)]
    records = write([*told, (plans[0].episode, long, NOON)])
    row = verdicts(records).to_pylist()[0]
    assert (row["status"], row["value"], row["is_text"]) == ("read", None, True)
    assert turns(records)["reading_value"].to_pylist() == ["w " * 50]


def test_episodes_agree_with_the_summary(archive: Path) -> None:
    for records, source in ((RECORDS, archive), (CUT, CUT)):
        table = episodes(source).to_pylist()
        rows = summarise("r", [decode(stored) for _, stored in records]).rows
        for name in ("episode", "case_id", "condition", "state", "outcome", "rounds", "turns"):
            assert [row[name] for row in table] == [getattr(row, name) for row in rows], name
        for name in ("last_turn", "tokens_in", "tokens_out"):
            assert [row[name] for row in table] == [getattr(row, name) for row in rows], name
        assert [row["calls_uncounted"] for row in table] == [row.turns_uncounted for row in rows]


CUT = write(tell(usual, number=2, steps=4))


def test_a_run_is_one_row(archive: Path) -> None:
    row = runs(archive).to_pylist()[0]
    opened = events(EpisodeOpened)
    assert (row["planned"], row["closed"], row["open"]) == (len(opened), len(opened), 0)
    assert row["is_closed"] and row["head"] == open_archive(archive).manifest.head
    row = runs(CUT).to_pylist()[0]
    assert (row["closed"], row["open"], row["is_closed"]) == (0, 6, False)
    assert runs(CUT, RECORDS)["is_closed"].to_pylist() == [False, True]


def test_the_ledger_adds_up_to_the_calls(archive: Path) -> None:
    spent, called = ledger(archive), calls(archive)
    answered = [event for event in events(TurnSpoken) if event.call is not None]
    assert sum(spent["calls"].to_pylist()) == len(answered)
    assert sum(spent["failed_calls"].to_pylist()) == len(events(TurnFailed))
    tokens = [x for x in spent["tokens_in"].to_pylist() if x is not None]
    assert sum(tokens) == sum(event.call.tokens_in for event in answered)
    assert called.num_rows == len(answered) + len(events(TurnFailed))
    failed = calls(archive, where={"status": "failed"})
    assert set(failed["error"].to_pylist()) == {"timeout"}
    assert failed["model"].null_count == failed.num_rows == len(events(TurnFailed))


def judged() -> list[tuple[str, bytes]]:
    made = JudgementMade(episode="e1", turn=3, target="ab" * 32, status="scored", value="agrees")
    unscored = JudgementMade(
        episode="e1",
        turn=5,
        target="cd" * 32,
        status="unscored",
        cause="refused",
        call=Served(model="m", tokens_in=7),
        cost_usd=0.5,
    )
    opened = JudgingOpened(judge="j.v1", question="?", values=("agrees",), software="s")
    chain = Chain.empty(run="r", episode="j")
    stored, _ = extend(chain, [opened, made, unscored], time=NOON)
    return [("j", line) for line in stored]


def test_judgements_are_verdicts_calls_and_spending_of_their_judge() -> None:
    rows = verdicts(judged(), columns=["kind", "rule", "episode", "turn", "status", "value"])
    assert rows.to_pylist() == [
        dict(kind="judgement", rule="j.v1", episode="e1", turn=3, status="scored", value="agrees"),
        dict(kind="judgement", rule="j.v1", episode="e1", turn=5, status="unscored", value=None),
    ]
    assert verdicts(judged())["target"].to_pylist() == ["ab" * 32, "cd" * 32]
    assert calls(judged())["cost_usd"].to_pylist() == [0.5]
    row = ledger(judged()).to_pylist()[0]
    assert (row["judge"], row["tokens_in"], row["tokens_out"]) == ("j.v1", 7, None)
    assert verdicts(judged(), where={"episode": "e1"}).num_rows == 2
