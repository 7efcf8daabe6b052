"""What the roles of a build are shown and asked for, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate import Case, Expected, Reading, View
from eristic.judging import fence_of, strip_thinking
from eristic.protocols.lofa.build_options import BuildOptions
from eristic.protocols.lofa.definitions import DEFINITIONS
from eristic.protocols.lofa.names import FALLACY_NAMES
from eristic.protocols.machine import Parser
from eristic.protocols.stories import Asked

__all__ = [
    "ANNOTATOR",
    "BUILD_PARSERS",
    "BUILD_TEMPLATES",
    "FORGER",
    "RETRIEVER",
    "WRITER",
    "Facts",
    "Job",
    "asked_annotator",
    "asked_forger",
    "asked_retriever",
    "asked_rewriter",
    "asked_writer",
]

RETRIEVER, FORGER, WRITER, ANNOTATOR = "retriever", "forger", "writer", "annotator"
_REWRITE: Final = "lofa-build.rewriter"
BUILD_TEMPLATES: Final = (
    *(f"lofa-build.{role}" for role in (RETRIEVER, FORGER, WRITER, ANNOTATOR)),
    _REWRITE,
)
_VERDICT: Final = re.compile(r"\W*(accept|refine)(?:ed|d)?\b[\s.:;,!*_-]*", re.IGNORECASE)
_NO_REMARK: Final = "The argument is not good enough yet."


class Job(msgspec.Struct, frozen=True):
    """One argument that is to be written."""

    fallacy: str
    number: int
    """1 to 3."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the writers go by."""

    true_facts: str
    forged_facts: str


def asked_retriever(case: Case, options: BuildOptions) -> Asked:
    """Sees the question and where the facts are to be found."""
    fields = {
        "question": case.texts["question"],
        "source": case.texts.get("source", "").strip() or "any reliable source",
    }
    return _passage(RETRIEVER, f"lofa-build.{RETRIEVER}", fields, options)


def asked_forger(case: Case, options: BuildOptions) -> Asked:
    """Sees the question and the false claim, and no true fact."""
    return _passage(FORGER, f"lofa-build.{FORGER}", _subject(case), options)


def asked_writer(case: Case, facts: Facts, job: Job, options: BuildOptions) -> Asked:
    """Sees both kinds of facts, the false claim and the fallacy."""
    return _passage(WRITER, f"lofa-build.{WRITER}", _writing(case, facts, job), options)


def asked_rewriter(
    case: Case, facts: Facts, job: Job, draft: str, remark: str, options: BuildOptions
) -> Asked:
    """As the writer, with its draft and what the annotator says about it."""
    fields = _writing(case, facts, job) | {"draft": draft, "remark": remark or _NO_REMARK}
    return _passage(WRITER, _REWRITE, fields, options)


def asked_annotator(case: Case, job: Job, draft: str, options: BuildOptions) -> Asked:
    """Sees one candidate, fenced, and what it is to be; not who wrote it or what from."""
    claim = case.texts["false_claim"]
    fields = _fallacy(job) | {"claim": claim, "draft": draft, "fence": fence_of([draft, claim])}
    return Asked(
        role=ANNOTATOR,
        view=View(template=f"lofa-build.{ANNOTATOR}", fields=fields),
        parser="annotation",
        expected=Expected(form="token", tokens=("accept", "refine")),
        attempts=options.attempts,
    )


def _passage(role: str, template: str, fields: dict[str, str], options: BuildOptions) -> Asked:
    return Asked(
        role=role,
        view=View(template=template, fields=fields),
        parser="passage",
        attempts=options.attempts,
    )


def _subject(case: Case) -> dict[str, str]:
    return {"question": case.texts["question"], "claim": case.texts["false_claim"]}


def _writing(case: Case, facts: Facts, job: Job) -> dict[str, str]:
    return {
        **_subject(case),
        **_fallacy(job),
        "number": str(job.number),
        "true_facts": facts.true_facts,
        "forged_facts": facts.forged_facts,
    }


def _fallacy(job: Job) -> dict[str, str]:
    return {"fallacy": FALLACY_NAMES[job.fallacy], "definition": DEFINITIONS[job.fallacy]}


def _read_passage(text: str) -> Reading:
    """A text without its thinking; unreadable never, empty when nothing is left."""
    stripped = strip_thinking(text)
    passage = stripped.text.strip()
    status = "read" if passage else "empty"
    return Reading(
        parser="lofa-passage.v1", status=status, value=passage or None, flags=stripped.flags
    )


def _read_annotation(text: str) -> Reading:
    """`accept` or `refine` as the first word; what follows is the remark."""
    stripped = strip_thinking(text)
    found = _VERDICT.match(stripped.text)
    if not stripped.text.strip():
        return Reading(parser="lofa-annotation.v1", status="empty", flags=stripped.flags)
    if found is None:
        return Reading(parser="lofa-annotation.v1", status="unreadable", flags=stripped.flags)
    remark = stripped.text[found.end() :].strip()
    return Reading(
        parser="lofa-annotation.v1",
        status="read",
        value=found[1].lower(),
        parts={"remark": remark} if remark else {},
        flags=stripped.flags,
    )


BUILD_PARSERS: Final[Mapping[str, Parser]] = MappingProxyType(
    {"passage": _read_passage, "annotation": _read_annotation}
)
