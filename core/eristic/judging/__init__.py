"""Judging, pure and versioned: parsers, judges and their rubrics, dockets, panels, budgets."""

from eristic.judging.budgets import FREE, Budget, Price, cost_of, most_of, probable_cost
from eristic.judging.dockets import Docket, Matter, Question
from eristic.judging.families import FAMILIES, families_of
from eristic.judging.fences import fence_of, fenced_view
from eristic.judging.judges import (
    JUDGE_GROUP,
    Judge,
    ModelJudge,
    RuleJudge,
    is_model_judge,
    is_rule_judge,
    kinds_of,
)
from eristic.judging.labels import names_its_label, normalise_label
from eristic.judging.objects import text_object
from eristic.judging.panels import PanelVerdict, convene
from eristic.judging.rubrics import LLM_COMPARE, LLM_STANCE, CompareRubric, StanceRubric
from eristic.judging.scores import (
    CONVINCED,
    NOT_CONVINCED,
    STANCE_VERDICTS,
    STANCES,
    VERDICTS,
    Score,
    Target,
    combine_orders,
    combine_samples,
    score_of,
    unscored,
)
from eristic.judging.thinking import Stripped, strip_thinking
from eristic.judging.tokens import NEGATIONS, contains_true, strict_token

__all__ = [
    "CONVINCED",
    "FAMILIES",
    "FREE",
    "JUDGE_GROUP",
    "LLM_COMPARE",
    "LLM_STANCE",
    "NEGATIONS",
    "NOT_CONVINCED",
    "STANCES",
    "STANCE_VERDICTS",
    "VERDICTS",
    "Budget",
    "CompareRubric",
    "Docket",
    "Judge",
    "Matter",
    "ModelJudge",
    "PanelVerdict",
    "Price",
    "Question",
    "RuleJudge",
    "Score",
    "StanceRubric",
    "Stripped",
    "Target",
    "combine_orders",
    "combine_samples",
    "contains_true",
    "convene",
    "cost_of",
    "families_of",
    "fence_of",
    "fenced_view",
    "is_model_judge",
    "is_rule_judge",
    "kinds_of",
    "most_of",
    "names_its_label",
    "normalise_label",
    "probable_cost",
    "score_of",
    "strict_token",
    "strip_thinking",
    "text_object",
    "unscored",
]
