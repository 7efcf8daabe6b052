"""The published debates themselves, where they are at hand, against the counts of their copy."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from tests.replay._published import import_into

from eristic.debate import TurnSpoken
from eristic.debate.envelopes import decode
from eristic.journal.memory import MemoryLog
from eristic.protocols import find_protocol
from eristic.replay import verify
from eristic.replay.importing import ImportReport

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "logicom"

pytestmark = pytest.mark.skipif(
    not (PUBLISHED / "debates").is_dir(), reason="the published debates are not here"
)

FILES = {
    "scenario_case": 3,
    "copies": 64,
    "extra_turn": 92,
    "verdict_disagrees": 31,
    "no_stop_reason": 2,
    "over_ten_rounds": 166,
    "two_keys": 110,
    "claim_not_in_table": 1,
    "role_transcript": 1,
}
MESSAGES = {
    "copies": 66,
    "repeated": 20,
    "two_keys": 457,
    "response_not_last": 34,
    "other_key_spelling": 6,
    "nested_object": 14,
    "non_text": 1,
    "empty_passage": 45,
    "label_none": 54,
    "placeholder": 1,
    "blank_ends.debater": 265,
    "blank_ends.persuader": 8,
    "carriage_return": 1,
    "no_break_space": 1,
}


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture(scope="module")
def report(log: MemoryLog) -> ImportReport:
    return asyncio.run(import_into(log, PUBLISHED))


async def test_every_debate_comes_in_and_every_helper_is_read(report: ImportReport) -> None:
    assert (report.added, report.is_complete, report.episodes) == (2400, True, 2400)
    assert {(cell.episodes) for cell in report.cells} == {200}
    assert len(report.cells) == 12
    assert (report.helpers.messages, report.helpers.read) == (7441, 7441)
    assert (report.helpers.label_spellings, report.helpers.label_spellings_lowered) == (135, 96)


async def test_every_anomaly_is_counted_as_documented(report: ImportReport) -> None:
    files = {row.name: row.files for row in report.anomalies}
    messages = {row.name: row.messages for row in report.anomalies if row.messages}
    assert {name: files[name] for name in FILES} == FILES
    assert {name: messages[name] for name in MESSAGES} == MESSAGES
    others = files.keys() - FILES.keys() - MESSAGES.keys()
    assert {files[name] for name in others} == {0}


async def test_opinions_change_as_often_as_the_recorded_rounds_say(report: ImportReport) -> None:
    found = {row.model: (row.convinced, row.disagreed) for row in report.opinion_change}
    assert found == {"GPT-3.5": (176, 982), "GPT-4": (150, 780)}


async def test_the_imported_run_is_proven_whole(log: MemoryLog, report: ImportReport) -> None:
    found = await verify(log, "r", machine_for=find_protocol, head=report.head)
    assert found.is_whole and found.is_closed
    assert found.outcomes == {"convinced": 954, "not_convinced": 1446}
    assert found.prompts_not_recorded == found.turns - 2400


async def test_where_response_is_not_last_the_debater_got_the_last_value(
    log: MemoryLog, report: ImportReport
) -> None:
    assert report.is_complete
    sent = [
        body.reading
        async for _, stored in log.records()
        if isinstance(body := decode(stored).body, TurnSpoken)
        and body.reading is not None
        and "response_not_last" in body.reading.flags
    ]
    assert len(sent) == 34
    assert all(reading.parts["response"] != reading.value for reading in sent)


async def test_importing_again_adds_nothing(log: MemoryLog, report: ImportReport) -> None:
    again = await import_into(log, PUBLISHED)
    assert (again.added, again.already_there, again.head) == (0, 2400, report.head)


async def test_a_third_iteration_with_a_cell_missing_is_added(
    tmp_path: Path, log: MemoryLog, report: ImportReport
) -> None:
    first = PUBLISHED / "debates" / "iteration 1"
    third = tmp_path / "debates" / "iteration 3"
    for model in ("GPT-3.5", "GPT-4"):
        for topic in sorted((first / model).iterdir())[:5]:
            shutil.copytree(topic, third / model / topic.name)
    next(third.rglob("*.json")).unlink()
    grown = await import_into(log, tmp_path)
    assert (grown.added, grown.episodes) == (29, 2429)
    found = await verify(log, "r", machine_for=find_protocol, head=grown.head)
    assert found.is_whole and found.episodes == 2429
    assert report.head != grown.head
