"""A build: facts and forged facts side by side, then all drafts, then accept or refine."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Final

import msgspec

from eristic.debate import EpisodeClosed, Setting
from eristic.protocols.lofa.build_options import BuildOptions, chosen_fallacies
from eristic.protocols.lofa.build_turns import (
    RETRIEVER,
    Facts,
    Job,
    asked_annotator,
    asked_forger,
    asked_retriever,
    asked_rewriter,
    asked_writer,
)
from eristic.protocols.lofa.names import ANNOTATION_POLICY, FACTS_POLICY
from eristic.protocols.machine import Step
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Heard, Scene, Story

__all__ = ["tell_build"]

_SOURCE_TEXTS: Final = ("source", "source_revision", "source_date")
_SETTLED: Final = ("accepted", "dropped", "no_draft", "no_annotation")


class Draft(msgspec.Struct, frozen=True):
    """An argument as it stands."""

    job: Job
    heard: Heard


def tell_build(scene: Scene) -> Story:
    """The turn order."""
    options = read_options(scene.opened.options, BuildOptions)
    facts = yield from _gather(scene, options)
    if isinstance(facts, EpisodeClosed):
        return facts
    jobs = [
        Job(fallacy, number)
        for fallacy in chosen_fallacies(options)
        for number in range(1, options.arguments + 1)
    ]
    asked = [asked_writer(scene.case, facts, job, options) for job in jobs]
    heard = yield from scene.ask_all(*asked)
    drafts = [Draft(job, text) for job, text in zip(jobs, heard, strict=True)]
    accepted = rounds = 0
    while drafts:
        rounds += 1
        verdicts = yield from _look(scene, drafts, rounds, options)
        accepted += sum(verdict == "accepted" for verdict in verdicts.values())
        drafts = [draft for draft in drafts if verdicts[draft.job] not in _SETTLED]
        drafts = yield from _rewrite(scene, facts, drafts, verdicts, options)
    return _close(scene, accepted, len(jobs), rounds)


def _close(scene: Scene, accepted: int, asked: int, rounds: int) -> EpisodeClosed:
    is_whole = accepted == asked
    outcome = ("built" if is_whole else "built_in_part") if accepted else "nothing_built"
    counts: dict[str, Setting] = {"accepted": accepted, "dropped": asked - accepted}
    return scene.close(outcome, outcome, rounds=rounds, facts=counts)


def _gather(scene: Scene, options: BuildOptions) -> Generator[Step, None, Facts | EpisodeClosed]:
    """The true facts, given with the case or retrieved, and the forged ones."""
    case = scene.case
    is_retrieved = RETRIEVER in scene.opened.cast
    given = case.texts.get("true_facts", "").strip()
    if not is_retrieved and not given:
        return scene.close(None, "no_true_facts")
    asked = [asked_forger(case, options)]
    if is_retrieved:
        asked.insert(0, asked_retriever(case, options))
    heard = yield from scene.ask_all(*asked)
    for turn, reason in zip(reversed(heard), ("no_forged_facts", "no_true_facts"), strict=False):
        if not turn.is_read:
            return scene.close(None, reason, failed=turn)
    facts = Facts(
        true_facts=heard[0].value if is_retrieved else given, forged_facts=heard[-1].value
    )
    yield from scene.rule(
        FACTS_POLICY,
        [turn.turn for turn in heard],
        "retrieved" if is_retrieved else "given",
        facts={
            "true_facts": facts.true_facts,
            **{f"true_facts_{name}": case.texts.get(name) for name in _SOURCE_TEXTS},
            "forged_facts": facts.forged_facts,
        },
    )
    return facts


def _look(
    scene: Scene, drafts: Sequence[Draft], iteration: int, options: BuildOptions
) -> Generator[Step, None, dict[Job, str]]:
    """What became of each draft: a settled decision, or the remark with which it is sent back."""
    written = [draft for draft in drafts if draft.heard.is_read]
    asked = [asked_annotator(scene.case, x.job, x.heard.value, options) for x in written]
    answers = yield from scene.ask_all(*asked)
    looks = dict(zip((draft.job for draft in written), answers, strict=True))
    found: dict[Job, str] = {}
    for draft in drafts:
        look = looks.get(draft.job)
        decision = _decide(look, is_last=iteration == options.refine_limit)
        remark = _remark(look)
        facts: dict[str, Setting] = {
            "fallacy": draft.job.fallacy,
            "argument": draft.job.number,
            "iteration": iteration,
            "remark": remark,
        }
        if decision == "accepted":
            facts["text"] = draft.heard.value
        if look is None or not look.is_read:
            facts["cause"] = (look or draft.heard).cause
        inputs = [draft.heard.turn, *([look.turn] if look is not None else ())]
        yield from scene.rule(ANNOTATION_POLICY, inputs, decision, round=iteration, facts=facts)
        found[draft.job] = remark if decision == "refine" else decision
    return found


def _decide(look: Heard | None, *, is_last: bool) -> str:
    if look is None:
        return "no_draft"
    if not look.is_read:
        return "no_annotation"
    if look.value == "accept":
        return "accepted"
    return "dropped" if is_last else "refine"


def _remark(look: Heard | None) -> str:
    reading = look.reading if look is not None else None
    return reading.parts.get("remark", "") if reading is not None else ""


def _rewrite(
    scene: Scene,
    facts: Facts,
    drafts: Sequence[Draft],
    remarks: Mapping[Job, str],
    options: BuildOptions,
) -> Generator[Step, None, list[Draft]]:
    asked = [
        asked_rewriter(scene.case, facts, x.job, x.heard.value, remarks[x.job], options)
        for x in drafts
    ]
    heard = yield from scene.ask_all(*asked)
    return [Draft(draft.job, text) for draft, text in zip(drafts, heard, strict=True)]
