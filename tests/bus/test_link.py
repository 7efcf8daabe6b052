"""Guards what `_link` uses of nats-py: an upgrade that moves it must fail here."""

import asyncio
import inspect
import subprocess
import sys

import pytest
from nats.aio.client import Client
from nats.aio.subscription import Subscription
from nats.protocol.parser import Parser

from eristic.bus import BusSettings, Link, ServerHandle, connect
from eristic.bus._link import _FastParser, publish_bytes
from eristic.debate.errors import BusRefused, BusUnavailable

pytestmark = pytest.mark.nats


async def test_the_private_parts_of_nats_are_where_they_were() -> None:
    client = Client()
    for name in ("_sid", "_ps", "_pending", "_pending_data_size", "_transport", "_subs", "stats"):
        assert hasattr(client, name), name
    assert list(inspect.signature(client._process_msg).parameters) == [
        "sid",
        "subject",
        "reply",
        "data",
        "headers",
    ]
    for name in ("_send_unsubscribe", "_remove_sub"):
        assert callable(getattr(client, name)), name
    assert callable(Subscription._stop_processing)
    assert inspect.iscoroutinefunction(Parser.parse)
    assert "buf" in vars(Parser(client))


class Ears:
    """Remembers what the parser hands out."""

    def __init__(self, link: Link) -> None:
        self.heard: list[tuple[bytes, bytes, bytes, bytes]] = []
        link.ears[1] = lambda *parts: self.heard.append(parts)


MESSAGES = (
    b"MSG a.b 1 5\r\nhello\r\n"
    b"MSG a.c 1 reply.to 0\r\n\r\n"
    b"PONG\r\n"
    b"HMSG a.d 1 r 18 25\r\nNATS/1.0\r\nA: b\r\n\r\n\r\nMSG x\r\n"
    b"+OK\r\n"
    b"MSG a.b 1 7\r\n\r\nPONG\r\r\n"
)
HEARD = [
    (b"a.b", b"", b"hello", b""),
    (b"a.c", b"reply.to", b"", b""),
    (b"a.d", b"r", b"\r\nMSG x", b"NATS/1.0\r\nA: b\r\n\r\n"),
    (b"a.b", b"", b"\r\nPONG\r", b""),
]


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
async def test_messages_are_found_however_the_bytes_arrive(step: int) -> None:
    link = Link()
    ears = Ears(link)
    parser = _FastParser(link)
    for start in range(0, len(MESSAGES), step):
        await parser.parse(MESSAGES[start : start + step])
    assert ears.heard == HEARD


async def test_a_large_message_in_small_pieces_is_put_together() -> None:
    link = Link()
    ears = Ears(link)
    parser = _FastParser(link)
    payload = bytes(range(256)) * 8192
    whole = b"MSG a 1 %d\r\n%b\r\n" % (len(payload), payload) * 2
    for start in range(0, len(whole), 4096):
        await parser.parse(whole[start : start + 4096])
    assert [parts[2] for parts in ears.heard] == [payload, payload]


async def test_a_listener_that_fails_does_not_end_the_reading(server: ServerHandle) -> None:
    link = await connect(server.settings("admin"))
    faults: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: faults.append(context["message"])
    )
    heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def fail(*_: bytes) -> None:
        raise ZeroDivisionError

    await link.listen("bad", fail)
    await link.listen("good", lambda _, __, payload, ___: heard.set_result(payload))
    link.send(publish_bytes(b"bad", b"", b"x"))
    link.send(publish_bytes(b"good", b"", b"y"))
    async with asyncio.timeout(5):
        assert await heard == b"y"
    assert faults == ["a listener failed on bad"]
    await link.close()


async def test_plain_nats_py_subscriptions_work_beside(server: ServerHandle) -> None:
    link = await connect(server.settings("admin"))
    subscription = await link.subscribe("plain")
    await link.publish("plain", b"x", headers={"A": "b"})
    message = await subscription.next_msg(timeout=5)
    assert (message.data, message.headers) == (b"x", {"A": "b"})
    with pytest.raises(LookupError):
        await link.call("nobody.there")
    await link.close()


async def test_a_server_that_is_not_there_is_named_soon() -> None:
    settings = BusSettings(url="nats://127.0.0.1:1", user="u", password="s3cret")
    with pytest.raises(BusUnavailable) as caught:
        await connect(settings, deadline_s=0.3)
    assert "nats://127.0.0.1:1" in str(caught.value)
    assert "eristic doctor" in str(caught.value)
    assert "s3cret" not in str(caught.value)


async def test_a_wrong_password_is_refused_at_once(server: ServerHandle) -> None:
    settings = BusSettings(url=server.url, user="admin", password="wr0ng")
    with pytest.raises(BusRefused, match="does not accept this user") as caught:
        async with asyncio.timeout(3):
            await connect(settings)
    assert "wr0ng" not in str(caught.value)


def test_without_nats_the_import_says_what_to_install() -> None:
    program = (
        "import sys\n"
        "sys.meta_path.insert(0, type('No', (), {'find_spec': staticmethod("
        "lambda name, *_: (_ for _ in ()).throw(ImportError(name)) if name == 'nats' else None"
        ")})())\n"
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name == 'nats' else real(name)\n"
        "from eristic.debate.errors import ExtraMissing\n"
        "try:\n    import eristic.bus\n"
        "except ExtraMissing as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "this needs nats-py: pip install 'eristic[bus]'"


def test_importing_the_room_does_not_load_nats() -> None:
    program = "import sys, eristic.bus; eristic.bus.BusSettings; print('nats' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "False"


async def test_every_public_name_is_there() -> None:
    import eristic.bus

    for name in eristic.bus.__all__:
        assert getattr(eristic.bus, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(eristic.bus, "nothing")  # noqa: B009


async def test_a_flush_comes_after_everything_that_was_sent_before_it() -> None:
    heard = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id":"x","version":"2.15.1","max_payload":1048576}\r\n')
        while data := await reader.read(65536):
            heard.extend(data)
            for _ in range(data.count(b"PING\r\n")):
                writer.write(b"PONG\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    link = await connect(BusSettings(url=f"nats://127.0.0.1:{port}"))
    await link.listen("a.subject", lambda *_: None)
    await link.flush()
    assert heard.index(b"SUB a.subject ") < heard.rindex(b"PING\r\n")
    await link.close()
    server.close()
    await server.wait_closed()
