"""Case files: what can be argued about, read from bytes and checked at the door.

`docs/reference/case-files.md` describes both layouts. A file is used whole or not at all: every
record that cannot be used is listed, and none is dropped in silence. Only a published layout of
many thousand lines may go on without those that it rejects, which are listed all the same.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import msgspec

from eristic.debate.cases import Case
from eristic.debate.errors import CaseRefused, nearest
from eristic.debate.ids import derive_seed
from eristic.sweeps._problems import listing
from eristic.sweeps.experiment import CaseSource

__all__ = ["CaseSet", "Remark", "case_set", "cases_digest", "select"]

_encoder = msgspec.json.Encoder(order="sorted")


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about a case set that a person should know; it stops nothing."""

    kind: Literal["lone_claim"]
    """lone_claim: the only case of its block, so no pair measure counts it (logicom's M7)."""
    case_id: str
    block: str


class CaseSet(msgspec.Struct, frozen=True, kw_only=True):
    """Cases in the order of their file, ids unique, no needed text empty."""

    cases: tuple[Case, ...]
    remarks: tuple[Remark, ...] = ()
    rejected: tuple[str, ...] = ()
    """Lines of the file that are no cases, each with its number and what is wrong with it."""


def case_set(cases: Sequence[Case]) -> CaseSet:
    """The cases with what is to be remarked about them."""
    blocks: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        blocks[case.block].append(case)
    # Where no block has two cases the data has no pairs, and none is missed.
    paired = any(len(block) > 1 for block in blocks.values())
    lone = [block[0] for block in blocks.values() if paired and len(block) == 1]
    return CaseSet(
        cases=tuple(cases),
        remarks=tuple(
            Remark(kind="lone_claim", case_id=case.case_id, block=case.block) for case in lone
        ),
    )


def select(cases: CaseSet, source: CaseSource, *, seed: int = 0) -> CaseSet:
    """The cases that an experiment asks for; selecting twice changes nothing.

    `limit` and `sample` count blocks, so that pairs stay whole, and keep the order of the file.
    A sample is drawn by the seed; a larger one of the same seed holds the smaller. Raises
    CaseRefused for ids that are not there.
    """
    return msgspec.structs.replace(_selected(cases, source, seed), rejected=cases.rejected)


def _selected(cases: CaseSet, source: CaseSource, seed: int) -> CaseSet:
    if source.only:
        known = {case.case_id for case in cases.cases}
        missing = [f"{name!r}.{nearest(name, known)}" for name in source.only if name not in known]
        if missing:
            raise CaseRefused(f"cases.only names cases that are not there:\n{listing(missing)}")
        wanted = frozenset(source.only)
        return case_set([case for case in cases.cases if case.case_id in wanted])
    blocks = tuple(dict.fromkeys(case.block for case in cases.cases))
    if source.limit is not None:
        return _of_blocks(cases, blocks[: source.limit])
    if source.sample is not None:
        # By independent draws, so that neither the order nor the number of others matters.
        drawn = sorted(blocks, key=lambda block: (derive_seed(seed, "sample", block), block))
        return _of_blocks(cases, drawn[: source.sample])
    return cases


def _of_blocks(cases: CaseSet, blocks: Sequence[str]) -> CaseSet:
    wanted = frozenset(blocks)
    return case_set([case for case in cases.cases if case.block in wanted])


def cases_digest(cases: CaseSet) -> str:
    """SHA-256 (hex) over ids, blocks and texts; the order of the file does not count."""
    ordered = sorted(cases.cases, key=lambda case: case.case_id)
    return hashlib.sha256(_encoder.encode(ordered)).hexdigest()
