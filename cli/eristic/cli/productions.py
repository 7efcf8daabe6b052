"""From the words of a `run` command to everything a host needs: nothing is started here."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from eristic.agents.posts import Programme
from eristic.agents.prompts import load_prompts, load_starter_cases
from eristic.cli.software import software, versions
from eristic.debate import RunOpened
from eristic.debate.errors import CaseRefused, NameRefused, SpecRefused, nearest
from eristic.debate.ids import check_run_name
from eristic.protocols import Machine, find_protocol, protocol_names
from eristic.protocols.casework import read_case_files
from eristic.protocols.plans import PlannedEpisode, plan, settle
from eristic.sweeps import (
    STARTER,
    CaseSet,
    CaseSource,
    Draft,
    Experiment,
    canonical_spec,
    cases_digest,
    looks_secret,
    merge,
    parse_experiment,
    parse_override,
    parse_roles,
    resolve,
    select,
)

__all__ = ["Production", "produce"]

_MOST_FILES = 1000
"""That a case folder may hold; more is a folder named by mistake."""


@dataclass(frozen=True, kw_only=True)
class Production:
    """A settled experiment with its plan."""

    experiment: Experiment
    machine: Machine[Any]
    prompts: dict[str, str]
    cases: CaseSet
    episodes: tuple[PlannedEpisode, ...]
    spec: str

    @property
    def run(self) -> str:
        """Name of the run."""
        return self.experiment.run

    def programme(self, *, durability: str) -> Programme:
        """What a director is to play. durability: sync_interval of the log's server."""
        return Programme(
            opened=RunOpened(
                spec=self.spec,
                prompts=self.prompts,
                episodes=len(self.episodes),
                software=software(),
                versions=versions(),
                durability=durability,
            ),
            episodes=self.episodes,
        )


def produce(args: argparse.Namespace) -> Production:
    """Everything that the command asks for, checked; nothing is started or paid.

    Raises SpecRefused, CaseRefused, NameRefused for what cannot be run as it stands.
    """
    draft, folder = _draft(args)
    experiment = resolve(draft, protocol_names())
    machine = find_protocol(experiment.protocol)
    prompts = load_prompts(machine)
    settled = _settle(experiment, machine, args.what)
    cases = select(_cases(settled.cases, machine, folder), settled.cases, seed=settled.seed)
    digest = cases_digest(cases)
    if draft.run is None and not args.what.endswith(".toml"):
        settled = msgspec.structs.replace(settled, run=_derived_name(settled, digest))
    return Production(
        experiment=settled,
        machine=machine,
        prompts=prompts,
        cases=cases,
        episodes=plan(settled, cases, machine, prompts=prompts, software=software()),
        spec=canonical_spec(settled, digest),
    )


def _settle(experiment: Experiment, machine: Machine[Any], what: str) -> Experiment:
    """Every option and role named; a refusal says which file it is about."""
    try:
        return settle(experiment, machine)
    except SpecRefused as error:
        if what.endswith(".toml"):
            raise SpecRefused(f"{what}: {error}") from error
        raise


def _draft(args: argparse.Namespace) -> tuple[Draft, Path]:
    if args.what.endswith(".toml"):
        path = Path(args.what)
        base = parse_experiment(_text(path), origin=args.what)
        return merge(base, _overrides(args)), path.parent
    if args.what not in protocol_names():
        hint = nearest(args.what, protocol_names())
        if looks_secret("", args.what):
            raise NameRefused(
                "the first word looks like a secret; write a .toml file or a protocol"
            )
        raise NameRefused(f"{args.what!r} is neither a .toml file nor an installed protocol.{hint}")
    base = Draft(origin=args.what, protocol=args.what)
    return merge(base, _overrides(args)), Path()


def _overrides(args: argparse.Namespace) -> dict[str, object]:
    said: dict[str, object] = {}
    for text in args.overrides:
        override = parse_override(text)
        if override.key in said:
            raise SpecRefused(f"-o {override.key}: given twice; keep one of them")
        said[override.key] = override.value
    direct = {
        "run": None if args.run is None else check_run_name(args.run),
        "seed": args.seed,
        "repetitions": args.repetitions,
        "profile": args.profile,
        "conditions": args.condition,
        "durability": args.durability,
        "cases.from": args.cases,
        "cases.only": args.only,
        "cases.limit": args.limit,
        "cases.sample": args.sample,
    }
    said |= {key: value for key, value in direct.items() if value is not None}
    if args.role:
        said["roles"] = roles = parse_roles(args.role)
        _refuse_twice(roles, said)
    return said


def _refuse_twice(roles: Iterable[str], said: Iterable[str]) -> None:
    """A role that is named twice would lose one half, an address of the user's own perhaps."""
    for key in said:
        if key.startswith("roles.") and key.split(".")[1] in roles:
            role = key.split(".")[1]
            raise SpecRefused(
                f"--role {role} and -o {key} both bind {role}; say it once, e.g. "
                f"--role '{role}=MODEL?api_base=http://127.0.0.1:8000/v1&temperature=0.7'"
            )


def _derived_name(experiment: Experiment, digest: str) -> str:
    """Another experiment gets another name; the same words find the same run again."""
    unnamed = msgspec.structs.replace(experiment, run=experiment.protocol)
    mark = hashlib.sha256(canonical_spec(unnamed, digest).encode()).hexdigest()[:6]
    return f"{experiment.protocol}-{mark}"


def _cases(source: CaseSource, machine: Machine[Any], folder: Path) -> CaseSet:
    if source.source == STARTER:
        origin, data = load_starter_cases(machine)
        files = {origin: data}
    else:
        path = Path(source.source)
        if source.written_in == "file":
            path = folder / path
        origin, files = source.source, _case_files(path)
    return read_case_files(machine, files, origin=origin)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecRefused(
            f"{path} cannot be read: {error.strerror}; name an experiment file such as "
            "examples/quick.toml, or a protocol"
        ) from error
    except UnicodeDecodeError as error:
        raise SpecRefused(f"{path} is not UTF-8 text: {error}") from error


def _case_files(path: Path) -> dict[str, bytes]:
    """A file, or all files of a folder that do not begin with a dot, under their paths in it."""
    if not path.is_dir():
        return {path.name: _bytes(path)}
    found = sorted(inner for inner in path.rglob("*") if inner.is_file())
    files = {inner.relative_to(path).as_posix(): inner for inner in found}
    shown = {name: inner for name, inner in files.items() if not name.startswith(".")}
    if not shown or len(shown) > _MOST_FILES:
        raise CaseRefused(
            f"case folder {path} holds {len(shown)} files; name the folder that holds the data "
            f"(1 to {_MOST_FILES} files), or one case file"
        )
    return {name: _bytes(inner) for name, inner in shown.items()}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CaseRefused(
            f"case file {path} cannot be read: {error.strerror}; leave out --cases (or cases.from) "
            "for the starter set"
        ) from error
