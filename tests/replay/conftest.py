"""What the tests of reading share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli._commands import Shell
from tests.replay._stores import BUCKET, KEYS, s3_server


@pytest.fixture(scope="session")
def s3_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One S3 server for the whole session."""
    pytest.importorskip("moto")
    with s3_server(tmp_path_factory.mktemp("s3")) as url:
        yield url


@pytest.fixture
def s3(s3_url: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A place of its own in the bucket; where and as whom is in the environment alone."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_url)
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    return f"s3://{BUCKET}/{abs(hash(request.node.nodeid))}"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command at a home of its own."""
    for name in ("NATS_URL", "ERISTIC_HOME", "ERISTIC_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)
