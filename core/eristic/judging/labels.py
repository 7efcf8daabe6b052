"""The names that helpers give to their fallacies, brought to one form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

__all__ = ["CANONICAL", "names_its_label", "normalise_label"]

CANONICAL: Mapping[str, str] = {
    "": "none",
    "authority": "appeal_to_authority",
    "anecdotal_evidence": "anecdotal",
    "appeal_to_consequence": "appeal_to_consequences",
    "appeal_to_emotions": "appeal_to_emotion",
    "appeal_to_false_authority": "false_authority",
    "appeal_to_popular_opinion": "appeal_to_popularity",
    "appeal_to_the_people": "appeal_to_popularity",
    "ad_populum": "appeal_to_popularity",
    "bandwagon": "appeal_to_popularity",
    "causal": "false_cause",
    "circular_reasoning": "begging_the_question",
    "deliberately_providing_false_information": "false_information",
    "either_or": "false_dilemma",
    "emotion": "appeal_to_emotion",
    "emotional_manipulation": "appeal_to_emotion",
    "false_analogy": "false_comparison",
    "false_comparisim": "false_comparison",
    "false_dichotomy": "false_dilemma",
    "flattery": "appeal_to_flattery",
    "generalization": "hasty_generalization",
    "hasty_generalisation": "hasty_generalization",
    "misrepresentation": "misrepresenting_facts",
    "misrepresentation_of_facts": "misrepresenting_facts",
    "n_a": "none",
    "na": "none",
    "no": "none",
    "no_fallacious_argument": "none",
    "no_fallacy_used": "none",
    "no_logical_fallacy_used": "none",
    "overgeneralization": "hasty_generalization",
    "personal_attack": "ad_hominem",
    "popular_opinion": "appeal_to_popularity",
    "popularity": "appeal_to_popularity",
    "post_hoc": "false_cause",
    "strawman": "straw_man",
}
"""Another name -> the name counted. Only spellings and plain synonyms; what is not here stays as
it was written, and the label as written stays in the log."""

_OPENING = re.compile(r"^(?:introduction of |(?:the )?(?:logical )?fallacy(?: of |\s*[:-]\s*))+")
_CLOSING = re.compile(r"(?: logical)? fallacy$")
_WORDS = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"[/+&,;()]")
_LIMIT_CHARS = 200
"""Of a label; a longer one is no label, and its rest is not looked at."""
_TECHNICAL = frozenset({"strawman"})
_EVERYDAY = frozenset(
    {
        *("popular opinion", "personal attack", "false information", "confirmation bias"),
        *("misrepresenting facts", "misrepresentation of facts", "emotional manipulation"),
        *("deliberately providing false information", "anecdotal evidence", "common ground"),
    }
)
"""Names of several words that people use without thinking of a fallacy."""


def normalise_label(label: str) -> str:
    """A label in lower case with underscores, by its usual name: `Straw Man Fallacy` ->
    `straw_man`.

    "Logical Fallacy:", "Fallacy of" and "fallacy" at the end go. A compound keeps its parts, each
    normalised, in the order written, joined by `/`: `Flattery/Ad Hominem` ->
    `appeal_to_flattery/ad_hominem`; parts that come to the same name are one. What says that
    there is no fallacy becomes `none`.
    """
    label = label[:_LIMIT_CHARS]
    whole = _words(label)
    if whole in CANONICAL:
        return CANONICAL[whole]
    parts = [_words(x) for x in _COMPOUND.split(_folded(label))]
    names = [CANONICAL.get(x, x) for x in parts if x]
    return "/".join(dict.fromkeys(names)) or "none"


def names_its_label(text: str, label: str) -> bool:
    """Whether a text gives away the fallacy it uses ("this is an appeal to emotion").

    Looked for as whole words: the label as written, its usual name, other spellings of that name,
    and each part of a compound. An everyday name ("flattery", "popular opinion") counts only beside
    the word "fallacy"; alone it gives nothing away.
    """
    words = f" {' '.join(_WORDS.findall(_folded(text)))} "
    return any(_is_named(name, words) for name in _names(label))


def _names(label: str) -> set[str]:
    label = label[:_LIMIT_CHARS]
    usual = set(normalise_label(label).split("/")) - {"none"}
    written = {_words(x) for x in _COMPOUND.split(_folded(label))} if usual else set()
    others = {x for x, name in CANONICAL.items() if name in usual}
    return {x.replace("_", " ") for x in usual | written | others if x}


def _is_named(name: str, words: str) -> bool:
    if name in _TECHNICAL or (" " in name and name not in _EVERYDAY):
        return f" {name} " in words or f" {name}s " in words
    return f" {name} fallacy " in words or f" fallacy of {name} " in words


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip().replace("_", " ")


def _words(label: str) -> str:
    """The words of one name, joined by underscores."""
    opened = _OPENING.sub("", _folded(label).strip(" \"'.*"))
    words = " ".join(_WORDS.findall(opened))
    return _CLOSING.sub("", words).replace(" ", "_")
