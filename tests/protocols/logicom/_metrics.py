"""Debates as plain facts for the tests of metrics, and the report over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from eristic.debate import RunOpened
from eristic.protocols import find_protocol
from eristic.protocols.logicom.metrics import Debate, Helped, RunFacts, Spoken, make_report
from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.reports import (
    Judged,
    Measure,
    Reference,
    Report,
    Row,
    Section,
    Settings,
    parse_reference,
)

SCENARIOS = ("no_helper", "fallacious_helper", "logical_helper")
FOLDER = Path(__file__).parents[3] / "core" / "eristic" / "protocols" / "logicom"


def reference() -> Reference:
    """The published numbers that ship with the protocol."""
    text = (FOLDER / "reference.toml").read_text("utf-8")
    return parse_reference(text, protocol=find_protocol("logicom").name)


def debate(
    claim: str,
    repetition: int = 0,
    convinced: bool | None = True,
    *,
    condition: str = "no_helper",
    model: str = "m",
    pair: str = "",
    cause: str = "",
    reason: str = "",
    rounds: int = 3,
    replies: int = 1,
    helped: tuple[Helped, ...] = (),
    first_check: bool | None = None,
    last_digest: str = "",
) -> Debate:
    """One debate; a pair for each two claims c0, c1, c2, ... unless a pair is named."""
    return Debate(
        episode=f"{model}/{condition}/{claim}/{repetition}",
        model=model,
        claim=claim,
        pair=pair or f"p{int(claim[1:]) // 2}",
        condition=condition,
        repetition=repetition,
        convinced=None if cause else convinced,
        cause=cause,
        reason=reason or ("convinced" if convinced else "round_limit"),
        rounds=rounds,
        rounds_counted=rounds,
        first_check=first_check,
        debater=Spoken(replies, 10 * replies),
        persuader=Spoken(1, 20),
        helped=helped,
        folds=0,
        last_digest=last_digest,
    )


def grid(outcomes: Sequence[Sequence[int]], condition: str = "no_helper") -> list[Debate]:
    """outcomes: one row for each repetition, one 0 or 1 for each claim."""
    return [
        debate(f"c{place}", number, bool(yes), condition=condition)
        for number, row in enumerate(outcomes)
        for place, yes in enumerate(row)
    ]


def arm(debates: Iterable[Debate], *, repetitions: int = 1, not_begun: int = 0) -> Arm:
    """These debates as one arm."""
    found = tuple(debates)
    return Arm(
        model=found[0].model if found else "m",
        condition=found[0].condition if found else "no_helper",
        repetitions=tuple(range(repetitions)),
        debates=found,
        not_begun=not_begun,
    )


def facts(debates: Iterable[Debate], opened: RunOpened | None = None) -> RunFacts:
    """A run that consists of these debates."""
    found = tuple(debates)
    return RunFacts(
        opened=opened,
        started="2026-01-01 00:00 UTC",
        is_closed=True,
        debates=found,
        layouts=(),
        absent=(),
        casts={},
        options={},
        swaps={},
    )


def report(
    debates: Iterable[Debate],
    *,
    judged: Judged | None = None,
    settings: Settings | None = None,
    opened: RunOpened | None = None,
) -> Report:
    """The whole report, with few resamples."""
    return make_report(
        facts(debates, opened), judged or Judged(), settings or Settings(resamples=50), reference()
    )


def section(found: Report, name: str) -> Section:
    """The section of that id."""
    return next(x for x in found.sections if x.id == name)


def row(found: Report, name: str, **keys: str) -> Row:
    """The one row of a section with these keys; `_` in a key's name stands for a blank."""
    wanted = {key.replace("_", " "): value for key, value in keys.items()}
    rows = [x for x in section(found, name).rows if wanted.items() <= x.keys.items()]
    assert len(rows) == 1, [x.keys for x in rows]
    return rows[0]


def main(found: Report, name: str, **keys: str) -> Measure:
    """The main measure of that row."""
    measure = row(found, name, **keys).main
    assert measure is not None
    return measure


def value(measure: Measure) -> float:
    """Its value, which must be defined."""
    assert isinstance(measure.value, int | float), measure.value
    return measure.value
