"""The page about protocols: its files become a package, which is installed and run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli._processes import eristic
from tests.docs._pages import blocks

PAGE = "docs/how-to/add-a-protocol.md"
LANGUAGES = ("python", "toml", "jsonl")

pytestmark = pytest.mark.nats


def write_package(folder: Path) -> Path:
    """The files of the page, as it names them."""
    for language in LANGUAGES:
        for block in blocks(PAGE, language):
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed."""
    folder = tmp_path_factory.mktemp("page")
    package, target = write_package(folder / "second-thoughts"), folder / "site"
    words = ("pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    done = subprocess.run(
        [sys.executable, "-m", *words, "--target", str(target), str(package)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return target


def test_the_page_is_a_whole_protocol_in_sixty_lines() -> None:
    [machine] = [b for b in blocks(PAGE, "python") if b.title.endswith("__init__.py")]
    code = [line for line in machine.text.splitlines() if line.strip()]
    assert len(code) <= 60


def test_every_command_of_the_page_works_on_the_installed_package(
    site: Path, tmp_path: Path
) -> None:
    more = {"PYTHONPATH": str(site), "ERISTIC_HOME": str(tmp_path / "home")}
    [commands] = [b.text.splitlines()[1:] for b in blocks(PAGE, "console")]
    outputs: dict[str, str] = {}
    for command in commands:
        done = eristic(*command.split()[1:], **more)
        # 8: finished, and some episodes have no outcome, which is the point of that run.
        expected = 8 if "garbage" in command else 0
        assert done.returncode == expected, f"{command}: {done.stdout}{done.stderr}"
        outputs[command] = done.stdout
    assert "kept" in outputs["eristic show firm"]
    report = eristic("report", "firm", "--json", **more)
    [row] = next(x for x in json.loads(report.stdout)["sections"] if x["id"] == "M1")["rows"]
    assert (row["main"]["value"], row["main"]["tally"]["used"]) == (0.0, 3)
    garbled = eristic("report", "garbled", "--json", **more)
    [row] = next(x for x in json.loads(garbled.stdout)["sections"] if x["id"] == "M1")["rows"]
    assert row["main"]["value"]["reason"] == "no question was answered"
    assert row["main"]["tally"]["used"] == 0
