"""What other rules would have decided, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from eristic.cli.rendering import Screen, Span, open_screen, print_json
from eristic.protocols.recomputing import GOES_ON, NO_TEXTS, NOT_RECORDED

if TYPE_CHECKING:
    from eristic.replay import Effect, Recomputation, Reheard

__all__ = ["as_document", "print_recomputation"]

_NOT_KNOWN = "-"
_NO_OUTCOME = "no outcome"
_CAUSES: Mapping[str, str] = {
    GOES_ON: "nothing recorded stops them by this policy: they would have gone on, or may have",
    NOT_RECORDED: "this policy rests on answers that were not recorded",
    NO_TEXTS: "imported without the texts that the parser would read",
}


def print_recomputation(found: Recomputation, *, as_json: bool, limit: int | None) -> None:
    """All of it as JSON, or tables and at most `limit` flipped episodes of each policy."""
    if as_json:
        print_json(as_document(found))
        return
    screen = open_screen()
    count = len(found.episodes)
    screen.line(
        Span(f"run {found.run} by other rules", "bold"),
        f" · {found.protocol or 'no episode yet'} · {count:,} episode{'s' * (count != 1)} · "
        "no model called",
    )
    for check, parser in found.parsers.items():
        screen.line(f"answers to {check} read again by {parser}")
    for place, policy in enumerate(found.policies):
        effects = [effect for effect in found.effects if effect.policy == policy]
        if effects:
            _print_policy(screen, found.success, effects)
            _print_flips(screen, found, place, limit)
    if found.effects:
        screen.line()
        screen.line(
            Span(
                "n: episodes with an outcome; failed and open ones are not in it. moved: the same "
                "outcome in another round or for another reason",
                "dim",
            )
        )


def _print_policy(screen: Screen, success: str, effects: list[Effect]) -> None:
    screen.line()
    screen.line(Span(effects[0].policy, "bold cyan"))
    *parts, whole = effects
    shown = parts if len(parts) == 1 else effects
    has_subjects = any(effect.subject for effect in parts)
    _print_counts(screen, success, shown, has_subjects=has_subjects)
    if not success:
        screen.line()
        _print_outcomes(screen, shown, has_subjects=has_subjects)
    for cause, count in whole.censored.items():
        screen.block(f"{count:,} censored: {_CAUSES.get(cause, cause)}", indent=2, style="dim")
    if whole.by_default_before or whole.by_default_exact:
        text = (
            f"{whole.by_default_exact:,} of the exact outcomes rest on unreadable answers alone "
            f"and say nothing ({whole.by_default_before:,} of the recorded ones)"
        )
        screen.block(text, indent=2, style="yellow")
    for flip, count in whole.flipped.items():
        screen.line(f"  {count:,} flipped: {flip}")


def _print_counts(screen: Screen, success: str, shown: list[Effect], *, has_subjects: bool) -> None:
    """A row for every condition: its rate when there is a success, and what changed."""
    rows = [_labels(x, has_subjects=has_subjects) | _numbers(x, success) for x in shown]
    if all(effect.failed == effect.failed_after for effect in shown):
        for row in rows:
            del row["failed after"]
    names = tuple(rows[0])
    screen.table(
        names,
        [list(row.values()) for row in rows],
        right=tuple(name for name in names if name not in ("model", "condition")),
        keep=("condition", "bounds after") if success else ("condition", "flipped"),
        spare=("open", "failed", "moved"),
    )


def _labels(effect: Effect, *, has_subjects: bool) -> dict[str, str | Span]:
    named: dict[str, str | Span] = {"model": effect.subject or _NOT_KNOWN} if has_subjects else {}
    return named | {"condition": effect.condition or "all"}


def _numbers(effect: Effect, success: str) -> dict[str, str | Span]:
    before = f"{effect.successes_before:,} ({_percent(effect.rate_before)})"
    rates: dict[str, str | Span] = {
        f"{success} before": before,
        "after, exact": f"{effect.successes_exact:,} of {effect.exact:,}",
    }
    bounds = {"bounds after": _bounds(effect.rate_low, effect.rate_high)}
    return {
        "n": f"{effect.n:,}",
        **(rates if success else {}),
        "censored": f"{effect.undecided:,}",
        **(bounds if success else {}),
        "flipped": Span(f"{effect.flips:,}", "bold yellow" if effect.flips else ""),
        "moved": f"{effect.moved:,}",
        "failed": f"{sum(effect.failed.values()):,}",
        "failed after": f"{sum(effect.failed_after.values()):,}",
        "open": f"{effect.open:,}",
    }


def _print_outcomes(screen: Screen, shown: list[Effect], *, has_subjects: bool) -> None:
    """Where no outcome is a success: a row for every outcome of every condition."""
    numbers = ("before", "after, exact", "bounds after")
    rows = [
        [*_labels(effect, has_subjects=has_subjects).values(), *_outcome(effect, outcome)]
        for effect in shown
        for outcome in sorted({*effect.before, *effect.after})
    ]
    if rows:
        model = ("model",) if has_subjects else ()
        names = (*model, "condition", "outcome", *numbers)
        screen.table(names, rows, right=numbers, keep=("outcome", "bounds after"))


def _outcome(effect: Effect, outcome: str) -> list[str | Span]:
    before = f"{effect.before.get(outcome, 0):,} ({_percent(effect.share_before(outcome))})"
    return [
        outcome,
        before,
        f"{effect.after.get(outcome, 0):,} of {effect.exact:,}",
        _bounds(effect.share_low(outcome), effect.share_high(outcome)),
    ]


def _percent(rate: float | None) -> str:
    return _NOT_KNOWN if rate is None else f"{100 * rate:.1f} %"


def _bounds(low: float | None, high: float | None) -> str:
    return _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}"


def _print_flips(screen: Screen, found: Recomputation, place: int, limit: int | None) -> None:
    flips = [x for x in found.episodes if x.decided and x.change(place) == "flipped"]
    if not flips:
        return
    screen.line()
    names = ("flipped", "case", "condition", "rep", "before", "after", "turns")
    screen.table(
        names,
        [_flip(episode, place) for episode in flips[:limit]],
        right=("rep",),
        keep=("flipped", "after"),
        spare=("rep", "turns"),
    )
    if limit is not None and len(flips) > limit:
        screen.line(Span(f"... {len(flips) - limit:,} more; --all lists them", "dim"))


def _flip(episode: Reheard, place: int) -> list[str]:
    after = episode.decided[place]
    return [
        episode.episode,
        " ".join(filter(None, (episode.case_id, episode.subject))),
        episode.condition,
        str(episode.repetition),
        f"{episode.outcome or _NO_OUTCOME}, {episode.reason} @{episode.round}",
        f"{after.outcome or _NO_OUTCOME}, {after.reason} @{after.round}",
        ", ".join(map(str, after.inputs)) or _NOT_KNOWN,
    ]


def as_document(found: Recomputation) -> dict[str, Any]:
    """The whole of it as JSON values; rates are fractions, null where they are undefined."""
    document: dict[str, Any] = msgspec.to_builtins(found)
    for effect, row in zip(found.effects, document["effects"], strict=True):
        row |= {
            "flips": effect.flips,
            "undecided": effect.undecided,
            "rate_before": effect.rate_before,
            "rate_low": effect.rate_low,
            "rate_high": effect.rate_high,
            "n_after": effect.n_after,
            "shares": {
                outcome: {
                    "before": effect.share_before(outcome),
                    "low": effect.share_low(outcome),
                    "high": effect.share_high(outcome),
                }
                for outcome in sorted({*effect.before, *effect.after})
            },
        }
    for episode, row in zip(found.episodes, document["episodes"], strict=True):
        for place, decided in enumerate(row["decided"]):
            decided["policy"] = found.policies[place]
            decided["change"] = episode.change(place)
    return document
