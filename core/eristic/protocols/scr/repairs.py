"""Repair on the fly: refine, compare, examine again, until the suggester defends its suggestion.

The result is the last text that was kept: at first the original, then each candidate that came out
of its comparison as better. A candidate whose examination gave no verdict is not kept.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

import msgspec

from eristic.debate import EpisodeClosed, Expected, Setting
from eristic.protocols.machine import Step
from eristic.protocols.scr.comparisons import FIRST, SECOND, TIE
from eristic.protocols.scr.examinations import Draft, Verdict, examine, flagged
from eristic.protocols.scr.names import (
    ACCEPTED,
    BUDGET,
    COMPARED_BETTER,
    COMPARED_EQUAL,
    COMPARED_TIED,
    COMPARED_UNREADABLE,
    COMPARED_WORSE,
    COMPARER,
    CYCLE,
    DEGENERATE,
    FACT_AGAINST,
    FACT_CAUSE,
    FACT_CHANGED,
    FACT_COMPARED,
    FACT_HINTS,
    FACT_ITERATION,
    FACT_ITERATIONS,
    FACT_ORDER,
    FACT_PHASE,
    FACT_REPAIRED,
    FACT_RESULT_TURN,
    FACT_TRY,
    KEPT,
    NO_VERDICT,
    ORDER_BOTH,
    ORDER_SECOND,
    REPAIR_POLICY,
    REPAIRED,
    STOPPED_DEGENERATE,
    SUGGESTER,
)
from eristic.protocols.scr.options import Options
from eristic.protocols.scr.views import comparison_view, refinement_view
from eristic.protocols.scr.wording import hints_of, key_of
from eristic.protocols.stories import Asked, Heard, Scene, Story

__all__ = ["Repair"]

CHOICE = Expected(form="token", tokens=(FIRST, SECOND, TIE))
_AS_SECOND = {SECOND: COMPARED_BETTER, FIRST: COMPARED_WORSE, TIE: COMPARED_TIED}
_AS_FIRST = {FIRST: COMPARED_BETTER, SECOND: COMPARED_WORSE, TIE: COMPARED_TIED}


class _Compared(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came of a comparison."""

    result: str = ""
    """better, tied, worse, unreadable or equal; empty when a call is missing."""
    turns: tuple[int, ...] = ()
    facts: dict[str, Setting] = {}
    missing: Heard | None = None


class _Candidate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A rewritten text and what is on record about it."""

    draft: Draft
    turns: tuple[int, ...]
    facts: dict[str, Setting]


class Repair:
    """One repair. Told anew for every decision, like the story that it is a part of."""

    def __init__(
        self,
        scene: Scene,
        options: Options,
        original: Draft,
        critique: str,
        facts: Mapping[str, Setting],
    ) -> None:
        self._scene = scene
        self._options = options
        self._original = original
        self._current = original
        self._critique = critique
        self._facts = facts
        self._earlier = {key_of(original.text)}
        self._iteration = 0

    def tell(self) -> Story:
        """Iterations until one of them ends it, or the budget does."""
        while self._iteration < self._options.repair_budget:
            self._iteration += 1
            found = yield from self._improve()
            if not isinstance(found, _Candidate):
                return self._close(*found)
            verdicts = yield from examine(
                self._scene, self._options, found.draft, iteration=self._iteration
            )
            is_flagged = flagged(verdicts, self._options.critics_rule)
            if is_flagged is None:
                missing = _missing(verdicts)
                yield from self._rule(found, NO_VERDICT)
                return self._close(None, missing)
            self._current = found.draft
            if not is_flagged:
                yield from self._rule(found, REPAIRED)
                return self._close(REPAIRED)
            yield from self._rule(found, KEPT)
            self._critique = next(x.critique for x in verdicts if x.decision == ACCEPTED)
        return self._close(BUDGET)

    def _improve(
        self,
    ) -> Generator[Step, None, _Candidate | tuple[str | None, Heard | None]]:
        """A candidate that passed its comparison, or how the repair ends."""
        retries = self._options.refine_retries
        tries = 1 + (retries if self._options.on_degenerate == "retry_refine" else 0)
        for number in range(1, tries + 1):
            heard = yield from self._scene.ask(self._refinement())
            if not heard.is_read:
                return None, heard
            draft = Draft(heard.value, heard.turn)
            facts = self._facts_of(draft, number)
            if self._is_cycle(draft):
                yield from self._rule(_candidate(draft, facts), CYCLE)
                return CYCLE, None
            self._earlier.add(key_of(draft.text))
            compared = yield from self._compare(draft)
            found = _candidate(draft, facts | compared.facts, compared.turns)
            if compared.missing is not None:
                yield from self._rule(found, NO_VERDICT)
                return None, compared.missing
            if self._passes(compared.result):
                return found
            yield from self._rule(found, DEGENERATE)
        return STOPPED_DEGENERATE, None

    def _refinement(self) -> Asked:
        """Whatever comes of it is a candidate, a refusal and an empty text too."""
        return Asked(
            role=SUGGESTER,
            view=refinement_view(self._scene.case, self._current.text, self._critique),
            parser="suggestion",
            takes_refusal=True,
            takes_empty=True,
        )

    def _is_cycle(self, draft: Draft) -> bool:
        """Equal to an earlier text. Equal to the current one it is a tie."""
        key = key_of(draft.text)
        return key in self._earlier and key != key_of(self._current.text)

    def _compare(self, draft: Draft) -> Generator[Step, None, _Compared]:
        """The candidate beside what it must be better than; no call when it is the current text."""
        if key_of(draft.text) == key_of(self._current.text):
            return _Compared(result=COMPARED_EQUAL, facts={FACT_COMPARED: COMPARED_EQUAL})
        against = self._options.compare_against
        other = self._original if against == "original" else self._current
        swapped = (
            self._comparison(draft.text, other.text) if self._options.compare_swapped else None
        )
        answers = yield from self._scene.ask_all(
            self._comparison(other.text, draft.text), *((swapped,) if swapped else ())
        )
        facts: dict[str, Setting] = {
            FACT_AGAINST: against,
            FACT_ORDER: ORDER_BOTH if swapped else ORDER_SECOND,
        }
        turns = tuple(heard.turn for heard in answers)
        for heard in answers:
            if heard.status in ("failed", "overflow"):
                facts |= {FACT_PHASE: "compare", FACT_CAUSE: heard.cause}
                return _Compared(turns=turns, facts=facts, missing=heard)
        result = _result(answers)
        return _Compared(result=result, turns=turns, facts={FACT_COMPARED: result, **facts})

    def _comparison(self, first: str, second: str) -> Asked:
        return Asked(
            role=COMPARER if COMPARER in self._scene.opened.cast else SUGGESTER,
            view=comparison_view(self._scene.case, first, second),
            parser="comparison",
            expected=CHOICE,
            attempts=1 + self._options.reasks,
        )

    def _passes(self, result: str) -> bool:
        is_tie = result in (COMPARED_TIED, COMPARED_EQUAL)
        return result == COMPARED_BETTER or (is_tie and not self._options.tie_is_degenerate)

    def _facts_of(self, draft: Draft, number: int) -> dict[str, Setting]:
        facts: dict[str, Setting] = {FACT_ITERATION: self._iteration, FACT_TRY: number}
        hints = hints_of(draft.text, self._current.text, self._scene.case.texts["situation"])
        return facts | ({FACT_HINTS: ",".join(hints)} if hints else {})

    def _rule(self, candidate: _Candidate, decision: str) -> Generator[Step, None, None]:
        yield from self._scene.rule(
            REPAIR_POLICY,
            candidate.turns,
            decision,
            reason=str(candidate.facts.get(FACT_COMPARED, "")),
            round=self._iteration,
            facts=candidate.facts,
        )

    def _close(self, outcome: str | None, missing: Heard | None = None) -> EpisodeClosed:
        facts: dict[str, Setting] = {
            **self._facts,
            FACT_ITERATIONS: self._iteration,
            FACT_CHANGED: key_of(self._current.text) != key_of(self._original.text),
            FACT_REPAIRED: outcome == REPAIRED,
            FACT_RESULT_TURN: self._current.turn,
        }
        return self._scene.close(
            outcome,
            outcome or NO_VERDICT,
            rounds=self._iteration,
            facts=facts,
            failed=missing,
        )


def _candidate(draft: Draft, facts: dict[str, Setting], turns: Sequence[int] = ()) -> _Candidate:
    return _Candidate(draft=draft, turns=(draft.turn, *turns), facts=facts)


def _result(answers: Sequence[Heard]) -> str:
    """What the comparer says in all orders; two orders that disagree are a tie."""
    if not all(heard.is_read for heard in answers):
        return COMPARED_UNREADABLE
    results = {
        way[heard.value] for way, heard in zip((_AS_SECOND, _AS_FIRST), answers, strict=False)
    }
    return results.pop() if len(results) == 1 else COMPARED_TIED


def _missing(verdicts: Sequence[Verdict]) -> Heard | None:
    return next((x.missing for x in verdicts if x.missing is not None), None)
