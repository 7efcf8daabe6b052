"""The programs on the page about the log, run as a stranger would run them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.cli._commands import Shell
from tests.docs._pages import snippet

from eristic.bus import ensure_server
from eristic.debate import Case, EpisodeClosed, EpisodeOpened, ImportCompleted, RunOpened
from eristic.journal import Chain, extend

PAGE = "docs/reference/log.md"
RUN = "small"

Verify = Callable[[str, list[bytes]], str]


class Exported(NamedTuple):
    folder: Path
    head: str
    """As `eristic run` printed it."""

    @property
    def log(self) -> Path:
        return self.folder / "small.jsonl"

    @property
    def lines(self) -> list[bytes]:
        return self.log.read_bytes().splitlines()


def python(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """A real small log and both programs in one folder."""
    folder = tmp_path_factory.mktemp("export")
    for name in ("export_log.py", "verify_log.py"):
        (folder / name).write_text(snippet(PAGE, name))
    shell = Shell(folder)
    steady = ("--role", "all=script:steady", "-o", "options.round_limit=2")
    with ensure_server(shell.home) as server:
        played = shell.run("logicom", "--run", RUN, *steady, "--limit", "1", "--json")
        assert played.code == 0, played.err
        reader = server.settings("reader")
        done = python(
            folder, "export_log.py", RUN, NATS_URL=server.url, NATS_PASSWORD=reader.password
        )
    assert done.returncode == 0, done.stderr.decode()
    (folder / "small.jsonl").write_bytes(done.stdout)
    return Exported(folder, str(played.document["head"]))


@pytest.fixture(scope="module")
def verify(exported: Exported) -> Verify:
    names: dict[str, Any] = {"__name__": "verify_log"}
    exec((exported.folder / "verify_log.py").read_text(), names)  # noqa: S102  # our own page
    found: Verify = names["verify"]
    return found


pytestmark = pytest.mark.nats


def test_the_verifier_accepts_a_real_log_and_gives_its_head(exported: Exported) -> None:
    for head in ([], [exported.head]):
        done = python(exported.folder, "verify_log.py", RUN, "small.jsonl", *head)
        assert (done.returncode, done.stdout.decode().strip()) == (0, exported.head), done.stderr


def test_the_verifier_refuses_another_head_and_another_run(exported: Exported) -> None:
    other = "0" * 64
    assert python(exported.folder, "verify_log.py", RUN, "small.jsonl", other).returncode == 1
    assert python(exported.folder, "verify_log.py", "smell", "small.jsonl").returncode == 1


def test_the_program_refuses_a_log_with_one_changed_byte(exported: Exported) -> None:
    stored = bytearray(exported.log.read_bytes())
    stored[len(stored) // 2] ^= 1
    (exported.folder / "changed.jsonl").write_bytes(stored)
    done = python(exported.folder, "verify_log.py", RUN, "changed.jsonl")
    assert done.returncode == 1
    assert done.stdout == b""


def test_the_verifier_refuses_a_changed_byte_in_every_event(
    exported: Exported, verify: Verify
) -> None:
    lines = exported.lines
    assert verify(RUN, lines) == exported.head
    for number, line in enumerate(lines):
        for place in {0, len(line) // 3, len(line) // 2, len(line) - 40, len(line) - 1}:
            changed = bytearray(line)
            changed[place] ^= 1
            with pytest.raises((ValueError, LookupError, TypeError)):
                verify(RUN, [*lines[:number], bytes(changed), *lines[number + 1 :]])


def test_the_verifier_refuses_every_changed_byte_of_the_closing_event(
    exported: Exported, verify: Verify
) -> None:
    lines = exported.lines
    for place in range(len(lines[-1])):
        changed = bytearray(lines[-1])
        changed[place] ^= 4
        with pytest.raises((ValueError, LookupError, TypeError)):
            verify(RUN, [*lines[:-1], bytes(changed)])


def test_the_verifier_refuses_a_missing_a_doubled_and_a_swapped_event(
    exported: Exported, verify: Verify
) -> None:
    lines = exported.lines
    for number in range(len(lines)):
        for damaged in (
            [*lines[:number], *lines[number + 1 :]],
            [*lines[: number + 1], *lines[number:]],
        ):
            with pytest.raises((ValueError, LookupError, TypeError)):
                verify(RUN, damaged)
    chain = [line.partition(b',"position"')[0] for line in lines]
    first = next(place for place, name in enumerate(chain) if b'"episode":"e' in name)
    second = chain.index(chain[first], first + 1)
    lines[first], lines[second] = lines[second], lines[first]
    with pytest.raises(ValueError, match="does not continue"):
        verify(RUN, lines)


def imported_run() -> list[bytes]:
    """Two imports of one episode each, as an importer writes them."""
    moment = datetime(2026, 11, 30, tzinfo=UTC)
    case = Case(case_id="c", block="c", texts={})
    opened = EpisodeOpened(
        protocol="logicom",
        protocol_version=1,
        case=case,
        condition="no_helper",
        repetition=0,
        options={},
        cast={},
        prompts={},
        software="eristic",
    )
    closed = EpisodeClosed(outcome="convinced", reason="convinced", rounds=1)
    chain = Chain.empty(run=RUN, episode="run")
    start = RunOpened(spec="", prompts={}, episodes=1, software="eristic")
    lines, chain = extend(chain, [start], time=moment)
    for count, name in enumerate(("e1", "e2"), 1):
        stored, end = extend(Chain.empty(run=RUN, episode=name), [opened, closed], time=moment)
        completed = ImportCompleted(
            layout="x.v1", source="0" * 64, heads={name: end.head}, episodes=count
        )
        sealed, chain = extend(chain, [completed], time=moment)
        lines += [*stored, *sealed]
    return lines


def test_the_verifier_takes_an_imported_run_for_what_its_imports_vouch_for(verify: Verify) -> None:
    lines = imported_run()
    assert verify(RUN, lines) == hashlib.sha256(lines[-1]).hexdigest()
    for damaged in (lines[:-1], lines[:1], [*lines[:1], *lines[3:]], [*lines[:2], *lines[3:]]):
        with pytest.raises((ValueError, LookupError)):
            verify(RUN, damaged)
    for place in range(len(lines[-1])):
        changed = bytearray(lines[-1])
        changed[place] ^= 4
        with pytest.raises((ValueError, LookupError, TypeError)):
            verify(RUN, [*lines[:-1], bytes(changed)])


def test_the_verifier_is_short_and_needs_python_alone() -> None:
    text = snippet(PAGE, "verify_log.py")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 35
    imports = [line for line in text.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["import hashlib, json, re, sys"]
