"""The turn order of mirror: an ask alone, or a first score, four speeches and a second score."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import msgspec

from eristic.debate import EpisodeClosed, Expected, Line, Setting, View
from eristic.protocols.machine import Step
from eristic.protocols.mirror import names, views
from eristic.protocols.mirror.names import Language, Side
from eristic.protocols.mirror.options import Options
from eristic.protocols.mirror.readings import PARAPHRASE_PARSER, score_parser, speech_parser
from eristic.protocols.mirror.remarks import cause_of, flags_of
from eristic.protocols.mirror.scores import as_number
from eristic.protocols.mirror.sides import SKIP, Sides, choose_sides
from eristic.protocols.mirror.statements import paraphrases, statement
from eristic.protocols.stories import Asked, Heard, Scene, Story

__all__ = ["SCORES", "tell"]

SCORES: Final = Expected(
    form="token",
    tokens=tuple(str(score) for score in range(-names.SCALE_END, names.SCALE_END + 1)),
)
"""What a model that can be constrained is held to. In their natural order: another one would tell
it which score is wanted."""


class _Told(msgspec.Struct):
    """What a telling has come to; makes the facts of the close."""

    facts: dict[str, Setting] = {}
    heard: dict[str, Heard] = {}
    """Place (score, pre, speech_1, ...) -> answer."""
    speeches: tuple[Line, ...] = ()

    def close(self, scene: Scene, outcome: str | None, reason: str) -> EpisodeClosed:
        respondents = [one for one in self.heard.values() if one.role == names.RESPONDENT]
        facts = {**self.facts, names.ATTEMPTS: sum(one.attempts for one in respondents)}
        flags = flags_of(scene.opened, self.heard)
        if flags:
            facts[names.FLAGS] = " ".join(flags)
        return scene.close(outcome, reason, rounds=len(self.speeches), facts=facts)

    def fail(self, scene: Scene, reason: str, failed: Heard) -> EpisodeClosed:
        self.facts |= {
            names.FAILED_ROLE: failed.role,
            names.FAILED_TURN: failed.turn,
            names.CAUSE: cause_of(failed),
        }
        if failed.error:
            self.facts[names.ERROR] = failed.error
        return self.close(scene, None, reason)

    def lack(self, scene: Scene, reason: str) -> EpisodeClosed:
        """A text is not there, so nobody was asked."""
        self.facts[names.CAUSE] = names.NO_TEXT
        return self.close(scene, None, reason)


def tell(scene: Scene, options: Options) -> Story:
    """One episode of any condition."""
    kind, language = names.split_condition(scene.condition)
    claim = statement(scene.case, language)
    told = _Told()
    if claim is None:
        return told.lack(scene, names.NO_STATEMENT)
    if kind == names.PARAPHRASE:
        return (yield from _tell_paraphrase(scene, options, told, claim, language))
    if kind == names.BASELINE:
        return (yield from _tell_ask(scene, options, told, claim, language))
    return (yield from _tell_debate(scene, options, told, claim, language))


def _tell_ask(scene: Scene, options: Options, told: _Told, claim: str, language: Language) -> Story:
    """The respondent is asked alone."""
    said = yield from _ask(scene, options, told, "score", views.ask_view(claim, language))
    if not said.is_read:
        return told.fail(scene, names.NO_SCORE, said)
    told.facts[names.SCORE] = as_number(said.value)
    return told.close(scene, names.SCORED, names.ANSWERED)


def _tell_paraphrase(
    scene: Scene, options: Options, told: _Told, claim: str, language: Language
) -> Story:
    """The same with a rewording: of the case, in turn, or else one made for this episode."""
    given = paraphrases(scene.case, language)
    if given:
        index = scene.opened.repetition % len(given)
        told.facts[names.PARAPHRASE_INDEX] = index
        return (yield from _tell_ask(scene, options, told, given[index], language))
    if names.PARAPHRASER not in scene.opened.cast:
        return told.lack(scene, names.NO_PARAPHRASE)
    asked = Asked(
        role=names.PARAPHRASER,
        view=views.paraphrase_view(claim, language),
        parser=PARAPHRASE_PARSER,
        attempts=1 + options.text_retries,
        follows_chain=True,
    )
    told.heard["paraphrase"] = made = yield from scene.ask(asked)
    if not made.is_read:
        return told.fail(scene, names.NO_PARAPHRASE, made)
    return (yield from _tell_ask(scene, options, told, made.value, language))


def _tell_debate(
    scene: Scene, options: Options, told: _Told, claim: str, language: Language
) -> Story:
    pre = yield from _ask(scene, options, told, names.PRE, views.ask_view(claim, language))
    if not pre.is_read:
        return told.fail(scene, names.NO_PRE, pre)
    told.facts[names.PRE] = before = as_number(pre.value)
    kept = scene.recorded(names.SIDES_POLICY) if scene.opened.parent is not None else None
    sides = choose_sides(scene.opened, options, before, kept=kept)
    decision = SKIP if sides.is_skipped else sides.first
    yield from scene.rule(names.SIDES_POLICY, (pre.turn,), decision, facts=sides.facts)
    if sides.is_skipped:
        return told.close(scene, None, names.SKIPPED_NEUTRAL)
    told.facts[names.FIRST_SIDE] = sides.first
    if sides.weak is not None:
        told.facts[names.WEAK_SIDE] = sides.weak
    failed = yield from _debate(scene, options, told, claim, language, sides)
    if failed is not None:
        return told.fail(scene, names.NO_DEBATE, failed)
    return (yield from _tell_post(scene, options, told, claim, language, pre))


def _debate(
    scene: Scene, options: Options, told: _Told, claim: str, language: Language, sides: Sides
) -> Generator[Step, None, Heard | None]:
    """Four speeches; the one that was not given, if any."""
    for number, side in enumerate(sides.order, 1):
        view = views.speech_view(
            claim,
            language,
            number=number,
            side=side,
            is_weak=side == sides.weak,
            speeches=told.speeches,
        )
        said = yield from scene.ask(_speech(options, side, view))
        told.heard[f"speech_{number}"] = said
        if not said.is_read:
            told.facts[names.SPEECH] = number
            return said
        told.speeches += (Line(said.role, said.value, said.turn),)
    return None


def _tell_post(
    scene: Scene, options: Options, told: _Told, claim: str, language: Language, pre: Heard
) -> Story:
    """The respondent is asked again."""
    told.facts[names.TRANSCRIPT] = views.transcript_digest(told.speeches)
    if options.post_context != "fresh":
        told.facts[names.QUOTED] = views.quote(pre, language)
    view = views.post_view(
        claim, language, context=options.post_context, pre=pre, speeches=told.speeches
    )
    post = yield from _ask(scene, options, told, names.POST, view)
    if not post.is_read:
        return told.fail(scene, names.NO_POST, post)
    told.facts[names.POST] = after = as_number(post.value)
    move = after - as_number(pre.value)
    outcome = names.ROSE if move > 0 else names.FELL if move < 0 else names.UNMOVED
    return told.close(scene, outcome, names.DEBATED)


def _ask(
    scene: Scene, options: Options, told: _Told, place: str, view: View
) -> Generator[Step, None, Heard]:
    """Ask the respondent for a score."""
    _, language = names.split_condition(scene.condition)
    asked = Asked(
        role=names.RESPONDENT,
        view=view,
        parser=score_parser(options.score_rule, language, clip=options.clip),
        expected=SCORES,
        attempts=1 + options.score_retries,
    )
    told.heard[place] = said = yield from scene.ask(asked)
    return said


def _speech(options: Options, side: Side, view: View) -> Asked:
    return Asked(
        role=names.ADVOCATES[side],
        view=view,
        parser=speech_parser(side, checks_side=options.side_check == "declared"),
        attempts=1 + options.text_retries,
    )
