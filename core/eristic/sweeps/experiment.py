"""The experiment file: what a person asks for, and the same with nothing left open.

A file is TOML, one table deep but for `roles.NAME.params`; `docs/reference/experiment-file.md`
describes it. `parse_experiment` reads one into a Draft, `merge` lays a command line over it,
`resolve` fills in the defaults. Nothing here touches the disk or knows a protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from eristic.debate.cast import Cast, Setting
from eristic.debate.errors import NameRefused, SpecRefused, nearest
from eristic.debate.ids import check_run_name
from eristic.sweeps.calls import CallBounds

__all__ = [
    "STARTER",
    "CaseSource",
    "Draft",
    "DraftCases",
    "Durability",
    "Experiment",
    "repetitions_of",
    "resolve",
    "tell_repetitions",
]

STARTER = "starter"
"""The case source that names the set which comes with the protocol."""

Durability = Literal["always", "fast"]


class CaseSource(msgspec.Struct, frozen=True, kw_only=True):
    """Which cases are argued about."""

    source: str = STARTER
    """`starter`, or the path of a case file as it was written."""
    written_in: Literal["file", "command line"] = "file"
    """A relative path is seen from the experiment file, or from where the command was given."""
    only: tuple[str, ...] = ()
    """Case ids to use; empty = all."""
    limit: int | None = None
    """Use the first so many blocks; never together with `only`."""
    sample: int | None = None
    """Use so many blocks, drawn by the experiment's seed; never together with the others."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a sweep depends on but the texts of its cases and prompts."""

    run: str
    protocol: str
    seed: int = 0
    repetitions: int | dict[str, int] = {}
    """Episodes a case and condition: one number, or condition (or pattern) -> number; what is
    not named there is run as often as the protocol usually does."""
    conditions: tuple[str, ...] = ()
    """Names or patterns (`fair.*`); empty = what the protocol usually runs."""
    profile: str | None = None
    """Named set of options that `options` then changes; None = the protocol's default."""
    options: dict[str, Setting] = {}
    roles: Cast = {}
    """Role -> binding; `all` stands for the roles that are not named."""
    cases: CaseSource = CaseSource()
    calls: CallBounds = CallBounds()
    durability: Durability = "always"


class DraftCases(msgspec.Struct, frozen=True, kw_only=True):
    """The cases as far as they have been said."""

    source: str | None = None
    written_in: Literal["file", "command line"] = "file"
    only: tuple[str, ...] | None = None
    limit: int | None = None
    sample: int | None = None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An experiment as far as it has been said; None and empty = not said."""

    origin: str
    run: str | None = None
    protocol: str | None = None
    seed: int | None = None
    repetitions: int | dict[str, int] | None = None
    conditions: tuple[str, ...] | None = None
    profile: str | None = None
    options: dict[str, Setting] = {}
    roles: Cast = {}
    cases: DraftCases = DraftCases()
    calls: CallBounds = CallBounds()
    durability: Durability | None = None


def resolve(draft: Draft, protocols: Iterable[str]) -> Experiment:
    """The experiment with every default filled in.

    protocols: names of the protocols that are installed. A run that has no name takes that of
    its file. Raises SpecRefused for a missing or unknown protocol, NameRefused for a run name
    that is not allowed.
    """
    return Experiment(
        run=_run_name(draft),
        protocol=_protocol(draft, tuple(protocols)),
        seed=draft.seed or 0,
        repetitions={} if draft.repetitions is None else draft.repetitions,
        conditions=draft.conditions or (),
        profile=draft.profile,
        options=draft.options,
        roles=draft.roles,
        cases=CaseSource(
            source=draft.cases.source or STARTER,
            written_in=draft.cases.written_in,
            only=draft.cases.only or (),
            limit=draft.cases.limit,
            sample=draft.cases.sample,
        ),
        calls=draft.calls,
        durability=draft.durability or "always",
    )


def repetitions_of(experiment: Experiment, condition: str) -> int:
    """Episodes of each case in this condition (count); the experiment must be settled."""
    counts = experiment.repetitions
    return counts if isinstance(counts, int) else counts[condition]


def tell_repetitions(counts: int | Mapping[str, int]) -> str:
    """For a person: the number, or `5..20` where conditions differ. counts: settled."""
    if isinstance(counts, int):
        return str(counts)
    return f"{min(counts.values())}..{max(counts.values())}"


def _protocol(draft: Draft, known: tuple[str, ...]) -> str:
    if draft.protocol is None:
        raise SpecRefused(
            f'{draft.origin} names no protocol; add e.g. protocol = "logicom".{nearest("", known)}'
        )
    if draft.protocol not in known:
        raise SpecRefused(
            f"{draft.origin}: protocol: {draft.protocol!r} is not installed."
            f"{nearest(draft.protocol, known)}"
        )
    return draft.protocol


def _run_name(draft: Draft) -> str:
    if draft.run is not None:
        return draft.run
    name = re.split(r"[/\\]", draft.origin)[-1].removesuffix(".toml")
    try:
        return check_run_name(name)
    except NameRefused as error:
        raise SpecRefused(
            f'{draft.origin} names no run and its file name cannot be one: add run = "my-run"'
        ) from error
