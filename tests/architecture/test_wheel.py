"""The base wheel alone: built, installed in an empty environment, it folds a log."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BASE = ("msgspec", "structlog")
FOLD = """
import sys
from eristic.debate.envelopes import decode
from eristic.journal import audit
lines = open(sys.argv[1], "rb").read().splitlines()
report = audit("r", [(decode(line).episode, line) for line in lines])
print(report.is_whole, report.events)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has the wheel and the base dependencies and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "from hatchling.cli import hatchling; raise SystemExit(hatchling())"
    subprocess.run(
        [sys.executable, "-c", build, "build", "-t", "wheel", "-d", folder / "dist"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    venv.create(folder / "venv", with_pip=False)
    site = next((folder / "venv" / "lib").glob("python*/site-packages"))
    (wheel,) = (folder / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, site, "zip")
    for name in BASE:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        shutil.copytree(Path(spec.origin).parent, site / name)
    return folder / "venv" / "bin" / "python"


def run(python: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, *words], capture_output=True, text=True, timeout=60, check=False)


def test_the_base_wheel_folds_a_golden_log(python: Path) -> None:
    done = run(python, "-c", FOLD, ROOT / "tests" / "golden" / "logicom-1.jsonl")
    assert done.stdout.split()[0] == "True", done.stderr


def test_the_base_wheel_answers_help(python: Path) -> None:
    done = run(python, "-m", "eristic.cli", "--help")
    assert done.returncode == 0, done.stderr
    assert "exit codes" in done.stdout


def test_a_missing_extra_is_named_with_the_command_that_installs_it(python: Path) -> None:
    done = run(python, "-m", "eristic.cli", "ls")
    assert done.returncode == 7
    assert "pip install 'eristic[bus]'" in done.stderr


def test_the_wheel_carries_prompts_cases_and_types(python: Path) -> None:
    site = next((python.parents[1] / "lib").glob("python*/site-packages"))
    logicom = site / "eristic" / "protocols" / "logicom"
    assert (logicom / "prompts" / "logicom.debater.toml").exists()
    assert (logicom / "cases" / "motions.jsonl").exists()
    assert (site / "eristic" / "debate" / "py.typed").exists()
    assert not (site / "eristic" / "__init__.py").exists()
