"""What judges came to: one judge's work, the report at the end, the exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from eristic.cli.judge_tables import Findings, print_findings, to_document
from eristic.debate.errors import SpecRefused
from eristic.judging import Matter, PanelVerdict, families_of
from eristic.replay.judge_agreement import agreements
from eristic.replay.judge_reports import PanelRow, Rated, compare, convene_all, count
from eristic.replay.judges import Seat, find_judge, seat
from eristic.replay.label_files import LineProblem
from eristic.replay.sittings import Sitting
from eristic.replay.targets import Targets

__all__ = ["Work", "check_panel", "tell"]

_EXIT_LEFT = 3
_EXIT_EMPTY = 8
_SHOWN_PROBLEMS = 50


class Work:
    """One judge with what it is to look at."""

    def __init__(self, sitting: Sitting, matters: Sequence[Matter], *, exclude: bool) -> None:
        self.sitting = sitting
        self.matters = matters
        binding = sitting.seat.opened.binding
        kin = families_of((binding.model,)) if exclude and binding else frozenset()
        self.excluded = tuple(bool(kin & families_of(m.target.models)) for m in matters)
        self.allowed = [m for m, out in zip(matters, self.excluded, strict=True) if not out]
        self.has_family = bool(kin) or not exclude or binding is None

    @property
    def seat(self) -> Seat:
        """The judge itself."""
        return self.sitting.seat

    @property
    def left(self) -> int:
        """Calls that are still due (count)."""
        return len(self.sitting.docket.due(self.allowed)) if self.seat.asks else 0

    def rated(self) -> Rated:
        """Every score as it stands."""
        seat = self.seat
        return Rated(
            name=seat.name,
            chain=seat.chain,
            values=seat.opened.values,
            verdicts=seat.verdicts,
            scores=tuple(self.sitting.score(matter) for matter in self.matters),
            excluded=self.excluded,
        )


def check_panel(args: argparse.Namespace, works: Sequence[Work]) -> None:
    """Raises SpecRefused when --quorum asks for a panel of judges that look at different turns."""
    if args.quorum is None:
        return
    for groups in _grouped(works):
        if len(groups) > 1 or any(len(group) < args.quorum for group in groups):
            names = " / ".join(", ".join(work.seat.name for work in group) for group in groups)
            raise SpecRefused(
                f"--quorum {args.quorum}: a panel needs as many judges of the same turns, and "
                f"these look at different ones: {names}; leave out --quorum, or judge apart"
            )


def _grouped(works: Sequence[Work]) -> tuple[list[list[Work]], list[list[Work]]]:
    """Judges of the same turns together: of turns alone, and of turns beside another."""
    singly: dict[object, list[Work]] = {}
    paired: dict[object, list[Work]] = {}
    for work in works:
        keys = tuple((m.target.digest, m.other and m.other.digest) for m in work.matters)
        is_paired = all(m.other for m in work.matters) if work.matters else work.seat.sides == 2
        (paired if is_paired else singly).setdefault(keys, []).append(work)
    return list(singly.values()), list(paired.values())


def tell(
    args: argparse.Namespace,
    works: Sequence[Work],
    found: Targets,
    problems: Sequence[LineProblem],
) -> int:
    """Print what came of it; returns the exit code."""
    from eristic.cli.rendering import open_screen, print_json

    singly, paired = ([_findings(args, group) for group in groups] for groups in _grouped(works))
    left = sum(work.left for work in works)
    code = _exit_code((*singly, *paired), problems, left=left)
    for problem in problems[:_SHOWN_PROBLEMS]:
        print(f"eristic: {args.labels}, line {problem.line}: {problem.what}", file=sys.stderr)
    if len(problems) > _SHOWN_PROBLEMS:
        print(f"eristic: and {len(problems) - _SHOWN_PROBLEMS:,} more lines", file=sys.stderr)
    remarks = list(_remarks(args, works, found, left))
    if args.json:
        print_json(
            {
                "run": args.run,
                "state": "left" if left else "judged",
                "exit_code": code,
                "targets": len(found.targets) + len(found.pairs),
                "open": len(found.open),
                "silent": len(found.silent),
                "left": left,
                "cost": _costs(works),
                "remarks": remarks,
                "label_problems": [{"line": x.line, "what": x.what} for x in problems],
                **(to_document(singly) if singly else {"judges": []}),
                "comparisons": to_document(paired) if paired else None,
            }
        )
        return code
    screen = open_screen()
    for group in (*singly, *paired):
        print_findings(screen, group)
    for remark in remarks:
        screen.block(remark)
    return code


def _findings(args: argparse.Namespace, works: Sequence[Work]) -> Findings:
    """What judges of the same turns came to."""
    rated = [work.rated() for work in works]
    changes, compared = [], list(rated)
    if not any(m.other for m in works[0].matters) and any(x.verdicts for x in rated):
        recorded = _recorded(works[0].matters, rated)
        changes = [compare(recorded, x) for x in rated if x.verdicts and x.name != "recorded"]
        if recorded not in compared:
            compared.insert(0, recorded)
    panel: PanelRow | None = None
    verdicts: tuple[PanelVerdict, ...] = ()
    if args.quorum is not None:
        try:
            panel, verdicts = convene_all(rated, quorum=args.quorum)
        except ValueError as error:
            raise SpecRefused(f"--quorum: {error}; leave it out of this panel") from error
    return Findings(
        matters=works[0].matters,
        rated=rated,
        rows=[count(x) for x in rated],
        changes=changes,
        panel=panel,
        verdicts=verdicts,
        agreement=agreements(compared) if len(compared) > 1 else [],
    )


def _recorded(matters: Sequence[Matter], rated: Sequence[Rated]) -> Rated:
    """The verdicts in the log, whether or not they were asked for."""
    for one in rated:
        if one.name == "recorded":
            return one
    found = seat(find_judge("recorded"), software="", name="recorded")
    rule = found.rules
    assert rule is not None
    return Rated(
        name=found.name,
        chain=found.chain,
        values=found.opened.values,
        verdicts=found.verdicts,
        scores=tuple(rule.score(matter.target) for matter in matters),
        excluded=(False,) * len(matters),
    )


def _exit_code(groups: Sequence[Findings], problems: Sequence[LineProblem], *, left: int) -> int:
    if left:
        return _EXIT_LEFT
    rows = [row for group in groups for row in group.rows]
    is_empty = any(row.n and not row.scored for row in rows)
    return _EXIT_EMPTY if is_empty or problems else 0


def _costs(works: Sequence[Work]) -> dict[str, object]:
    """What the judges have cost on this run so far."""
    dockets = [work.sitting.docket for work in works]
    return {
        "calls": sum(docket.calls for docket in dockets),
        "known_usd": sum(docket.spent_usd for docket in dockets),
        "calls_of_unknown_cost": sum(docket.uncosted for docket in dockets),
    }


def _remarks(
    args: argparse.Namespace, works: Sequence[Work], found: Targets, left: int
) -> list[str]:
    """What the tables do not say."""
    lines = []
    if left:
        lines.append(f"{left:,} calls are left; the same command goes on where this one ended")
    if found.open:
        lines.append(f"{len(found.open):,} episodes are open and were not judged")
    if found.silent:
        lines.append(f"{len(found.silent):,} episodes have no turn to be judged")
    unknown = [work.seat.name for work in works if not work.has_family]
    if unknown:
        lines.append(f"family unknown, nothing excluded: {', '.join(unknown)}")
    costs = _costs(works)
    if costs["calls"]:
        known, lacking = costs["known_usd"], costs["calls_of_unknown_cost"]
        more = f", and {lacking:,} calls of unknown cost" if lacking else ""
        lines.append(f"cost so far of these judges: {costs['calls']:,} calls, ${known:.4f}{more}")
    return lines
