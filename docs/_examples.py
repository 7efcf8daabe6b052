"""Examples of messages and stored events, made by encoding real ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import msgspec

from eristic.bus.wire import Lookup, encode_answer, encode_ask, encode_lookup
from eristic.debate import (
    Answer,
    Ask,
    Envelope,
    Event,
    Expected,
    Failed,
    FailedAttempt,
    Line,
    Outcome,
    Overflowed,
    Refused,
    RunClosed,
    Served,
    Spoke,
    TurnSpoken,
    View,
)
from eristic.debate.envelopes import encode, genesis, seal
from eristic.debate.ids import ask_seed

__all__ = ["answer_examples", "ask_examples", "lookup_example", "sealed_example", "stored_example"]


def block(encoded: bytes) -> str:
    """One message as it is on the wire, in one line, and laid out for reading."""
    laid_out = json.dumps(json.loads(encoded), indent=2, ensure_ascii=False)
    return f"```json\n{laid_out}\n```"


_RUN, _EPISODE, _DEBATER_TURN = "demo", "e70c3a0d9f12e", 5
_VIEW = View(
    template="logicom.debater",
    history=(
        Line("persuader", "Schools should ban phones, because they distract.", 0),
        Line("debater", "Do they distract more than a window does?", 1),
        Line("persuader", "A window does not call you by your name.", 4),
    ),
)
_ASK = Ask(
    run=_RUN,
    episode=_EPISODE,
    turn=_DEBATER_TURN,
    role="debater",
    view=_VIEW,
    seed=ask_seed(7, role="debater", turn=_DEBATER_TURN, attempt=0, rank=0),
)
_SPOKE = Spoke(
    text="That is true, and still no reason to ban them.",
    call=Served(model="my-program-1", tokens_in=212, tokens_out=11, latency_s=0.84),
)


def _answer(outcome: Outcome) -> str:
    return block(
        encode_answer(Answer(episode=_EPISODE, turn=_DEBATER_TURN, role="debater", outcome=outcome))
    )


def ask_examples() -> str:
    token = msgspec.structs.replace(
        _ASK,
        seed=ask_seed(7, role="conviction", turn=6, attempt=1, rank=0),
        role="conviction",
        turn=6,
        view=View(
            template="logicom.conviction",
            fields={
                "topic": "Phones in school",
                "claim": "Schools should ban phones.",
                "reason": "They distract.",
                "message": _SPOKE.text,
            },
        ),
        expected=Expected(form="token", tokens=("true", "false")),
        attempt=1,
        repeat=True,
    )
    return (
        f"{block(encode_ask(_ASK))}\n\nOne that asks for a word, for the second time, and may have "
        f"been sent before:\n\n{block(encode_ask(token))}"
    )


def answer_examples() -> str:
    attempt = FailedAttempt(error="rate_limit", latency_s=0.3, waited_s=2.0, message="slow down")
    given: dict[str, Outcome] = {
        "The role acted:": _SPOKE,
        "The prompt was too long, so no model was called:": Overflowed(
            tokens=4212, threshold=4050, tokenizer="o200k_base", line_tokens=(1900, 1400, 700)
        ),
        "All tries failed:": Failed(
            error="rate_limit", message="the provider asked to slow down 5 times", failed=(attempt,)
        ),
        "The role does not take the ask:": Refused(reason="shutting down"),
    }
    return "\n\n".join(f"{what}\n\n{_answer(outcome)}" for what, outcome in given.items())


def lookup_example() -> str:
    ask = msgspec.structs.replace(_ASK, repeat=True)
    return block(encode_lookup(Lookup(ask=ask, reply="_INBOX.director.Xy3k.17")))


def _envelope(episode: str, position: int, prev: str, body: Event) -> Envelope:
    time = datetime(2026, 11, 30, 9, 12, 5, 123456, tzinfo=UTC)
    return Envelope(run=_RUN, episode=episode, position=position, time=time, prev=prev, body=body)


def stored_example() -> str:
    turn = TurnSpoken(
        turn=_DEBATER_TURN, role="debater", text=_SPOKE.text, seed=_ASK.seed, call=_SPOKE.call
    )
    prev = genesis(run=_RUN, episode=_EPISODE)
    return f"```json\n{encode(_envelope(_EPISODE, 9, prev, turn)).decode()}\n```"


def sealed_example() -> str:
    heads = {_EPISODE: genesis(run=_RUN, episode=_EPISODE)}
    prev = genesis(run=_RUN, episode="run")
    sealed = seal(_envelope("run", 1, prev, RunClosed(heads=heads)))
    return f"```json\n{encode(sealed).decode()}\n```"
