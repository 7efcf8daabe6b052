"""Lines of standard input, read without holding up the loop or the end of the program."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

__all__ = ["Typed"]

_BYTES = 65_536


class Typed:
    """Lines as they come. Reading begins with the first line that is asked for."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._thread: threading.Thread | None = None
        self._is_over = False

    async def line(self) -> str | None:
        """The next line without its end; None at the end of input."""
        if self._thread is None:
            # A daemon that reads the descriptor itself: a thread that waits in sys.stdin holds a
            # lock that the interpreter needs to end.
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._pump, args=(loop,), daemon=True)
            self._thread.start()
        line = None if self._is_over else await self._lines.get()
        self._is_over = line is None
        return line

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        rest = b""
        while True:
            try:
                block = os.read(sys.stdin.fileno(), _BYTES)
            except (AttributeError, OSError, ValueError):
                block = b""  # no input at all, or one that was closed, is at its end
            *lines, rest = (rest + block).split(b"\n")
            if not block and rest:
                lines.append(rest)
            try:
                for line in lines:
                    text = line.decode(errors="replace").removesuffix("\r")
                    loop.call_soon_threadsafe(self._lines.put_nowait, text)
                if not block:
                    loop.call_soon_threadsafe(self._lines.put_nowait, None)
            except RuntimeError:
                return  # the loop has ended
            if not block:
                return
