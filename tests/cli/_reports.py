"""Reports of logs in memory, and their sections."""

from __future__ import annotations

import argparse

import pytest
from tests.cli._commands import Json

from eristic.cli import report
from eristic.journal.memory import MemoryLog

SECTIONS = {"C1", "C2", "M9a", "M9b", "T1", "T2", *(f"M{n}" for n in range(1, 11) if n != 9)}


def asked(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    report.add_arguments(parser)
    return parser.parse_args(["r", "--resamples", "50", *words])


async def shown(capsys: pytest.CaptureFixture[str], log: MemoryLog, *words: str) -> str:
    assert await report.report_log(log, "r", asked(*words)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def sections(document: Json) -> dict[str, Json]:
    return {section["id"]: section for section in document["sections"]}


def mains(document: Json, name: str) -> list[Json]:
    return [row["main"] for row in sections(document)[name]["rows"]]
