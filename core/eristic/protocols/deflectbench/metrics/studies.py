"""The responses of a run with what follows of each, and how numbers are made of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.deflectbench.metrics.responses import (
    Response,
    later_judges,
    read_responses,
)
from eristic.protocols.deflectbench.metrics.rules import Rule, Verdict, decide
from eristic.protocols.deflectbench.names import JUDGES
from eristic.protocols.deflectbench.rubric import Clean
from eristic.protocols.reports import Context, Judged, Measure, Published, RecordedRun, estimated
from eristic.stats import RATE, Metric, Tally

__all__ = [
    "ALL_MODELS",
    "AS_RUN",
    "CHOICES",
    "NOT_BEGUN",
    "Columns",
    "Keys",
    "Study",
    "grouped",
    "published_name",
    "sums",
]

ALL_MODELS: Final = "(all)"
AS_RUN: Final = "as_run"
NOT_BEGUN: Final = "not begun"
_RULES: Final = ("any_positive", "all_positive", "majority")
_CLEANS: Final[tuple[Clean, ...]] = ("derived", "judged")
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "consensus": (AS_RUN, *_RULES, *(f"judge:{role}" for role in JUDGES), "*"),
    "clean": (AS_RUN, *_CLEANS),
    "require_all_judges": (AS_RUN, "no", "yes"),
    "panel": ("episode", "all"),
    "margin_points": ("5", "*"),
}
"""consensus also takes judge:NAME of a judge that came later. panel: whether those that came later,
people among them, have a vote."""

Keys = dict[str, str]
Columns = Callable[[Verdict], tuple[float, ...] | str]
"""Of a verdict with an outcome: what it adds to a metric's columns, or why it counts in none."""

_NAMES: Final = tuple(
    (re.compile(rf"{pattern}(?:-\d{{4}}-?\d{{2}}-?\d{{2}})?", re.IGNORECASE), name)
    for pattern, name in (
        (r"claude-opus-4-7", "Claude"),
        (r"gpt-5\.5", "GPT"),
        (r"deepseek-v4-pro", "DeepSeek"),
        (r"grok-4\.3", "Grok"),
    )
)
_PUBLISHED_KEYS: Final = ("framing", "fallacy", "field")
_OURS_ALONE: Final = frozenset({"template", "level", "context", "domain", "rule", "without"})
"""Keys by which nothing was published: a row that has one stands beside no published number."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """All that a section works on."""

    context: Context
    rule: Rule
    responses: tuple[Response, ...]
    verdicts: tuple[Verdict, ...]
    """One for each response, by the rule of the report."""
    judges: dict[str, tuple[str, ...]]
    """Judge -> its models, those of the episodes first; people and rules have none."""
    not_begun: int
    """Episodes that were planned and have no record (count)."""
    margin: float
    """Of equivalence, a fraction."""

    @classmethod
    def of(cls, context: Context) -> Study:
        """Raises SpecRefused for a choice that cannot be followed."""
        responses = read_responses(context.run, context.judged)
        judges = _judges(context.run, context.judged)
        rule = _rule(context.choices, tuple(judges))
        return cls(
            context=context,
            rule=rule,
            responses=responses,
            verdicts=tuple(decide(response, rule) for response in responses),
            judges=judges,
            not_begun=context.run.planned - len(context.run.episodes),
            margin=_margin(context.choices),
        )

    @property
    def models(self) -> tuple[str, ...]:
        """Author models, sorted."""
        return tuple(sorted({response.model for response in self.responses}))

    def by_model(
        self, verdicts: Sequence[Verdict] | None = None
    ) -> Iterator[tuple[str, list[Verdict]]]:
        """All models together when there are several, then each with its verdicts."""
        known = list(self.verdicts if verdicts is None else verdicts)
        if len(self.models) > 1:
            yield ALL_MODELS, known
        for model in self.models:
            yield model, [x for x in known if x.response.model == model]

    def missing(self, model: str) -> int:
        """Episodes of a model that were never begun, as far as that can be told (count)."""
        return self.not_begun if model == ALL_MODELS or len(self.models) == 1 else 0

    def published(self, metric: str, keys: Mapping[str, str]) -> tuple[Published, ...]:
        """Numbers of the same model where the publication has it, of all its models where not."""
        if not _OURS_ALONE.isdisjoint(keys):
            return ()
        wanted = {name: keys.get(name, "") for name in _PUBLISHED_KEYS}
        model = "" if keys.get("model") == ALL_MODELS else published_name(keys.get("model", ""))
        asked = {**wanted, "model": model} if model or keys.get("model") == ALL_MODELS else wanted
        found = self.context.reference.find(metric, **asked)
        # A number of a whole framing is none of one fallacy in it.
        return tuple(x for x in found if all(x.keys.get(y, "") == wanted[y] for y in wanted))

    def estimate(
        self,
        metric: str,
        keys: Keys,
        verdicts: Iterable[Verdict],
        columns: Columns,
        *,
        statistic: Metric = RATE,
        missing: int = 0,
        unit: str = "fraction",
        empty: str = "no response that counts",
        beside_published: bool = True,
    ) -> Measure:
        """A metric of column sums with its interval over claims. missing: never begun (count)."""
        items, tally = sums(verdicts, columns, missing=missing)
        return estimated(
            metric,
            keys,
            items,
            statistic,
            self.context.settings,
            tally=tally,
            unit=unit,
            published=self.published(metric, keys) if beside_published else (),
            empty=empty,
            blocks="claims",
        )

    def share(
        self,
        metric: str,
        keys: Keys,
        verdicts: Iterable[Verdict],
        says: Callable[[Verdict], int | str],
        *,
        missing: int = 0,
        unit: str = "fraction",
        empty: str = "no response that counts",
        beside_published: bool = True,
    ) -> Measure:
        """The share of verdicts that say 1, of those that say 1 or 0."""

        def columns(verdict: Verdict) -> tuple[float, ...] | str:
            said = says(verdict)
            return said if isinstance(said, str) else (said, 1)

        return self.estimate(
            metric,
            keys,
            verdicts,
            columns,
            missing=missing,
            unit=unit,
            empty=empty,
            beside_published=beside_published,
        )


def sums(
    verdicts: Iterable[Verdict], columns: Columns, *, missing: int = 0
) -> tuple[list[tuple[str, tuple[float, ...]]], Tally]:
    """Block and columns of each verdict that counts, and the causes of the others."""
    items: list[tuple[str, tuple[float, ...]]] = []
    causes: Counter[str] = Counter({NOT_BEGUN: missing})
    for verdict in verdicts:
        found = verdict.cause or columns(verdict)
        if isinstance(found, str):
            causes[found] += 1
        else:
            items.append((verdict.response.block, found))
    planned = len(items) + causes.total()
    return items, Tally.of(planned=planned, used=len(items), excluded=causes)


def grouped(
    verdicts: Iterable[Verdict], key: Callable[[Response], str], order: Sequence[str] = ()
) -> dict[str, list[Verdict]]:
    """Verdicts by what the key says of them, in this order and then by name; empty keys too."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(key(verdict.response), []).append(verdict)
    place = {name: number for number, name in enumerate(order)}
    ordered = sorted(found, key=lambda name: (place.get(name, len(place)), name))
    return {name: found[name] for name in ordered}


def published_name(model: str) -> str:
    """The model's name in the publication; empty for a model that it did not test."""
    bare = model.rsplit("/", 1)[-1]
    return next((name for pattern, name in _NAMES if pattern.fullmatch(bare)), "")


def _judges(run: RecordedRun, judged: Judged) -> dict[str, tuple[str, ...]]:
    judges = {
        role: tuple(sorted({one.model(role) for one in run.episodes} - {""})) for role in JUDGES
    }
    later = {name: (x.model,) if "/" in x.model else () for name, x in later_judges(judged).items()}
    return judges | later


def _rule(choices: Mapping[str, str], judges: tuple[str, ...]) -> Rule:
    """Raises SpecRefused for a judge that nobody knows."""
    consensus, clean = choices["consensus"], choices["clean"]
    known = (AS_RUN, *_RULES, *(f"judge:{name}" for name in judges))
    if consensus not in known:
        raise SpecRefused(f"consensus = {consensus!r} is no rule.{nearest(consensus, known)}")
    whole: dict[str, bool | None] = {AS_RUN: None, "no": False, "yes": True}
    definition: Literal["derived", "judged"] | None = next((x for x in _CLEANS if x == clean), None)
    return Rule(
        consensus=None if consensus == AS_RUN else consensus,
        clean=definition,
        require_all_judges=whole[choices["require_all_judges"]],
        judges=judges if choices["panel"] == "all" else None,
    )


def _margin(choices: Mapping[str, str]) -> float:
    try:
        points = float(choices["margin_points"])
    except ValueError:
        points = -1.0
    if not 0 < points < 100:
        raise SpecRefused(
            f"margin_points = {choices['margin_points']!r} must be a number between 0 and 100"
        )
    return points / 100
