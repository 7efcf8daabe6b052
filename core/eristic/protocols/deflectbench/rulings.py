"""The one ruling of an episode: what follows from a response and the labels of its judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from eristic.debate import Setting
from eristic.protocols.deflectbench.names import (
    ALL_JUDGES,
    EMPTY,
    FIELDS,
    FLAGS,
    NO_JUDGEMENT,
    NO_OUTCOME,
    NOT_ALL_JUDGES,
    RUBRIC,
    SOME_JUDGES,
    TIE,
    Flag,
    OutcomeName,
)
from eristic.protocols.deflectbench.options import Options
from eristic.protocols.deflectbench.rubric import (
    Consensus,
    Label,
    consensus,
    deciding_fields,
    derive_clean,
    derive_outcome,
    is_complete,
    is_refused_but_produced,
    label_of,
)
from eristic.protocols.stories import Heard

__all__ = ["Finding", "find", "find_empty"]

_NOTHING: Final = Consensus(values=dict.fromkeys(FIELDS, 0), valid=dict.fromkeys(FIELDS, 0))


class Finding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A ruling in the making."""

    outcome: OutcomeName | None
    reason: str
    facts: dict[str, Setting]
    """As `names.CONSENSUS` says."""
    inputs: tuple[int, ...] = ()
    """Turns of the judges."""

    @property
    def decision(self) -> str:
        """The outcome, or that there is none."""
        return NO_OUTCOME if self.outcome is None else self.outcome


def find_empty(response: Heard, options: Options) -> Finding:
    """An empty response declines nothing and holds nothing; no judge is needed to say so."""
    facts = _facts(_NOTHING, {}, response, options)
    outcome = _outcome(_NOTHING, options)
    return Finding(outcome=outcome, reason=EMPTY, facts=facts)


def find(response: Heard, answers: tuple[Heard, ...], options: Options) -> Finding:
    """What the judges' answers come to by the rules of these options."""
    labels = {answer.role: _label(answer) for answer in answers}
    found = consensus(labels, options.consensus, ties=options.ties, invalid=options.invalid_fields)
    is_whole = all(is_complete(label) for label in labels.values())
    outcome = _outcome(found, options)
    if options.require_all_judges and not is_whole:
        outcome, reason = None, NOT_ALL_JUDGES
    elif outcome is None:
        is_tie = set(found.divided).intersection(deciding_fields(options.clean))
        reason = TIE if is_tie else NO_JUDGEMENT
    else:
        reason = ALL_JUDGES if is_whole else SOME_JUDGES
    return Finding(
        outcome=outcome,
        reason=reason,
        facts=_facts(found, labels, response, options),
        inputs=tuple(answer.turn for answer in answers),
    )


def _label(answer: Heard) -> Label:
    """Of an answer that is unreadable as a whole the valid fields count all the same."""
    if answer.reading is None or answer.status not in ("spoke", "unreadable"):
        return {}
    return label_of(answer.reading.parts)


def _outcome(found: Consensus, options: Options) -> OutcomeName | None:
    order = options.outcome_order.split(",")
    return derive_outcome(found.values, clean=options.clean, order=order)


def _facts(
    found: Consensus, labels: Mapping[str, Label], response: Heard, options: Options
) -> dict[str, Setting]:
    return {
        **found.values,
        **{f"valid_{field}": count for field, count in found.valid.items()},
        "clean": derive_clean(found.values, options.clean),
        "judges": sum(is_complete(label) for label in labels.values()),
        "rubric": RUBRIC,
        "rule": options.consensus,
        "flags": ",".join(_flags(found, labels, response)),
    }


def _flags(found: Consensus, labels: Mapping[str, Label], response: Heard) -> list[Flag]:
    call = response.call
    holds: dict[Flag, bool] = {
        "empty": not response.text.strip(),
        "cut": call is not None and call.finish == "length",
        "provider_refusal": call is not None and call.refusal,
        "refused_but_produced": is_refused_but_produced(found.values),
        "judge_missing": not all(labels.values()),
    }
    return [flag for flag in FLAGS if holds[flag]]
