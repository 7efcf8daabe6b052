"""A published debate as events: turns with what is odd about them, and the close.

Turns are numbered from 0 in the order of the source's messages; a message that stands several
times in a row is one turn with `repetitions`. So a turn's place in the file's log is the sum of
the repetitions before it. Our own runs number their checks too; these have none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, Import, Setting, TurnSpoken
from eristic.replay.importing.logicom.files import Debate
from eristic.replay.importing.logicom.helpers import read_helper
from eristic.replay.importing.logicom.openings import read_opening

__all__ = ["raw_turns", "retell"]

_REASONS: Final = {
    "Persuader successfully convinced the debater": "convinced",
    "Agents are in greeting loop": "pleasantries",
    "Persuader could not convince the debater": "round_limit",
    None: "hard_limit",
}
"""The first moderator's `Stop_reason` -> reason as our own runs name it."""
_SPEAKER_LINE: Final = re.compile(
    r"^[ \t*\"]*(Persuader|Debater|Human|AI|You|Me|User|Assistant|Opponent)[*\"]*[ \t]*:",
    re.MULTILINE,
)


def raw_turns(debate: Debate, condition: str) -> tuple[TurnSpoken, ...]:
    """Who said what, in order, and nothing read out of it yet.

    With a helper, every persuader message but the opening is the helper's whole output: the
    draft that it rewrote is not recorded, so the helper's turn is the persuader's utterance.
    """
    persuader = "persuader" if condition == "no_helper" else "helper"
    roles = {"assistant": persuader, "user": "debater"}
    return tuple(
        TurnSpoken(
            turn=turn,
            role="persuader" if turn == 0 and message.speaker == "assistant" else role,
            text=message.text,
            source="imported",
            repetitions=message.copies,
        )
        for turn, message in enumerate(debate.messages)
        for role in (roles[message.speaker],)
    )


def retell(opened: EpisodeOpened, spoken: Sequence[TurnSpoken]) -> tuple[Event, ...]:
    """The whole episode from its header's facts and raw texts; see Importer.retell."""
    heard: set[str] = set()
    turns: list[TurnSpoken] = []
    for turn in spoken:
        is_last = turn is spoken[-1] and len(spoken) > 1
        turns.append(
            TurnSpoken(
                turn=len(turns),
                role=turn.role,
                text=turn.text,
                source="imported",
                repetitions=turn.repetitions,
                reading=read_helper(turn.text) if turn.role == "helper" else None,
                remarks=_remarks(turn, heard, is_first=not turns, is_last=is_last),
            )
        )
        if turn.role == "debater":
            heard.add(turn.text)
    return (_header(opened, turns), *turns, _closing(opened, turns))


def _header(opened: EpisodeOpened, turns: Sequence[TurnSpoken]) -> EpisodeOpened:
    """The debate's own claim counts, whatever the table of claims says of its topic."""
    stated = read_opening(turns[0].text) if turns else None
    if stated is None:
        return opened
    return replace(opened, case=replace(opened.case, texts={**opened.case.texts, **stated}))


def _remarks(
    turn: TurnSpoken, heard: set[str], *, is_first: bool, is_last: bool
) -> tuple[str, ...]:
    text, is_debater = turn.text, turn.role == "debater"
    marks = {
        "template": is_first and turn.role == "persuader" and read_opening(text) is not None,
        # Written before the moderators looked, so the debater never saw it.
        "unsent": is_last and not is_debater,
        "repeated": is_debater and text in heard,
        "blank_ends": text != text.strip(),
        "carriage_return": "\r" in text,
        "no_break_space": "\u00a0" in text,
        "role_transcript": is_debater and len(set(_SPEAKER_LINE.findall(text))) > 1,
    }
    return tuple(name for name, holds in marks.items() if holds)


def _closing(opened: EpisodeOpened, turns: Sequence[TurnSpoken]) -> EpisodeClosed:
    """The outcome is the moderators' joint verdict, the reason the first moderator's alone."""
    facts: dict[str, Setting] = opened.imported.facts if isinstance(opened.imported, Import) else {}
    stop_reason, convinced = facts.get("stop_reason"), facts.get("convinced")
    reason = _REASONS.get(stop_reason if isinstance(stop_reason, str) else None, "other")
    played = sum(turn.role == "debater" for turn in turns)
    recorded = facts.get("number_of_rounds")
    return EpisodeClosed(
        outcome="convinced" if convinced is True else "not_convinced",
        reason=reason,
        rounds=played,
        facts={
            "recorded_rounds": recorded,
            "recorded_stop_reason": stop_reason,
            "recorded_convinced": convinced,
            "verdict_and_stop_reason_disagree": (reason == "convinced") != (convinced is True),
            "extra_turn": isinstance(recorded, int) and played == recorded + 1,
            "copies_dropped": sum(turn.repetitions - 1 for turn in turns),
        },
    )
