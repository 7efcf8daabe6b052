"""Episodes of mirror as a log holds them, and the report over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from eristic.debate import (
    Binding,
    Case,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    RulingMade,
    RunOpened,
    Served,
    TurnSpoken,
)
from eristic.debate.cast import Setting
from eristic.protocols.mirror import names
from eristic.protocols.mirror.metrics import REPORTER
from eristic.protocols.mirror.metrics.values import Question, Values
from eristic.protocols.reports import (
    Judged,
    Measure,
    Recorded,
    RecordedRun,
    Reference,
    Report,
    Row,
    RunCollector,
    Section,
    Settings,
    parse_reference,
)
from eristic.stats import Undefined

FOLDER = Path(__file__).parents[3] / "core" / "eristic" / "protocols" / "mirror"

BASELINE = {"q1": (8, 6, 7, 7), "q2": (-2, 0, 2, 0)}
"""Answers of the worked examples M1 and M2."""
PAIRS = {"q1": ((7, 9), (8, 5)), "q2": ((0, 3), (1, 0))}
"""First and second answers of the worked example M3."""


@cache
def reference() -> Reference:
    """The published numbers that ship with the protocol."""
    return parse_reference((FOLDER / "reference.toml").read_text("utf-8"), protocol="mirror")


def values(numbers: Mapping[str, Sequence[float]], *, polarity: int | None = 1) -> list[Values]:
    """Numbers by question, all of one polarity."""
    asked = {x: Question(id=x, polarity=polarity) for x in numbers}
    return [Values(asked[x], tuple(found)) for x, found in numbers.items()]


def case(
    name: str, *, topic: str = "", set_: str = "values", polarity: object = 1, block: str = ""
) -> Case:
    """A statement."""
    return Case(
        case_id=name,
        block=block or name,
        texts={"statement": f"{name} is so.", "topic": topic, "set": set_},
        data={"polarity": polarity},
    )


def opened(
    about: str | Case,
    condition: str,
    repetition: int = 0,
    *,
    model: str = "m",
    params: dict[str, Setting] | None = None,
) -> EpisodeOpened:
    """The header of an episode."""
    roles = (names.RESPONDENT, names.ADVOCATE_FOR, names.ADVOCATE_AGAINST)
    return EpisodeOpened(
        protocol="mirror",
        protocol_version=1,
        case=case(about) if isinstance(about, str) else about,
        condition=condition,
        repetition=repetition,
        options={},
        cast={role: Binding(model=model, params=params or {}) for role in roles},
        prompts={},
        software="eristic",
    )


def spoken(turn: int, *, attempt: int = 0, person: str = "", model: str = "m") -> TurnSpoken:
    """An answer of the respondent."""
    return TurnSpoken(
        turn=turn,
        role=names.RESPONDENT,
        text="text",
        attempt=attempt,
        call=Served(model=f"human/{person}" if person else model),
        source="human" if person else "model",
    )


def recorded(header: EpisodeOpened, *events: Event) -> Recorded:
    """An episode; it is closed when its last event says so."""
    last = events[-1] if events else None
    return Recorded(
        episode=f"{header.case.case_id}/{header.condition}/{header.repetition}",
        opened=header,
        events=events,
        closed=last if isinstance(last, EpisodeClosed) else None,
    )


def scored(header: EpisodeOpened, score: float, **facts: Setting) -> Recorded:
    """An ask with a number."""
    end = EpisodeClosed(
        outcome=names.SCORED, reason="answered", rounds=0, facts={names.SCORE: score, **facts}
    )
    return recorded(header, spoken(0), end)


def debated(
    header: EpisodeOpened,
    pre: float,
    post: float,
    *,
    first: str = names.AGAINST,
    weak: str = "",
    person: str = "",
    **facts: Setting,
) -> Recorded:
    """A debate with both numbers."""
    outcome = names.ROSE if post > pre else names.FELL if post < pre else names.UNMOVED
    said: dict[str, Setting] = {names.PRE: pre, names.POST: post, names.FIRST_SIDE: first, **facts}
    sides = RulingMade(policy=names.SIDES_POLICY, inputs=(0,), decision=first)
    if weak:
        said[names.WEAK_SIDE] = weak
        sides = RulingMade(
            policy=names.SIDES_POLICY,
            inputs=(0,),
            decision=first,
            facts={"weak_side": weak, "weak_rule": "pre_sign"},
        )
    end = EpisodeClosed(outcome=outcome, reason="debated", rounds=1, facts=said)
    return recorded(header, spoken(0, person=person), sides, spoken(5, person=person), end)


def missing(header: EpisodeOpened, reason: str, cause: str = "", **facts: Setting) -> Recorded:
    """An episode without an outcome."""
    said = {**facts, **({names.CAUSE: cause} if cause else {})}
    return recorded(
        header, spoken(0), EpisodeClosed(outcome=None, reason=reason, rounds=0, facts=said)
    )


def asks(
    numbers: Mapping[str, Sequence[float]], condition: str = "baseline.en", *, model: str = "m"
) -> list[Recorded]:
    """One ask a number."""
    return [
        scored(opened(name, condition, place, model=model), number)
        for name, found in numbers.items()
        for place, number in enumerate(found)
    ]


def debates(
    pairs: Mapping[str, Sequence[tuple[float, float]]],
    condition: str = "fair.en",
    *,
    model: str = "m",
) -> list[Recorded]:
    """One debate a pair."""
    return [
        debated(opened(name, condition, place, model=model), *pair)
        for name, found in pairs.items()
        for place, pair in enumerate(found)
    ]


def collected(episodes: Iterable[Recorded], run: RunOpened | None = None) -> RecordedRun:
    """The run as the collector of all reports makes it, from envelopes."""
    collector = RunCollector()
    if run is not None:
        collector.take(_envelope("run", run), b"")
    for number, one in enumerate(episodes):
        for event in (one.opened, *one.events):
            collector.take(_envelope(f"{one.episode}#{number}", event), b"")
    return collector.close()


def _envelope(chain: str, event: Event) -> Envelope:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Envelope(run="r", episode=chain, position=0, time=moment, prev="", body=event)


def report(
    episodes: Iterable[Recorded],
    *,
    published: Reference | None = None,
    resamples: int = 50,
    **choices: str,
) -> Report:
    """The whole report, with few resamples and, unless asked for, nothing published."""
    return report_with(episodes, choices, published=published, resamples=resamples)


def report_with(
    episodes: Iterable[Recorded],
    choices: Mapping[str, str],
    *,
    published: Reference | None = None,
    resamples: int = 50,
) -> Report:
    """The same with choices as a mapping."""
    return REPORTER.make(
        collected(episodes),
        Judged(),
        Settings(resamples=resamples, choices=choices),
        published or Reference(),
    )


def has_section(found: Report, name: str) -> bool:
    """Whether the report says anything on this."""
    return any(x.id == name for x in found.sections)


def section(found: Report, name: str) -> Section:
    """The section of that id."""
    return next(x for x in found.sections if x.id == name)


def row(found: Report, name: str, **keys: str) -> Row:
    """The one row of a section with these keys, of all questions unless another scope is named."""
    rows = [x for x in section(found, name).rows if keys.items() <= x.keys.items()]
    if len(rows) > 1 and "questions" not in keys:
        rows = [x for x in rows if x.keys.get("questions") == "all questions"]
    assert len(rows) == 1, [x.keys for x in section(found, name).rows]
    return rows[0]


def main(found: Report, name: str, **keys: str) -> Measure:
    """The main measure of that row."""
    measure = row(found, name, **keys).main
    assert measure is not None
    return measure


def number(measure: Measure) -> float:
    """Its value, which must be defined."""
    assert not isinstance(measure.value, Undefined), measure.value
    return measure.value


def reason(measure: Measure) -> str:
    """Why it is undefined."""
    assert isinstance(measure.value, Undefined), measure.value
    return measure.value.reason
