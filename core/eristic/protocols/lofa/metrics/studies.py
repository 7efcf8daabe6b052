"""The tries of a run in groups, and how numbers are made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from eristic.protocols.lofa.metrics.choices import ASIDE, Chosen
from eristic.protocols.lofa.metrics.tries import DOUBLE, Try, read_tries
from eristic.protocols.lofa.names import FALLACIES, FORMS
from eristic.protocols.reports import Audit, Context, Measure, Published, estimated
from eristic.protocols.reports.estimates import Sums
from eristic.stats import RATE, Metric, Tally

__all__ = ["ALL", "BLOCKS", "Keys", "Says", "Scope", "Study", "looked", "summed"]

ALL: Final = "(all)"
BLOCKS: Final = "questions"

Keys = dict[str, str]
Says = Callable[[Try], tuple[float, ...] | float | str]
"""Of a try with a verdict: its columns, a number of one item, or why it counts in none."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Tries that share a row."""

    keys: Keys
    tries: tuple[Try, ...]
    is_minor: bool = False


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """All that a section works on."""

    context: Context
    chosen: Chosen
    tries: tuple[Try, ...]
    """Of the ten fallacies."""
    controls: tuple[Try, ...] = ()
    """Of the arms without a fallacy, which are in no other group."""

    @classmethod
    def of(cls, context: Context) -> Study:
        """Raises SpecRefused for a choice that cannot be followed."""
        found = read_tries(context.run)
        chosen = Chosen.of(context.choices, frozenset(one.case_id for one in found))
        kept = tuple(map(chosen.apply, found))
        return cls(
            context=context,
            chosen=chosen,
            tries=tuple(one for one in kept if not one.is_control),
            controls=tuple(one for one in kept if one.is_control),
        )

    @property
    def models(self) -> tuple[str, ...]:
        """Respondents, sorted."""
        return tuple(sorted({one.model for one in self.tries}))

    @property
    def fallacies(self) -> tuple[str, ...]:
        """Those of the run, in the order of the protocol."""
        return _ordered({one.fallacy for one in self.tries}, FALLACIES)

    @property
    def subsets(self) -> tuple[str, ...]:
        """Subsets of the run's cases, sorted."""
        return tuple(sorted({one.subset for one in self.tries}))

    @property
    def has_yes_no(self) -> bool:
        """Some question asks for yes or no."""
        return any(one.kind == "yes_no" for one in self.tries)

    def arms(self) -> Iterator[tuple[Keys, tuple[Try, ...]]]:
        """By model and style."""
        for model in self.models:
            for form in FORMS:
                kept = tuple(x for x in self.tries if (x.model, x.form) == (model, form))
                if kept:
                    yield {"model": model, "form": form}, kept

    def scopes(self) -> Iterator[Scope]:
        """By model, style, fallacy and subset; all fallacies and all subsets first."""
        for arm, tries in self.arms():
            for fallacy in _levels(_ordered({x.fallacy for x in tries}, FALLACIES)):
                for subset in _levels(tuple(sorted({x.subset for x in tries}))):
                    kept = tuple(
                        x
                        for x in tries
                        if fallacy in (ALL, x.fallacy) and subset in (ALL, x.subset)
                    )
                    if kept:
                        yield Scope(
                            keys={**arm, "fallacy": fallacy, "subset": subset},
                            tries=kept,
                            is_minor=self._is_minor(fallacy, subset),
                        )

    def _is_minor(self, fallacy: str, subset: str) -> bool:
        """One cell of many: for programs."""
        several = len(self.fallacies) > 1 and len(self.subsets) > 1
        return several and ALL not in (fallacy, subset)

    def audits(self, *ids: str) -> tuple[Audit, ...]:
        """What is odd about what was published."""
        return tuple(audit for audit in self.context.reference.audits if audit.id in ids)

    def estimate(
        self,
        metric: str,
        keys: Mapping[str, str],
        tries: Iterable[Try],
        says: Says,
        *,
        statistic: Metric = RATE,
        unit: str = "fraction",
        empty: str = "no try that counts",
        published: Iterable[Published] = (),
    ) -> Measure:
        """A metric of column sums with its interval over questions."""
        items, tally = summed(tries, says)
        return estimated(
            metric,
            dict(keys),
            items,
            statistic,
            self.context.settings,
            tally=tally,
            unit=unit,
            published=published,
            empty=empty,
            blocks=BLOCKS,
        )


def summed(tries: Iterable[Try], says: Says) -> tuple[Sums, Tally]:
    """Block and columns of each try that counts, and the causes of the others."""
    items: list[tuple[str, tuple[float, ...]]] = []
    causes: Counter[str] = Counter()
    for one in tries:
        found = one.cause or says(one)
        if isinstance(found, str):
            causes[found] += 1
        else:
            items.append((one.block, found if isinstance(found, tuple) else (found, 1)))
    planned = len(items) + causes.total()
    return items, Tally.of(planned=planned, used=len(items), excluded=causes)


def looked(tries: Iterable[Try]) -> tuple[Try, ...]:
    """Those whose single answers may be counted, with a verdict or without."""
    return tuple(one for one in tries if one.cause not in (DOUBLE, ASIDE))


def _levels(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names) if len(names) == 1 else (ALL, *names)


def _ordered(names: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    place = {name: number for number, name in enumerate(order)}
    return tuple(sorted(names, key=lambda name: (place.get(name, len(place)), name)))
