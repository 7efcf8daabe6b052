"""Rules of the namespace layout that break silently when they break."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("core", "agents", "bus", "replay", "deploy", "cli")


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_claims_the_namespace(room: str) -> None:
    marker = ROOT / room / "eristic" / "__init__.py"
    assert not marker.exists(), f"delete {marker}: it hides every other room of the namespace"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_holds_one_folder_only(room: str) -> None:
    folders = {
        path.name for path in (ROOT / room).iterdir() if path.is_dir() and path.name[0] not in "._"
    } - {"__pycache__"}
    assert folders == {"eristic"}, f"{room}/ may hold files and eristic/, nothing else to import"


@pytest.mark.parametrize("room", ROOMS)
def test_every_package_is_typed(room: str) -> None:
    for package in (ROOT / room / "eristic").iterdir():
        if package.is_dir() and package.name != "__pycache__":
            assert (package / "py.typed").exists(), f"{package} needs a py.typed"
            assert (package / "__init__.py").exists(), f"{package} needs an __init__.py"


def test_k8s_holds_no_python() -> None:
    assert not list((ROOT / "k8s").rglob("*.py"))


HEAVY = ("ray", "nats", "litellm", "pyarrow", "tiktoken", "rich", "structlog")


def loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.splitlines()[-1].split()) & set(HEAVY)


@pytest.mark.parametrize("package", ["debate", "protocols", "judging", "journal", "replay", "cli"])
def test_reading_a_log_loads_no_infrastructure(package: str) -> None:
    assert loaded_by(f"import eristic.{package}") <= {"structlog"}


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import contextlib\nfrom eristic.cli import main\n"
        "with contextlib.suppress(SystemExit): main(['--help'])"
    )
    assert loaded_by(code) == set()
