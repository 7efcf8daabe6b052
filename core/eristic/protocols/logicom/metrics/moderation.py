"""M9: why debates stopped, and how far judges agree with the live moderator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from eristic.judging import CONVINCED, NOT_CONVINCED, STANCE_VERDICTS, VERDICTS
from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.facts import Debate
from eristic.protocols.reports import Judge, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.stats import Tally, Undefined, cross_ratings, judge_agreement, measure_rate

__all__ = ["EARLY", "agreement", "early_stops", "stop_reasons", "stop_shares"]

EARLY = ("pleasantries", "off_topic")
"""Stops that can come too early: the moderator took the debate for over."""
_ORDER = ("convinced", "round_limit", *EARLY, "hard_limit")
_SCALE: Mapping[str, str] = {**STANCE_VERDICTS, **{name: name for name in VERDICTS}}
_STOP_VALUES = frozenset({"right", "wrong"})
"""Values of a judge that says whether a stop was right."""
_UNJUDGED = "not judged"


def stop_shares(reasons: Sequence[str]) -> dict[str, Fraction]:
    """Reason -> exact share of the debates. Sums to 1 unless there is no debate."""
    counts = Counter(reasons)
    known = [reason for reason in _ORDER if counts[reason]]
    names = [*known, *sorted(counts.keys() - set(known))]
    return {name: Fraction(counts[name], len(reasons)) for name in names}


def stop_reasons(context: Context) -> Section:
    """M9, first half."""
    seen = {debate.reason for arm in context.arms for debate in arm.used}
    names = [*(x for x in _ORDER if x in seen), *sorted(seen - set(_ORDER))]
    odd = sum(
        (debate.reason == "convinced") != (debate.convinced is True)
        for arm in context.arms
        for debate in arm.used
    )
    notes = ["n counts debates with an outcome; the shares of a row sum to 100 %"]
    if odd:
        notes.append(
            f"{odd} debates stopped as convinced by one moderator and not by all: their outcome "
            "is the joint verdict"
        )
    return Section(
        id="M9a",
        title="stop reasons",
        about="share of debates by the reason why they stopped",
        rows=tuple(_stop_row(arm, names) for arm in context.arms),
        notes=tuple(notes),
    )


def _stop_row(arm: Arm, names: Sequence[str]) -> Row:
    shares = stop_shares([debate.reason for debate in arm.used])
    beside = {
        name: counted(
            "logicom.stop_reason_share",
            {**arm.keys, "reason": name},
            float(shares.get(name, Fraction(0))) if shares else Undefined("no debate"),
            "fraction",
            tally=arm.tally,
        )
        for name in names
    }
    beside["n"] = counted("logicom.debates_with_outcome", arm.keys, len(arm.used), "count")
    excluded = arm.tally.excluded
    beside["excl."] = counted("logicom.debates_excluded", arm.keys, excluded, "count")
    return Row(keys=arm.keys, beside=beside)


def agreement(context: Context) -> Section:
    """M9, second half: every judge of the run against the live verdicts, and the early stops."""
    rows: list[Row] = []
    notes = ["kappa and AC1 say how much of the agreement chance would not give"]
    for judge in context.judged.judges:
        if set(judge.values) <= _SCALE.keys():
            rows += [_agreement_row(x, judge, arms) for x, arms in context.arms_by_model()]
        elif not _STOP_VALUES <= set(judge.values):
            notes.append(f"{judge.name} ({judge.chain}): its values say nothing of the verdict")
    if not rows:
        notes.append("undefined: no judge looked at this run; `eristic rejudge` lets one do it")
    rows += _early_rows(context)
    return Section(
        id="M9b",
        title="moderator against judges",
        about="live verdict and a judge's verdict on the debater's last message: raw agreement; "
        "early stops: pleasantry and topic stops that a judge calls wrong / such stops judged",
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _verdicts(
    debates: Sequence[Debate], judge: Judge
) -> tuple[list[str | None], list[str | None], Counter[str]]:
    live: list[str | None] = []
    told: list[str | None] = []
    causes: Counter[str] = Counter()
    for debate in debates:
        score = judge.scores.get(debate.last_digest) if debate.last_digest else None
        if not debate.counts:
            causes[debate.cause] += 1
        elif score is None or score.value is None:
            causes[f"unscored: {score.cause}" if score is not None else _UNJUDGED] += 1
        elif score.value not in _SCALE:
            causes["a value outside the judge's scale"] += 1
        else:
            live.append(CONVINCED if debate.convinced else NOT_CONVINCED)
            told.append(_SCALE[score.value])
    return live, told, causes


def _agreement_row(model: str, judge: Judge, arms: Sequence[Arm]) -> Row:
    live, told, causes = _verdicts([x for arm in arms for x in arm.debates], judge)
    not_begun = sum(arm.not_begun for arm in arms)
    if not_begun:
        causes["not begun"] += not_begun
    ratings = cross_ratings(live, told, categories=VERDICTS)
    found = judge_agreement(ratings.counts, excluded=causes)
    keys = {"debater": model, "judge": judge.name, "chain": judge.chain}
    numbers = {"kappa": found.kappa, "AC1": found.ac1}
    cells = {"live only": ratings.counts[0][1], "judge only": ratings.counts[1][0]}
    return Row(
        keys={"debater": model, "judge": judge.name},
        main=counted(
            "logicom.moderator_agreement.raw", keys, found.raw, "fraction", tally=found.tally
        ),
        beside={
            **{
                name: counted(
                    f"logicom.moderator_agreement.{name.lower()}",
                    keys,
                    value,
                    "number",
                    tally=found.tally,
                )
                for name, value in numbers.items()
            },
            **{
                name: counted(f"logicom.convinced.{name.replace(' ', '_')}", keys, value, "count")
                for name, value in cells.items()
            },
        },
    )


def early_stops(debates: Sequence[Debate], judge: Judge) -> tuple[int, Tally]:
    """Pleasantry and topic stops that the judge calls wrong, of those that it judged."""
    stops = [x for x in debates if x.counts and x.reason in EARLY]
    wrong = 0
    causes: Counter[str] = Counter()
    for debate in stops:
        score = judge.scores.get(debate.last_digest) if debate.last_digest else None
        if score is None or score.value not in _STOP_VALUES:
            causes[f"unscored: {score.cause}" if score and score.cause else _UNJUDGED] += 1
        else:
            wrong += score.value == "wrong"
    used = len(stops) - causes.total()
    return wrong, Tally.of(planned=len(stops), used=used, excluded=causes)


def _early_rows(context: Context) -> Iterator[Row]:
    judges = [x for x in context.judged.judges if set(x.values) >= _STOP_VALUES]
    for model, arms in context.arms_by_model():
        debates = [x for arm in arms for x in arm.debates]
        for judge in judges:
            wrong, tally = early_stops(debates, judge)
            found = measure_rate(wrong, tally)
            keys = {"debater": model, "judge": judge.name, "chain": judge.chain}
            main = counted("logicom.early_stop_rate", keys, found.value, "fraction", tally=tally)
            shown = {"debater": model, "judge": f"early stops: {judge.name}"}
            yield Row(keys=shown, main=main)
        if not judges:
            stops = sum(x.counts and x.reason in EARLY for x in debates)
            tally = Tally.of(planned=stops, used=0, excluded={_UNJUDGED: stops})
            none = Undefined("no judge says whether a stop was right (values right, wrong)")
            keys = {"debater": model, "judge": "early stops"}
            yield Row(
                keys=keys,
                main=counted("logicom.early_stop_rate", keys, none, "fraction", tally=tally),
            )
