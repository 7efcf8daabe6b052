"""What a log of mirror calls things: roles, conditions, endings, causes, rulings and facts."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

__all__ = [
    "ADVOCATES",
    "ADVOCATE_AGAINST",
    "ADVOCATE_FOR",
    "AGAINST",
    "ANSWERED",
    "ASK_KINDS",
    "ATTEMPTS",
    "BASELINE",
    "BIASED",
    "CAUSE",
    "CAUSES",
    "CONDITIONS",
    "ConditionParts",
    "DEBATED",
    "DEBATE_KINDS",
    "ERROR",
    "FAILED_ROLE",
    "FAILED_TURN",
    "FAIR",
    "FELL",
    "FIRST_SIDE",
    "FLAGS",
    "FOR",
    "KINDS",
    "LANGUAGES",
    "Language",
    "NO_DEBATE",
    "NO_PARAPHRASE",
    "NO_POST",
    "NO_PRE",
    "NO_SCORE",
    "NO_STATEMENT",
    "NO_TEXT",
    "OUTCOMES",
    "PARAPHRASE",
    "PARAPHRASER",
    "PARAPHRASE_INDEX",
    "POST",
    "PRE",
    "QUOTED",
    "REASONS_MISSING",
    "RESPONDENT",
    "ROSE",
    "SCALE_END",
    "SCORE",
    "SCORED",
    "SIDES_POLICY",
    "SKIPPED_NEUTRAL",
    "SPEECH",
    "SPEECHES",
    "SWITCHED_SIDES",
    "Side",
    "TRANSCRIPT",
    "UNMOVED",
    "WEAK_SIDE",
    "split_condition",
]

SCALE_END: Final = 10
"""The scale goes from minus this to this (points)."""
SPEECHES: Final = 4
"""Of every debate (count)."""

RESPONDENT: Final = "respondent"
ADVOCATE_FOR: Final = "advocate_for"
ADVOCATE_AGAINST: Final = "advocate_against"
PARAPHRASER: Final = "paraphraser"

Side = Literal["for", "against"]
FOR: Final = "for"
AGAINST: Final = "against"
ADVOCATES: Final[dict[Side, str]] = {"for": ADVOCATE_FOR, "against": ADVOCATE_AGAINST}

Language = Literal["en", "ar", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ar", "zh")

BASELINE: Final = "baseline"
PARAPHRASE: Final = "paraphrase"
FAIR: Final = "fair"
BIASED: Final = "biased"
ASK_KINDS: Final = (BASELINE, PARAPHRASE)
DEBATE_KINDS: Final = (FAIR, BIASED)
KINDS: Final = (*ASK_KINDS, *DEBATE_KINDS)
CONDITIONS: Final = tuple(f"{kind}.{language}" for kind in KINDS for language in LANGUAGES)
"""`KIND.LANGUAGE`."""

ANSWERED: Final = "answered"
DEBATED: Final = "debated"
"""Reasons of asks and of debates with an outcome."""

SCORED: Final = "scored"
"""Outcome of an ask: it has a score."""
ROSE: Final = "rose"
FELL: Final = "fell"
UNMOVED: Final = "unmoved"
"""Outcomes of a debate: the second score against the first."""
OUTCOMES: Final = (SCORED, ROSE, FELL, UNMOVED)

NO_SCORE: Final = "no_score"
NO_PARAPHRASE: Final = "no_paraphrase"
NO_PRE: Final = "no_pre"
NO_DEBATE: Final = "no_debate"
NO_POST: Final = "no_post"
NO_STATEMENT: Final = "no_statement"
"""The case has no statement in the language of the condition."""
SKIPPED_NEUTRAL: Final = "skipped_neutral"
"""weak_if_neutral = skip: a first score of 0, so no biased debate was held. Nothing is missing."""
REASONS_MISSING: Final = (NO_SCORE, NO_PARAPHRASE, NO_PRE, NO_DEBATE, NO_POST, NO_STATEMENT)
"""Reasons of episodes without outcome whose cause is counted (M12)."""

CAUSES: Final = (
    "refusal",
    "verbal",
    "no_number",
    "ambiguous",
    "out_of_range",
    "ambiguous_sign",
    "context_overflow",
    "failed",
    "empty",
    "switched_sides",
    "no_text",
)
"""Why an answer is missing: fact `cause` of the close, and `cause` in the parts of a reading that
is not read. switched_sides: of a speech. no_text: the case lacks the text, and no paraphraser is
bound who could write it."""

SWITCHED_SIDES: Final = "switched_sides"
NO_TEXT: Final = "no_text"

SIDES_POLICY: Final = "mirror-sides.v1"
"""Ruling after the first score of a debate. decision: the side that speaks first (`for`,
`against`), or `skip`; inputs: the turn of the first score; facts: `first_side`, `first_rule`,
`first_draw` (only when drawn), and of a biased debate `pre`, `weak_side`, `weak_rule` (pre_sign,
baseline_sign, alternate, skip), `baseline_mean` (when the rule looked at it)."""

# Facts of the close. Numbers are points on the scale.
SCORE: Final = "score"
"""Asks: the score."""
PRE: Final = "pre"
"""Debates: the first score, as soon as there is one, also when the episode ends without outcome."""
POST: Final = "post"
"""Debates: the second score."""
FIRST_SIDE: Final = "first_side"
"""Debates: `for` or `against`."""
WEAK_SIDE: Final = "weak_side"
"""Biased debates: the side that was told to argue badly."""
CAUSE: Final = "cause"
"""Why the answer is missing that ended the episode; one of CAUSES."""
SPEECH: Final = "speech"
"""Number of the speech that is missing, 1 to 4 (reason no_debate)."""
FAILED_ROLE: Final = "failed_role"
FAILED_TURN: Final = "failed_turn"
ERROR: Final = "error"
"""Class of the failure, when the cause is failed."""
PARAPHRASE_INDEX: Final = "paraphrase"
"""Paraphrase asks: index in the case's list, from 0; absent when the paraphraser wrote it."""
QUOTED: Final = "quoted"
"""Debates: the first score as it was quoted in the closing request; absent when it was not."""
TRANSCRIPT: Final = "transcript"
"""Debates: SHA-256 (hex) over [role, text] of the four speeches, as JSON."""
ATTEMPTS: Final = "attempts"
"""Answers that the respondent was asked for in the whole episode (count)."""
FLAGS: Final = "flags"
"""Remarks that decide nothing, `WHERE:FLAG` with blanks between; WHERE is score, pre, post,
speech_1 to speech_4, paraphrase or cast (human, not_same_model, not_another_model). Absent when
there are none."""


class ConditionParts(NamedTuple):
    """A condition's name taken apart."""

    kind: str
    language: Language


def split_condition(condition: str) -> ConditionParts:
    """`fair.en` -> (fair, en). Raises ValueError for no condition of mirror."""
    if condition not in CONDITIONS:
        raise ValueError(f"{condition!r} is no condition of mirror; they are KIND.LANGUAGE")
    kind, _, code = condition.partition(".")
    return ConditionParts(kind, next(known for known in LANGUAGES if known == code))
