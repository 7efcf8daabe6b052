"""Recorded runs for the tests of metrics, their events built by hand, and the report over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files

from eristic.debate import (
    Binding,
    Case,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Lineage,
    Reading,
    Served,
    Setting,
    TurnFailed,
    TurnSpoken,
)
from eristic.judging import Score
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.protocols.deflectbench.metrics import REPORTER, Study
from eristic.protocols.deflectbench.metrics.studies import CHOICES
from eristic.protocols.deflectbench.names import FIELDS
from eristic.protocols.deflectbench.rubric import consensus, derive_outcome
from eristic.protocols.reports import (
    Context,
    Judge,
    Judged,
    Measure,
    Recorded,
    RecordedRun,
    Reference,
    Report,
    Row,
    Settings,
    parse_reference,
)
from eristic.stats import Undefined

Label = Mapping[str, int]

DIRECT = "explicit_direct.whataboutism"
COACH = "explicit_coach.whataboutism"
MANIPULATION = "explicit_manipulation.whataboutism"
AD_HOMINEM = "explicit_direct.ad_hominem"
RED_HERRING = "explicit_direct.red_herring"


def label(**fields: int) -> dict[str, int]:
    """All eight fields: 0, but for these."""
    assert set(fields) <= set(FIELDS)
    return {field: fields.get(field, 0) for field in FIELDS}


def without(given: Label, *fields: str) -> dict[str, int]:
    """A label in which these fields are invalid."""
    return {field: value for field, value in given.items() if field not in fields}


HONEST = label()
REFUSED = label(refusal=1)
CLEAN = label(WA_present=1, any_fallacy_present=1, compliance_clean=1)
SOFT = label(WA_present=1, any_fallacy_present=1, soft_refusal=1)
LABELED = label(WA_present=1, any_fallacy_present=1, fallacy_labeled=1)
SOFT_LABELED = label(WA_present=1, any_fallacy_present=1, fallacy_labeled=1, soft_refusal=1)
RH_ONLY = label(RH_present=1, any_fallacy_present=1, compliance_clean=1)
WA_RH = label(WA_present=1, RH_present=1, any_fallacy_present=1, compliance_clean=1)


def sample(
    said: Label | None = HONEST,
    claim: str = "c1",
    *,
    b: Label | None = None,
    condition: str = DIRECT,
    repetition: int = 0,
    model: str = "m",
    text: str = "A text.",
    tokens: int | None = 50,
    finish: str = "stop",
    level: object = 1,
    context: str = "international",
    domain: str = "science",
    judges: tuple[str, str] = ("j", "k"),
    options: Mapping[str, Setting] | None = None,
    episode: str = "",
    parent: Lineage | None = None,
    is_open: bool = False,
    flags: tuple[str, ...] = (),
) -> Recorded:
    """One episode. said: the label of both judges, b: of the second one; None as said: neither
    judge gave a text; a label may lack fields."""
    second = said if b is None else b
    labels = {"judge_a": said or {}, "judge_b": second or {}}
    resolved = DEFLECTBENCH.resolve(options or {})
    events: list[Event] = [
        TurnSpoken(
            turn=0,
            role="author",
            text=text,
            call=Served(model=model, tokens_out=tokens, finish=finish),
        )
    ]
    values: dict[str, int | None] = dict.fromkeys(FIELDS, 0)
    if text.strip():
        events += [
            _answer(turn, role, given, flags)
            for turn, (role, given) in enumerate(zip(labels, (said, second), strict=True), 1)
        ]
        values = consensus(labels).values
    outcome = derive_outcome(values)
    closed = EpisodeClosed(
        outcome=outcome, reason="all_judges" if outcome else "no_judgement", rounds=1
    )
    data: dict[str, object] = {"level": level} if level is not None else {}
    return Recorded(
        episode=episode or f"{model}/{condition}/{claim}/{repetition}",
        opened=EpisodeOpened(
            protocol="deflectbench",
            protocol_version=1,
            case=Case(
                case_id=claim,
                block=claim,
                texts={"text": f"Claim {claim}", "context": context, "domain": domain},
                data=data,
            ),
            condition=condition,
            repetition=repetition,
            options=resolved,
            cast={
                "author": Binding(model=model),
                **{r: Binding(model=m) for r, m in zip(labels, judges, strict=True)},
            },
            prompts={},
            software="eristic test",
            parent=parent,
        ),
        events=tuple(events) if is_open else (*events, closed),
        closed=None if is_open else closed,
    )


def _answer(turn: int, role: str, given: Label | None, flags: tuple[str, ...]) -> Event:
    if given is None:
        return TurnFailed(turn=turn, role=role, error="timeout", message="no answer")
    is_valid = set(given) == set(FIELDS)
    reading = Reading(
        parser="eight-fields.v1",
        status="read" if is_valid else "unreadable",
        value="valid" if is_valid else None,
        parts={field: str(value) for field, value in given.items()},
        flags=flags,
    )
    return TurnSpoken(turn=turn, role=role, text="{}", call=Served(model="j"), reading=reading)


def failed(claim: str = "c1", *, condition: str = DIRECT, repetition: int = 0) -> Recorded:
    """An episode whose author never answered."""
    one = sample(claim=claim, condition=condition, repetition=repetition)
    failure = TurnFailed(turn=0, role="author", error="timeout", message="no answer")
    closed = EpisodeClosed(outcome=None, reason="no_generation", rounds=0)
    return Recorded(episode=one.episode, opened=one.opened, events=(failure, closed), closed=closed)


def samples(*said: Label, claim: str = "c1", condition: str = DIRECT) -> list[Recorded]:
    """Samples of one cell, one for each label."""
    return [
        sample(given, claim, condition=condition, repetition=number)
        for number, given in enumerate(said)
    ]


def shares(hits: int, n: int, hit: Label = REFUSED, miss: Label = CLEAN) -> list[Label]:
    """n labels, of which the first ones are hits."""
    return [hit if number < hits else miss for number in range(n)]


def run(episodes: Iterable[Recorded]) -> RecordedRun:
    """A run of these, in the order in which a log gives them."""
    return RecordedRun(
        episodes=tuple(
            sorted(
                episodes,
                key=lambda x: (x.case.case_id, x.condition, x.opened.repetition, x.episode),
            )
        )
    )


def reference() -> Reference:
    """The published numbers that ship with the protocol."""
    text = (files("eristic.protocols.deflectbench") / "reference.toml").read_text("utf-8")
    return parse_reference(text, protocol="deflectbench")


def report(
    episodes: Iterable[Recorded],
    judged: Judged | None = None,
    resamples: int = 20,
    /,
    **choices: str,
) -> Report:
    """The whole report, with few resamples."""
    settings = Settings(resamples=resamples, choices=choices)
    return REPORTER.make(run(episodes), judged or Judged(), settings, reference())


def study(episodes: Iterable[Recorded], judged: Judged | None = None, /, **choices: str) -> Study:
    """What a section works on."""
    return Study.of(
        Context(
            run=run(episodes),
            judged=judged or Judged(),
            settings=Settings(resamples=20),
            reference=reference(),
            choices={name: choices.get(name, values[0]) for name, values in CHOICES.items()},
        )
    )


def judged_by(name: str, fields: Mapping[str, Mapping[str, Setting]], model: str = "") -> Judge:
    """A judge that came later. fields: digest of the author's turn -> its fields."""
    return Judge(
        chain=f"{name}-chain",
        id=name,
        model=model,
        values=("valid",),
        scores={
            digest: Score(status="scored", value="valid", fields=dict(given))
            for digest, given in fields.items()
        },
    )


def rows_of(found: Report, section: str, **keys: str) -> list[Row]:
    """Rows of a section with these keys."""
    [own] = [x for x in found.sections if x.id == section]
    return [x for x in own.rows if keys.items() <= x.keys.items()]


def row_of(found: Report, section: str, **keys: str) -> Row:
    """The only row of a section with these keys."""
    [row] = rows_of(found, section, **keys)
    return row


def main_of(found: Report, section: str, **keys: str) -> Measure:
    """The main measure of that row."""
    main = row_of(found, section, **keys).main
    assert main is not None
    return main


def number(measure: Measure) -> float:
    """Its value, which is defined."""
    assert not isinstance(measure.value, Undefined), measure
    return measure.value


def excluded(measure: Measure) -> dict[str, int]:
    """Cause -> count."""
    assert measure.tally is not None
    return {left.cause: left.count for left in measure.tally.exclusions}
