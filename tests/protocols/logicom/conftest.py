from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.replay._published import import_into

from eristic.journal.memory import MemoryLog

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "logicom"


@pytest.fixture(scope="session")
def published_log() -> MemoryLog:
    """The 2,400 published debates as a run in memory; skips where they are not at hand."""
    if not (PUBLISHED / "debates").is_dir():
        pytest.skip("the published debates are not here")
    log = MemoryLog()
    asyncio.run(import_into(log, PUBLISHED))
    return log
