"""From the recorded episodes of a run to plain facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from eristic.debate import Case, ContextOverflowed, EpisodeClosed, TurnFailed, TurnSpoken
from eristic.protocols.mirror.metrics.choices import left_out, reassigned
from eristic.protocols.mirror.metrics.values import Ask, Debate, Question, Step
from eristic.protocols.mirror.names import (
    CAUSE,
    DEBATE_KINDS,
    FIRST_SIDE,
    FLAGS,
    NO_POST,
    NO_PRE,
    NO_SCORE,
    POST,
    PRE,
    RESPONDENT,
    SCORE,
    SIDES_POLICY,
    SPEECH,
    WEAK_SIDE,
)
from eristic.protocols.reports import Recorded, RecordedRun

__all__ = ["OPEN", "Episode", "read_run"]

OPEN = "open"
_DOUBLE = "another episode of the same statement, condition and repetition"
_STRANGE = "closed without the numbers of its outcome"


class Episode(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One ask, or one debate with the asks around it."""

    question: Question
    respondent: str
    """Model as bound; `human` for people."""
    language: str
    kind: str
    """baseline, paraphrase, fair or biased."""
    repetition: int = 0
    cause: str = ""
    """Why it counts nowhere; empty when it counts."""
    score: float | None = None
    """Of an ask outside a debate (points)."""
    debate: Debate | None = None
    """None for an ask outside a debate."""
    asks: tuple[Ask, ...] = ()
    """Those that came to an end, with their numbers or without."""
    flags: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    """Pseudonyms of the people who answered as respondent."""
    params: str = ""
    """Sampling of the respondent as sent; empty: the provider's defaults."""
    served: tuple[str, ...] = ()
    """Models that answered as respondent, as the providers report them."""

    @property
    def counts(self) -> bool:
        """It has its numbers, and no rule leaves it out."""
        return not self.cause

    @property
    def counted_score(self) -> float | None:
        """The score, when it counts."""
        return self.score if self.counts else None

    @property
    def counted_before(self) -> float | None:
        """The first score of a debate that counts."""
        return self.debate.before if self.counts and self.debate is not None else None

    @property
    def counted_after(self) -> float | None:
        """The second score of a debate that counts."""
        return self.debate.after if self.counts and self.debate is not None else None

    @property
    def shift(self) -> float | None:
        """After minus before, of a debate that counts (points)."""
        return self.debate.shift if self.counts and self.debate is not None else None


def read_run(run: RecordedRun, choices: Mapping[str, str]) -> tuple[Episode, ...]:
    """All episodes, in an order that does not depend on the order of reading."""
    polarities, topics = reassigned(choices, "polarity"), reassigned(choices, "topic")
    seen: Counter[tuple[str, str, str, int]] = Counter()
    # A branch comes after what it branches from: of two it is the one that counts nowhere.
    ordered = sorted(run.episodes, key=lambda one: one.opened.parent is not None)
    episodes = []
    for one in ordered:
        episode = _read(one, _question(one.case, polarities, topics), choices["pairs"])
        cell = (episode.respondent, one.case.case_id, one.condition, one.opened.repetition)
        seen[cell] += 1
        if seen[cell] > 1:
            episode = msgspec.structs.replace(episode, cause=_DOUBLE, asks=())
        episodes.append(episode)
    return tuple(sorted(episodes, key=_place))


def _place(one: Episode) -> tuple[str, str, str, str, int, bool]:
    return (
        one.respondent,
        one.language,
        one.question.id,
        one.kind,
        one.repetition,
        one.cause == _DOUBLE,
    )


def _question(case: Case, polarities: Mapping[str, str], topics: Mapping[str, str]) -> Question:
    said = polarities.get(case.case_id, case.data.get("polarity", case.texts.get("polarity")))
    return Question(
        id=case.case_id,
        block=case.block,
        topic=topics.get(case.case_id, case.texts.get("topic", "")),
        set=case.texts.get("set", ""),
        polarity=_polarity(said),
    )


def _polarity(said: object) -> int | None:
    number = _number(said)
    return int(number) if number in (-1, 0, 1) else None


def _number(said: object) -> float | None:
    """What stands there as a number; True and False are none."""
    if isinstance(said, bool) or not isinstance(said, int | float | str):
        return None
    try:
        return float(said)
    except ValueError:
        return None


def _read(one: Recorded, question: Question, pairs: str) -> Episode:
    kind, _, language = one.condition.partition(".")
    facts = one.closed.facts if one.closed is not None else {}
    score = _number(facts.get(SCORE))
    debate = _debate(one, facts) if kind in DEBATE_KINDS else None
    bound = one.opened.cast.get(RESPONDENT)
    spoken = one.spoken(RESPONDENT)
    params = bound.params if bound is not None else {}
    served = sorted({x.call.model for x in spoken if x.call is not None})
    persons = sorted({x.call.model for x in spoken if x.call is not None and x.source == "human"})
    return Episode(
        question=question,
        respondent=one.model(RESPONDENT),
        language=language,
        kind=kind,
        repetition=one.opened.repetition,
        cause=_cause(one, score, debate) or (left_out(debate, pairs) if debate else ""),
        score=score,
        debate=debate,
        asks=tuple(_asks(one, score, debate)),
        flags=tuple(str(facts.get(FLAGS) or "").split()),
        persons=tuple(persons),
        params=", ".join(f"{name} {params[name]}" for name in sorted(params)),
        served=tuple(served),
    )


def _debate(one: Recorded, facts: Mapping[str, object]) -> Debate:
    sides = {**dict(x for r in one.rulings(SIDES_POLICY) for x in r.facts.items()), **facts}
    return Debate(
        before=_number(facts.get(PRE)),
        after=_number(facts.get(POST)),
        first=str(sides.get(FIRST_SIDE) or ""),
        weak=str(sides.get(WEAK_SIDE) or ""),
        weak_rule=str(sides.get("weak_rule") or ""),
        failed_speech=str(facts.get(SPEECH) or ""),
    )


def _cause(one: Recorded, score: float | None, debate: Debate | None) -> str:
    closed = one.closed
    if closed is None:
        return OPEN
    if closed.outcome is not None:
        is_whole = debate.shift is not None if debate is not None else score is not None
        return "" if is_whole else _STRANGE
    return _told(closed)


def _told(closed: EpisodeClosed) -> str:
    """Reason and cause as one: `no_debate: refusal (speech 2)`."""
    cause, speech = closed.facts.get(CAUSE), closed.facts.get(SPEECH)
    where = f" (speech {speech})" if speech else ""
    return f"{closed.reason}: {cause}{where}" if cause else closed.reason


def _asks(one: Recorded, score: float | None, debate: Debate | None) -> Iterator[Ask]:
    """Every ask for a number that came to an end. An open episode has none yet."""
    closed = one.closed
    if closed is None:
        return
    missing = str(closed.facts.get(CAUSE) or "failed")
    answers = _answers(one)
    if debate is None:
        if score is not None or closed.reason == NO_SCORE:
            yield _ask("alone", score, missing, answers[:1])
        return
    if debate.before is not None or closed.reason == NO_PRE:
        yield _ask("before", debate.before, missing, answers[:1])
    if debate.after is not None or closed.reason == NO_POST:
        yield _ask("after", debate.after, missing, answers[1:2])


def _ask(step: Step, value: float | None, cause: str, answers: list[int]) -> Ask:
    count = answers[0] if answers else 1
    return Ask(step=step, value=value, cause="" if value is not None else cause, answers=count)


def _answers(one: Recorded) -> list[int]:
    """Answers to each ask of the respondent, failures among them, in order of the turns."""
    counts: Counter[int] = Counter()
    for event in one.events:
        if isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed):
            counts[event.turn] += event.role == RESPONDENT
    return [counts[turn] for turn in sorted(counts) if counts[turn]]
