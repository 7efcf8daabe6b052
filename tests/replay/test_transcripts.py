from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.replay._plays import NOON, Told, tell, troubled, usual, write

from eristic.debate import EpisodeClosed, EpisodeOpened, RulingMade, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.replay import Transcript, transcribe


def transcript(told: Told, *, at: int | None = None) -> Transcript:
    """The transcript of the first episode that was told."""
    episode = next(name for name, event, _ in told if isinstance(event, EpisodeOpened))
    envelopes = [decode(stored) for name, stored in write(told) if name == episode]
    return transcribe(envelopes, run="r", episode=episode, at=at)


ONE = tell(troubled, number=1, conditions=("fallacious_helper",))
LAST = max(event.turn for _, event, _ in ONE if isinstance(event, TurnSpoken))


def test_a_debate_reads_in_order_with_its_roles_readings_and_rulings() -> None:
    short = tell(usual, number=1, conditions=("logical_helper",), options={"round_limit": 2})
    found = transcript(short)
    assert found.header is not None
    assert (found.header.condition, found.header.case.case_id) == ("logical_helper", "case-0")
    assert (found.state, found.outcome, found.is_cut) == ("closed", "not_convinced", False)
    turns = sorted((x.turn, x.kind, x.role) for x in found.entries if x.turn is not None)
    assert turns == [
        (0, "speech", "persuader"),
        (1, "speech", "debater"),
        (2, "check", "conviction"),
        (3, "check", "pleasantry"),
        (4, "check", "topic"),
        (5, "speech", "persuader"),
        (6, "helper", "helper"),
        (7, "speech", "debater"),
        (8, "check", "conviction"),
        (9, "check", "pleasantry"),
        (10, "check", "topic"),
    ]
    others = [(x.kind, x.round, x.reading, x.text) for x in found.entries if x.turn is None]
    assert others == [
        ("ruling", 1, "continue", ""),
        ("ruling", 2, "not_convinced", "round_limit"),
        ("close", 2, "not_convinced", "round_limit"),
    ]
    helped = next(x for x in found.entries if x.kind == "helper")
    assert helped.reading == "Sound words, agree?"
    assert helped.parts == {"label": "reason", "tip": "Stay calm"}
    assert (helped.model, helped.tokens_in, helped.tokens_out) == ("made-up-0", 106, 10)


def test_every_event_but_the_header_has_an_entry_with_its_position() -> None:
    found = transcript(ONE)
    events = [event for name, event, _ in ONE if name == found.episode]
    assert [entry.position for entry in found.entries] == list(range(1, len(events)))
    kinds = {entry.kind for entry in found.entries}
    assert kinds >= {"speech", "check", "helper", "memory", "ruling", "swap", "fold", "overflow"}
    assert kinds >= {"failure", "close"}


@pytest.mark.parametrize("at", range(0, LAST + 1, 2))
def test_a_cut_shows_no_turn_after_it_and_depends_on_nothing_after_it(at: int) -> None:
    found = transcript(ONE, at=at)
    assert max(x.turn for x in found.entries if x.turn is not None) <= at
    assert found.is_cut
    assert (found.state, found.outcome) == ("open", None)
    assert transcript(_poisoned(at), at=at) == found
    assert "POISON" not in repr(found)


def _poisoned(at: int) -> Told:
    """The same episode with everything after the turn changed."""
    told: Told = []
    newest = -1
    for name, event, moment in ONE:
        own = getattr(event, "turn", None) if not hasattr(event, "cause") else None
        newest = max(newest, -1 if own is None else own)
        if (newest if own is None else own) > at:
            moment = NOON + timedelta(days=9)
            if isinstance(event, TurnSpoken):
                event = replace(event, text="POISON", reading=None, call=None)
            elif isinstance(event, RulingMade):
                event = replace(event, decision="POISON", facts={"POISON": 1})
            elif isinstance(event, EpisodeClosed):
                event = replace(event, outcome="POISON", reason="POISON")
        told.append((name, event, moment))
    return told


def test_a_cut_at_the_last_turn_shows_the_end() -> None:
    found = transcript(ONE, at=LAST)
    assert found == replace(transcript(ONE), at=LAST)
    assert found.state == "closed"


def test_an_open_episode_reads_as_far_as_it_is() -> None:
    found = transcript(tell(usual, steps=3, number=1, conditions=("no_helper",)))
    assert (found.state, found.outcome) == ("open", None)
    assert [entry.role for entry in found.entries][:2] == ["persuader", "debater"]


def test_a_chain_without_a_header_reads_without_one() -> None:
    found = transcribe([], run="r", episode="e")
    assert (found.header, found.entries, found.state) == (None, (), "open")
