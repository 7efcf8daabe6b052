"""The table of claims that was published with the debates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from eristic.debate import Case, Setting
from eristic.debate.errors import CaseRefused
from eristic.replay.importing.importer import Unreadable
from eristic.replay.importing.logicom.places import is_claims, shown
from eristic.replay.importing.members import NotReadable
from eristic.replay.importing.sources import Source
from eristic.sweeps import read_logicom_csv

__all__ = ["STATED", "case_of", "differences", "read_tables"]

STATED: Final = ("topic", "claim", "reason")
"""Texts that a debate's opening states, so that its own count."""


def read_tables(source: Source) -> tuple[dict[str, Case], list[Unreadable]]:
    """Topic id -> its record, from every table in the source; and tables of no use."""
    table: dict[str, Case] = {}
    refused: list[Unreadable] = []
    for member in source.files(is_claims):
        if member.is_lost or member.read is None:
            continue
        path = shown(member.names)
        try:
            cases = read_logicom_csv(member.read(), origin=path).cases
        except (NotReadable, CaseRefused) as error:
            refused.append(Unreadable(path=path, reason=str(error)))
            continue
        for case in cases:
            table.setdefault(case.case_id, case)
    return table, refused


def case_of(topic_id: str, stated: Mapping[str, str], recorded: Case | None) -> Case:
    """The debate's own texts with what the table has beside them.

    Without a table nobody says which two claims are a pair; those that share a title are taken
    for one, which is right for all published pairs but one.
    """
    if recorded is None:
        return Case(case_id=topic_id, block=stated["topic"], texts=dict(stated))
    return Case(case_id=topic_id, block=recorded.block, texts={**recorded.texts, **stated})


def differences(stated: Mapping[str, str], recorded: Case | None) -> dict[str, Setting]:
    """What the table says where the debate says something else."""
    if recorded is None:
        return {}
    return {
        f"table_{name}": recorded.texts[name]
        for name in STATED
        if name in stated and recorded.texts[name] != stated[name]
    }
