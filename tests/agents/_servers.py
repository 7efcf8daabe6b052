"""Small OpenAI-compatible servers on the loopback, one behaviour each, for tests of the adapter.

Every server runs in threads of the test process, records what it was sent and is stopped by the
context manager. A server that withholds its answer does so until it is stopped.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Json = dict[str, Any]
"""A body as parsed: tests look into it by key."""

Behaviour = Callable[["Exchange"], None]


class Exchange:
    """One request that a server was sent, and the means to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, server: Loopback, number: int) -> None:
        length = int(handler.headers.get("content-length", 0))
        self.body: Json = json.loads(handler.rfile.read(length) or b"{}")
        self.headers = dict(handler.headers.items())
        self.path = handler.path
        self.number = number
        """0 for the first request of a server."""
        self._handler = handler
        self._stopping = server.stopping

    def reply(self, status: int, body: Json | str, headers: dict[str, str] | None = None) -> None:
        """Answer at once."""
        payload = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.begin(status, len(payload), headers)
        self._handler.wfile.write(payload)

    def begin(self, status: int, length: int, headers: dict[str, str] | None = None) -> None:
        """Send the head of an answer only."""
        self._handler.send_response(status)
        self._handler.send_header("content-type", "application/json")
        self._handler.send_header("content-length", str(length))
        for name, value in (headers or {}).items():
            self._handler.send_header(name, value)
        self._handler.end_headers()

    def drip(self, byte: bytes, every_s: float) -> None:
        """Send one byte again and again until the client leaves or the server stops."""
        while not self._stopping.wait(every_s):
            try:
                self._handler.wfile.write(byte)
                self._handler.wfile.flush()
            except OSError:
                return

    def hold(self) -> None:
        """Answer nothing."""
        self._stopping.wait()


class Loopback:
    """A server with one behaviour: `with Loopback(good) as server: server.url`."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.seen: list[Exchange] = []
        self.stopping = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body are two writes

            def do_POST(self) -> None:
                exchange = Exchange(self, outer, len(outer.seen))
                outer.seen.append(exchange)
                behaviour(exchange)

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def completion(
    text: str | None = "Fair point.",
    *,
    finish: str | None = "stop",
    usage: Json | None = None,
    model: str = "served-2026",
    **message: Any,
) -> Json:
    """The body of a good answer."""
    body: Json = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage is not None:
        body["usage"] = usage
    return body


USAGE: Json = {
    "prompt_tokens": 21,
    "completion_tokens": 4,
    "total_tokens": 25,
    "prompt_tokens_details": {"cached_tokens": 16},
}


def answering(body: Json) -> Behaviour:
    """Give the same body to every request."""
    return lambda exchange: exchange.reply(200, body)


good = answering(completion(usage=USAGE))


def refusing_with(status: int, message: str, **error: str) -> Behaviour:
    """Answer every request with an error of the OpenAI form."""
    body = {"error": {"message": message, "type": "error", **error}}
    return lambda exchange: exchange.reply(status, body)


always_500 = refusing_with(500, "the engine is on fire")


def first(failing: Behaviour, *, times: int, then: Behaviour = good) -> Behaviour:
    """Behave one way for the first requests and another way afterwards."""
    return lambda exchange: (failing if exchange.number < times else then)(exchange)


def rate_limited(retry_after: str) -> Behaviour:
    """429 with a retry-after header."""
    body = {"error": {"message": "slow down", "type": "rate_limit"}}
    return lambda exchange: exchange.reply(429, body, {"retry-after": retry_after})


def black_hole(exchange: Exchange) -> None:
    """Take the request and never answer."""
    exchange.hold()


def slow_drip(exchange: Exchange) -> None:
    """Begin an answer that never ends: something arrives all the time."""
    exchange.begin(200, 1_000_000)
    exchange.drip(b" ", 0.02)


def key_echo(exchange: Exchange) -> None:
    """Repeat the credentials in the error text, as some providers do."""
    sent = exchange.headers.get("Authorization") or exchange.headers.get("authorization", "")
    key = sent.removeprefix("Bearer ") or exchange.headers.get("x-api-key", "")
    message = f"Incorrect API key provided: {key}. Headers were {exchange.headers}"
    exchange.reply(401, {"error": {"message": message, "type": "invalid_request_error"}})


context_overflow = refusing_with(
    400,
    "This model's maximum context length is 64 tokens. However, your messages resulted in 99 "
    "tokens. Please reduce the length of the messages.",
    code="context_length_exceeded",
)

content_policy = refusing_with(
    400,
    "The response was filtered due to the prompt triggering the content management policy.",
    code="content_filter",
)
