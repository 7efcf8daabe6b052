"""A page's text as an answer, from a real server, and what is never fetched."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest

from eristic.agents.models.pages import PageModel
from eristic.agents.models.retries import RetryPolicy
from eristic.debate import Binding, Expected
from eristic.debate.errors import ModelFailed, ModelUnknown
from eristic.debate.prompting import Message
from eristic.ports import ModelReply, ModelRequest

PAGE = """<!doctype html><html><head><title>T</title><style>p {}</style></head><body>
<nav>Home</nav><h1>Ice</h1><p>Ice &amp; water:   ice <b>floats</b>.</p><script>evil()</script>
<p>It is lighter.</p></body></html>"""
ONCE = RetryPolicy(retries=0)


class _Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("location", "/ice")
            self.end_headers()
            return
        kinds = {"/ice": "text/html; charset=utf-8", "/plain": "text/plain", "/image": "image/png"}
        if self.path not in kinds:
            self.send_error(404)
            return
        body = PAGE.encode() if self.path == "/ice" else b" Plain facts. \n"
        self.send_response(200)
        self.send_header("content-type", kinds[self.path])
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


async def fetch(prompt: str, model: str = "page?local=1") -> ModelReply:
    request = ModelRequest(
        model=model,
        messages=(Message("system", "Look it up."), Message("user", prompt)),
        params={},
        seed=0,
        expected=Expected(),
    )
    return await PageModel(retry=ONCE).complete(request)


async def test_the_shown_text_of_the_named_page_is_the_answer(site: str) -> None:
    reply = await fetch(f"Question: ice?\nSource: {site}/ice.")
    assert reply.text == "Ice\nIce & water: ice floats.\nIt is lighter."
    assert (reply.model, reply.finish) == (f"{site}/ice", "stop")


async def test_plain_text_redirects_and_a_cut_are_told(site: str) -> None:
    assert (await fetch(f"Source: {site}/plain")).text == "Plain facts."
    assert (await fetch(f"Source: {site}/moved")).text.startswith("Ice\n")
    cut = await fetch(f"Source: {site}/ice", "page?local=1&chars=3")
    assert (cut.text, cut.finish) == ("Ice", "length")


@pytest.mark.parametrize(
    ("prompt", "error", "says"),
    [
        ("Source: an atlas", "bad_request", "no address"),
        ("Source: SITE/gone", "bad_request", "status 404"),
        ("Source: SITE/image", "bad_request", "image/png"),
        ("Source: http://127.0.0.1:9/x", "connect", "127.0.0.1:9"),
    ],
)
async def test_what_is_no_page_fails_with_its_class(
    site: str, prompt: str, error: str, says: str
) -> None:
    with pytest.raises(ModelFailed, match=says) as caught:
        await fetch(prompt.replace("SITE", site))
    assert caught.value.error == error


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.1.1"])
async def test_no_address_of_a_case_leads_into_a_private_network(host: str) -> None:
    with pytest.raises(ModelFailed, match="private network") as caught:
        await fetch(f"Source: http://{host}/secret", "page")
    assert caught.value.error == "bad_request"


@pytest.mark.parametrize("model", ["page?char=3", "page?chars=many", "page?chars=0"])
async def test_unknown_options_are_refused_before_a_run(model: str) -> None:
    with pytest.raises(ModelUnknown):
        await PageModel().check(model, Binding(model=model))
