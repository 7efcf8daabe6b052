"""M10: calls and tokens of each role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import asdict

from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.facts import Debate
from eristic.protocols.reports import Measure, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.stats import Tally, Undefined

__all__ = ["costs", "role_costs"]

_NOT_RECORDED = "not recorded by the source of an imported debate"
_ALL = "(all)"


def role_costs(debates: Iterable[Debate]) -> dict[str, Counter[str]]:
    """Role -> sums over debates, and the sum of all roles; what failed debates cost counts too."""
    sums: dict[str, Counter[str]] = {}
    for debate in debates:
        for role, calls in debate.calls.items():
            for name in (role, _ALL):
                sums.setdefault(name, Counter()).update(asdict(calls))
    return dict(sorted(sums.items(), key=lambda item: (item[0] == _ALL, item[0])))


def costs(context: Context) -> Section:
    """M10."""
    return Section(
        id="M10",
        title="cost",
        about="model calls and tokens of each role, over all debates begun, those that failed too",
        rows=tuple(row for arm in context.arms for row in _rows(arm)),
        notes=(
            "calls gave a text, re-asks among them; failed tries gave none; a branch did not call "
            "again for what it took over",
            "tokens as billed; of calls whose provider gave no counts nothing is in the sums",
        ),
    )


def _rows(arm: Arm) -> Iterable[Row]:
    ours = [debate for debate in arm.debates if not debate.is_imported]
    imported = len(arm.debates) - len(ours)
    causes = {_NOT_RECORDED: imported, "not begun": arm.not_begun}
    tally = Tally.of(planned=arm.planned, used=len(ours), excluded=causes)
    found = role_costs(ours)
    if not found:
        why = _NOT_RECORDED if imported else "no call was made"
        keys = {**arm.keys, "role": _ALL}
        main = counted("logicom.calls", keys, Undefined(why), "calls", tally=tally)
        yield Row(keys=keys, main=main)
    for role, sums in found.items():
        yield _row({**arm.keys, "role": role}, sums, tally)


def _row(keys: dict[str, str], sums: Counter[str], tally: Tally) -> Row:
    counted_calls = sums["calls"] - sums["uncounted"]
    none = Undefined("no provider gave token counts")
    beside: dict[str, Measure] = {
        "a debate": counted(
            "logicom.calls_per_debate",
            keys,
            sums["calls"] / tally.used if tally.used else Undefined("no debate"),
            "calls",
            tally=tally,
        ),
        "failed tries": counted("logicom.failed_tries", keys, sums["failed"], "count"),
    }
    for name in ("tokens_in", "tokens_out"):
        value = sums[name] if counted_calls else none
        beside[name.replace("_", " ")] = counted(f"logicom.{name}", keys, value, "tokens")
    beside["uncounted"] = counted("logicom.calls_uncounted", keys, sums["uncounted"], "count")
    main = counted("logicom.calls", keys, sums["calls"], "calls", tally=tally)
    return Row(keys=keys, main=main, beside=beside)
