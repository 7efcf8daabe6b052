"""What a check finds, and the checks of this machine that need no server: software and disk."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

import msgspec

__all__ = [
    "Check",
    "Finding",
    "State",
    "check_disk",
    "check_extras",
    "check_home",
    "check_python",
    "check_tokenizers",
    "nearest_folder",
    "perform",
    "refusal",
]

State = Literal["ok", "warn", "fail"]

_OLDEST_PYTHON = (3, 11)
_LEAST_FREE_BYTES = 1_000_000_000
_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
_REQUIREMENT = re.compile(r"([\w.-]+?)\s*(?:(?:>=|==)\s*([\w.]+))?\s*(?:;(.*))?")
_EXTRA = re.compile(r"extra == '([\w-]+)'")
_PLATFORM = re.compile(r"(sys_platform|platform_machine) (==|!=) '([^']*)'")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What one check found."""

    name: str
    state: State
    """ok; warn: works, but look at it; fail: a run would fail or lose what it promises."""
    found: str
    advice: str = ""
    """What to do; empty when all is well."""


Check = Callable[[], Awaitable[Iterable[Finding]]]


async def perform(name: str, check: Check) -> Sequence[Finding]:
    """Findings of one check. One that crashes is a failure of its own, and no more than that."""
    from eristic.debate.errors import EristicError

    try:
        return tuple(await check())
    except EristicError as error:
        return (refusal(name, error),)
    except Exception as error:  # whatever it is, the other checks must go on
        return (
            Finding(
                name=name,
                state="fail",
                found=f"{type(error).__name__}: {_scrub(str(error)) or 'no message'}",
                advice="the check itself failed; repair what it names, or report it as an error",
            ),
        )


def refusal(name: str, error: Exception, *, advice: str = "") -> Finding:
    """A failure from an error of ours, which ends with what to do: `what, where; what to do`."""
    found, _, told = _scrub(str(error)).rpartition("; ")
    if not found:
        found, told = told, advice or "see the message"
    return Finding(name=name, state="fail", found=found, advice=told)


def _scrub(text: str) -> str:
    from eristic.agents.models import scrub

    return scrub(_USERINFO.sub("", text), limit=600)


# -- software


async def check_python(found: Sequence[int] = sys.version_info[:3]) -> list[Finding]:
    """3.11 or newer."""
    text = f"{'.'.join(map(str, found))}, {platform.system()} {platform.machine()}"
    if tuple(found) >= _OLDEST_PYTHON:
        return [Finding(name="python", state="ok", found=text)]
    return [Finding(name="python", state="fail", found=text, advice="install Python 3.11 or newer")]


async def check_extras() -> list[Finding]:
    """The packages that this installation's own metadata names, by extra, with versions."""
    wanted: dict[str, list[tuple[str, str]]] = {}
    for text in requires("eristic") or ():
        found = _REQUIREMENT.fullmatch(text)
        if found is None or not _is_for_here(found[3] or ""):
            continue
        extra = _EXTRA.search(found[3] or "")
        wanted.setdefault(extra[1] if extra else "base", []).append((found[1], found[2] or "0"))
    wanted.pop("all", None)  # the others together
    return [_check_extra(extra, packages) for extra, packages in wanted.items()]


def _is_for_here(marker: str) -> bool:
    here = {"sys_platform": sys.platform, "platform_machine": platform.machine()}
    return all(
        (here[what] == value) is (operator == "==")
        for what, operator, value in _PLATFORM.findall(marker)
    )


def _check_extra(extra: str, packages: Sequence[tuple[str, str]]) -> Finding:
    there, wrong = [], []
    for name, least in packages:
        try:
            has = version(name)
        except PackageNotFoundError:
            wrong.append(f"{name} is missing")
            continue
        there.append(f"{name} {has}")
        if _numbers(has) < _numbers(least):
            wrong.append(f"{name} is older than {least}")
    command = "pip install -U eristic" if extra == "base" else f"pip install -U 'eristic[{extra}]'"
    name = "packages" if extra == "base" else f"extra {extra}"
    if not wrong:
        return Finding(name=name, state="ok", found=", ".join(there))
    state: State = "fail" if extra == "base" else "warn"
    return Finding(name=name, state=state, found=", ".join(wrong + there), advice=command)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


async def check_tokenizers() -> list[Finding]:
    """Whether tokens are counted with the models' own encodings, which are never downloaded."""
    from eristic.agents.tokens import BYTES_ESTIMATE, TokenCounter

    found = {model: TokenCounter(model).tokenizer for model in ("gpt-4o", "gpt-4")}
    if BYTES_ESTIMATE not in found.values():
        names = ", ".join(sorted(found.values()))
        return [Finding(name="tokenizers", state="ok", found=f"{names}, without network")]
    return [
        Finding(
            name="tokenizers",
            state="warn",
            found="tokens are estimated by bytes: prompts are cut earlier than they need be",
            advice="pip install -U 'eristic[agents]'",
        )
    ]


# -- disk


def nearest_folder(path: Path) -> Path:
    """The path itself, or the nearest folder above it that is there."""
    return next((x for x in (path, *path.parents) if x.is_dir()), Path(path.anchor))


async def check_home(home: Path) -> list[Finding]:
    """The folder of runs can be written, or made where it is not there yet."""
    folder = nearest_folder(home)
    if home.exists() and folder != home:
        return [_unusable(home, "it is not a folder")]
    probe = folder / f".eristic-doctor-{os.getpid()}"
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        return [_unusable(home, f"{folder} cannot be written: {error.strerror}")]
    text = f"{home} can be written" if folder == home else f"{home} can be made"
    return [Finding(name="home", state="ok", found=text)]


def _unusable(home: Path, why: str) -> Finding:
    advice = "make it writable, or set another with --home or ERISTIC_HOME"
    return Finding(name="home", state="fail", found=f"{home}: {why}", advice=advice)


async def check_disk(home: Path, *, least_bytes: int = _LEAST_FREE_BYTES) -> list[Finding]:
    """Free space where the runs are kept."""
    free = shutil.disk_usage(nearest_folder(home)).free
    text = f"{free / 1e9:,.1f} GB free"
    if free >= least_bytes:
        return [Finding(name="disk", state="ok", found=text)]
    advice = "free some space or set another --home: a run stops when the disk is full"
    return [Finding(name="disk", state="warn", found=text, advice=advice)]
