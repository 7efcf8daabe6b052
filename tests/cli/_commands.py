"""The real `eristic` command inside the test process, and what every refusal of it must be."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from eristic.bus._binary import find_server
from eristic.cli import main

Json = dict[str, Any]


class Said(NamedTuple):
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Json:
        """The one JSON document on standard output."""
        assert self.out.count("\n") == 1, f"not one line: {self.out!r}"
        found: Json = json.loads(self.out)
        return found


class Shell:
    """Runs commands at one home; nothing may end them with a traceback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"

    def __call__(self, *words: str) -> Said:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*words, "--home", str(self.home)])
        assert "Traceback" not in err.getvalue()
        return Said(code, out.getvalue(), err.getvalue())

    def run(self, *words: str) -> Said:
        """`eristic run` in one process; the last words say what."""
        return self("run", *words, "--host", "inline")

    def refused(self, *words: str, code: int, says: tuple[str, ...]) -> str:
        """The message of a refusal, which must be the same for people and for programs."""
        plain, as_json = self(*words), self(*words, "--json")
        assert (plain.code, as_json.code) == (code, code), plain.err
        assert plain.out == ""
        document = as_json.document
        assert document["exit_code"] == code
        assert document["error"]
        for text in (plain.err, as_json.err, document["message"]):
            for fact in says:
                assert fact in text, f"{fact!r} is not in {text!r}"
        return plain.err

    def refused_at_the_door(self, *words: str, code: int = 2, says: tuple[str, ...]) -> str:
        """As `refused`, before anything was started: not even a home folder is there."""
        message = self.refused(*words, code=code, says=says)
        assert not self.home.exists()
        return message

    def write(self, name: str, text: str | bytes) -> str:
        """A file beside the home; returns its path."""
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)


@contextlib.contextmanager
def foreign_server(folder: Path, config: str) -> Iterator[str]:
    """A nats-server that is not ours; gives HOST:PORT. config: what follows its listen line."""
    path = folder / "foreign.conf"
    path.write_text(f'listen: "127.0.0.1:0"\nports_file_dir: "{folder}"\n{config}\n')
    log = (folder / "foreign.log").open("wb")
    with log, subprocess.Popen([find_server(), "-c", path], stdout=log, stderr=log) as process:
        try:
            yield _address(folder, process)
        finally:
            process.terminate()


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where it listens; its ports file comes when it does."""
    import time

    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        for path in folder.glob("nats-server_*.ports"):
            with contextlib.suppress(ValueError):
                ports: Json = json.loads(path.read_bytes())
                return str(ports["nats"][0]).removeprefix("nats://")
        time.sleep(0.005)
    raise AssertionError((folder / "foreign.log").read_text())
