"""From the record of a run to plain facts of its responses, with every judge's label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from eristic.debate import Setting, TurnFailed, TurnSpoken
from eristic.protocols.deflectbench.framings import REQUESTS
from eristic.protocols.deflectbench.names import AUTHOR, FIELDS, JUDGES, NO_GENERATION
from eristic.protocols.deflectbench.options import Options
from eristic.protocols.deflectbench.rubric import Label, label_of
from eristic.protocols.reports import Judge, Judged, Recorded, RecordedRun
from eristic.protocols.settings import read_options

__all__ = ["DOUBLE", "NOT_DONE", "OPEN", "Response", "later_judges", "read_responses"]

OPEN: Final = "open: not finished"
NOT_DONE: Final = "closed before its judges were asked"
DOUBLE: Final = "another result of the same claim, template and repetition"


class Response(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One sample of one cell: what the author wrote, and what judges say of it."""

    episode: str
    model: str
    """The author as bound."""
    claim: str
    block: str
    level: str
    """1 to 4; empty when the claim has none, as are context and domain."""
    context: str
    domain: str
    template: str
    framing: str
    fallacy: str
    """The one that was asked for by name; empty where the model was free."""
    repetition: int
    options: Options
    text: str = ""
    tokens: int | None = None
    """Output tokens as billed; None when the provider did not say."""
    is_cut: bool = False
    """It reached the limit of tokens and is judged as it is."""
    is_provider_refusal: bool = False
    labels: Mapping[str, Label] = {}
    """Each judge of the episode, by role; without a valid field an empty label."""
    readings: Mapping[str, tuple[str, ...]] = {}
    """Judge of the episode -> flags of its reading; a judge that gave no text is absent."""
    later: Mapping[str, Label] = {}
    """Judges that looked at it after the run, people among them."""
    cause: str = ""
    """Why nothing can be said of it by any rule; empty for a response that could be judged."""

    @property
    def is_empty(self) -> bool:
        """It has no text, so that no judge was asked."""
        return not self.text.strip()

    @property
    def cell(self) -> tuple[str, str, str, int]:
        """Model, claim, template and repetition."""
        return (self.model, self.claim, self.template, self.repetition)


def read_responses(run: RecordedRun, judged: Judged) -> tuple[Response, ...]:
    """All responses in the run's order. Of several results of one cell the first one counts."""
    later = later_judges(judged)
    found = [(_rank(one), _read(one, later)) for one in run.episodes]
    best: dict[tuple[str, str, str, int], tuple[bool, bool, str]] = {}
    for rank, response in found:
        best[response.cell] = min(rank, best.get(response.cell, rank))
    return tuple(
        response if best[response.cell] == rank else msgspec.structs.replace(response, cause=DOUBLE)
        for rank, response in found
    )


def later_judges(judged: Judged) -> dict[str, Judge]:
    """Name -> judge, of those that gave fields of the rubric; equal names are told apart."""
    rubric = [judge for judge in judged.judges if _gave_fields(judge)]
    names = Counter(judge.name for judge in rubric)
    return {
        judge.name if names[judge.name] == 1 else f"{judge.name} ({judge.chain})": judge
        for judge in rubric
    }


def _gave_fields(judge: Judge) -> bool:
    return any(not set(FIELDS).isdisjoint(score.fields) for score in judge.scores.values())


def _rank(one: Recorded) -> tuple[bool, bool, str]:
    """A branch never stands for its source, nor an episode without a result for one with it."""
    return (one.opened.parent is not None, one.outcome is None, one.episode)


def _read(one: Recorded, judges: Mapping[str, Judge]) -> Response:
    answers = one.last_attempts().values()
    author = next((x for x in answers if x.role == AUTHOR), None)
    spoken = author if isinstance(author, TurnSpoken) else None
    call = spoken.call if spoken is not None else None
    request = REQUESTS.get(one.condition)
    level, texts = one.case.data.get("level"), one.case.texts
    return Response(
        episode=one.episode,
        model=one.model(AUTHOR),
        claim=one.case.case_id,
        block=one.block,
        level=str(level) if isinstance(level, int | str) else "",
        context=texts.get("context", ""),
        domain=texts.get("domain", ""),
        template=one.condition,
        framing=request.framing if request is not None else one.condition,
        fallacy=(request.named_fallacy if request is not None else None) or "",
        repetition=one.opened.repetition,
        options=read_options(one.opened.options, Options),
        text=spoken.text if spoken is not None else "",
        tokens=call.tokens_out if call is not None else None,
        is_cut=call is not None and call.finish == "length",
        is_provider_refusal=call is not None and call.refusal,
        labels={role: _label(_of_role(answers, role)) for role in JUDGES},
        readings=_readings(answers),
        later=_later(one, spoken, judges),
        cause=_cause(one, spoken),
    )


def _cause(one: Recorded, spoken: TurnSpoken | None) -> str:
    if one.closed is None:
        return OPEN
    if spoken is None:
        return one.closed.reason if one.closed.outcome is None else NO_GENERATION
    is_judged = one.closed.rounds > 0 or one.closed.outcome is not None
    return "" if is_judged else one.closed.reason or NOT_DONE


def _of_role(
    answers: Iterable[TurnSpoken | TurnFailed], role: str
) -> TurnSpoken | TurnFailed | None:
    return next((answer for answer in answers if answer.role == role), None)


def _label(answer: TurnSpoken | TurnFailed | None) -> Label:
    """As the episode's own ruling takes it: what a refused call says is no label."""
    if not isinstance(answer, TurnSpoken) or answer.reading is None:
        return {}
    is_refused = answer.call is not None and answer.call.refusal
    return {} if is_refused else label_of(answer.reading.parts)


def _readings(answers: Iterable[TurnSpoken | TurnFailed]) -> dict[str, tuple[str, ...]]:
    return {
        answer.role: answer.reading.flags
        for answer in answers
        if isinstance(answer, TurnSpoken) and answer.role in JUDGES and answer.reading is not None
    }


def _later(
    one: Recorded, spoken: TurnSpoken | None, judges: Mapping[str, Judge]
) -> dict[str, Label]:
    digest = one.digests.get(spoken.turn) if spoken is not None else None
    if digest is None:
        return {}
    scores = {name: judge.scores.get(digest) for name, judge in judges.items()}
    return {name: _bits(score.fields) for name, score in scores.items() if score is not None}


def _bits(fields: Mapping[str, Setting]) -> dict[str, int]:
    """The valid fields: numbers, yes or no, or the texts that a file of labels holds."""
    return {
        name: int(fields[name] in (1, "1"))
        for name in FIELDS
        if name in fields and fields[name] in (0, 1, "0", "1")
    }
