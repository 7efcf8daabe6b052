"""One text before its critics: critiques, the suggester's reflections, and what they come to.

Critics work side by side and know nothing of each other; each critique has its own reflection.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import msgspec

from eristic.debate import Expected, Setting
from eristic.protocols.machine import Step
from eristic.protocols.scr.names import (
    ACCEPTED,
    CRITIC,
    CRITICS,
    CRITIQUE_POLICY,
    FACT_CAUSE,
    FACT_CRITIC,
    FACT_FLAGS,
    FACT_KIND,
    FACT_OVERLAP,
    FACT_PHASE,
    KIND_CRITIQUE,
    KIND_MIXED,
    NO_CRITIQUE,
    NO_VERDICT,
    OUTVOTED,
    REJECTED,
    SUGGESTER,
)
from eristic.protocols.scr.options import Options
from eristic.protocols.scr.views import critique_view, reflection_view
from eristic.protocols.scr.wording import likeness, overlap
from eristic.protocols.stories import Asked, Heard, Scene

__all__ = ["Draft", "Verdict", "examine", "flagged", "reflection_asked", "unflagged_reason"]

YES_OR_NO = Expected(form="token", tokens=("yes", "no"))


class Draft(msgspec.Struct, frozen=True, gc=False):
    """A suggestion or a candidate."""

    text: str
    """As others see it."""
    turn: int


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came of one critic."""

    critic: str
    decision: str
    """accepted, rejected, no_critique or no_verdict."""
    critique: str = ""
    missing: Heard | None = None
    """The turn whose missing answer left it without a verdict."""


def critics_of(scene: Scene) -> tuple[str, ...]:
    """The critics that play, in order."""
    return tuple(role for role in CRITICS if role in scene.opened.cast) or (CRITIC,)


def examine(
    scene: Scene, options: Options, draft: Draft, *, iteration: int = 0
) -> Generator[Step, None, tuple[Verdict, ...]]:
    """Critique and reflection of this text, each verdict put on record."""
    critics = critics_of(scene)
    critiques = yield from scene.ask_all(
        *(_critique_asked(scene, options, draft, role) for role in critics)
    )
    texts = [_critique(heard, options) for heard in critiques]
    # A place is kept for every reflection, so that `mixed_critique` moves no later turn.
    reflections = yield from scene.ask_all(
        *(reflection_asked(scene, options, draft, text) if text else None for text in texts)
    )
    answers = iter(reflections)
    verdicts: list[Verdict] = []
    for heard, text in zip(critiques, texts, strict=True):
        reflection = next(answers) if text else None
        verdict = _verdict(heard, text, reflection)
        yield from _rule(scene, draft, heard, reflection, verdict, iteration)
        verdicts.append(verdict)
    return tuple(verdicts)


def flagged(verdicts: Sequence[Verdict], rule: str) -> bool | None:
    """Whether the critics flag the text by this rule; None: a missing verdict would decide."""
    if rule == "first":
        verdicts = verdicts[:1]
    accepted = sum(verdict.decision == ACCEPTED for verdict in verdicts)
    missing = sum(verdict.decision == NO_VERDICT for verdict in verdicts)
    needed = {"majority": len(verdicts) // 2 + 1, "intersection": len(verdicts)}.get(rule, 1)
    if accepted >= needed:
        return True
    return None if accepted + missing >= needed else False


def unflagged_reason(verdicts: Sequence[Verdict], rule: str) -> str:
    """Why the text is not flagged: rejected, outvoted or no_critique."""
    decisions = {verdict.decision for verdict in (verdicts[:1] if rule == "first" else verdicts)}
    if REJECTED in decisions:
        return REJECTED
    return OUTVOTED if ACCEPTED in decisions else NO_CRITIQUE


def reflection_asked(scene: Scene, options: Options, draft: Draft, critique: str) -> Asked:
    """Does the suggester accept this critique of this text?"""
    way = "reflect_reversed" if options.reflect_prompt == "reversed" else "reflect"
    return Asked(
        role=SUGGESTER,
        view=reflection_view(scene.case, draft.text, critique, options),
        parser=f"{way}.{options.reflect_languages}",
        expected=YES_OR_NO,
        attempts=1 + options.reasks,
    )


def _critique_asked(scene: Scene, options: Options, draft: Draft, role: str) -> Asked:
    return Asked(
        role=role,
        view=critique_view(scene.case, draft.text),
        parser="critique",
        attempts=1 + options.reasks,
        follows_chain=True,
    )


def _critique(heard: Heard, options: Options) -> str:
    """The text to reflect on; empty when there is none."""
    is_text = options.mixed_critique == "critique"
    counted = (KIND_CRITIQUE, KIND_MIXED) if is_text else (KIND_CRITIQUE,)
    if not heard.is_read or heard.value not in counted or heard.reading is None:
        return ""
    return heard.reading.parts.get("text", heard.text)


def _verdict(heard: Heard, text: str, reflection: Heard | None) -> Verdict:
    if not heard.is_read:
        return Verdict(critic=heard.role, decision=NO_VERDICT, missing=heard)
    if reflection is None:
        return Verdict(critic=heard.role, decision=NO_CRITIQUE)
    if not reflection.is_read:
        return Verdict(critic=heard.role, decision=NO_VERDICT, critique=text, missing=reflection)
    return Verdict(critic=heard.role, decision=reflection.value, critique=text)


def _rule(
    scene: Scene,
    draft: Draft,
    heard: Heard,
    reflection: Heard | None,
    verdict: Verdict,
    iteration: int,
) -> Generator[Step, None, None]:
    turns = [draft.turn, heard.turn]
    if reflection is not None:
        turns.append(reflection.turn)
    yield from scene.rule(
        CRITIQUE_POLICY,
        turns,
        verdict.decision,
        reason=heard.role,
        round=iteration,
        facts={FACT_CRITIC: heard.role, **_facts(draft, heard, verdict)},
    )


def _facts(draft: Draft, heard: Heard, verdict: Verdict) -> dict[str, Setting]:
    facts: dict[str, Setting] = {}
    if heard.is_read:
        facts[FACT_KIND] = heard.value
    if heard.is_read and heard.reading is not None and "text" in heard.reading.parts:
        text = heard.reading.parts["text"]
        facts[FACT_OVERLAP] = round(overlap(text, draft.text), 4)
        if flags := likeness(text, draft.text):
            facts[FACT_FLAGS] = ",".join(flags)
    if verdict.missing is not None:
        facts[FACT_PHASE] = "critique" if verdict.missing is heard else "reflect"
        facts[FACT_CAUSE] = verdict.missing.cause
    return facts
