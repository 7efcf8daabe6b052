"""The text of a web page as an answer: for a role that looks facts up, such as lofa's retriever.

`page` gives the text behind the last address in the prompt; `page?chars=2000` cuts it there. Case
files are untrusted, so an address that does not lead to the public internet is refused, unless the
model is bound as `page?local=1`. Nothing is fetched unless somebody binds a role to this.
"""

from __future__ import annotations

import asyncio
import html.parser
import importlib.util
import ipaddress
import re
import socket
from urllib.parse import parse_qsl, urlsplit

import msgspec

from eristic.agents.models.retries import AttemptFailed, GaveUp, RetryPolicy, Wait, attempt
from eristic.debate import Binding
from eristic.debate.errors import ExtraMissing, ModelFailed, ModelUnknown, nearest
from eristic.ports import ModelReply, ModelRequest

__all__ = ["PageModel"]

PREFIX = "page"
_ADDRESS = re.compile(r"https?://[^\s<>\"'\\]+")
_MOST_BYTES = 2_000_000
_MOST_REDIRECTS = 3
_UNSHOWN = ("script", "style", "noscript", "template", "head", "nav", "footer", "svg")
_BREAKS = ("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "section", "article")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands behind `page?`."""

    chars: int = 4000
    """Characters of a page's text that are given (count)."""
    local: bool = False
    """Addresses of this machine and of private networks are allowed."""


class PageModel:
    """Serves `page?option=value`. wait: how to pause between attempts."""

    def __init__(self, *, retry: RetryPolicy | None = None, wait: Wait = asyncio.sleep) -> None:
        self._retry = retry or RetryPolicy()
        self._wait = wait

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The page's text; `length` says that it was cut. Raises ModelFailed, ModelUnknown."""
        options = _options(request.model)
        found = _ADDRESS.findall(request.messages[-1].content) if request.messages else []
        if not found:
            raise ModelFailed(
                "no address (https://...) stands in the prompt; give the case one as its source",
                error="bad_request",
            )
        url = found[-1].rstrip(".,;:!?)")
        try:
            kept = await attempt(lambda: _fetch(url, options), self._retry, wait=self._wait)
        except GaveUp as error:
            last = error.failed[-1]
            raise ModelFailed(
                f"{url[:200]}: {last.message}", error=last.error, failed=error.failed
            ) from error
        text = kept.value
        return ModelReply(
            text=text[: options.chars],
            model=url[:500],
            finish="length" if len(text) > options.chars else "stop",
            latency_s=kept.latency_s,
            failed=kept.failed,
        )

    async def check(self, model: str, binding: Binding) -> None:
        """Raises ModelUnknown for an unknown option, ExtraMissing without httpx."""
        _options(model)
        if importlib.util.find_spec("httpx") is None:
            raise ExtraMissing(needs="httpx", extra="agents")

    async def aclose(self) -> None:
        """Nothing is held open."""


def _options(model: str) -> Options:
    _, _, query = model.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    for name in given:
        if name not in Options.__struct_fields__:
            hint = nearest(name, Options.__struct_fields__)
            raise ModelUnknown(f"{PREFIX} has no option {name!r}.{hint}")
    try:
        options = msgspec.convert(given, Options, strict=False)
    except msgspec.ValidationError as error:
        raise ModelUnknown(f"{PREFIX}?{query}: {error}") from error
    if options.chars < 1:
        raise ModelUnknown(f"{PREFIX}: chars must be 1 or more")
    return options


async def _fetch(url: str, options: Options) -> str:
    import httpx

    # Redirects are followed by hand: each goes through the same check.
    async with httpx.AsyncClient(timeout=20.0, follow_redirects=False, trust_env=False) as client:
        for _ in range(_MOST_REDIRECTS + 1):
            await _check_place(url, options)
            try:
                async with client.stream("GET", url) as answer:
                    if answer.is_redirect and answer.next_request is not None:
                        url = str(answer.next_request.url)
                        continue
                    return await _read(answer)
            except httpx.TimeoutException as error:
                raise AttemptFailed("timeout", "no answer in time") from error
            except httpx.HTTPError as error:
                raise AttemptFailed("connect", type(error).__name__) from error
    raise AttemptFailed("bad_request", f"more than {_MOST_REDIRECTS} redirects")


async def _check_place(url: str, options: Options) -> None:
    """Raises AttemptFailed for an address that is not public, unless that is allowed."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AttemptFailed("bad_request", "no http or https address")
    if options.local:
        return
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(parts.hostname, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise AttemptFailed("connect", "its name cannot be resolved") from error
    if not all(ipaddress.ip_address(entry[4][0]).is_global for entry in found):
        raise AttemptFailed(
            "bad_request", "it leads to this machine or a private network; page?local=1 allows that"
        )


async def _read(answer: object) -> str:
    import httpx

    assert isinstance(answer, httpx.Response)
    if answer.status_code >= 400:
        kind = "rate_limit" if answer.status_code == 429 else "server"
        kind = kind if answer.status_code in (429, *range(500, 600)) else "bad_request"
        raise AttemptFailed(kind, f"status {answer.status_code}")
    media = answer.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
    if not media.startswith("text/") and media != "application/xhtml+xml":
        raise AttemptFailed("bad_request", f"{media[:60]} is no text")
    body = bytearray()
    async for block in answer.aiter_bytes():
        body += block
        if len(body) > _MOST_BYTES:
            raise AttemptFailed("bad_request", f"more than {_MOST_BYTES:,} bytes")
    text = bytes(body).decode(answer.charset_encoding or "utf-8", "replace")
    return _plain(text) if "html" in media else text.strip()


def _plain(page: str) -> str:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


class _Reader(html.parser.HTMLParser):
    """The shown text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSHOWN:
            self._hidden += 1
        elif tag in _BREAKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSHOWN:
            self._hidden = max(0, self._hidden - 1)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)
