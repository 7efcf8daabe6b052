"""M12: calls, tokens and seconds of each phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.reports import Context, Measure, Published, Row, Section
from eristic.protocols.reports.estimates import counted, estimated
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_causes
from eristic.protocols.scr.metrics.facts import COPIED, OPEN, Episode
from eristic.protocols.scr.metrics.measuring import mean_of
from eristic.protocols.scr.metrics.phases import (
    PHASES,
    REPAIR_PHASES,
    SCR_PHASES,
    Call,
    calls_of,
)
from eristic.protocols.scr.metrics.published import suggester_row
from eristic.stats import RATE, Undefined

__all__ = ["calls_per_episode", "phase_costs"]

_Called = Sequence[tuple[Episode, Sequence[Call]]]
_PRINTED: Final = {
    "suggest": "suggest/critique on ",
    "critique": "suggest/critique on ",
    "reflect": "reflect",
}


def _called(cell: Cell) -> _Called:
    return [(one, calls_of(one.recorded)) for one in cell.episodes]


def phase_costs(context: Context) -> Section | None:
    """M12 by phase. None when no model was called."""
    rows = [row for cell in context.once(cells_of) for row in _phase_rows(context, cell)]
    if not rows:
        return None
    return Section(
        id="M12",
        title="seconds, tokens and calls by phase",
        about="seconds of one answered call, mean; calls that were answered and that failed; "
        "tokens as billed; cut: answers that ended at their length. Asking again is another call",
        rows=tuple(rows),
        notes=(
            "calls that a branch took over from its source were not made again and count there",
            *(
                f"published: {x.value:g} {x.unit} for the whole suite ({x.where}, {x.origin})"
                for x in context.reference.find("scr.cost_full_suite")
            ),
        ),
    )


def _phase_rows(context: Context, cell: Cell) -> Iterator[Row]:
    called = _called(cell)
    for phase in PHASES:
        found = [(one, call) for one, calls in called for call in calls if call.phase == phase]
        if found:
            yield _phase_row(context, cell, phase, found)


def _phase_row(
    context: Context, cell: Cell, phase: str, found: Sequence[tuple[Episode, Call]]
) -> Row:
    keys = {**cell.keys, "phase": phase}
    answered = [call for _, call in found if call.is_answered]
    main = mean_of(
        context,
        "scr.seconds_per_call",
        keys,
        [(one.block, call.seconds) for one, call in found if call.seconds is not None],
        tally_causes(_untimed(call) for _, call in found),
        unit="seconds",
        empty="no call whose time was measured",
        published=_published(context, cell, phase),
    )
    counts = {
        "calls": len(answered),
        "failed": len(found) - len(answered),
        "cut": sum(call.is_cut for call in answered),
    }
    return Row(
        keys=keys,
        main=main,
        beside={
            **{
                name: counted(f"scr.{name}", keys, number, "count" if name == "cut" else "calls")
                for name, number in counts.items()
            },
            "tokens_in": _sum(keys, "tokens_in", [call.tokens_in for call in answered]),
            "tokens_out": _sum(keys, "tokens_out", [call.tokens_out for call in answered]),
            "seconds": _sum(keys, "seconds", [call.seconds for call in answered]),
        },
    )


def _untimed(call: Call) -> str:
    if not call.is_answered:
        return "failed call"
    return "no time measured" if call.seconds is None else ""


def _sum(keys: dict[str, str], name: str, numbers: Sequence[float | None]) -> Measure:
    known = [number for number in numbers if number is not None]
    whole = sum(sorted(known)) if known else Undefined(f"nobody said the {name}")
    lacking = len(numbers) - len(known)
    note = f"{lacking} calls without a count" if lacking else ""
    unit = "seconds" if name == "seconds" else "tokens"
    return counted(f"scr.{name}", keys, whole, unit, note=note)


def _published(context: Context, cell: Cell, phase: str) -> tuple[Published, ...]:
    """Low and high of the line that names the suggester, or of all lines of the phase."""
    if phase not in _PRINTED:
        return ()
    numbers = [
        x
        for x in context.reference.find("scr.seconds_per_prompt")
        if x.keys.get("phase", "").startswith(_PRINTED[phase])
    ]
    own = suggester_row(cell.suggester)
    of_own = [x for x in numbers if own and own in x.keys["phase"]]
    return tuple(of_own or numbers)


def calls_per_episode(context: Context) -> Section | None:
    """M12 by episode. None when no model was called."""
    rows = [row for cell in context.once(cells_of) for row in _episode_rows(context, cell)]
    if not rows:
        return None
    return Section(
        id="M12b",
        title="calls of an episode",
        about="mean calls, answered or failed, of episodes that came to an end: until the verdict, "
        "of a whole repair, and of one of its iterations",
        rows=tuple(rows),
        notes=(
            "with one critic and nothing asked again: 3 calls until the verdict, 2 without a "
            "critique; 4 an iteration, 3 when the critic has nothing to say any more",
            "turns: the same without asking again",
        ),
    )


def _episode_rows(context: Context, cell: Cell) -> Iterator[Row]:
    called = _called(cell)
    if not any(calls for _, calls in called):
        return
    yield _row(context, cell, "until the verdict", called, SCR_PHASES)
    if any(one.mending is not None for one, _ in called):
        mended = [(one, calls) for one, calls in called if one.mending is not None]
        yield _row(context, cell, "repair", mended, REPAIR_PHASES)
        yield _row(context, cell, "one iteration", mended, REPAIR_PHASES)
    if cell.condition != "scr" or any(one.placebos for one, _ in called):
        yield _row(context, cell, "episode", called, PHASES)


def _row(context: Context, cell: Cell, what: str, called: _Called, phases: Sequence[str]) -> Row:
    keys = {**cell.keys, "calls of": what}
    is_iteration = what == "one iteration"

    def cause(one: Episode) -> str:
        if one.cause == OPEN:
            return OPEN
        is_copied = one.cause == COPIED and phases == SCR_PHASES
        return COPIED if is_copied else ""

    used = [(one, [x for x in calls if x.phase in phases]) for one, calls in called]
    counted_in = [(one, calls) for one, calls in used if not cause(one)]

    def measure(metric: str, count: Sequence[tuple[Episode, int]]) -> Measure:
        return estimated(
            metric,
            keys,
            [(one.block, (float(n), _below(one, is_iteration))) for one, n in count],
            RATE,
            context.settings,
            tally=tally_causes(cause(one) for one, _ in called),
            unit="calls",
            empty="no episode that came to an end",
            blocks=BLOCKS,
        )

    calls = [(one, len(found)) for one, found in counted_in]
    turns = [(one, len({x.turn for x in found})) for one, found in counted_in]
    whole = counted("scr.calls_sum", keys, sum(n for _, n in calls), "calls")
    return Row(
        keys=keys,
        main=measure("scr.calls", calls),
        beside={"turns": measure("scr.turns", turns), "all": whole},
    )


def _below(one: Episode, is_iteration: bool) -> float:
    if not is_iteration:
        return 1.0
    return float(one.mending.iterations) if one.mending is not None else 0.0
