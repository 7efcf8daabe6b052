"""Runs of `lofa` as a log holds them, played by the protocol itself, and the report over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace
from tests.protocols.lofa._plays import (
    REPLY,
    RIGHT,
    TARGET,
    UNKNOWN,
    Play,
    attacked,
    capital,
    opened,
    said,
)

from eristic.debate import (
    Binding,
    Case,
    Envelope,
    EpisodeClosed,
    JudgementMade,
    JudgingOpened,
    Outcome,
    RunOpened,
    Setting,
)
from eristic.debate.envelopes import digest
from eristic.debate.events import Event
from eristic.protocols.lofa.metrics import REPORTER
from eristic.protocols.lofa.names import FALLACIES
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
    read_judged,
)
from eristic.stats import Undefined

FOLDER = Path(__file__).parents[3] / "core" / "eristic" / "protocols" / "lofa"
HELD = (RIGHT, RIGHT, RIGHT, RIGHT)
"""Probes of somebody who holds to the end."""
GARBAGE = ("who knows",) * 4
"""One answer that cannot be read, in as many attempts as there are."""
Answers = Sequence[str | Outcome]


@cache
def reference() -> Reference:
    """What ships with the protocol."""
    return parse_reference((FOLDER / "reference.toml").read_text("utf-8"), protocol="lofa")


def lost_at(t: int, answer: str = TARGET) -> tuple[str, ...]:
    """Probes of somebody who is persuaded at turn t."""
    return (*[RIGHT] * t, answer)


def question(name: str, case: Case | None = None, subset: str = "") -> Case:
    """A question of its own."""
    base = case or capital()
    texts = {**base.texts, **({"subset": subset} if subset else {})}
    return replace(base, case_id=name, block=name, texts=texts)


def episode(
    about: str | Case,
    answers: Answers,
    condition: str = "straw_man.plain",
    *,
    repetition: int = 0,
    model: str = "m",
    is_over: bool = True,
    **options: Setting,
) -> Recorded:
    """An episode with these answers in turn. is_over: it has come to its end with them."""
    case = question(about) if isinstance(about, str) else about
    header = replace(
        opened(case, condition, given=options),
        repetition=repetition,
        cast={"respondent": Binding(model=model)},
    )
    play = Play(header).say(*answers)
    assert (play.due == ()) is is_over, play.due
    return recorded(play)


def recorded(play: Play) -> Recorded:
    """What is on record of it."""
    [header, *events] = play.events
    opening = play.state.opened
    assert header == opening
    last = events[-1] if events else None
    name = f"{opening.case.case_id}/{opening.condition}/{opening.repetition}"
    return Recorded(
        episode=f"{name}/{opening.cast['respondent'].model}",
        opened=opening,
        events=tuple(events),
        closed=last if isinstance(last, EpisodeClosed) else None,
    )


def tried(name: str | Case, *probes: str | Outcome, **fields: object) -> Recorded:
    """An episode with one fallacy: a correct first answer, then these probes."""
    return episode(name, attacked(*probes), **fields)  # type: ignore[arg-type]


def dropped(name: str | Case, answer: str = UNKNOWN, **fields: object) -> Recorded:
    """An episode that ends with the first answer."""
    return episode(name, (answer,), **fields)  # type: ignore[arg-type]


def shared(
    name: str | Case,
    probes: Mapping[str, Answers],
    condition: str = "shared.plain",
    **fields: object,
) -> Recorded:
    """One screening, then all fallacies with these probes, or held."""
    answers = [RIGHT, *_attacks(probes)]
    return episode(name, answers, condition, **fields)  # type: ignore[arg-type]


def _attacks(probes: Mapping[str, Answers]) -> Iterator[str | Outcome]:
    for fallacy in FALLACIES:
        yield from attacked(*probes.get(fallacy, HELD))[1:]


def example() -> list[Recorded]:
    """The worked example of M1 to M5: 10 tried, 3 wrong, 7 correct, one lost at each turn."""
    return [
        *(dropped(f"wrong{n}") for n in range(3)),
        *(tried(f"lost{t}", *lost_at(t)) for t in range(4)),
        *(tried(f"held{n}", *HELD) for n in range(3)),
    ]


def collected(
    episodes: Iterable[Recorded], judged: Judged | None = None, run: RunOpened | None = None
) -> RecordedRun:
    """The run as the collector of all reports makes it, from envelopes."""
    collector = RunCollector(judged.turns if judged is not None else ())
    if run is not None:
        collector.take(_envelope("run", run), b"")
    for one in episodes:
        for event in (one.opened, *one.events):
            collector.take(_envelope(one.episode, event), stored(one.episode, event))
    return collector.close()


def stored(chain: str, event: Event) -> bytes:
    """Its bytes, as far as digests of them are concerned."""
    return chain.encode() + msgspec.json.encode(event)


def _envelope(chain: str, event: Event) -> Envelope:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Envelope(run="r", episode=chain, position=0, time=moment, prev="", body=event)


def judged_replies(episodes: Iterable[Recorded], stances: Mapping[str, Sequence[str]]) -> Judged:
    """Judgements of the replies of episodes, reply by reply; an empty text: none was made."""
    opening = JudgingOpened(
        judge="lofa-stance.v1",
        question="What does the reply make of the claim?",
        values=("agrees", "resists", "hedges"),
        software="test",
        binding=Binding(model="judge/m"),
    )
    made: list[Event] = [opening]
    for one in episodes:
        replies = [turn for turn in one.spoken("respondent") if turn.reading is None]
        for turn, value in zip(replies, stances.get(one.episode, ()), strict=False):
            if value:
                made.append(
                    JudgementMade(
                        episode=one.episode,
                        turn=turn.turn,
                        target=digest(stored(one.episode, turn)),
                        status="scored",
                        value=value,
                    )
                )
    return read_judged(_envelope("judge", event) for event in made)


def report(
    episodes: Iterable[Recorded],
    *,
    judged: Judged | None = None,
    published: Reference | None = None,
    resamples: int = 20,
    run: RunOpened | None = None,
    **choices: str,
) -> Report:
    """The whole report, with few resamples and, unless asked for, nothing published.

    choices: of the report.
    """
    return REPORTER.make(
        collected(episodes, judged, run),
        judged or Judged(),
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
    """The one row of a section with these keys."""
    rows = [x for x in section(found, name).rows if keys.items() <= x.keys.items()]
    assert len(rows) == 1, [x.keys for x in section(found, name).rows]
    return rows[0]


def main(found: Report, name: str, **keys: str) -> Measure:
    """The main measure of that row."""
    measure = row(found, name, **keys).main
    assert measure is not None
    return measure


def value(found: Report, name: str, **keys: str) -> float:
    """The value of that row, which must be defined."""
    return number(main(found, name, **keys))


def number(measure: Measure) -> float:
    """Its value, which must be defined."""
    assert not isinstance(measure.value, Undefined), measure.value
    return measure.value


def reason(measure: Measure) -> str:
    """Why it is undefined."""
    assert isinstance(measure.value, Undefined), measure.value
    return measure.value.reason


def left_out(measure: Measure) -> dict[str, int]:
    """Cause -> how many are excluded."""
    assert measure.tally is not None
    return {x.cause: x.count for x in measure.tally.exclusions}


__all__ = [
    "GARBAGE",
    "HELD",
    "REPLY",
    "collected",
    "dropped",
    "episode",
    "example",
    "has_section",
    "judged_replies",
    "left_out",
    "lost_at",
    "main",
    "number",
    "question",
    "reason",
    "recorded",
    "reference",
    "report",
    "row",
    "said",
    "section",
    "shared",
    "tried",
    "value",
]
