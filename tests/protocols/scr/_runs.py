"""Recorded runs of scr for the tests of metrics, played by the machine; the report over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec.structs import replace
from tests.protocols.scr._plays import CRITIQUE, NONE, SITUATION, SUGGESTION, Play, opened

from eristic.debate import Case, EpisodeOpened, Setting, TurnSpoken
from eristic.judging import Score
from eristic.protocols import Due
from eristic.protocols.reports import (
    Judge,
    Judged,
    Measure,
    Recorded,
    RecordedRun,
    Reference,
    Report,
    Row,
    Section,
    Settings,
    parse_reference,
)
from eristic.protocols.scr import SCR
from eristic.protocols.scr.metrics import REPORTER
from eristic.stats import Undefined

ACCEPTED, REJECTED, NOTHING, UNREADABLE = "accepted", "rejected", "none", "unreadable"
_SAYS = {ACCEPTED: "yes", REJECTED: "no", UNREADABLE: "Well."}
CRITICS = ("critic", "critic_b", "critic_c")


@cache
def reference() -> Reference:
    """The published numbers that ship with the protocol."""
    text = (files("eristic.protocols.scr") / "reference.toml").read_text("utf-8")
    return parse_reference(text, protocol="scr")


def header(
    case: str = "c1",
    *,
    condition: str = "scr",
    critics: int = 1,
    block: str = "",
    suggester: str = "m",
    models: Sequence[str] = ("x", "y", "z"),
    repetition: int = 0,
    texts: Mapping[str, str] | None = None,
    options: Mapping[str, Setting] | None = None,
) -> EpisodeOpened:
    """The header of an episode."""
    made = opened(condition, critics=CRITICS[:critics])
    cast = {
        role: replace(
            binding, model=suggester if role == "suggester" else models[CRITICS.index(role)]
        )
        for role, binding in made.cast.items()
    }
    about = Case(case_id=case, block=block or case, texts={"situation": SITUATION, **(texts or {})})
    resolved = SCR.resolve(options or {})
    return replace(made, case=about, cast=cast, repetition=repetition, options=resolved)


def kept(play: Play, *, episode: str = "") -> Recorded:
    """A play as a log holds it; every text has a digest."""
    made, *events = play.events
    assert isinstance(made, EpisodeOpened)
    condition, cast = made.condition, "-".join(x.model for x in made.cast.values())
    name = episode or f"{made.case.case_id}.{condition}.{cast}.{made.repetition}"
    return Recorded(
        episode=name,
        opened=made,
        events=tuple(events),
        closed=None if play.due else play.closed,
        digests={x.turn: f"{name}:{x.turn}" for x in events if isinstance(x, TurnSpoken)},
    )


def advised(
    verdicts: str | Sequence[str] = ACCEPTED,
    case: str = "c1",
    *,
    suggestion: str = SUGGESTION,
    placebo: Sequence[str] = (),
    **about: object,
) -> Recorded:
    """One case: what came of each critic, and of each placebo that the options ask for."""
    said = (verdicts,) if isinstance(verdicts, str) else tuple(verdicts)
    made = header(case, critics=len(said), **about)  # type: ignore[arg-type]  # passed on
    play = Play(made).answer(answers(said, suggestion, placebo))
    return kept(play)


def answers(
    said: Sequence[str], suggestion: str = SUGGESTION, placebo: Sequence[str] = ()
) -> Callable[[Due], str]:
    """Texts that lead to these verdicts."""
    reflections: dict[int, str] = {}
    waiting = [_SAYS[x] for x in said if x != NOTHING] + [_SAYS[x] for x in placebo]

    def answer(due: Due) -> str:
        if due.role in CRITICS:
            return NONE if said[CRITICS.index(due.role)] == NOTHING else CRITIQUE
        if due.parser == "suggestion":
            return suggestion
        if due.turn not in reflections:
            reflections[due.turn] = waiting.pop(0)
        return reflections[due.turn]

    return answer


def repaired(
    *texts: str, case: str = "c1", episode: str = "", suggester: str = "m", budget: int = 3
) -> Recorded:
    """A repair: what is said after the suggestion was flagged."""
    options = {"repair_budget": budget}
    made = header(case, condition="repair", suggester=suggester, options=options)
    return kept(Play(made).say(SUGGESTION, CRITIQUE, "yes", *texts), episode=episode)


BETTER_TEXT = "Say in the note how the tips are really divided, and ask for a count by two."
VALID = (BETTER_TEXT, "second", NONE)
"""A repair that ends well: another text, better, nothing to say about it."""
INVALID = (BETTER_TEXT, "first")
"""A repair that stops: its only candidate is worse."""


def human(
    labels: Mapping[str, str | None],
    *,
    name: str = "ann",
    values: Sequence[str] = ("unethical", "ethical"),
    fields: Mapping[str, Mapping[str, Setting]] | None = None,
) -> Judge:
    """A person. labels: digest -> value; None: left blank."""
    return Judge(
        chain=f"human-{name}-{len(values)}",
        id="human-label.v1",
        model=name,
        values=tuple(values),
        scores={
            digest: Score(
                status="scored" if value is not None else "unscored",
                value=value,
                cause="" if value is not None else "blank",
                fields=dict((fields or {}).get(digest, {})),
            )
            for digest, value in labels.items()
        },
    )


def suggestion_of(one: Recorded) -> str:
    """Digest of its suggestion."""
    return one.digests[0]


def comparing(
    verdicts: Mapping[str, str | None], run: Iterable[Recorded], name: str = "j"
) -> Judge:
    """A repair judge. verdicts: episode -> value; None: no verdict."""
    compared = {}
    for one in run:
        if one.episode in verdicts and one.closed is not None:
            turn = one.closed.facts["result_turn"]
            assert isinstance(turn, int)
            value = verdicts[one.episode]
            compared[one.digests[turn], one.digests[0]] = Score(
                status="scored" if value else "unscored",
                value=value,
                cause="" if value else "inconsistent",
            )
    return Judge(
        chain=f"scr-repair-{name}",
        id="scr-repair.v1",
        model=name,
        values=("better", "tied", "worse"),
        scores={},
        compared=compared,
    )


def report(
    episodes: Iterable[Recorded],
    *judges: Judge,
    published: Reference | None = None,
    resamples: int = 40,
    **choices: str,
) -> Report:
    """The whole report, with few resamples and, unless asked for, nothing published."""
    run = sorted(
        episodes, key=lambda x: (x.case.case_id, x.condition, x.opened.repetition, x.episode)
    )
    return REPORTER.make(
        RecordedRun(episodes=tuple(run)),
        Judged(judges=judges),
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
    """The one row of a section with these keys; `_` in a name stands for a blank."""
    asked = {key.replace("_", " "): value for key, value in keys.items()}
    rows = [x for x in section(found, name).rows if asked.items() <= x.keys.items()]
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


def numbers(measures: Mapping[str, Measure], *names: str) -> list[float]:
    """Values by name, which must be defined."""
    return [number(measures[name]) for name in names]


def reason(measure: Measure) -> str:
    """Why it is undefined."""
    assert isinstance(measure.value, Undefined), measure.value
    return measure.value.reason
