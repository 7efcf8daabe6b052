"""The importer `logicom`: debates as the authors of LOGICOM published them in 2023."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from eristic.debate import (
    Binding,
    Case,
    Cast,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Import,
    Setting,
    TurnSpoken,
)
from eristic.debate.ids import episode_id
from eristic.replay.importing.importer import ImportedEpisode, Unreadable
from eristic.replay.importing.logicom.claims import case_of, differences, read_tables
from eristic.replay.importing.logicom.files import Damaged, Debate, parse_debate
from eristic.replay.importing.logicom.oddities import ANOMALIES, count_anomalies
from eristic.replay.importing.logicom.openings import read_opening
from eristic.replay.importing.logicom.places import EXPECTED, Place, is_debate, locate, shown
from eristic.replay.importing.logicom.stories import raw_turns, retell
from eristic.replay.importing.members import Member, NotReadable
from eristic.replay.importing.sources import Source

__all__ = ["LOGICOM", "LogicomImporter", "read_episode"]

_LAYOUT: Final = "logicom-published.v1"
_ABSENT: Final = (
    *("prompts", "sampling", "seeds", "drafts", "moderator_calls", "moderator_models"),
    *("summaries", "times", "token_counts"),
)
_PERSUADER: Final = Binding(model="GPT-3.5")
"""Persuader and helper of every published debate, by its authors' word; the folder names the
debater's model only."""
_UUID_EPOCH: Final = datetime(1582, 10, 15, tzinfo=UTC)


class LogicomImporter:
    """See Importer. Has no state."""

    name = "logicom"
    layout = _LAYOUT
    expects = EXPECTED
    anomalies = ANOMALIES

    def read(self, source: Source, *, software: str) -> Iterator[ImportedEpisode | Unreadable]:
        """Every debate of the source; see Importer.read."""
        table, refused = read_tables(source)
        yield from refused
        for member in source.files(is_debate):
            yield _read_member(member, table, software=software)

    def episode_of(self, opened: EpisodeOpened) -> str:
        """Derived from topic, debater's model, condition and iteration.

        The model is no part of the case: both models argue about the same claims, and numbers
        pair them by case.
        """
        return episode_id(
            case_id=f"{opened.case.case_id}/{opened.cast['debater'].model}",
            condition=opened.condition,
            repetition=opened.repetition,
        )

    def retell(self, opened: EpisodeOpened, spoken: Sequence[TurnSpoken]) -> tuple[Event, ...]:
        """The episode again from its facts and raw texts; see Importer.retell."""
        return retell(opened, spoken)


LOGICOM: Final = LogicomImporter()


def _read_member(
    member: Member, table: Mapping[str, Case], *, software: str
) -> ImportedEpisode | Unreadable:
    assert member.read is not None  # walks give only what may be read
    path = shown(member.names)
    try:
        data = member.read()
    except NotReadable as error:
        return Unreadable(path=path, reason=str(error))
    place = locate(member.names)
    if isinstance(place, str):
        return Unreadable(path=path, reason=place)
    try:
        return read_episode(data, place, table, software=software)
    except Damaged as error:
        return Unreadable(path=path, reason=str(error))


def read_episode(
    data: bytes, place: Place, table: Mapping[str, Case], *, software: str
) -> ImportedEpisode:
    """The episode in the bytes of one file.

    table: topic id -> record of the table of claims, where there is one. Raises Damaged.
    """
    debate = parse_debate(data)
    if debate.topic_id != place.topic_id:
        raise Damaged(f"says Topic_ID {debate.topic_id[:80]!r}, which is not its folder's name")
    recorded = table.get(place.topic_id)
    spoken = raw_turns(debate, place.condition)
    stated = read_opening(spoken[0].text) if spoken[0].role == "persuader" else None
    if stated is None and recorded is None:
        raise Damaged("its opening is not the template and no table of claims names its topic")
    texts = stated or {}
    opened = EpisodeOpened(
        protocol="logicom",
        protocol_version=1,
        case=case_of(place.topic_id, texts, recorded),
        condition=place.condition,
        repetition=place.iteration,
        options={},
        cast=_cast(place),
        prompts={},
        software=software,
        imported=Import(
            layout=_LAYOUT,
            path=place.path,
            sha256=hashlib.sha256(data).hexdigest(),
            facts=_facts(debate, place) | differences(texts, recorded),
            absent=_ABSENT if recorded is not None else (*_ABSENT, "pair"),
        ),
    )
    events = retell(opened, spoken)
    turns = [event for event in events if isinstance(event, TurnSpoken)]
    closed = events[-1]
    assert isinstance(closed, EpisodeClosed)
    return ImportedEpisode(
        episode=LOGICOM.episode_of(opened),
        events=events,
        anomalies=count_anomalies(opened, turns, closed),
    )


def _cast(place: Place) -> Cast:
    cast = {"debater": Binding(model=place.model), "persuader": _PERSUADER}
    if place.condition != "no_helper":
        cast["helper"] = _PERSUADER
    return cast


def _facts(debate: Debate, place: Place) -> dict[str, Setting]:
    facts: dict[str, Setting] = {
        "chat_id": debate.chat_id,
        "iteration": place.iteration_folder,
        "scenario": place.scenario_folder,
        "number_of_rounds": debate.number_of_rounds,
        "stop_reason": debate.stop_reason,
        "convinced": debate.convinced,
    }
    created = _created(debate.chat_id)
    if created is not None:
        facts["created"] = created
    if place.is_other_case:
        facts["scenario_other_case"] = True
    if debate.chat_id != place.chat_id:
        facts["file_name"] = place.chat_id
    if debate.other_keys:
        facts["other_keys"] = ", ".join(debate.other_keys)[:400]
    return facts


def _created(chat_id: str) -> str | None:
    """When the debate was begun, UTC, out of a version 1 UUID; None for any other id."""
    try:
        read = uuid.UUID(chat_id)
        if read.version != 1:
            return None
        moment = _UUID_EPOCH + timedelta(microseconds=read.time // 10)
    except (ValueError, OverflowError):
        return None
    return moment.isoformat(timespec="milliseconds")
