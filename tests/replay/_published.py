"""Published debates for tests: our own ten, and single files made to order."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eristic.debate import RunOpened
from eristic.ports import EpisodeLog, FixedClock
from eristic.replay.importing import (
    ImportedEpisode,
    ImportReport,
    Unreadable,
    import_spec,
    open_source,
    write_import,
)
from eristic.replay.importing.logicom import LOGICOM

OWN = Path(__file__).parent / "fixtures" / "logicom_published"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
OPENING = (
    'Let’s talk about this\ntopic:  “ T ”\nclaim: "C"\nreason: "R"\n'
    'Based on the my reason: "R" I believe  "C" is correct. What do you think?'
)


def read(*paths: Path) -> list[ImportedEpisode | Unreadable]:
    """Everything that the importer finds in these places, by default in our own debates."""
    return list(LOGICOM.read(open_source(*(paths or (OWN,))), software="test"))


def debate(*log: dict[str, Any], **changed: object) -> bytes:
    """The bytes of one debate of topic t1."""
    whole: dict[str, Any] = {
        "Topic_ID": "t1",
        "log": list(log) or [{"assistant": OPENING}, {"user": "No."}, {"assistant": "Yes."}],
        "chat_id": "id",
        "number_of_rounds": 1,
        "Stop_reason": None,
        "Convinced?": False,
    }
    return json.dumps(whole | changed).encode()


async def import_into(log: EpisodeLog, *paths: Path, run: str = "r") -> ImportReport:
    """What `eristic import logicom` does with these places, by default with our own debates."""
    source = open_source(*(paths or (OWN,)))
    return await write_import(
        log,
        run,
        importer=LOGICOM,
        source=source,
        items=LOGICOM.read(source, software="test"),
        opened=RunOpened(spec=import_spec(LOGICOM), prompts={}, episodes=0, software="test"),
        clock=FixedClock(MOMENT),
    )
