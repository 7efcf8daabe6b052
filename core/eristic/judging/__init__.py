"""Reading verdicts out of texts: parsers, pure and versioned."""

from eristic.judging.labels import names_its_label, normalise_label
from eristic.judging.objects import text_object
from eristic.judging.thinking import Stripped, strip_thinking
from eristic.judging.tokens import NEGATIONS, contains_true, strict_token

__all__ = [
    "NEGATIONS",
    "Stripped",
    "contains_true",
    "names_its_label",
    "normalise_label",
    "strict_token",
    "strip_thinking",
    "text_object",
]
