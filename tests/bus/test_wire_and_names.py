import pickle

import msgspec
import pytest

from eristic.bus import BusSettings
from eristic.bus.subjects import (
    ask_subject,
    log_filter,
    log_subject,
    peer_subject,
    status_subject,
    stream_name,
)
from eristic.bus.wire import (
    Lookup,
    WireDamaged,
    decode_answer,
    decode_ask,
    decode_lookup,
    encode_answer,
    encode_ask,
    encode_lookup,
)
from eristic.debate.errors import BusError, NameRefused, SpecRefused
from eristic.testing.transports import make_ask, reply_to


def test_subjects_say_run_kind_and_name() -> None:
    assert log_subject("r1", "e0a") == "er.v1.r1.log.e0a"
    assert log_filter("r1") == "er.v1.r1.log.>"
    assert ask_subject("r1", "helper_2") == "er.v1.r1.ask.helper_2"
    assert peer_subject("r1", "helper") == "er.v1.r1.peer.helper"
    assert status_subject("r1", "d1") == "er.v1.r1.status.d1"
    assert stream_name("r-1") == "ERISTIC_r-1"


@pytest.mark.parametrize("token", ["", "a.b", "*", ">", "a b", "a\tb", "a\r\nb", "é", "x" * 65])
def test_a_name_that_is_no_token_is_refused(token: str) -> None:
    for make in (log_subject, ask_subject, peer_subject, status_subject):
        with pytest.raises(NameRefused):
            make("r1", token)
        with pytest.raises(NameRefused):
            make(token, "e1")


def test_asks_and_answers_survive_the_wire() -> None:
    ask = make_ask(2, text="a\x00\u2028'\"{}\U0001f600")
    assert decode_ask(encode_ask(ask)) == ask
    assert decode_answer(encode_answer(reply_to(ask))) == reply_to(ask)
    lookup = Lookup(ask=ask, reply="_INBOX.x")
    assert decode_lookup(encode_lookup(lookup)) == lookup


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"\xff", b'{"run":1}', b"null"])
def test_bytes_that_are_no_message_are_a_named_error(payload: bytes) -> None:
    for decode in (decode_ask, decode_answer, decode_lookup):
        with pytest.raises(WireDamaged, match=f"{len(payload)} bytes are not"):
            decode(payload)
    assert issubclass(WireDamaged, BusError)


def test_a_damaged_message_is_not_repeated_in_the_error() -> None:
    payload = encode_answer(reply_to(make_ask(text="private"))).replace(b'"turn":0', b'"turn":"0"')
    with pytest.raises(WireDamaged) as caught:
        decode_answer(payload)
    assert "private" not in str(caught.value)


def test_unknown_fields_are_ignored() -> None:
    newer = msgspec.json.decode(encode_ask(make_ask()))
    newer["mood"] = {"of": ["the", "day"]}
    newer["view"]["colour"] = 1
    assert decode_ask(msgspec.json.encode(newer)) == make_ask()


def test_a_text_that_is_not_unicode_is_refused_before_it_is_sent() -> None:
    with pytest.raises(WireDamaged, match="lone surrogates"):
        encode_ask(make_ask(text="\udc80"))


def test_user_and_password_leave_the_url_and_are_never_shown() -> None:
    settings = BusSettings.from_url("nats://ann:p%40ss@host:4333,other")
    assert (settings.user, settings.password) == ("ann", "p@ss")
    assert settings.url == "nats://host:4333,nats://other:4222"
    assert "p@ss" not in repr(settings)
    assert "p@ss" not in str(settings)
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301


def test_a_name_alone_in_a_url_is_a_token() -> None:
    settings = BusSettings.from_url("tls://t0ken@[::1]:4222")
    assert (settings.url, settings.user, settings.password) == ("tls://[::1]:4222", "", "t0ken")
    assert "t0ken" not in repr(settings)


@pytest.mark.parametrize("url", ["", "http://u:s3cret@host", "nats://", "nats://u:s3cret@h:x"])
def test_an_address_that_is_none_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(SpecRefused) as caught:
        BusSettings.from_url(url)
    assert "s3cret" not in str(caught.value)
