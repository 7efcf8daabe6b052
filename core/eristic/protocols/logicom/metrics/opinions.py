"""M4: of the debates that began in disagreement, how many ended convinced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.facts import Debate
from eristic.protocols.reports import Row, Section
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.stats import RATE, Tally

__all__ = ["INITIAL_RULES", "disagreed", "initial_rule", "opinion_change"]

_METRIC = "logicom.opinion_change_rate"
_NO_CHECK = "no readable check of round 1 is recorded"
_NO_ROUNDS = "no count of rounds is recorded"
_AGREED = "not in disagreement at first"


def _by_rounds(debate: Debate) -> bool | None:
    return None if debate.rounds_counted is None else debate.rounds_counted > 2


def _by_check(debate: Debate) -> bool | None:
    return None if debate.first_check is None else not debate.first_check


INITIAL_RULES: Final[Mapping[str, Callable[[Debate], bool | None]]] = MappingProxyType(
    {"rounds_gt_2": _by_rounds, "first_check": _by_check}
)
"""Rule -> whether a debate began in disagreement; None: the facts for it are not recorded."""


def initial_rule(choices: Mapping[str, str]) -> str:
    """The chosen rule. Raises SpecRefused for another name."""
    chosen = choices.get("initial_rule", "rounds_gt_2")
    if chosen not in INITIAL_RULES:
        raise SpecRefused(f"initial_rule {chosen!r} is no rule.{nearest(chosen, INITIAL_RULES)}")
    return chosen


def disagreed(debates: Iterable[Debate], rule: str) -> tuple[list[Debate], Counter[str]]:
    """Debates that began in disagreement, and cause -> others; all of them have an outcome."""
    kept: list[Debate] = []
    causes: Counter[str] = Counter()
    for debate in debates:
        began = INITIAL_RULES[rule](debate)
        if began:
            kept.append(debate)
        elif began is None:
            causes[_NO_CHECK if rule == "first_check" else _NO_ROUNDS] += 1
        else:
            causes[_AGREED] += 1
    return kept, causes


def opinion_change(context: Context) -> Section:
    """M4, by both rules; the chosen one first and beside the published number."""
    chosen = initial_rule(context.settings.choices)
    rules = (chosen, *(rule for rule in INITIAL_RULES if rule != chosen))
    rows = [
        _row(context, model, arms, rule, is_chosen=rule == chosen)
        for rule in rules
        for model, arms in context.arms_by_model()
    ]
    return Section(
        id="M4",
        title="opinion change rate",
        about="of the debates that began in disagreement, the share that ended convinced; all "
        "scenarios and repetitions together",
        rows=tuple(rows),
        notes=(
            "rounds_gt_2: the debate went beyond two rounds, by the counter that the publication "
            "recorded where there is one, else by the debater's replies",
            "first_check: the moderator found the debater not convinced in round 1",
        ),
        audits=context.reference.audits_of(_METRIC),
    )


def _row(context: Context, model: str, arms: Sequence[Arm], rule: str, *, is_chosen: bool) -> Row:
    keys = {"debater": model, "initial rule": rule}
    began, causes = disagreed([x for arm in arms for x in arm.used], rule)
    for arm in arms:
        causes += arm.causes
    tally = Tally.of(
        planned=sum(arm.planned for arm in arms), used=len(began), excluded=dict(causes)
    )
    items: Sums = [(x.pair, (int(x.convinced is True), 1)) for x in began]
    why = next((c for c in (_NO_CHECK, _NO_ROUNDS) if causes[c]), "no debate began in disagreement")
    main = estimated(
        _METRIC,
        keys,
        items,
        RATE,
        context.settings,
        tally=tally,
        published=context.published(_METRIC, model) if is_chosen else (),
        empty=why,
    )
    return Row(
        keys=keys,
        main=main,
        beside={
            "convinced": counted(
                "logicom.opinion_changes", keys, sum(x.convinced is True for x in began), "count"
            ),
            "disagreed": counted(
                "logicom.initially_disagreeing_debates",
                keys,
                len(began),
                "count",
                published=context.published("logicom.initially_disagreeing_debates", model)
                if is_chosen
                else (),
            ),
        },
    )
