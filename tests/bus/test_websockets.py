"""The websocket transport is there when it is wanted, and costs nothing when it is not."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from eristic.bus._link import Link
assert "aiohttp" not in sys.modules, "importing the bus imports aiohttp"
from eristic.bus._websockets import allow_websockets
import nats.aio.transport as transport
assert transport.aiohttp is None
allow_websockets()
import aiohttp
assert transport.aiohttp is aiohttp
print("well")
"""


def test_aiohttp_is_imported_for_websockets_only() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "well\n", done.stderr
