import pytest

from eristic.journal.memory import MemoryLog
from eristic.testing.logs import EpisodeLogContract


class TestMemoryLog(EpisodeLogContract):
    @pytest.fixture
    def log(self) -> MemoryLog:
        return MemoryLog()
