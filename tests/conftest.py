"""What every test shares: no test reaches a remote host."""

from __future__ import annotations

import gc
import ipaddress
import shutil
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_connect = socket.socket.connect


def _is_local(host: object) -> bool:
    if not isinstance(host, str) or host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_remote_hosts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anything but this machine fails the test that made it."""
    # Ray talks to its own processes over the machine's address, not over loopback.
    if request.node.get_closest_marker("live") or request.node.get_closest_marker("ray"):
        return

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
            raise AssertionError(f"a test tried to reach {address[0]}; tests use loopback only")
        _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def local_ray() -> Iterator[None]:
    """One private Ray for the whole suite."""
    pytest.importorskip("ray")
    from eristic.agents.hosts import start_ray

    with _forgetful():
        folder = start_ray()
    yield
    if folder is not None:
        import ray

        with _forgetful():
            ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _forgetful() -> Iterator[None]:
    """Ray leaves pipes of its own processes to the garbage collector; those are not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()
