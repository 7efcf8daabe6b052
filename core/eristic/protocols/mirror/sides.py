"""Who speaks first, and whose side argues badly: rules, and the draw where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from eristic.debate import EpisodeOpened, RulingMade, Setting
from eristic.debate.ids import derive_seed
from eristic.protocols.mirror.names import AGAINST, BIASED, FOR, Language, Side, split_condition
from eristic.protocols.mirror.options import Options
from eristic.protocols.mirror.statements import baseline_mean

__all__ = ["SKIP", "Sides", "choose_sides"]

SKIP: Final = "skip"
_SEEDS: Final = 2**31


class Sides(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Who speaks first and who is weak, and what the record says about the choice."""

    first: Side
    weak: Side | None
    """None: nobody, in a fair debate."""
    is_skipped: bool
    """No debate is held."""
    facts: Mapping[str, Setting]

    @property
    def order(self) -> tuple[Side, ...]:
        """The sides of the four speeches."""
        second: Side = FOR if self.first == AGAINST else AGAINST
        return (self.first, second) * 2


def choose_sides(
    opened: EpisodeOpened, options: Options, pre: float, *, kept: RulingMade | None = None
) -> Sides:
    """pre: the respondent's first score (points). kept: the ruling that a branch takes over with
    its beginning; it has another seed than its source, and keeps what its source drew."""
    kind, language = split_condition(opened.condition)
    first, facts = _first(opened, options, kept)
    if kind != BIASED:
        return Sides(first=first, weak=None, is_skipped=False, facts=facts)
    weak, said = _weak(opened, options, pre, language)
    facts = {**facts, "pre": pre, **said}
    return Sides(first=first, weak=weak, is_skipped=weak is None, facts=facts)


def _first(
    opened: EpisodeOpened, options: Options, kept: RulingMade | None
) -> tuple[Side, dict[str, Setting]]:
    rule = options.first_side
    facts: dict[str, Setting] = {"first_rule": rule}
    if rule == "random":
        drawn = kept.facts.get("first_draw") if kept is not None else None
        draw = drawn if isinstance(drawn, float) else _draw(opened)
        facts["first_draw"] = draw
        side: Side = FOR if draw < 0.5 else AGAINST
    elif rule == "counterbalanced":
        side = FOR if opened.repetition % 2 else AGAINST
    else:
        side = rule
    return side, {"first_side": side, **facts}


def _draw(opened: EpisodeOpened) -> float:
    """A number in [0, 1) from the episode's seed; of an imported episode from its cell."""
    if opened.seed is not None:
        return derive_seed(opened.seed, "mirror", "first_side") / _SEEDS
    cell = (opened.case.case_id, opened.condition, opened.repetition)
    return derive_seed(0, "mirror", "first_side", *cell) / _SEEDS


def _weak(
    opened: EpisodeOpened, options: Options, pre: float, language: Language
) -> tuple[Side | None, dict[str, Setting]]:
    """The side of the respondent's own opinion; without one as `weak_if_neutral` says."""
    if pre:
        return _by_sign(pre, "pre_sign")
    if options.weak_if_neutral == "skip":
        return None, {"weak_rule": SKIP}
    mean = baseline_mean(opened.case, language)
    if options.weak_if_neutral == "alternate" or mean is None:
        return _alternating(opened, options)
    side, facts = _by_sign(mean, "baseline_sign") if mean else _alternating(opened, options)
    return side, {**facts, "baseline_mean": mean}


def _by_sign(number: float, rule: str) -> tuple[Side, dict[str, Setting]]:
    side: Side = FOR if number > 0 else AGAINST
    return side, {"weak_side": side, "weak_rule": rule}


def _alternating(opened: EpisodeOpened, options: Options) -> tuple[Side, dict[str, Setting]]:
    """By repetition: for, against, for, ... When the order of speaking alternates too, every
    other one, or the weak side would always be the one that speaks second."""
    turn = opened.repetition
    if options.first_side == "counterbalanced":
        turn //= 2
    side: Side = AGAINST if turn % 2 else FOR
    return side, {"weak_side": side, "weak_rule": "alternate"}
