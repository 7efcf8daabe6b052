"""The bytes of one published debate, checked at the door."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

__all__ = ["MOST_MESSAGES", "Damaged", "Debate", "Message", "parse_debate"]

MOST_MESSAGES: Final = 900
"""In one debate; published ones have up to 28. An episode is stored in one append."""
_MOST_ROUNDS: Final = 10_000
_KNOWN: Final = frozenset(
    {"Topic_ID", "log", "chat_id", "number_of_rounds", "Stop_reason", "Convinced?"}
)


class Damaged(Exception):
    """Why these bytes are no debate."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What one side said."""

    speaker: Literal["assistant", "user"]
    """As the source names them: the assistant is the persuader, the user the debater."""
    text: str
    copies: int = 1
    """How often it stands in a row, word for word. Only the first is a turn: the others are
    calls that were repeated."""


class Debate(msgspec.Struct, frozen=True, kw_only=True):
    """One file, as it is."""

    topic_id: str
    chat_id: str
    messages: tuple[Message, ...]
    number_of_rounds: int
    stop_reason: str | None
    convinced: bool
    other_keys: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True):
    topic_id: str = msgspec.field(name="Topic_ID")
    log: list[dict[str, str]]
    chat_id: str
    number_of_rounds: int
    stop_reason: str | None = msgspec.field(name="Stop_reason")
    convinced: bool = msgspec.field(name="Convinced?")


_file_decoder = msgspec.json.Decoder(_File)
_keys_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])


def parse_debate(data: bytes) -> Debate:
    """The debate in these bytes. Raises Damaged, saying what is missing, cut off or of no use."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise Damaged("is empty")
    try:
        keys = _keys_decoder.decode(data)
        file = _file_decoder.decode(data)
    except msgspec.ValidationError as error:
        raise Damaged(f"is no published debate: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Damaged(f"is not JSON: {error}") from error
    if not 0 <= file.number_of_rounds <= _MOST_ROUNDS:
        raise Damaged(f"says number_of_rounds {file.number_of_rounds}")
    return Debate(
        topic_id=file.topic_id,
        chat_id=file.chat_id,
        messages=_messages(file.log),
        number_of_rounds=file.number_of_rounds,
        stop_reason=file.stop_reason,
        convinced=file.convinced,
        other_keys=tuple(sorted(keys.keys() - _KNOWN)),
    )


def _messages(log: list[dict[str, str]]) -> tuple[Message, ...]:
    if not log:
        raise Damaged("its log is empty")
    if len(log) > MOST_MESSAGES:
        raise Damaged(f"its log has {len(log):,} messages; at most {MOST_MESSAGES} are read")
    messages: list[Message] = []
    for place, entry in enumerate(log):
        if len(entry) != 1:
            raise Damaged(f"log[{place}] has {len(entry)} speakers where one is due")
        ((speaker, text),) = entry.items()
        if speaker not in ("assistant", "user"):
            raise Damaged(f"log[{place}] is by {speaker[:40]!r}, not by assistant or user")
        side: Literal["assistant", "user"] = "assistant" if speaker == "assistant" else "user"
        last = messages[-1] if messages else None
        if last is not None and (last.speaker, last.text) == (side, text):
            messages[-1] = msgspec.structs.replace(last, copies=last.copies + 1)
        else:
            messages.append(Message(speaker=side, text=text))
    return tuple(messages)
