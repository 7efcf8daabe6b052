"""A real S3 server for the tests of archives: moto's, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KEYS = {
    "AWS_ACCESS_KEY_ID": "made-up-key-id",
    "AWS_SECRET_ACCESS_KEY": "made-up-canary-secret",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
BUCKET = "archives"


@contextmanager
def s3_server(folder: Path) -> Iterator[str]:
    """Serves S3 on a free port of loopback; gives its URL. There is one bucket."""
    said = folder / "s3.log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    environment = {**os.environ, **KEYS, "PYTHONUNBUFFERED": "1"}
    with (
        said.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=environment) as server,
    ):
        try:
            url = _url(said, server)
            made = urllib.request.Request(f"{url}/{BUCKET}", method="PUT")
            with urllib.request.urlopen(made, timeout=10) as answer:
                assert answer.status == 200
            yield url
        finally:
            server.terminate()


def _url(said: Path, server: subprocess.Popen[bytes]) -> str:
    """Where it listens, once it says so."""
    import time

    end = time.monotonic() + 30
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"Running on (http://127\.0\.0\.1:\d+)", said.read_text())
        if found:
            return found.group(1)
        time.sleep(0.02)
    raise AssertionError(said.read_text())
