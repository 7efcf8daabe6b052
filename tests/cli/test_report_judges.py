"""What judges said of a run, in `eristic report`."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tests.cli._reports import asked, mains, sections, shown
from tests.replay._plays import NOON, logged, spoke, tell, usual, write

from eristic.cli import report
from eristic.debate import JudgementMade, JudgingOpened, Outcome, TurnSpoken
from eristic.debate.envelopes import decode, digest
from eristic.journal import Chain, extend
from eristic.journal.memory import MemoryLog
from eristic.protocols import Due
from eristic.replay.targets import read_targets


async def judgements(opened: JudgingOpened, made: Sequence[JudgementMade]) -> MemoryLog:
    """The stream of one judge."""
    stored, _ = extend(Chain.empty(run="r", episode="judge"), [opened, *made], time=NOON)
    return await logged([("judge", record) for record in stored])


async def test_a_judge_of_stops_says_which_came_too_early(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def pleasant(due: Due) -> Outcome:
        return spoke(due, "stop") if due.role == "pleasantry" else usual(due)

    records = write(tell(pleasant, number=3, conditions=("no_helper",)))
    log = await logged(records)
    document = json.loads(await shown(capsys, log, "--json"))
    (early,) = mains(document, "M9b")
    assert (early["value"]["type"], early["tally"]["planned"]) == ("undefined", 3)
    opened = JudgingOpened(
        judge="human-stops.v1",
        question="Was it right to stop here?",
        values=("right", "wrong"),
        software="test",
        options={"annotator": "ann"},
    )
    made = [
        JudgementMade(episode=x.episode, turn=x.turn, target=x.digest, status="scored", value=value)
        for x, value in zip(read_targets(records).targets, ("wrong", "right"), strict=False)
    ]
    code = await report.report_log(
        log, "r", asked("--json"), judgements=await judgements(opened, made)
    )
    (early,) = mains(json.loads(capsys.readouterr().out), "M9b")
    assert (code, early["value"], early["tally"]["used"]) == (0, 0.5, 2)
    assert early["tally"]["exclusions"] == [{"cause": "not judged", "count": 1}]


async def test_a_judge_of_labels_confirms_those_of_the_helper(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = {"round_limit": 3}
    records = write(tell(usual, number=1, conditions=("fallacious_helper",), options=options))
    helped = [
        (episode, body.turn, digest(stored))
        for episode, stored in records
        for body in (decode(stored).body,)
        if isinstance(body, TurnSpoken) and body.role == "helper"
    ]
    opened = JudgingOpened(
        judge="labels.v1",
        question="Which fallacy is it?",
        values=("Straw man", "none"),
        software="test",
    )
    made = [
        JudgementMade(episode=name, turn=turn, target=target, status="scored", value=value)
        for (name, turn, target), value in zip(helped, ("Straw man", "none"), strict=True)
    ]
    judged = await judgements(opened, made)
    await report.report_log(await logged(records), "r", asked("--json"), judgements=judged)
    document = json.loads(capsys.readouterr().out)
    row = next(x for x in sections(document)["M8"]["rows"] if x["keys"]["label"] == "straw_man")
    assert row["beside"]["confirmed"]["value"] == 0.5
    assert row["beside"]["confirmed"]["tally"]["used"] == 2
    assert any("nothing of the verdict" in note for note in sections(document)["M9b"]["notes"])


async def test_a_judgement_of_other_bytes_counts_for_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    records = write(tell(usual, number=1, conditions=("no_helper",)))
    (target,) = read_targets(records).targets
    opened = JudgingOpened(
        judge="recorded.v1", question="?", values=("convinced", "not_convinced"), software="test"
    )
    made = JudgementMade(
        episode=target.episode,
        turn=target.turn,
        target="0" * 64,
        status="scored",
        value="convinced",
    )
    judged = await judgements(opened, [made])
    await report.report_log(await logged(records), "r", asked("--json"), judgements=judged)
    first = mains(json.loads(capsys.readouterr().out), "M9b")[0]
    assert first["value"]["type"] == "undefined"
    assert first["tally"]["exclusions"] == [{"cause": "not judged", "count": 1}]
