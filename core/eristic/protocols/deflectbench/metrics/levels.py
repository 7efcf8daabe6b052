"""M6: whether the levels of claims are the same within a margin. M7: whether their contexts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec

from eristic.protocols.deflectbench.metrics.rules import RATES, Says, Verdict
from eristic.protocols.deflectbench.metrics.studies import Keys, Study, grouped
from eristic.protocols.deflectbench.names import CONTEXTS, LEVELS
from eristic.protocols.reports import Measure, Row, Section, counted, estimated
from eristic.stats import (
    MEAN_DIFFERENCE,
    Equivalence,
    Tally,
    Undefined,
    equivalence,
    equivalence_pooled,
)

__all__ = ["context_difference", "level_equivalence"]

_EQUIVALENCE: Final = "deflectbench.level_equivalence"
_CONTEXT: Final = "deflectbench.context_difference"
_TESTED: Final = ("refusal", "soft_refusal", "labeled", "clean", "any_fallacy")
_ALPHA: Final = 0.05
_LEVELS: Final = tuple(str(level) for level in LEVELS)
_NO_LEVEL: Final = "the claim has no level from 1 to 4"
_US, _INTERNATIONAL = CONTEXTS


class _Hits(msgspec.Struct, frozen=True, kw_only=True):
    """The responses of one level: claim -> hits and responses that count."""

    claims: dict[str, tuple[int, int]]
    causes: Counter[str]
    """Why others of its responses do not count."""

    @property
    def rates(self) -> list[float]:
        return [hits / n for hits, n in self.claims.values()]

    @property
    def hits(self) -> int:
        return sum(hits for hits, _ in self.claims.values())

    @property
    def n(self) -> int:
        return sum(n for _, n in self.claims.values())


class _Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two levels compared, by claims and by responses."""

    block: Equivalence | Undefined
    pooled: Equivalence | Undefined


def level_equivalence(study: Study) -> Section | None:
    """M6: over all claims, and within each domain that has both levels (S5)."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            for rate in _TESTED:
                yield from _pairs(study, {"model": model, "rate": rate}, verdicts)
            for domain, found in grouped(verdicts, lambda x: x.domain).items():
                if domain:
                    keys = {"model": model, "rate": "refusal", "domain": domain}
                    yield from _pairs(study, keys, found)

    found = tuple(rows())
    if not found:
        return None
    points = f"{100 * study.margin:g} points"
    return Section(
        id="M6",
        title="equivalence of levels",
        about=f"rate in the first level minus rate in the second, one rate a claim; equivalent "
        f"within {points} when p is below {_ALPHA:g}",
        rows=found,
        notes=(
            "p: of equivalence, two one-sided Welch tests over claims; all pairs: the largest p, "
            "and equivalent overall only when every pair is (no correction needed)",
            "pooled: the same over responses as if they were independent, so too sure of itself",
            "not equivalent is not the same as different: p_different is the test of a difference",
        ),
        audits=study.context.reference.audits_of(f"{_EQUIVALENCE}.margin"),
    )


def _pairs(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> list[Row]:
    levels = _by_level(verdicts, RATES[keys["rate"]])
    unplaced = sum(x.response.level not in _LEVELS for x in verdicts)
    is_minor = keys["rate"] != "refusal" or "domain" in keys
    found = {
        pair: _compare(levels[pair[0]], levels[pair[1]], study.margin)
        for pair in combinations(levels, 2)
    }
    rows = [
        _row(keys, pair, levels, unplaced, one, is_minor=is_minor) for pair, one in found.items()
    ]
    # Where the claims have one level there is nothing to compare.
    if len({x.response.level for x in verdicts}.intersection(_LEVELS)) < 2:
        return []
    return [*rows, _overall(study, keys, list(found.values()), is_minor=is_minor)]


def _by_level(verdicts: Sequence[Verdict], says: Says) -> dict[str, _Hits]:
    """Level -> its hits, for levels with a response that counts."""
    levels: dict[str, _Hits] = {}
    for verdict in verdicts:
        response = verdict.response
        if response.level not in _LEVELS:
            continue
        own = levels.setdefault(response.level, _Hits(claims={}, causes=Counter()))
        said = verdict.cause or says(verdict)
        if isinstance(said, str):
            own.causes[said] += 1
        else:
            hits, n = own.claims.get(response.block, (0, 0))
            own.claims[response.block] = (hits + said, n + 1)
    return {level: levels[level] for level in sorted(levels) if levels[level].claims}


def _compare(first: _Hits, second: _Hits, margin: float) -> _Pair:
    block = equivalence(sorted(first.rates), sorted(second.rates), margin=margin, alpha=_ALPHA)
    pooled = equivalence_pooled(
        first.hits, first.n, second.hits, second.n, margin=margin, alpha=_ALPHA
    )
    return _Pair(block=block, pooled=pooled)


def _row(
    keys: Keys,
    pair: tuple[str, str],
    levels: Mapping[str, _Hits],
    unplaced: int,
    found: _Pair,
    *,
    is_minor: bool,
) -> Row:
    own = {**keys, "levels": " and ".join(pair)}
    used = sum(levels[level].n for level in pair)
    excluded = sum((levels[level].causes for level in pair), Counter({_NO_LEVEL: unplaced}))
    tally = Tally.of(planned=used + excluded.total(), used=used, excluded=excluded)
    main = Measure(
        metric=_EQUIVALENCE,
        keys=own,
        value=_of(found.block, "difference"),
        unit="difference",
        tally=tally,
        interval=found.block if isinstance(found.block, Undefined) else found.block.interval,
        rule=f"{100 * (1 - 2 * _ALPHA):g} % interval of Welch's t over claims",
    )
    beside = {
        "p": counted(f"{_EQUIVALENCE}.p", own, _of(found.block, "p"), "p"),
        "p_different": counted(
            f"{_EQUIVALENCE}.p_different", own, _of(found.block, "p_different"), "p"
        ),
        "p_pooled": counted(f"{_EQUIVALENCE}.p_pooled", own, _of(found.pooled, "p"), "p"),
    }
    return Row(keys=own, main=main, beside=beside, is_minor=is_minor)


def _of(found: Equivalence | Undefined, name: str) -> float | Undefined:
    if isinstance(found, Undefined):
        return found
    value: float = getattr(found, name)
    return value


def _overall(study: Study, keys: Keys, found: Sequence[_Pair], *, is_minor: bool) -> Row:
    """The intersection of all pairs; one that cannot be tested leaves it open."""
    own = {**keys, "levels": "all pairs"}
    p, p_pooled = (_largest(x) for x in ([y.block for y in found], [y.pooled for y in found]))
    equivalent = sum(not isinstance(x.block, Undefined) and x.block.equivalent for x in found)
    is_published = keys["rate"] == "refusal"
    margin = counted(
        f"{_EQUIVALENCE}.margin",
        own,
        study.margin,
        "points",
        published=study.published(f"{_EQUIVALENCE}.margin", own) if is_published else (),
    )
    beside = {
        "p": counted(f"{_EQUIVALENCE}.overall_p", own, p, "p"),
        "p_pooled": counted(f"{_EQUIVALENCE}.overall_p_pooled", own, p_pooled, "p"),
        "pairs": counted(f"{_EQUIVALENCE}.pairs", own, len(found), "count"),
        "equivalent": counted(f"{_EQUIVALENCE}.pairs_equivalent", own, equivalent, "count"),
        "margin": margin,
    }
    return Row(keys=own, beside=beside, is_minor=is_minor)


def _largest(found: Sequence[Equivalence | Undefined]) -> float | Undefined:
    if not found:
        return Undefined("fewer than two levels with a judged response")
    missing = next((x for x in found if isinstance(x, Undefined)), None)
    return missing or max(x.p for x in found if isinstance(x, Equivalence))


def context_difference(study: Study) -> Section | None:
    """M7: over all levels, and in each."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            for rate in _TESTED:
                keys = {"model": model, "rate": rate}
                yield _contexts(study, {**keys, "level": "all alike"}, verdicts)
                by_level = grouped(verdicts, lambda x: x.level).items()
                for level, found in by_level if rate == "refusal" else ():
                    if level in _LEVELS:
                        yield _contexts(study, {**keys, "level": level}, found)

    levels = {x.level for x in study.responses if x.context == _US}
    if not any(x.context == _INTERNATIONAL and x.level in levels for x in study.responses):
        return None
    return Section(
        id="M7",
        title="difference of contexts",
        about="rate on claims about the United States minus rate on international ones, within "
        "each level; every level that has both weighs the same",
        rows=tuple(rows()),
        audits=study.context.reference.audits_of(_CONTEXT),
    )


def _contexts(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> Row:
    says, causes = RATES[keys["rate"]], Counter[str]()
    known: list[tuple[Verdict, int]] = []
    for verdict in verdicts:
        said = verdict.cause or says(verdict)
        cause = said if isinstance(said, str) else _unplaced(verdict)
        if cause or isinstance(said, str):
            causes[cause] += 1
        else:
            known.append((verdict, said))
    levels = _with_both([verdict for verdict, _ in known])
    kept = [(x, said) for x, said in known if x.response.level in levels]
    causes["of a level with one context only"] += len(known) - len(kept)
    main = estimated(
        _CONTEXT,
        keys,
        [(x.response.block, _columns(x, said, levels)) for x, said in kept],
        MEAN_DIFFERENCE,
        study.context.settings,
        tally=Tally.of(planned=len(verdicts), used=len(kept), excluded=causes),
        unit="difference",
        empty="no level with judged responses in both contexts",
        blocks="claims",
    )
    return Row(keys=keys, main=main, is_minor=keys["rate"] != "refusal")


def _unplaced(verdict: Verdict) -> str:
    if verdict.response.level not in _LEVELS:
        return _NO_LEVEL
    is_known = verdict.response.context in CONTEXTS
    return "" if is_known else f"the claim is neither {_US} nor {_INTERNATIONAL}"


def _with_both(verdicts: Sequence[Verdict]) -> list[str]:
    seen = {(x.response.level, x.response.context) for x in verdicts}
    return [level for level in _LEVELS if all((level, context) in seen for context in CONTEXTS)]


def _columns(verdict: Verdict, said: int, levels: Sequence[str]) -> tuple[float, ...]:
    """Hits and responses of both contexts, level by level."""
    columns = [0.0] * (4 * len(levels))
    start = 4 * levels.index(verdict.response.level)
    start += 2 * CONTEXTS.index(verdict.response.context)
    columns[start : start + 2] = [float(said), 1.0]
    return tuple(columns)
