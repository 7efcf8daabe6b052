"""Imported runs: written once, grown, refused, proven."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.replay._plays import logged, tell, usual, write
from tests.replay._published import MOMENT, OWN, import_into

from eristic.debate import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    ImportCompleted,
    RunOpened,
    TurnSpoken,
)
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged, MessageTooLarge, RunRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Chain, extend, read_chain
from eristic.journal.memory import MemoryLog
from eristic.protocols import find_protocol
from eristic.replay import Verification, summarise, verify

FIRST = OWN / "debates" / "iteration 1"


async def verified(log: MemoryLog, head: str | None = None) -> Verification:
    return await verify(log, "r", machine_for=find_protocol, head=head)


async def records(log: MemoryLog) -> list[tuple[str, bytes]]:
    return [record async for record in log.records()]


async def rewritten(
    log: MemoryLog, change: Iterable[tuple[type[Event], dict[str, object]]]
) -> MemoryLog:
    """The same run by somebody who changed fields and computed every later digest anew."""
    changes = list(change)
    chains: dict[str, list[Event]] = {}
    for episode, stored in await records(log):
        chains.setdefault(episode, []).append(decode(stored).body)
    heads: dict[str, str] = {}
    forged = MemoryLog()
    run = chains.pop(RUN_CHAIN)
    await _write(forged, RUN_CHAIN, run[:1])
    for episode, events in chains.items():
        for kind, fields in changes:
            for place, event in enumerate(events):
                if isinstance(event, kind):
                    events[place] = replace(event, **fields)
                    break
        heads[episode] = await _write(forged, episode, events)
    completed = run[1]
    assert isinstance(completed, ImportCompleted)
    _, chain = read_chain(await forged.read(RUN_CHAIN), run="r", episode=RUN_CHAIN)
    last, _ = extend(chain, [replace(completed, heads=heads)], time=MOMENT)
    await forged.append(RUN_CHAIN, last, expected=1)
    return forged


async def _write(log: MemoryLog, episode: str, events: Sequence[Event]) -> str:
    stored, after = extend(Chain.empty(run="r", episode=episode), events, time=MOMENT)
    await log.append(episode, stored, expected=0)
    return after.head


async def test_an_imported_run_is_whole_and_its_head_stands_for_it() -> None:
    log = MemoryLog()
    report = await import_into(log)
    assert (report.added, report.already_there, report.episodes) == (10, 0, 10)
    assert report.is_complete
    found = await verified(log, report.head)
    assert found.is_whole and found.is_closed
    assert found.head == report.head
    assert (found.prompts_rebuilt, found.prompts_refuted) == (0, 0)
    assert found.prompts_not_recorded == report.turns - 9  # all but the template's openings


async def test_the_same_source_again_adds_nothing() -> None:
    log = MemoryLog()
    first = await import_into(log)
    before = await records(log)
    again = await import_into(log)
    assert await records(log) == before
    assert (again.added, again.already_there, again.head) == (0, 10, first.head)
    assert again.anomalies == first.anomalies and again.source == first.source


async def test_a_grown_source_adds_what_is_new() -> None:
    log = MemoryLog()
    part = await import_into(log, FIRST)
    assert (part.added, part.episodes) == (6, 6)
    assert (await verified(log)).is_whole
    whole = await import_into(log)
    assert (whole.added, whole.already_there, whole.episodes) == (4, 6, 10)
    completed = [
        body
        for episode, stored in await records(log)
        if isinstance(body := decode(stored).body, ImportCompleted) and episode == RUN_CHAIN
    ]
    assert [len(event.heads) for event in completed] == [6, 4]
    assert [event.episodes for event in completed] == [6, 10]
    found = await verified(log, whole.head)
    assert found.is_whole and found.episodes == 10


async def test_a_changed_file_is_a_conflict_and_changes_nothing(tmp_path: Path) -> None:
    log = MemoryLog()
    await import_into(log)
    before = await records(log)
    shutil.copytree(OWN, tmp_path / "own")
    path = sorted((tmp_path / "own").rglob("*.json"))[0]
    path.write_bytes(path.read_bytes().replace(b"No.", b"Oh."))
    report = await import_into(log, tmp_path / "own")
    assert await records(log) == before
    assert (report.added, report.already_there) == (0, 9)
    (conflict,) = report.conflicts
    assert conflict.path == str(path.relative_to(tmp_path / "own"))
    assert "other bytes" in conflict.reason
    assert not report.is_complete


async def test_two_files_for_one_cell_are_a_conflict(tmp_path: Path) -> None:
    shutil.copytree(OWN, tmp_path / "own")
    path = sorted((tmp_path / "own").rglob("No_Helper/*.json"))[0]
    shutil.copy(path, path.with_name("zz-copy.json"))
    report = await import_into(MemoryLog(), tmp_path / "own")
    assert report.added == 10
    (conflict,) = report.conflicts
    assert conflict.path.endswith("zz-copy.json") and path.name in conflict.reason


async def test_the_same_place_named_twice_counts_once() -> None:
    report = await import_into(MemoryLog(), OWN, FIRST)
    assert (report.added, report.already_there, report.conflicts) == (10, 0, ())
    assert sum(cell.episodes for cell in report.cells) == 10


async def test_damaged_files_are_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    shutil.copytree(OWN, tmp_path / "own")
    first, second, *_ = sorted((tmp_path / "own").rglob("*.json"))
    first.write_bytes(first.read_bytes()[:-30])
    second.write_bytes(json.dumps({"log": 1}).encode())
    log = MemoryLog()
    report = await import_into(log, tmp_path / "own")
    assert report.added == 8
    told = {file.path: file.reason for file in report.unreadable}
    assert "not JSON" in told[str(first.relative_to(tmp_path / "own"))]
    assert "no published debate" in told[str(second.relative_to(tmp_path / "own"))]
    assert (await verified(log)).is_whole
    mended = await import_into(log)
    assert (mended.added, mended.is_complete) == (2, True)
    assert (await verified(log, mended.head)).is_whole


async def test_an_import_that_was_stopped_is_unfinished_until_it_is_done_again() -> None:
    whole, log = MemoryLog(), MemoryLog()
    await import_into(whole)
    for episode, stored in await records(whole):
        if not isinstance(decode(stored).body, ImportCompleted):
            await log.append(episode, [stored], expected=len(await log.read(episode)))
    stopped = await verified(log)
    assert stopped.unfinished == (RUN_CHAIN,) and not stopped.is_closed and not stopped.found
    report = await import_into(log)
    assert (report.added, report.already_there, report.episodes) == (0, 10, 10)
    assert (await verified(log, report.head)).is_whole


async def test_nothing_is_vouched_for_that_the_source_does_not_say() -> None:
    whole, log = MemoryLog(), MemoryLog()
    await import_into(whole)
    forged = await rewritten(whole, [(TurnSpoken, {"text": "forged"})])
    for episode, stored in await records(forged):
        if not isinstance(decode(stored).body, ImportCompleted):
            await log.append(episode, [stored], expected=len(await log.read(episode)))
    report = await import_into(log)
    assert len(report.conflicts) == 10 and report.episodes == 0


async def test_another_run_is_not_imported_into() -> None:
    log = await logged(write(tell(usual, number=1)))
    before = await records(log)
    with pytest.raises(RunRefused, match="no import of logicom-published.v1"):
        await import_into(log)
    assert await records(log) == before


async def test_nothing_is_added_to_a_damaged_import() -> None:
    whole, log = MemoryLog(), MemoryLog()
    await import_into(whole, FIRST)
    kept = await records(whole)
    victim = kept[3][0]
    last = max(place for place, (episode, _) in enumerate(kept) if episode == victim)
    for place, (episode, stored) in enumerate(kept):
        if place != last:
            await log.append(episode, [stored], expected=len(await log.read(episode)))
    with pytest.raises(LogDamaged, match="eristic verify"):
        await import_into(log)
    found = await verified(log)
    assert any(finding.episode == victim for finding in found.findings)


class _Narrow(MemoryLog):
    """A server that takes no large messages."""

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        if episode != RUN_CHAIN and max(map(len, stored)) > 2200:
            raise MessageTooLarge("an event is over the server's limit")
        await super().append(episode, stored, expected=expected)


async def test_a_debate_that_the_server_does_not_take_is_told(tmp_path: Path) -> None:
    shutil.copytree(OWN, tmp_path / "own")
    path = sorted((tmp_path / "own").rglob("*.json"))[0]
    path.write_bytes(path.read_bytes().replace(b"I disagree.", b"I disagree. " * 200))
    report = await import_into(_Narrow(), tmp_path / "own")
    assert report.added == 9
    assert [file.reason for file in report.unreadable] == ["an event is over the server's limit"]


@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        (TurnSpoken, {"text": "forged"}, "turn 0"),
        (TurnSpoken, {"remarks": ()}, "turn 0"),
        (TurnSpoken, {"role": "debater"}, "turn 0"),
        (TurnSpoken, {"turn": 9}, "turn 9"),
        (EpisodeOpened, {"repetition": 7}, "another episode"),
        (EpisodeClosed, {"rounds": 99}, "episode.closed"),
        (EpisodeClosed, {"outcome": "draw"}, "episode.closed"),
        (TurnSpoken, {"source": "model"}, "no event of an imported episode"),
    ],
)
async def test_verify_tells_every_imported_episode_once_more(
    kind: type[Event], fields: dict[str, object], says: str
) -> None:
    log = MemoryLog()
    await import_into(log, FIRST)
    assert (await verified(await rewritten(log, []))).is_whole
    found = await verified(await rewritten(log, [(kind, fields)]))
    told = {finding.episode for finding in found.findings if says in finding.what}
    assert told == {episode for episode, _ in await records(log)} - {RUN_CHAIN}


async def test_an_unknown_importer_is_a_finding() -> None:
    log = MemoryLog()
    await import_into(log, FIRST)
    forged = MemoryLog()
    for episode, stored in await records(log):
        changed = stored.replace(b"logicom-published.v1", b"somebody-else.v9")
        await forged.append(episode, [changed], expected=len(await forged.read(episode)))
    found = await verified(forged)
    assert any("no importer of layout 'somebody-else.v9'" in x.what for x in found.findings)


async def test_a_changed_completion_is_found() -> None:
    log = MemoryLog()
    await import_into(log, FIRST)
    forged = MemoryLog()
    for episode, stored in await records(log):
        changed = stored.replace(b'"already_there":0', b'"already_there":1')
        await forged.append(episode, [changed], expected=len(await forged.read(episode)))
    (finding,) = (await verified(forged)).findings
    assert (finding.episode, finding.position) == (RUN_CHAIN, 1)
    assert "sealed" in finding.what


async def test_a_summary_says_imported_and_names_the_recorded_models() -> None:
    log = MemoryLog()
    await import_into(log)
    found = summarise("r", [decode(stored) for _, stored in await records(log)])
    assert found.is_imported and not found.is_closed
    assert (found.planned, found.imports, len(found.rows)) == (10, 1, 10)
    assert {row.models for row in found.rows} == {("GPT-3.5",), ("GPT-3.5", "GPT-4")}
    opened = decode((await records(log))[0][1]).body
    assert isinstance(opened, RunOpened) and json.loads(opened.spec)["kind"] == "import"
