from collections.abc import AsyncIterator

import pytest

from eristic.bus import JetStreamLog, Link, open_log
from eristic.testing.logs import EpisodeLogContract

pytestmark = pytest.mark.nats


class TestJetStreamLog(EpisodeLogContract):
    @pytest.fixture
    async def log(self, director: Link, run: str) -> AsyncIterator[JetStreamLog]:
        log = await open_log(director, run)
        yield log
        log.close()
