"""A real small language model on the CPU, served by a child process; needs no key.

    python -m eristic.agents.local_model --port 8091       prints READY http://127.0.0.1:8091/v1

It shows the plumbing with real tokens. Its verdicts are chance: debates of it are evidence of
nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes.util
import importlib
import importlib.util
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from eristic.agents.local_weights import LocalModelUnavailable, fetch
from eristic.agents.models import scrub
from eristic.debate import Binding
from eristic.debate.errors import ExtraMissing

__all__ = ["LOCAL_BINDING", "LocalModelServer", "unavailable_reason"]

_NAME = "smollm2-135m-instruct"
_READY = "READY "
_STOP_S = 5.0

LOCAL_BINDING = Binding(
    model=f"openai/{_NAME}",
    params={"temperature": 0.7, "max_tokens": 90, "extra_body.repeat_penalty": 1.15},
    window_tokens=2048,
    # 90 for the reply; the rest because its own tokenizer makes a tenth more tokens than the
    # estimate that a role goes by.
    reserve_tokens=384,
    constrain="grammar",
)
"""How to ask the model; `api_base` is the address of a LocalModelServer."""


def unavailable_reason() -> str | None:
    """Why this machine cannot serve the model; None when it can. Does not load the runtime.

    Checked first because the runtime does not raise on such machines, it dies.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed: pip install 'eristic[local]' (Linux, x86-64)"
    cpu = Path("/proc/cpuinfo")
    if not cpu.is_file() or "avx2" not in cpu.read_text(errors="replace"):
        return "the processor has no AVX2 (not in /proc/cpuinfo)"
    if ctypes.util.find_library("gomp") is None:
        return "libgomp.so.1 is missing: install the system package libgomp1"
    return None


class LocalModelServer:
    """The server as an async context manager; `url` is its api_base.

    port: 0 takes a free one. slots: requests served at once. context_tokens: window of each of
    them. The child ends when it is stopped and also when this process dies.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        slots: int = 4,
        context_tokens: int = 2048,
        threads: int | None = None,
        start_deadline_s: float = 120.0,
    ) -> None:
        self._options = [f"--port={port}", f"--slots={slots}", f"--ctx={context_tokens}"]
        if threads is not None:
            self._options.append(f"--threads={threads}")
        self._start_deadline_s = start_deadline_s
        self._child: subprocess.Popen[bytes] | None = None
        self._url = ""

    @property
    def url(self) -> str:
        """Address to use as api_base. Raises LocalModelUnavailable before the start."""
        if not self._url:
            raise LocalModelUnavailable("the local model is not running; start its server first")
        return self._url

    @property
    def pid(self) -> int | None:
        """Of the child; None when there is none."""
        return self._child.pid if self._child else None

    @property
    def is_running(self) -> bool:
        """True from the start until the child ends, for whatever reason."""
        return self._child is not None and self._child.poll() is None

    async def start(self) -> str:
        """Fetch the weights if needed, start the child, return the url when it serves.

        Raises ExtraMissing, LocalModelUnavailable.
        """
        return await asyncio.to_thread(self.start_blocking)

    async def stop(self) -> None:
        """End the child; harmless when there is none."""
        await asyncio.to_thread(self.stop_blocking)

    async def __aenter__(self) -> LocalModelServer:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def start_blocking(self) -> str:
        """As start, for callers without a loop."""
        reason = unavailable_reason()
        if reason is not None:
            if importlib.util.find_spec("xllamacpp") is None:
                raise ExtraMissing(needs="xllamacpp", extra="local")
            raise LocalModelUnavailable(f"the local model cannot be served here: {reason}")
        weights = fetch()
        with tempfile.TemporaryFile() as log:
            self._child = self._spawn(weights, log)
            try:
                self._url = _await_ready(self._child, self._start_deadline_s, log)
            except BaseException:
                self.stop_blocking()
                raise
        return self._url

    def stop_blocking(self) -> None:
        """As stop, for callers without a loop."""
        child, self._child, self._url = self._child, None, ""
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        child.terminate()
        try:
            child.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _spawn(self, weights: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "eristic.agents.local_model", "--with-parent"]
        command += [f"--model={weights}", *self._options]
        # Threads that wait must not spin: the cores are shared with everything else.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment
        )


def _await_ready(child: subprocess.Popen[bytes], deadline_s: float, log: IO[bytes]) -> str:
    """The url that the child prints once it serves."""
    assert child.stdout is not None
    until = time.monotonic() + deadline_s
    said = b""
    while not said.endswith(b"\n"):
        left_s = until - time.monotonic()
        if left_s <= 0 or not select.select([child.stdout], [], [], left_s)[0]:
            raise LocalModelUnavailable(
                f"the local model was not ready within {deadline_s:g} s; the machine may be "
                "busy: try again or raise the start deadline"
            )
        piece = os.read(child.stdout.fileno(), 4096)
        if not piece:
            raise LocalModelUnavailable(f"the local model's server ended at start: {_tail(log)}")
        said += piece
    return said.decode().removeprefix(_READY).strip()


def _tail(log: IO[bytes]) -> str:
    log.seek(0)
    return scrub(log.read()[-1000:].decode(errors="replace")) or "it said nothing"


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="eristic.agents.local_model", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--slots", type=int, default=4, help="requests served at once")
    parser.add_argument("--ctx", type=int, default=2048, help="tokens of context of each slot")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--model", type=Path, help="a GGUF file instead of the pinned one")
    parser.add_argument("--with-parent", action="store_true", help="end when stdin closes")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> None:
    """Serve until told to stop."""
    options = _arguments(given)
    weights: Path = options.model or fetch()
    # What the runtime prints belongs on stderr; stdout carries READY and nothing else.
    ready = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if options.with_parent:
        threading.Thread(target=_watch_parent, args=(stop,), daemon=True).start()
    server, url = _serve(options, weights)
    ready.write(f"{_READY}{url}\n")
    ready.close()
    stop.wait()
    del server


def _watch_parent(stop: threading.Event) -> None:
    """Set `stop` when the parent dies: its end of the pipe closes, or a new parent shows.

    Both, since a process that the parent forked may hold the pipe open.
    """
    parent = os.getppid()
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 1):
            break
    stop.set()


def _serve(options: argparse.Namespace, weights: Path) -> tuple[object, str]:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when the runtime is imported
    # By name: its classes come from a compiled part that the checkers cannot read.
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = options.port
    params.ui = False
    params.verbosity = 1
    params.n_parallel = options.slots
    params.n_ctx = options.ctx * options.slots  # shared: a slot has n_ctx / n_parallel
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    server = xllamacpp.Server(params)  # returns when the model is loaded
    return server, f"{server.listening_address}/v1"


if __name__ == "__main__":
    main()
