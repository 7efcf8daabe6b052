"""From the recorded episodes of a run to plain facts: advice, verdicts, controls, repairs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eristic.debate import EpisodeClosed, RulingMade, Setting, TurnSpoken
from eristic.protocols.reports import Recorded, RecordedRun
from eristic.protocols.scr.examinations import Verdict, flagged
from eristic.protocols.scr.metrics.mending import Mending, read_mending
from eristic.protocols.scr.names import (
    ACCEPTED,
    CRITICS,
    CRITIQUE_POLICY,
    FACT_CAUSE,
    FACT_CRITIC,
    FACT_FLAGS,
    FACT_KIND,
    FACT_PHASE,
    NO_CRITIQUE,
    NO_SUGGESTION,
    NO_VERDICT,
    PLACEBO_POLICY,
    REJECTED,
    SUGGESTER,
)
from eristic.protocols.scr.readings import REFUSAL_FLAG

__all__ = ["COPIED", "OPEN", "Episode", "Said", "read_run"]

OPEN = "open"
COPIED = "taken over from the run it branched from"
_OTHER = "other"


class Said(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came of one critic before the suggestion."""

    critic: str
    """Role."""
    decision: str
    """accepted, rejected, no_critique or no_verdict."""
    cause: str = ""
    """Of no_verdict: phase and cause."""
    phase: str = ""
    """Of no_verdict: critique or reflect."""
    kind: str = ""
    """critique, mixed or none; empty without an answer."""
    flags: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool | None:
        """Whether the suggester accepts a critique of this critic; None without a verdict."""
        return None if self.decision == NO_VERDICT else self.decision == ACCEPTED

    @property
    def criticises(self) -> bool | None:
        """Whether it has a critique; None without an answer of the critic."""
        if self.decision == NO_VERDICT:
            return None if self.phase != "reflect" else True
        return self.decision != NO_CRITIQUE


class Episode(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One case: advice, what its critics and its author say of it, and perhaps its repair."""

    recorded: Recorded
    cause: str = ""
    """Why it has no verdict that counts; empty when it has one."""
    flagged: bool | None = None
    """By the run's rule over its critics; None without a verdict that counts."""
    said: tuple[Said, ...] = ()
    """Critic by critic, in the order of roles."""
    placebos: dict[str, str] = {}
    """Kind of control critique -> accepted, rejected or no_verdict."""
    digest: str = ""
    """Of the event of the suggestion; empty unless a judge looked at it."""
    words: int | None = None
    """Of the suggestion, parted by blanks (count); None without one."""
    is_refusal: bool = False
    mending: Mending | None = None
    """None: no repair, or none yet."""

    @property
    def suggester(self) -> str:
        """Model as bound."""
        return self.recorded.model(SUGGESTER)

    @property
    def critics(self) -> dict[str, str]:
        """Role -> model as bound, in the order of roles."""
        cast = self.recorded.opened.cast
        return {role: cast[role].model for role in CRITICS if role in cast}

    @property
    def block(self) -> str:
        """Seed, or situation."""
        return self.recorded.block

    @property
    def rule(self) -> str:
        """How several critics flag."""
        return str(self.recorded.opened.options.get("critics_rule", "union"))

    def text(self, name: str, without: str = "") -> str:
        """A text of the case."""
        return self.recorded.case.texts.get(name, "").strip() or without

    @property
    def aspect(self) -> str:
        """Source of the seed; `other` when the case does not say."""
        return self.text("aspect", _OTHER)

    def has_critique(self) -> bool | None:
        """Whether any critic whose word counts has one; None without a verdict that counts."""
        if self.flagged is None:
            return None
        counted = self.said[:1] if self.rule == "first" else self.said
        return any(one.criticises for one in counted)

    def by_rule(self, rule: str) -> bool | None:
        """Whether it were flagged by another rule over the same critics."""
        if self.cause in (OPEN, COPIED) or not self.said:
            return None
        return flagged([Verdict(critic=x.critic, decision=x.decision) for x in self.said], rule)

    def critic(self, role: str) -> Said | None:
        """What came of one critic; None when it counts nowhere."""
        if self.cause in (OPEN, COPIED):
            return None
        return next((one for one in self.said if one.critic == role), None)


def read_run(run: RecordedRun) -> tuple[Episode, ...]:
    """All episodes, in an order that does not depend on the order of reading."""
    return tuple(_read(one) for one in run.episodes)


def _read(one: Recorded) -> Episode:
    first = [x for x in one.rulings(CRITIQUE_POLICY) if x.round == 0]
    said = tuple(sorted((_said(x) for x in first), key=_rank))
    suggestion = _suggestion(one)
    episode = Episode(
        recorded=one,
        said=said,
        placebos=_placebos(one),
        digest=one.digests.get(suggestion.turn, "") if suggestion is not None else "",
        words=len(_text(suggestion).split()) if suggestion is not None else None,
        is_refusal=suggestion is not None and _refuses(suggestion),
        mending=read_mending(one),
    )
    decided = flagged([Verdict(critic=x.critic, decision=x.decision) for x in said], episode.rule)
    cause = _cause(one, said, decided if said else None, first)
    counted = decided if not cause else None
    return msgspec.structs.replace(episode, cause=cause, flagged=counted)


def _cause(
    one: Recorded, said: tuple[Said, ...], decided: bool | None, rulings: list[RulingMade]
) -> str:
    closed = one.closed
    if closed is None:
        return OPEN
    if closed.reason == NO_SUGGESTION:
        return f"{NO_SUGGESTION} ({closed.facts.get(FACT_CAUSE, 'unknown')})"
    if _is_copied(one, rulings):
        return COPIED
    if decided is not None:
        return ""
    missing = next((x.cause for x in said if x.cause), "") or _closing_cause(closed)
    return f"{NO_VERDICT} ({missing})"


def _closing_cause(closed: EpisodeClosed) -> str:
    return str(closed.facts.get(FACT_CAUSE, closed.reason))


def _is_copied(one: Recorded, rulings: list[RulingMade]) -> bool:
    """A branch whose advice and verdict are its source's, which may have been chosen for it."""
    parent = one.opened.parent
    if parent is None or not rulings:
        return False
    shared = {x.turn for x in one.events[: parent.shared] if isinstance(x, TurnSpoken)}
    return all(turn in shared for ruling in rulings for turn in ruling.inputs)


def _said(ruling: RulingMade) -> Said:
    facts = ruling.facts
    phase, cause = _word(facts, FACT_PHASE), _word(facts, FACT_CAUSE)
    flags = _word(facts, FACT_FLAGS)
    return Said(
        critic=_word(facts, FACT_CRITIC),
        decision=ruling.decision,
        phase=phase,
        cause=f"{phase}: {cause}" if cause else "",
        kind=_word(facts, FACT_KIND),
        flags=tuple(flags.split(",")) if flags else (),
    )


def _rank(said: Said) -> int:
    return CRITICS.index(said.critic) if said.critic in CRITICS else len(CRITICS)


def _word(facts: Mapping[str, Setting], name: str) -> str:
    return str(facts.get(name, ""))


def _placebos(one: Recorded) -> dict[str, str]:
    return {
        _word(ruling.facts, FACT_KIND): ruling.decision
        for ruling in one.rulings(PLACEBO_POLICY)
        if ruling.decision in (ACCEPTED, REJECTED, NO_VERDICT)
    }


def _suggestion(one: Recorded) -> TurnSpoken | None:
    """The last attempt at the first turn, when it gave a text."""
    answers = one.last_attempts()
    first = answers.get(min(answers, default=0))
    if not isinstance(first, TurnSpoken) or first.role != SUGGESTER:
        return None
    return first if first.reading is not None and first.reading.status == "read" else None


def _text(suggestion: TurnSpoken) -> str:
    reading = suggestion.reading
    return reading.value if reading is not None and reading.value else suggestion.text


def _refuses(suggestion: TurnSpoken) -> bool:
    by_provider = suggestion.call is not None and suggestion.call.refusal
    flags = suggestion.reading.flags if suggestion.reading is not None else ()
    return by_provider or REFUSAL_FLAG in flags
