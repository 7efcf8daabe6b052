from pathlib import Path

import pytest
from tests.cli._commands import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command at a home of its own, without keys or settings of this machine."""
    for name in ("NATS_URL", "ERISTIC_HOME", "ERISTIC_DEBUG", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)
