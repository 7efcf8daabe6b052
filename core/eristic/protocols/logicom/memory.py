"""Which lines of a role's history are folded into its summary when the prompt grows too long."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eristic.debate.errors import NameRefused, nearest

__all__ = ["FoldPlan", "fold_plan"]


class FoldPlan(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Indices of the history lines, each in exactly one of the two, both ascending."""

    kept: tuple[int, ...]
    folded: tuple[int, ...]
    """Empty: nothing is left that may be folded; the prompt is sent as it is and the turn flagged
    `context_overflow`."""
    flags: tuple[str, ...] = ()
    """`second_folded`: the published code loses this line, here it is in the summary.
    `incoming_folded`: the line to be answered is not kept whole, as in the published code."""


def fold_plan(policy: str, *, line_tokens: tuple[int, ...], excess: int, speaker: str) -> FoldPlan:
    """The lines to fold before the speaker is asked again.

    policy: `earliest_first` or `tiers`. line_tokens: tokens of every line of the history in its
    order, the incoming line last; the summary is no line. excess: tokens over the trigger.
    speaker: `persuader` or `debater`, whose history it is.

    The first line is always kept, and a plan that folds anything makes the history shorter, so
    that asking again ends. The incoming line is the last index: the caller must see to it that
    there is one number for each line, or another line is taken for it.

    earliest_first (the paper): folds the oldest lines that are neither first nor last until they
    cover the excess, or until only those two remain. At least one line is folded if one may be,
    even when the role's own count says that none is needed: it did not call its model.

    tiers (the code): the number of lines alone decides how many stay at the end (persuader's
    share, debater's share): over 11 lines 9 and 8, 10 or 11 lines 6 and 6, 8 or 9 lines 5 and 4,
    6 or 7 lines 3 and 2, up to 5 lines none. In that last tier the code drops the second line
    without summarising it; here it is folded, so that no line is ever lost, and the plan carries
    `second_folded`. The code also keeps no last line there, so the incoming line goes into the
    summary with the others; that is kept, flagged `incoming_folded`.

    Raises NameRefused for another policy or speaker.
    """
    if policy not in _POLICIES:
        raise NameRefused(f"no memory policy {policy!r}.{nearest(policy, _POLICIES)}")
    if speaker not in _SPEAKERS:
        raise NameRefused(f"{speaker!r} keeps no history.{nearest(speaker, _SPEAKERS)}")
    if policy == "tiers":
        return _tiers(len(line_tokens), speaker)
    return _earliest_first(line_tokens, excess)


_POLICIES = ("earliest_first", "tiers")
_SPEAKERS = ("persuader", "debater")

_TAILS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "persuader": ((12, 9), (10, 6), (8, 5), (6, 3)),
    "debater": ((12, 8), (10, 6), (8, 4), (6, 2)),
}
"""Speaker -> (lines from which the tier holds, lines kept at the end), highest tier first."""


def _earliest_first(line_tokens: tuple[int, ...], excess: int) -> FoldPlan:
    foldable = range(1, len(line_tokens) - 1)
    covered, end = 0, 1
    for index in foldable:
        covered += line_tokens[index]
        end = index + 1
        if covered >= excess:
            break
    return _split(len(line_tokens), end)


def _tiers(lines: int, speaker: str) -> FoldPlan:
    tail = next((tail for least, tail in _TAILS[speaker] if lines >= least), 0)
    plan = _split(lines, lines - tail)
    if tail or not plan.folded:
        return plan
    flags = ("second_folded", "incoming_folded")
    return msgspec.structs.replace(plan, flags=flags)


def _split(lines: int, end: int) -> FoldPlan:
    """Fold the lines from the second to the one before `end`."""
    folded = tuple(range(1, end))
    return FoldPlan(kept=tuple(x for x in range(lines) if x not in range(1, end)), folded=folded)
