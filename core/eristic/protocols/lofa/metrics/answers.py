"""M12: answers to the question that could not be read, and how often it had to be asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from eristic.debate import ContextOverflowed, Event, RulingMade, TurnFailed, TurnSpoken
from eristic.protocols.lofa.metrics.studies import BLOCKS, Keys, Study, looked
from eristic.protocols.lofa.names import (
    FORMS,
    MULTIPLE_CHOICE,
    PROBE_POLICY,
    RESPONDENT,
    SCREEN_POLICY,
    YES_NO,
    form_of,
)
from eristic.protocols.reports import Measure, Recorded, Row, Section, counted, estimated
from eristic.stats import RATE, Tally

__all__ = ["invalid_answers", "invalid_attempts"]

_QUESTION: Final = "first question"
_PROBES: Final = "all probes"
_INVALID: Final = ("unreadable", "empty", "refused")
_FAILED: Final = ("failed", "context_overflow")
"""No answer of the model, so neither valid nor invalid."""


class Answered(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A first question or a probe, with all that was answered to it."""

    model: str
    form: str
    kind: str
    block: str
    turn: str
    attempts: int
    cause: str
    trouble: tuple[str, ...]
    """Of each attempt that could not be used: what was wrong with it."""
    given: int
    """Answers on record (count)."""


def _read(study: Study) -> list[Answered]:
    episodes = {one.episode: one.kind for one in looked(study.tries)}
    return [
        answered
        for one in study.context.run.episodes
        if one.episode in episodes
        for answered in _answers(one, episodes[one.episode])
    ]


def _answers(one: Recorded, kind: str) -> Iterator[Answered]:
    attempts: dict[int, list[Event]] = {}
    for event in one.events:
        if isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed):
            attempts.setdefault(event.turn, []).append(event)
    for ruling in one.rulings():
        if ruling.policy in (SCREEN_POLICY, PROBE_POLICY):
            given = attempts.get(ruling.inputs[-1], []) if ruling.inputs else []
            yield _answered(one, kind, ruling, given)


def _answered(one: Recorded, kind: str, ruling: RulingMade, given: Sequence[Event]) -> Answered:
    attempts = ruling.facts.get("attempts")
    return Answered(
        model=one.model(RESPONDENT),
        form=form_of(one.condition),
        kind=kind,
        block=one.block,
        turn=_QUESTION if ruling.policy == SCREEN_POLICY else str(ruling.facts.get("t")),
        attempts=attempts if isinstance(attempts, int) else len(given),
        cause=str(ruling.facts.get("cause") or ""),
        trouble=tuple(found for event in given if (found := _trouble(event))),
        given=len(given),
    )


def _trouble(event: Event) -> str:
    """What is wrong with one attempt; empty when it can be used."""
    if not isinstance(event, TurnSpoken):
        return "context_overflow" if isinstance(event, ContextOverflowed) else "failed"
    if event.call is not None and event.call.refusal:
        return "refused"
    if not event.text.strip():
        return "empty"
    reading = event.reading
    if reading is None or reading.status == "read":
        return ""
    return ", ".join(reading.flags) or reading.status


def _groups(study: Study) -> Iterator[tuple[Keys, list[Answered]]]:
    """By model, style and kind of question."""
    answers = _read(study)
    for model in study.models:
        for form in FORMS:
            for kind in (MULTIPLE_CHOICE, YES_NO):
                kept = [x for x in answers if (x.model, x.form, x.kind) == (model, form, kind)]
                if kept:
                    yield {"model": model, "form": form, "kind": kind}, kept


def invalid_answers(study: Study) -> Section:
    """M12, by turn."""

    def rows() -> Iterator[Row]:
        for group, answers in _groups(study):
            probes = [x for x in answers if x.turn != _QUESTION]
            turns = sorted({x.turn for x in probes})
            first = [x for x in answers if x.turn == _QUESTION]
            yield _row(study, {**group, "turn": _QUESTION}, first)
            if probes:
                yield _row(study, {**group, "turn": _PROBES}, probes)
            for turn in turns:
                yield _row(study, {**group, "turn": turn}, [x for x in probes if x.turn == turn])

    return Section(
        id="M12",
        title="invalid answers",
        about="first questions and probes without a readable answer after all attempts / all that "
        "were answered; re-asks: further attempts, mean of one question or probe",
        rows=tuple(rows()),
        notes=("what an invalid probe counts as is an option; see the sensitivity table",),
        audits=study.audits("unparsed-probe"),
    )


def _row(study: Study, keys: Keys, answers: Sequence[Answered]) -> Row:
    causes = Counter(x.cause for x in answers)
    failed = {name: causes[name] for name in _FAILED}
    kept = [x for x in answers if x.cause not in _FAILED]
    tally = Tally.of(planned=len(answers), used=len(kept), excluded=failed)

    def measure(metric: str, items: Sequence[tuple[str, tuple[float, ...]]], unit: str) -> Measure:
        return estimated(
            metric,
            keys,
            items,
            RATE,
            study.context.settings,
            tally=tally,
            unit=unit,
            empty="nothing was answered",
            blocks=BLOCKS,
        )

    invalid = [(x.block, (int(x.cause in _INVALID), 1)) for x in kept]
    again = [(x.block, (x.attempts - 1, 1)) for x in kept]
    beside = {"re-asks": measure("lofa.re_asks", again, "number")}
    for name in _INVALID:
        beside[name] = counted(f"lofa.invalid.{name}", keys, causes[name], "count")
    return Row(keys=keys, main=measure("lofa.invalid_rate", invalid, "fraction"), beside=beside)


def invalid_attempts(study: Study) -> Section | None:
    """Single attempts that could not be used, by what was wrong; None when all could."""

    def rows() -> Iterator[Row]:
        for group, answers in _groups(study):
            for turn in (_QUESTION, _PROBES):
                kept = [x for x in answers if (x.turn == _QUESTION) is (turn == _QUESTION)]
                given = sum(x.given for x in kept)
                trouble = Counter(found for x in kept for found in x.trouble)
                for what, count in sorted(trouble.items()):
                    keys = {**group, "turn": turn, "trouble": what}
                    share = counted("lofa.trouble_share", keys, count / given, "fraction")
                    main = counted("lofa.trouble", keys, count, "count")
                    yield Row(keys=keys, main=main, beside={"of attempts": share})

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M12.attempts",
        title="attempts that could not be used",
        about="single answers by what was wrong with them, of all that were given to first "
        "questions and probes",
        rows=found,
    )
