"""The page about tables, read from top to bottom by a program, on a real run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli._commands import Shell
from tests.docs._pages import blocks, read

from eristic.replay import table_schema

PAGE = "docs/how-to/tables.md"

pytestmark = pytest.mark.nats


def test_every_block_of_the_page_runs_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    monkeypatch.delenv("NATS_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    monkeypatch.setenv("ERISTIC_HOME", str(shell.home))
    assert shell.run("logicom", "--run", "demo", "--role", "all=script:steady", "--limit", "3")
    for block in blocks(PAGE, "console"):
        for command in block.text.splitlines():
            assert shell(*command.split()[1:]).code == 0, command
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(PAGE, "python"):
        exec(compile(block.text, PAGE, "exec"), names)  # noqa: S102 # our own page
    assert "tokens_cached int64 part of tokens_in" in capsys.readouterr().out
    assert names["said"].num_rows > 0  # type: ignore[attr-defined]
    assert names["spent"].num_rows > 0  # type: ignore[attr-defined]
    assert names["excluded"] == 0


def test_the_page_names_every_table() -> None:
    for name in ("runs", "episodes", "turns", "calls", "verdicts", "ledger"):
        assert table_schema(name)
        assert f"| `{name}` |" in read(PAGE)
