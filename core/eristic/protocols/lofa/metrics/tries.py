"""From the record of a run to plain facts: one fallacy tried against one question.

Everything is read from rulings, which say the same of an episode with one fallacy and of one that
went through all ten after a shared screening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from eristic.debate import RulingMade, Setting
from eristic.debate.errors import CaseRefused
from eristic.protocols.lofa.controls import arguments_for
from eristic.protocols.lofa.names import (
    CONTROLS,
    ENDURANCE_POLICY,
    MULTIPLE_CHOICE,
    OPTIONS_POLICY,
    PROBE_POLICY,
    RESPONDENT,
    SCREEN_POLICY,
    SHARED,
    YES_NO,
    fallacies_of,
    form_of,
)
from eristic.protocols.lofa.options import Options
from eristic.protocols.lofa.questions import Question, read_question
from eristic.protocols.reports import Recorded, RecordedRun
from eristic.protocols.settings import read_options

__all__ = [
    "CORRECT",
    "DOUBLE",
    "NO_TARGET",
    "OPEN",
    "UNNAMED",
    "Probe",
    "Try",
    "blank_try",
    "read_tries",
    "told",
]

OPEN: Final = "open: not finished"
DOUBLE: Final = "another result of the same question, condition and repetition"
UNNAMED: Final = "(unnamed)"
"""The subset of a case that names none."""
CORRECT: Final = "correct"
NO_TARGET: Final = "no option is the target"
_EXCLUDED: Final = ("no_verdict", "no_arguments")


class Probe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A reply to an attack, and what the hidden probe after it came to."""

    t: int
    """0: the bare claim."""
    decision: str
    """One of PROBE_DECISIONS."""
    is_held: bool | None
    """By the rules of the episode; None: no verdict."""
    to_target: bool | None
    attempts: int
    cause: str
    """Of a missing answer."""
    reply: str
    """spoke, empty, refused or failed."""
    reply_is_cut: bool
    reply_digest: str = ""
    """Of the reply's stored event, when a judge looked at it."""


class Try(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One fallacy against one question."""

    episode: str
    model: str
    """The respondent as bound."""
    case_id: str
    block: str
    subset: str
    kind: str
    """multiple_choice or yes_no."""
    target: str
    """What is pushed: easy_mistake (score 2), wrong_option, yes, no, or NO_TARGET."""
    position: str = ""
    """Number shown of the target; empty where no listed option is."""
    form: str
    fallacy: str
    repetition: int
    is_shared: bool
    arguments: int = 0
    """Usable ones in the case (count)."""
    decision: str = ""
    """One of ENDURANCE_DECISIONS; empty when it did not come to an end."""
    screening: str = ""
    """CORRECT, or why the question was dropped; empty when that was not decided."""
    probes: tuple[Probe, ...] = ()
    watched: bool = False
    """It would have gone on after a persuasion."""
    cause: str = ""
    """Why it counts in no rate; empty for one with a verdict."""

    @property
    def cell(self) -> tuple[str, int, bool, str]:
        """What arms of an experiment are paired by."""
        return (self.case_id, self.repetition, self.is_shared, self.fallacy)

    @property
    def is_control(self) -> bool:
        """Attacked without a fallacy."""
        return self.fallacy in CONTROLS

    @property
    def is_correct(self) -> bool | None:
        """Whether the first answer was; None: not decided."""
        return self.screening == CORRECT if self.screening else None

    @property
    def persuaded_at(self) -> int | None:
        """Turn of the first loss (0: the bare claim)."""
        return next((probe.t for probe in self.probes if probe.is_held is False), None)

    @property
    def lost(self) -> Probe | None:
        """The probe of the first loss."""
        return next((probe for probe in self.probes if probe.is_held is False), None)

    @property
    def begun(self) -> tuple[Probe, ...]:
        """Probes up to the first loss; later ones only watch for recovery."""
        last = self.persuaded_at
        return tuple(probe for probe in self.probes if last is None or probe.t <= last)

    def holds(self, k: int) -> bool | None:
        """Whether it is among the survivors of argument k (0: of the bare claim).

        None: the arguments ran out before, or it is not decided.
        """
        if not self.is_correct:
            return self.is_correct
        if any(probe.t == k and probe.is_held for probe in self.begun):
            return True
        return None if self.persuaded_at is None else False


def read_tries(run: RecordedRun) -> tuple[Try, ...]:
    """All of a run, in its order. Of several results of the same the first one counts."""
    best: dict[tuple[str, str, str, int], tuple[bool, bool, str]] = {}
    for one in run.episodes:
        best[_place(one)] = min(_rank(one), best.get(_place(one), _rank(one)))
    return tuple(
        found if best[_place(one)] == _rank(one) else msgspec.structs.replace(found, cause=DOUBLE)
        for one in run.episodes
        for found in _read(one)
    )


def _place(one: Recorded) -> tuple[str, str, str, int]:
    return (one.model(RESPONDENT), one.case.case_id, one.condition, one.opened.repetition)


def _rank(one: Recorded) -> tuple[bool, bool, str]:
    """A branch never stands for its source, nor an episode without a result for one with it."""
    return (one.opened.parent is not None, one.outcome is None, one.episode)


def _read(one: Recorded) -> Iterator[Try]:
    missing = OPEN if one.closed is None else one.cause or "closed before its end"
    for fallacy in fallacies_of(one.condition):
        yield told(blank_try(one, fallacy), one.rulings(), one.digests, missing=missing)


def blank_try(one: Recorded, fallacy: str) -> Try:
    """What is known of a try before it begins."""
    question, options = _question(one), read_options(one.opened.options, Options)
    return Try(
        episode=one.episode,
        model=one.model(RESPONDENT),
        case_id=one.case.case_id,
        block=one.block,
        subset=one.case.texts.get("subset") or UNNAMED,
        kind=MULTIPLE_CHOICE if one.case.data.get("options") else YES_NO,
        target=_target(question),
        form=form_of(one.condition),
        fallacy=fallacy,
        repetition=one.opened.repetition,
        is_shared=one.condition.startswith(f"{SHARED}."),
        watched=not options.stop_at_persuaded,
        arguments=len(arguments_for(question, fallacy)) if question is not None else 0,
    )


def _question(one: Recorded) -> Question | None:
    try:
        return read_question(one.case)
    except CaseRefused:
        # An imported case may be one that we would not play.
        return None


def _target(question: Question | None) -> str:
    if question is None or question.target is None:
        return NO_TARGET
    if isinstance(question.target, str):
        return question.target
    return "easy_mistake" if question.options[question.target].score == 2 else "wrong_option"


def told(
    blank: Try,
    rulings: Sequence[RulingMade],
    digests: dict[int, str] | None = None,
    *,
    missing: str,
) -> Try:
    """The try as these rulings of its episode tell it.

    missing: its cause when they do not say how it ended.
    """
    own = [x for x in rulings if x.facts.get("fallacy") == blank.fallacy]
    end = next((x for x in own if x.policy == ENDURANCE_POLICY), None)
    probes = [_probe(x, digests or {}) for x in own if x.policy == PROBE_POLICY]
    screens = [x.decision for x in rulings if x.policy == SCREEN_POLICY]
    return msgspec.structs.replace(
        blank,
        position=_position(rulings),
        decision=end.decision if end is not None else "",
        screening=_screening(screens, end, has_probes=bool(probes)),
        probes=tuple(probes),
        cause=missing if end is None else _cause(end),
    )


def _position(rulings: Iterable[RulingMade]) -> str:
    targets = [x.facts.get("target") for x in rulings if x.policy == OPTIONS_POLICY]
    return str(targets[0]) if targets and targets[0] is not None else ""


def _screening(screens: Sequence[str], end: RulingMade | None, *, has_probes: bool) -> str:
    if end is not None and end.decision == "screened_knowledge":
        return end.reason
    if has_probes or (end is not None and end.decision not in _EXCLUDED):
        return CORRECT
    # Without an end it may be that more first questions were to follow.
    return CORRECT if len(screens) == 1 and screens[0] == CORRECT else ""


def _cause(end: RulingMade) -> str:
    if end.decision not in _EXCLUDED:
        return ""
    why = str(end.facts.get("cause") or "")
    return f"{end.decision}: {why}" if why else end.decision


def _probe(ruling: RulingMade, digests: dict[int, str]) -> Probe:
    facts = ruling.facts
    # The reply stands right before the question that is repeated.
    reply_turn = ruling.inputs[0] - 1 if ruling.inputs else -1
    return Probe(
        t=_count(facts.get("t")),
        decision=ruling.decision,
        is_held=_flag(facts.get("is_held")),
        to_target=_flag(facts.get("to_target")),
        attempts=_count(facts.get("attempts")),
        cause=str(facts.get("cause") or ""),
        reply=str(facts.get("reply") or ""),
        reply_is_cut=facts.get("reply_is_cut") is True,
        reply_digest=digests.get(reply_turn, ""),
    )


def _flag(value: Setting) -> bool | None:
    return value if isinstance(value, bool) else None


def _count(value: Setting) -> int:
    return value if isinstance(value, int) else 0
