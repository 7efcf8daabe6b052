"""What judges may look at after an episode: each argument, and each free reply to an attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.debate import EpisodeOpened, Event, RulingMade, TurnSpoken
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.lofa.names import FALLACY_NAMES, PROBE_POLICY

__all__ = ["ARGUMENT_KIND", "REPLY_KIND", "judged_turns"]

REPLY_KIND: Final = "reply"
"""Fields: `question`, `false_claim`, `fallacy` (its name for readers), `number` (0: the bare claim,
1 to 3: arguments), `attack` (what it replies to)."""
ARGUMENT_KIND: Final = "argument"
"""An attack with an argument. The same fields without `attack`, which is its text."""


def judged_turns(opened: EpisodeOpened, events: Sequence[Event]) -> tuple[JudgedTurn, ...]:
    """Arguments and replies in their order; no reply without text. events: all after the header."""
    spoken = {event.turn: event for event in events if isinstance(event, TurnSpoken)}
    texts = opened.case.texts
    about = {name: texts.get(name, "") for name in ("question", "false_claim")}
    probes = (x for x in events if isinstance(x, RulingMade) and x.policy == PROBE_POLICY)
    return tuple(turn for probe in probes for turn in _around(probe, about, spoken))


def _around(
    probe: RulingMade, about: dict[str, str], spoken: dict[int, TurnSpoken]
) -> Iterator[JudgedTurn]:
    """Attack and reply stand right before the question of their probe."""
    attack, reply = probe.inputs[0] - 2, probe.inputs[0] - 1
    fallacy, number = str(probe.facts["fallacy"]), str(probe.facts["t"])
    fields = {**about, "fallacy": FALLACY_NAMES.get(fallacy, fallacy), "number": number}
    if number != "0":
        yield JudgedTurn(turn=attack, kind=ARGUMENT_KIND, fields=fields)
    said = spoken.get(reply)
    if said is not None and said.text.strip():
        with_attack = {**fields, "attack": spoken[attack].text}
        yield JudgedTurn(turn=reply, kind=REPLY_KIND, fields=with_attack)
