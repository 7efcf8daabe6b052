"""The published layout, file by file: ten debates of our own hold every anomaly once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.replay._published import OWN, read

from eristic.debate.envelopes import Envelope, decode, encode
from eristic.protocols import find_protocol, fold
from eristic.replay.importing import ImportedEpisode, Unreadable
from eristic.replay.importing.logicom import LOGICOM


@pytest.fixture(scope="module")
def own() -> dict[str, ImportedEpisode]:
    """Topic/model/scenario as written -> episode."""
    found = {}
    for item in read():
        assert isinstance(item, ImportedEpisode)
        iteration, model, topic, scenario = item.origin.path.split("/")[1:5]
        found[f"{iteration[-1]}/{model}/{topic}/{scenario}"] = item
    return found


def test_every_anomaly_that_is_looked_for_is_in_our_own_debates(
    own: dict[str, ImportedEpisode],
) -> None:
    found = Counter[str]()
    for item in own.values():
        found.update(item.anomalies)
    assert {name for name, count in found.items() if count} == {x.name for x in LOGICOM.anomalies}
    assert found["copies"] == 2


def test_texts_stay_as_they_are_stored_and_turns_are_numbered_densely(
    own: dict[str, ImportedEpisode],
) -> None:
    for item in own.values():
        assert [turn.turn for turn in item.spoken] == list(range(len(item.spoken)))
        log = json.loads((OWN / item.origin.path).read_bytes())["log"]
        told = [turn.text for turn in item.spoken for _ in range(turn.repetitions)]
        assert told == [text for entry in log for text in entry.values()]
        assert {turn.source for turn in item.spoken} == {"imported"}
        assert all(turn.call is None and turn.seed is None for turn in item.spoken)


def test_the_folder_says_condition_iteration_and_model_in_any_case(
    own: dict[str, ImportedEpisode],
) -> None:
    opened = own["1/GPT-4/1001_1_AOWN/Fallacy_helper"].opened
    assert (opened.condition, opened.repetition) == ("fallacious_helper", 1)
    assert opened.cast["debater"].model == "GPT-4"
    assert opened.cast["helper"].model == "GPT-3.5"
    assert opened.imported is not None
    assert opened.imported.facts["scenario"] == "Fallacy_helper"
    assert opened.seed is None and opened.options == {} and opened.prompts == {}


def test_copies_in_a_row_are_one_turn_and_later_repeats_are_turns(
    own: dict[str, ImportedEpisode],
) -> None:
    copied = own["1/GPT-3.5/1001_1_AOWN/Fallacy_Helper"]
    assert [turn.repetitions for turn in copied.spoken] == [1, 1, 1, 3, 1, 1, 1]
    assert copied.closed.facts["copies_dropped"] == 2
    repeated = own["1/GPT-4/1001_1_AOWN2/Vanilla_Helper"]
    marked = [turn.turn for turn in repeated.spoken if "repeated" in turn.remarks]
    assert marked == [13]
    assert (repeated.closed.rounds, repeated.closed.reason) == (13, "hard_limit")


def test_the_last_persuader_message_was_never_sent(own: dict[str, ImportedEpisode]) -> None:
    for key, item in own.items():
        unsent = [turn.turn for turn in item.spoken if "unsent" in turn.remarks]
        last = item.spoken[-1]
        assert unsent == ([] if last.role == "debater" else [last.turn]), key


def test_the_verdict_counts_and_the_first_moderators_reason_stays_beside_it(
    own: dict[str, ImportedEpisode],
) -> None:
    closed = own["1/GPT-4/1001_1_AOWN2/No_Helper"].closed
    assert (closed.outcome, closed.reason, closed.rounds) == ("not_convinced", "convinced", 3)
    assert closed.facts["recorded_rounds"] == 2
    assert closed.facts["extra_turn"] is True
    assert closed.facts["verdict_and_stop_reason_disagree"] is True


def test_the_debates_own_claim_counts_and_the_tables_is_noted(
    own: dict[str, ImportedEpisode],
) -> None:
    opened = own["2/GPT-3.5/1002_7_BOWN/No_Helper"].opened
    assert opened.case.texts["claim"] == "Bakers may sell on every Sunday"
    assert opened.case.block == "What is argued about in pair two."
    assert opened.imported is not None
    assert opened.imported.facts["table_claim"] == "Bakers may sell on Sundays"


def test_without_a_record_in_the_table_the_topic_is_the_block(
    own: dict[str, ImportedEpisode],
) -> None:
    opened = own["2/GPT-4/1003_9_COWN/No_Helper"].opened
    assert opened.case.block == opened.case.texts["topic"] == "Do Ponds Need Ducks?"
    assert opened.imported is not None
    assert "pair" in opened.imported.absent
    paired = own["1/GPT-4/1001_1_AOWN/Fallacy_helper"].origin
    assert "pair" not in paired.absent


def test_a_table_may_have_the_column_that_ours_lacks(tmp_path: Path) -> None:
    lines = (OWN / "claims" / "all-claim-not-claim.csv").read_bytes().split(b"\r\n")
    grown = [lines[0] + b",original_text", *(x + b',"two\nlines"' for x in lines[1:] if x)]
    table = tmp_path / "claims" / "any.csv"
    table.parent.mkdir()
    table.write_bytes(b"\r\n".join(grown) + b"\r\n")
    first = next(x for x in read(OWN / "debates", table) if isinstance(x, ImportedEpisode))
    assert first.opened.case.texts["original_text"] == "two\nlines"


def test_a_table_that_cannot_be_read_is_told_and_the_debates_come_without_it(
    tmp_path: Path,
) -> None:
    table = tmp_path / "claims" / "broken.csv"
    table.parent.mkdir()
    table.write_bytes(b"id,claim\r\n1,\xff\r\n")
    refused, *others = read(table, OWN / "debates")
    assert isinstance(refused, Unreadable) and refused.path.endswith("claims/broken.csv")
    named = [x for x in others if isinstance(x, ImportedEpisode)]
    assert len(named) == 9  # one opening is not the template, so only a table names its texts
    assert {"pair" in x.origin.absent for x in named} == {True}


def test_an_id_is_the_same_wherever_the_import_begins(own: dict[str, ImportedEpisode]) -> None:
    whole = {item.episode: item.origin for item in own.values()}
    assert len(whole) == 10
    part = read(OWN / "debates" / "iteration 1" / "GPT-3.5")
    assert len(part) == 3
    for item in part:
        assert isinstance(item, ImportedEpisode)
        assert whole[item.episode].path == item.origin.path
        assert whole[item.episode].sha256 == item.origin.sha256


def test_the_uuid_tells_when_a_debate_was_begun(own: dict[str, ImportedEpisode]) -> None:
    begun = own["1/GPT-3.5/1001_1_AOWN/No_Helper"].origin.facts["created"]
    assert str(begun).startswith("2023-07-30T17:39:41")
    assert "created" not in own["2/GPT-4/1003_9_COWN/No_Helper"].origin.facts


def test_a_told_debate_folds_into_the_histories_and_nothing_is_ever_due(
    own: dict[str, ImportedEpisode],
) -> None:
    machine = find_protocol("logicom")
    item = own["1/GPT-3.5/1001_1_AOWN/Vanilla_Helper"]
    for end in range(1, len(item.events) + 1):
        assert machine.decide(fold(machine, item.events[:end])) is None
    state = fold(machine, item.events)
    assert state.phase == "closed" and state.replies == 3
    spoken = [line.text for line in state.persuader.lines if line.speaker == "persuader"]
    assert spoken[1:3] == ["Short and true. Convinced?", "Bells tell the hour in the dark."]
    assert len(state.debater.lines) == len(state.persuader.lines) - 1


def test_every_event_survives_the_wire(own: dict[str, ImportedEpisode]) -> None:
    from datetime import UTC, datetime

    for item in own.values():
        for position, event in enumerate(item.events):
            envelope = Envelope(
                run="r",
                episode=item.episode,
                position=position,
                time=datetime(2026, 1, 1, tzinfo=UTC),
                prev="",
                body=event,
            )
            assert decode(encode(envelope)) == envelope


def test_telling_again_gives_the_same_and_shows_what_was_changed(
    own: dict[str, ImportedEpisode],
) -> None:
    for item in own.values():
        assert LOGICOM.retell(item.opened, item.spoken) == item.events
    item = own["1/GPT-3.5/1001_1_AOWN/No_Helper"]
    forged = msgspec.structs.replace(
        item.spoken[0], text=item.spoken[0].text.replace("worth their keep", "worth nothing")
    )
    told = LOGICOM.retell(item.opened, (forged, *item.spoken[1:]))
    assert told[0] != item.events[0]
