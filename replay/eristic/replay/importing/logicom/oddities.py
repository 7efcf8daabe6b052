"""What is odd about published debates: found in the events, counted, never mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from eristic.debate import EpisodeClosed, EpisodeOpened, TurnSpoken
from eristic.replay.importing.importer import Anomaly

__all__ = ["ANOMALIES", "count_anomalies"]

ANOMALIES: Final = (
    Anomaly(name="scenario_case", unit="file", what="scenario folder written in another case"),
    Anomaly(name="copies", unit="message", what="message logged again in a row; no turn"),
    Anomaly(name="repeated", unit="message", what="debater says once more what it said before"),
    Anomaly(name="extra_turn", unit="file", what="one debater turn more than number_of_rounds"),
    Anomaly(name="rounds_differ", unit="file", what="debater turns differ in another way"),
    Anomaly(
        name="verdict_disagrees", unit="file", what="stop reason says convinced, verdict does not"
    ),
    Anomaly(name="no_stop_reason", unit="file", what="no stop reason: the loop guard ended it"),
    Anomaly(name="other_stop_reason", unit="file", what="a stop reason of another wording"),
    Anomaly(name="over_ten_rounds", unit="file", what="more than ten rounds recorded"),
    Anomaly(name="two_keys", unit="message", what="helper's dict with two keys"),
    Anomaly(name="many_keys", unit="message", what="helper's dict with more than three keys"),
    Anomaly(
        name="response_not_last", unit="message", what="text sent is not the one called response"
    ),
    Anomaly(name="other_key_spelling", unit="message", what="helper's key spelt otherwise"),
    Anomaly(name="unknown_key", unit="message", what="helper's key of an unknown name"),
    Anomaly(name="nested_object", unit="message", what="text sent is itself a helper's dict"),
    Anomaly(name="non_text", unit="message", what="value beside the text that is no text"),
    Anomaly(name="empty_passage", unit="message", what="empty passage or helping argument"),
    Anomaly(name="label_none", unit="message", what="label says that there is no fallacy"),
    Anomaly(name="placeholder", unit="message", what="text sent is a placeholder"),
    Anomaly(name="repaired", unit="message", what="helper's output is no literal; read leniently"),
    Anomaly(name="no_list", unit="message", what="helper's dict without its list"),
    Anomaly(name="several_objects", unit="message", what="several dicts; the first counts"),
    Anomaly(name="cleaned", unit="message", what="half a surrogate pair in a helper's text"),
    Anomaly(name="unreadable_helper", unit="message", what="helper's output that nobody can read"),
    Anomaly(name="claim_not_in_table", unit="file", what="another claim than the table's"),
    Anomaly(name="topic_not_in_table", unit="file", what="another topic than the table's"),
    Anomaly(name="reason_not_in_table", unit="file", what="another reason than the table's"),
    Anomaly(name="no_table", unit="file", what="no table of claims, so pairs are told by topic"),
    Anomaly(name="other_opening", unit="file", what="opening that is not the template"),
    Anomaly(name="blank_ends.debater", unit="message", what="blanks at the ends, debater"),
    Anomaly(name="blank_ends.persuader", unit="message", what="blanks at the ends, persuader"),
    Anomaly(name="carriage_return", unit="message", what="carriage return in a message"),
    Anomaly(name="no_break_space", unit="message", what="no-break space in a message"),
    Anomaly(name="role_transcript", unit="message", what="debater writes lines of both sides"),
    Anomaly(name="not_alternating", unit="file", what="speakers do not alternate"),
    Anomaly(name="ends_with_debater", unit="file", what="no unsent persuader message at the end"),
    Anomaly(name="other_file_name", unit="file", what="file name is not the chat id"),
    Anomaly(name="other_keys", unit="file", what="keys beside the six usual ones"),
)
"""In the order of the publication's own list; those that it lacks stand where they fit."""

_NAMES: Final = frozenset(anomaly.name for anomaly in ANOMALIES)
_BY_ROLE: Final = {"debater": "debater", "persuader": "persuader", "helper": "persuader"}


def count_anomalies(
    opened: EpisodeOpened, turns: Sequence[TurnSpoken], closed: EpisodeClosed
) -> dict[str, int]:
    """Name -> count, of those that are there."""
    found = _of_file(opened, turns, closed)
    for turn in turns:
        found["copies"] += turn.repetitions - 1
        for remark in turn.remarks:
            name = f"{remark}.{_BY_ROLE[turn.role]}" if remark == "blank_ends" else remark
            if name in _NAMES:
                # Messages are counted as the file has them, with their copies.
                found[name] += turn.repetitions if name != "repeated" else 1
        if turn.reading is not None:
            found["unreadable_helper"] += turn.reading.status != "read"
            for flag in turn.reading.flags:
                if flag in _NAMES:
                    found[flag] += 1
    return {name: count for name, count in found.items() if count}


def _of_file(
    opened: EpisodeOpened, turns: Sequence[TurnSpoken], closed: EpisodeClosed
) -> Counter[str]:
    origin = opened.imported
    assert origin is not None
    facts, recorded = origin.facts, closed.facts["recorded_rounds"]
    sides = [_BY_ROLE[turn.role] for turn in turns]
    extra = closed.facts["extra_turn"]
    marks = {
        "scenario_case": facts.get("scenario_other_case", False),
        "extra_turn": extra,
        "rounds_differ": not extra and closed.rounds != recorded,
        "verdict_disagrees": closed.facts["verdict_and_stop_reason_disagree"]
        and closed.reason == "convinced",
        "no_stop_reason": facts["stop_reason"] is None,
        "other_stop_reason": closed.reason == "other",
        "over_ten_rounds": isinstance(recorded, int) and recorded > 10,
        "claim_not_in_table": "table_claim" in facts,
        "topic_not_in_table": "table_topic" in facts,
        "reason_not_in_table": "table_reason" in facts,
        "no_table": "pair" in origin.absent,
        "other_opening": "template" not in turns[0].remarks,
        "not_alternating": any(a == b for a, b in zip(sides, sides[1:], strict=False)),
        "ends_with_debater": sides[-1] == "debater",
        "other_file_name": "file_name" in facts,
        "other_keys": "other_keys" in facts,
    }
    return Counter({name: int(bool(holds)) for name, holds in marks.items()})
