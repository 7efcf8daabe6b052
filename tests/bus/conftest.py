import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from eristic.bus import Link, ServerHandle, connect, create_stream, ensure_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHandle]:
    """One server for the tests of a file that do not hurt it."""
    with ensure_server(tmp_path_factory.mktemp("home")) as handle:
        yield handle


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerHandle]:
    """A server for a test that kills it."""
    with ensure_server(tmp_path) as handle:
        yield handle


@pytest.fixture
async def run(server: ServerHandle, request: pytest.FixtureRequest) -> str:
    """The name of a fresh run with its stream."""
    name = "r" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
    await create_stream(server.settings("admin"), name)
    return name


@pytest.fixture
async def director(server: ServerHandle) -> AsyncIterator[Link]:
    """A director's connection."""
    link = await connect(server.settings("director"))
    yield link
    await link.close()
