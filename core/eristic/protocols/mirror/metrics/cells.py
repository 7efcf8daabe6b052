"""The episodes of a run by respondent and language, and the questions they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from eristic.protocols.mirror.metrics.facts import Episode, read_run
from eristic.protocols.mirror.metrics.values import Question, Values, by_question
from eristic.protocols.mirror.names import DEBATE_KINDS, LANGUAGES
from eristic.protocols.reports import Context
from eristic.stats import Tally

__all__ = ["ALL", "Cell", "Scope", "Table", "table_of", "tally_of", "values_of"]

ALL = "all questions"


class Scope(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Some of the questions: all, those of a set, or those of a topic."""

    kind: Literal["all", "set", "topic"]
    name: str = ""

    @property
    def label(self) -> str:
        """For tables."""
        return ALL if self.kind == "all" else f"{self.kind} {self.name or '(none)'}"

    def has(self, question: Question) -> bool:
        """Whether the question is one of them."""
        if self.kind == "all":
            return True
        return (question.topic if self.kind == "topic" else question.set) == self.name


class Cell(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One respondent in one language."""

    respondent: str
    language: str
    episodes: tuple[Episode, ...]
    kinds: dict[str, tuple[Episode, ...]]
    """The same by kind of condition."""

    @property
    def keys(self) -> dict[str, str]:
        """As measures name it."""
        return {"respondent": self.respondent, "language": self.language}

    def kind(self, name: str, scope: Scope | None = None) -> tuple[Episode, ...]:
        """Episodes of a kind of condition, of all questions or of some."""
        found = self.kinds.get(name, ())
        if scope is None or scope.kind == "all":
            return found
        return tuple(one for one in found if scope.has(one.question))

    def debates(self) -> tuple[str, ...]:
        """Kinds of debate that it has, fair ones first."""
        return tuple(name for name in DEBATE_KINDS if self.kind(name))


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A run as all sections see it."""

    cells: tuple[Cell, ...]
    """By respondent, then in the order of the protocol's languages."""
    scopes: tuple[Scope, ...]
    """All questions first, then sets (when they are no topics), then topics."""

    def within(self, *episodes: Episode) -> tuple[Scope, ...]:
        """The scopes that these episodes have questions of."""
        questions = {one.question for one in episodes}
        return tuple(x for x in self.scopes if any(x.has(asked) for asked in questions))


def table_of(context: Context) -> Table:
    """The cells and scopes of a run. Raises SpecRefused for a choice that says nothing."""
    episodes = read_run(context.run, context.choices)
    found: dict[tuple[str, str], list[Episode]] = {}
    for one in episodes:
        found.setdefault((one.respondent, one.language), []).append(one)
    cells = [
        _cell(name, language, found[name, language])
        for name, language in sorted(found, key=lambda key: (key[0], _rank(key[1])))
    ]
    return Table(cells=tuple(cells), scopes=_scopes([one.question for one in episodes]))


def _cell(respondent: str, language: str, episodes: Sequence[Episode]) -> Cell:
    kinds: dict[str, list[Episode]] = {}
    for one in episodes:
        kinds.setdefault(one.kind, []).append(one)
    return Cell(
        respondent=respondent,
        language=language,
        episodes=tuple(episodes),
        kinds={kind: tuple(found) for kind, found in kinds.items()},
    )


def _rank(language: str) -> tuple[int, str]:
    codes: Sequence[str] = LANGUAGES
    return (codes.index(language) if language in codes else len(codes), language)


def _scopes(questions: Iterable[Question]) -> tuple[Scope, ...]:
    topics: dict[str, set[str]] = {}
    sets: dict[str, set[str]] = {}
    for question in questions:
        topics.setdefault(question.topic, set()).add(question.set)
        sets.setdefault(question.set, set()).add(question.topic)
    # A set of one topic that is nowhere else would be the same rows twice.
    shown = [x for x in sorted(sets) if len(sets[x]) > 1 or len(topics[next(iter(sets[x]))]) > 1]
    return (
        Scope(kind="all"),
        *(Scope(kind="set", name=x) for x in shown if len(sets) > 1),
        *(Scope(kind="topic", name=x) for x in sorted(topics) if len(topics) > 1),
    )


def values_of(
    episodes: Iterable[Episode], number: Callable[[Episode], float | None]
) -> tuple[Values, ...]:
    """Numbers of episodes, gathered by question."""
    return by_question(episodes, lambda one: one.question, number)


def tally_of(episodes: Sequence[Episode], more: Counter[str] | None = None) -> Tally:
    """Of episodes. more: cause -> episodes that have numbers and are left out all the same."""
    causes = Counter(one.cause for one in episodes if one.cause)
    causes.update(more or {})
    used = len(episodes) - causes.total()
    return Tally.of(planned=len(episodes), used=used, excluded=causes)
