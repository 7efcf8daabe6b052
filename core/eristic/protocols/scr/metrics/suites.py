"""M9: are the cases realistic, the suggestions plausible, and what are the cases about?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from eristic.protocols.reports import Context, Judge, Measure, Published, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.protocols.scr.metrics.cells import BLOCKS, cells_of, tally_causes
from eristic.protocols.scr.metrics.facts import Episode
from eristic.protocols.scr.metrics.labels import HOW, vote
from eristic.protocols.scr.metrics.measuring import share
from eristic.protocols.scr.metrics.published import audits, beside
from eristic.stats import Tally, Undefined

__all__ = ["Realism", "plausibility", "realism", "realism_of", "topic_counts"]

_REALISTIC: Final = "realistic"
_PLAUSIBLE: Final = "plausible"
_LEAST: Final = 2
"""Labels that a case must have to be able to show a consensus, and equal ones that are one."""
_FEW: Final = "fewer than two labels"


class Realism(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Of cases that several people labelled."""

    cases: int
    """With labels enough to agree (count)."""
    consensus: dict[str, str]
    """Case -> the label that at least two give, and more than give any other."""

    @property
    def share(self) -> float | Undefined:
        """Of cases with a consensus (fraction)."""
        return len(self.consensus) / self.cases if self.cases else Undefined(_FEW)

    def label_share(self, label: str) -> float | Undefined:
        """Of a label among the cases with a consensus (fraction)."""
        if not self.consensus:
            return Undefined("no case with a consensus")
        return list(self.consensus.values()).count(label) / len(self.consensus)


def realism_of(labels: Mapping[str, Sequence[str]]) -> Realism:
    """labels: case -> one label a person. Cases with fewer than two labels are left out."""
    enough = {case: said for case, said in labels.items() if len(said) >= _LEAST}
    found = {case: _consensus(said) for case, said in enough.items()}
    return Realism(
        cases=len(enough),
        consensus={case: label for case, label in found.items() if label is not None},
    )


def _consensus(said: Sequence[str]) -> str | None:
    label = vote(said)
    return label if label is not None and said.count(label) >= _LEAST else None


def realism(context: Context) -> Section | None:
    """M9 of the cases. None for a run without episodes."""
    episodes = _episodes(context)
    if not episodes:
        return None
    judges = _judges(context, _REALISTIC)
    return Section(
        id="M9",
        title="realism of the cases",
        about="consensus: cases on which at least two of the people, and more than for any other "
        "label, say the same, of the cases with two labels or more; label shares among those. "
        f"{HOW}'completely realistic,somewhat realistic,unrealistic' on any suggestion of the case",
        rows=tuple(_realism_rows(context, episodes, judges)),
        notes=(
            f"labels of {len(judges)} people or judges; two different labels of one of them on one "
            "case are none",
        ),
        audits=audits(context.reference, "realism-count"),
    )


def _episodes(context: Context) -> list[Episode]:
    return [one for cell in context.once(cells_of) for one in cell.episodes]


def _judges(context: Context, word: str) -> list[Judge]:
    """Those whose every value is of this scale, `unrealistic` among them."""
    return [x for x in context.judged.judges if x.values and all(word in v for v in x.values)]


def _plain(value: str) -> str:
    return value.replace("_", " ").strip()


def _case_labels(episodes: Sequence[Episode], judges: Sequence[Judge]) -> dict[str, list[str]]:
    """Case -> labels, one a judge."""
    said: dict[str, dict[str, set[str]]] = {}
    for one in episodes:
        for judge in judges:
            score = judge.scores.get(one.digest)
            if score is not None and score.value is not None:
                of_case = said.setdefault(one.recorded.case.case_id, {})
                of_case.setdefault(judge.chain, set()).add(_plain(score.value))
    return {
        case: [next(iter(x)) for x in of_case.values() if len(x) == 1]
        for case, of_case in said.items()
    }


def _realism_rows(
    context: Context, episodes: Sequence[Episode], judges: Sequence[Judge]
) -> Iterator[Row]:
    labels = _case_labels(episodes, judges)
    found = realism_of(labels)
    blocks = {one.recorded.case.case_id: one.block for one in episodes}
    enough = [case for case, said in labels.items() if len(said) >= _LEAST]
    keys = {"of": "consensus"}
    main = share(
        context,
        "scr.realism_consensus",
        keys,
        [(blocks[case], case in found.consensus) for case in enough],
        tally_causes("" if len(said) >= _LEAST else _FEW for said in labels.values()),
        empty="no case with two labels",
        published=context.reference.find("scr.realism_consensus"),
    )
    yield Row(keys=keys, main=main)
    names = dict.fromkeys(_plain(value) for judge in judges for value in judge.values)
    printed = dict.fromkeys(x.keys["label"] for x in context.reference.find("scr.realism"))
    for label in names or printed:
        of_label = {"of": label}
        yield Row(
            keys=of_label,
            main=share(
                context,
                "scr.realism",
                of_label,
                [(blocks[case], said == label) for case, said in found.consensus.items()],
                Tally.of(planned=len(found.consensus), used=len(found.consensus)),
                empty="no case with a consensus",
                published=context.reference.find("scr.realism", label=label),
            ),
        )


def plausibility(context: Context) -> Section | None:
    """M9 of the suggestions. None for a run without episodes."""
    episodes, judges = _episodes(context), _judges(context, _PLAUSIBLE)
    if not episodes:
        return None
    suggesters = sorted({one.suggester for one in episodes})
    return Section(
        id="M9b",
        title="plausibility of the suggestions",
        about="suggestions with each label (what most say of several). "
        f"{HOW}'completely plausible,somewhat plausible,implausible' on turns of kind suggestion",
        rows=tuple(
            _plausibility_row(context, name, [x for x in episodes if x.suggester == name], judges)
            for name in suggesters
        ),
        notes=() if judges else ("nobody labelled any",),
    )


def _plausibility_row(
    context: Context, suggester: str, episodes: Sequence[Episode], judges: Sequence[Judge]
) -> Row:
    keys = {"suggester": suggester}
    asked = [[x.scores[one.digest] for x in judges if one.digest in x.scores] for one in episodes]
    values = [vote(score.value for score in said) for said in asked if said]
    counts = Counter(_plain(value) for value in values if value is not None)
    numbers = beside(context.reference, "scr.plausibility", suggester)
    names = dict.fromkeys(_plain(value) for judge in judges for value in judge.values)
    labels = names or dict.fromkeys(x.keys["label"] for x in numbers)
    none = Undefined("no labelled suggestion")
    tally = tally_causes("" if value is not None else "no label of most" for value in values)
    main = counted(
        "scr.plausibility_labelled", keys, tally.used if values else none, "count", tally=tally
    )
    return Row(
        keys=keys,
        main=main,
        beside={
            label: _plausible(keys, label, counts[label] if values else none, numbers)
            for label in labels
        },
    )


def _plausible(
    keys: dict[str, str], label: str, number: int | Undefined, numbers: Sequence[Published]
) -> Measure:
    return counted(
        "scr.plausibility",
        {**keys, "label": label},
        number,
        "count",
        published=[x for x in numbers if x.keys.get("label") == label],
    )


def topic_counts(context: Context) -> Section | None:
    """M9's topics. None when no case names one."""
    topics = {one.recorded.case.case_id: one.text("topic") for one in _episodes(context)}
    counts = Counter(topic for topic in topics.values() if topic)
    if not counts:
        return None
    causes = tally_causes("" if topic else "case without a topic" for topic in topics.values())
    return Section(
        id="M9c",
        title="topics of the cases",
        about="cases of each topic, of the cases that name one; a topic is a text of the case",
        rows=tuple(
            _topic_row(context, topic, counts[topic], causes)
            for topic in sorted(counts, key=lambda name: (-counts[name], name))
        ),
        notes=(f"cases, not {BLOCKS}: a case that several suggesters were asked counts once",),
    )


def _topic_row(context: Context, topic: str, number: int, tally: Tally) -> Row:
    keys = {"topic": topic}
    main = counted(
        "scr.topic_count",
        keys,
        number,
        "count",
        tally=tally,
        published=[
            x for x in context.reference.find("scr.topic_count") if x.keys.get("topic") == topic
        ],
    )
    part = counted("scr.topic_share", keys, number / tally.used, "fraction")
    return Row(keys=keys, main=main, beside={"share": part})
