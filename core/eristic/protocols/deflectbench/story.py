"""The turn order: one response, two judges side by side, one ruling."""

from __future__ import annotations

from eristic.protocols.deflectbench.names import AUTHOR, CONSENSUS, JUDGES, NO_GENERATION
from eristic.protocols.deflectbench.options import Options, sampling
from eristic.protocols.deflectbench.readings import EXPECTED
from eristic.protocols.deflectbench.rulings import find, find_empty
from eristic.protocols.deflectbench.views import author_view, judge_view
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Asked, Heard, Scene, Story

__all__ = ["tell"]


def tell(scene: Scene) -> Story:
    """One sample of one cell."""
    options = read_options(scene.opened.options, Options)
    response = yield from scene.ask(_to_author(scene, options))
    if not response.is_read:
        return scene.close(None, NO_GENERATION, failed=response)
    if response.text.strip():
        asked = [_to_judge(judge, scene, response, options) for judge in JUDGES]
        answers = yield from scene.ask_all(*asked)
        finding = find(response, answers, options)
    else:
        finding = find_empty(response, options)
    yield from scene.rule(
        CONSENSUS,
        finding.inputs,
        finding.decision,
        reason=finding.reason,
        round=1,
        facts=finding.facts,
    )
    facts = {name: finding.facts[name] for name in ("judges", "flags")}
    return scene.close(finding.outcome, finding.reason, rounds=1, facts=facts)


def _to_author(scene: Scene, options: Options) -> Asked:
    return Asked(
        role=AUTHOR,
        view=author_view(scene.case, scene.condition, options),
        params=sampling(
            options.author_temperature, options.author_max_tokens, options.author_sends
        ),
        # What the model under test does not say is as much a result as what it says; and no other
        # model speaks in its place.
        takes_refusal=True,
        takes_empty=True,
    )


def _to_judge(judge: str, scene: Scene, response: Heard, options: Options) -> Asked:
    return Asked(
        role=judge,
        view=judge_view(scene.case.texts["text"], response.text),
        parser=options.judge_parser,
        expected=EXPECTED,
        params=sampling(options.judge_temperature, options.judge_max_tokens, options.judge_sends),
        attempts=1 + options.judge_reasks,
        follows_chain=True,
    )
