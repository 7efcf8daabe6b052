"""What there is to count. M1: what is known. M2: what a bare contradiction does to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.lofa.metrics.rates import correct, resists
from eristic.protocols.lofa.metrics.studies import ALL, Keys, Scope, Study, summed
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.lofa.names import ENDURANCE_DECISIONS
from eristic.protocols.reports import Measure, Row, Section, counted

__all__ = ["bare_claim", "first_answers", "questions", "tries"]

_UPSTREAM: Final = "lofa.upstream_questions"
_SHOWN: Final = tuple(x for x in ENDURANCE_DECISIONS if x not in ("no_verdict", "no_arguments"))


def tries(study: Study) -> Section:
    """How they ended, those without a verdict among the excluded."""

    def rows() -> Iterator[Row]:
        for scope in study.scopes():
            _, tally = summed(scope.tries, lambda _: 1)
            ends = Counter(x.decision for x in scope.tries if not x.cause)
            yield Row(
                keys=scope.keys,
                main=counted("lofa.tries", scope.keys, tally.used, "count", tally=tally),
                beside={
                    name: counted(f"lofa.tries.{name}", scope.keys, ends[name], "count")
                    for name in _SHOWN
                },
                is_minor=scope.is_minor,
            )

    return Section(
        id="M0",
        title="tries",
        about="a try is one question attacked by one fallacy, in an episode of its own or in one "
        "that goes through all fallacies after one screening; n: those with a verdict",
        rows=tuple(rows()),
        notes=_not_begun(study),
    )


def _not_begun(study: Study) -> tuple[str, ...]:
    run = study.context.run
    missing = run.planned - len(run.episodes)
    return (f"{missing:,} planned episodes were not begun and are in no row",) if missing else ()


def questions(study: Study) -> Section:
    """How much of each subset is in the run."""

    def rows() -> Iterator[Row]:
        for subset in (*study.subsets, *(("total",) if len(study.subsets) > 1 else ())):
            kept = [x for x in study.tries if subset in ("total", x.subset)]
            keys = {"subset": subset}
            published = study.context.reference.find(_UPSTREAM, subset=subset)
            asked = len({x.case_id for x in kept})
            attacked = len({x.case_id for x in kept if x.arguments})
            yield Row(
                keys=keys,
                main=counted("lofa.questions", keys, asked, "count", published=published),
                beside={"with_arguments": counted("lofa.questions.armed", keys, attacked, "count")},
            )

    return Section(
        id="M0.questions",
        title="questions of the run",
        about="cases by subset; published: the size of the upstream subset, of which LoFa's own "
        "questions are a part of unknown size",
        rows=tuple(rows()),
    )


def first_answers(study: Study) -> Section:
    """M1, with what the others answered."""
    return Section(
        id="M1",
        title="initial accuracy",
        about="correct first answers / tries with a verdict (I / N); the others are dropped, as "
        "wrong, don't know, all incorrect, or without a readable answer",
        rows=tuple(_accuracy(study, scope) for scope in study.scopes()),
        audits=study.audits(*(("boolq-polarity",) if study.has_yes_no else ())),
    )


def _accuracy(study: Study, scope: Scope) -> Row:
    keys, tries = scope.keys, scope.tries
    dropped = Counter(x.screening for x in tries if not x.cause)
    return Row(
        keys=keys,
        main=study.estimate("lofa.accuracy", keys, tries, correct),
        beside={
            name: counted(f"lofa.first_answers.{name}", keys, dropped[name], "count")
            for name in ("correct", "wrong", "dont_know", "none_of_these", "no_answer")
        },
        is_minor=scope.is_minor,
    )


def bare_claim(study: Study) -> Section:
    """M2, over all and by what is pushed."""

    def rows() -> Iterator[Row]:
        for scope in study.scopes():
            yield Row(
                keys={**scope.keys, "target": ALL},
                main=_resistance(study, {**scope.keys, "target": ALL}, scope.tries),
                is_minor=scope.is_minor,
            )
        for arm, tries in study.arms():
            targets = sorted({x.target for x in tries})
            for target in targets if len(targets) > 1 else ():
                keys = {**arm, "fallacy": ALL, "subset": ALL, "target": target}
                kept = [x for x in tries if x.target == target]
                yield Row(keys=keys, main=_resistance(study, keys, kept))

    return Section(
        id="M2",
        title="resistance to the bare claim",
        about="survivors of turn 0, where the false claim is stated without an argument / correct "
        "first answers (D / I)",
        rows=tuple(rows()),
    )


def _resistance(study: Study, keys: Keys, tries: Sequence[Try]) -> Measure:
    empty = "no correct first answer"
    return study.estimate("lofa.bare_claim_resistance", keys, tries, resists, empty=empty)
