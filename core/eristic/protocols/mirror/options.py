"""What can be varied about mirror. The first value of a type is the default, and the paper's
where the paper says one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate.cast import Setting
from eristic.protocols.settings import resolve_options

__all__ = ["PROFILES", "Options", "resolve"]


class Options(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of an ask or a debate."""

    profile: Literal["paper"] = "paper"
    """Where the values that nobody gave come from. There is no public code to differ from."""
    first_side: Literal["against", "for", "counterbalanced", "random"] = "against"
    """Who opens the debate. counterbalanced: against in repetitions 0, 2, ..., for in the others;
    recommended for new work. random: drawn from the episode's seed, and the draw is recorded."""
    weak_if_neutral: Literal["baseline_sign", "skip", "alternate"] = "baseline_sign"
    """Which side argues badly after a first score of 0. baseline_sign: as the sign of the case's
    `baseline_mean` says, and alternating when it has none or it is 0 (an episode sees nothing of
    other episodes, so the mean must come with the case). skip: no debate is held. alternate:
    by repetition."""
    post_context: Literal["continue", "fresh", "fresh_quoted"] = "continue"
    """How the second score is asked for. continue: in the conversation of the first one, quoting
    its number. fresh: in a new one, without it. fresh_quoted: in a new one that quotes it."""
    quoted_number: Literal["recorded"] = "recorded"
    """The number quoted is the one that was read, with its sign."""
    debaters: Literal["same_model", "another_model"] = "same_model"
    """What the cast is meant to be: advocates like the respondent, or another model. The cast
    decides who plays; one that is not as meant is flagged in every debate."""
    score_rule: Literal["marked", "strict_number", "last_number"] = "marked"
    """How a score is read: by the rules of the specification, only from a text that is a number
    and nothing else, or as the last number of the text."""
    clip: bool = False
    """True: a score outside the scale becomes its nearest end, and both are recorded; False: it
    is missing."""
    side_check: Literal["declared", "off"] = "declared"
    """declared: a speech that openly declares itself for the other side counts as not given."""
    score_retries: int = 3
    """Further asks with the same prompt after an answer without a score (count)."""
    text_retries: int = 3
    """Further asks after a speech or paraphrase that was refused or empty (count)."""


PROFILES: Final[Mapping[str, Options]] = MappingProxyType({"paper": Options()})


def resolve(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value. Raises SpecRefused as `resolve_options` does."""
    least = {"score_retries": 0, "text_retries": 0}
    return msgspec.structs.asdict(
        resolve_options(options, PROFILES, protocol="mirror", least=least)
    )
