"""A report made of sections, each a function of the run: all that a protocol has to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

import msgspec

from eristic.debate import Envelope, TurnFailed, TurnSpoken
from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.reports.estimates import counted
from eristic.protocols.reports.judged import Judged
from eristic.protocols.reports.measures import Measure, Report, Row, Section, Settings
from eristic.protocols.reports.recorded import Recorded, RecordedRun, RunCollector
from eristic.protocols.reports.references import Reference
from eristic.stats import PERCENTILE_RULE, Undefined

__all__ = ["Context", "SectionMaker", "SectionedReporter", "upon", "costs"]


_Made = TypeVar("_Made")


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """All that a section may look at."""

    run: RecordedRun
    judged: Judged
    settings: Settings
    reference: Reference
    choices: Mapping[str, str]
    """Every choice of the report with its value."""
    _made: dict[object, object] = {}

    def once(self, make: Callable[[Context], _Made]) -> _Made:
        """What this function makes of the context: computed by the first section that asks."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("_Made", self._made[make])  # made by this very function


SectionMaker = Callable[[Context], Section | None]
"""None: there is nothing to say on this run, e.g. none of its conditions is concerned."""


def upon(
    study: Callable[[Context], _Made], section: Callable[[_Made], Section | None]
) -> SectionMaker:
    """A section that is a function of a study, which is made once for all sections of a report."""

    def made(context: Context) -> Section | None:
        return section(context.once(study))

    return made


class SectionedReporter:
    """The report of a protocol whose metrics are functions of its recorded episodes.

    choices: name -> values, the first one usual; a value of `*` allows any text.
    """

    def __init__(
        self,
        protocol: str,
        sections: Sequence[SectionMaker],
        *,
        choices: Mapping[str, tuple[str, ...]] | None = None,
        rules: Mapping[str, str] | None = None,
        reference: str = "reference.toml",
    ) -> None:
        self.reference = reference
        self._protocol = protocol
        self._sections = (*sections, costs)
        self._choices = dict(choices or {})
        self._rules = {"interval": PERCENTILE_RULE, **(rules or {})}

    def collect(self, judged: Judged) -> _Collector:
        """See Reporter."""
        return _Collector(self, judged)

    def make(
        self, run: RecordedRun, judged: Judged, settings: Settings, reference: Reference
    ) -> Report:
        """All numbers. Raises SpecRefused for a choice that this report does not offer."""
        choices = self._chosen(settings.choices)
        context = Context(
            run=run, judged=judged, settings=settings, reference=reference, choices=choices
        )
        made = (section(context) for section in self._sections)
        return Report(
            protocol=self._protocol,
            header=tuple(_header(run)),
            sections=tuple(section for section in made if section is not None),
            settings=settings,
            source=", ".join(filter(None, (reference.title, reference.source))),
            rules={**self._rules, **choices},
        )

    def _chosen(self, asked: Mapping[str, str]) -> dict[str, str]:
        for name, value in asked.items():
            if name not in self._choices:
                hint = nearest(name, self._choices)
                raise SpecRefused(f"{self._protocol}'s report has no choice {name!r}.{hint}")
            known = self._choices[name]
            if value not in known and "*" not in known:
                raise SpecRefused(f"{name} = {value!r} is not a value.{nearest(value, known)}")
        return {name: asked.get(name, values[0]) for name, values in self._choices.items()}


class _Collector:
    def __init__(self, reporter: SectionedReporter, judged: Judged) -> None:
        self._reporter = reporter
        self._judged = judged
        self._run = RunCollector(judged.turns)

    def take(self, envelope: Envelope, stored: bytes) -> None:
        """See Collector."""
        self._run.take(envelope, stored)

    def report(self, settings: Settings, reference: Reference) -> Report:
        """See Collector."""
        return self._reporter.make(self._run.close(), self._judged, settings, reference)


def _header(run: RecordedRun) -> Iterator[tuple[str, str]]:
    opened = run.opened
    if opened is not None:
        yield "run", f"{run.state}, begun {run.started}, by {opened.software}"
        versions = ", ".join(f"{name} {x}" for name, x in sorted(opened.versions.items()))
        if versions:
            yield "packages", versions
    causes = Counter(one.cause for one in run.episodes if one.cause)
    used = len(run.episodes) - sum(causes.values())
    yield "episodes", f"{run.planned:,} planned, {used:,} closed with an outcome"
    missing = run.planned - len(run.episodes)
    if missing:
        yield "not begun", f"{missing:,}"
    for cause, count in sorted(causes.items()):
        yield "without", f"{count:,} {cause}"
    blocks = {one.block for one in run.episodes}
    cases = {one.case.case_id for one in run.episodes}
    yield "cases", f"{len(cases):,} in {len(blocks):,} blocks (of all intervals)"
    conditions = Counter(one.condition for one in run.episodes)
    yield "conditions", ", ".join(f"{name} ({count:,})" for name, count in conditions.items())
    yield from _models(run)
    options: dict[str, set[str]] = {}
    for one in run.episodes:
        for name, value in one.opened.options.items():
            options.setdefault(name, set()).add(str(value))
    if options:
        yield "options", "; ".join(f"{x} = {', '.join(sorted(options[x]))}" for x in options)


def _models(run: RecordedRun) -> Iterator[tuple[str, str]]:
    bound: dict[str, Counter[str]] = {}
    served: dict[str, Counter[str]] = {}
    for one in run.episodes:
        for role, binding in one.opened.cast.items():
            bound.setdefault(role, Counter())[binding.model] += 1
        for turn in one.own_events:
            if isinstance(turn, TurnSpoken) and turn.call is not None:
                served.setdefault(turn.role, Counter())[turn.call.model] += 1
    for role, models in bound.items():
        names = ", ".join(f"{name} ({count:,})" for name, count in sorted(models.items()))
        told = served.get(role, Counter())
        heard = ", ".join(f"{name} ({n:,} calls)" for name, n in sorted(told.items()))
        is_same = told.keys() == models.keys() and len(told) == 1
        heard = f"{told.total():,} calls" if is_same else f"reported as {heard}"
        yield role, f"{names}; {heard if told else 'never called'}"


def costs(context: Context) -> Section | None:
    """Calls and tokens of each role, over all episodes, re-asks among them; what a branch took
    over from its source was not called again."""
    roles = sorted({role for one in context.run.episodes for role in one.opened.cast})
    rows = tuple(
        Row(keys={"role": role}, main=calls, beside=beside)
        for role in roles
        for calls, beside in (_cost(role, context.run.episodes),)
    )
    if not rows:
        return None
    return Section(
        id="cost",
        title="Calls and tokens",
        about="calls that gave a text, calls that failed, and tokens as billed, by role",
        rows=rows,
    )


def _cost(role: str, episodes: Sequence[Recorded]) -> tuple[Measure, dict[str, Measure]]:
    answers = [
        event
        for one in episodes
        for event in one.own_events
        if isinstance(event, TurnSpoken | TurnFailed) and event.role == role
    ]
    spoken = [x.call for x in answers if isinstance(x, TurnSpoken) and x.call is not None]
    failed = sum(isinstance(event, TurnFailed) for event in answers)
    tries = failed + sum(len(call.failed) for call in spoken)
    keys = {"role": role}
    tokens = {
        "tokens_in": [call.tokens_in for call in spoken],
        "tokens_out": [call.tokens_out for call in spoken],
    }
    beside = {"failed": counted("cost.failed", keys, tries, "count")}
    for name, counts in tokens.items():
        known = [count for count in counts if count is not None]
        whole = sum(known) if known or not counts else Undefined("no provider said")
        note = f"{len(counts) - len(known)} calls without a count" if known != counts else ""
        beside[name] = counted(f"cost.{name}", keys, whole, "tokens", note=note)
    return counted("cost.calls", keys, len(spoken), "calls"), beside
