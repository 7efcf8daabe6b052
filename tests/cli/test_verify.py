from __future__ import annotations

import argparse
import json
from collections import Counter

import pytest
from msgspec.structs import replace
from tests.replay._plays import Told, logged, tell, troubled, write

from eristic.cli import verify
from eristic.debate import RulingMade
from eristic.debate.errors import SpecRefused
from eristic.journal.memory import MemoryLog


async def verified(told: Told, *, head: str | None = None, as_json: bool = False) -> int:
    log: MemoryLog = await logged(write(told))
    return await verify.verify_log(log, "r", head=head, as_json=as_json)


def tampered() -> Told:
    told = tell(troubled, number=1)
    place = next(i for i, (_, event, _) in enumerate(told) if isinstance(event, RulingMade))
    episode, event, moment = told[place]
    assert isinstance(event, RulingMade)
    told[place] = (episode, replace(event, decision="convinced"), moment)
    return told


async def test_a_whole_run_exits_0_and_tells_its_head_and_what_it_is_good_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = tell(troubled, number=1)
    assert await verified(told, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["state"], document["found"], document["is_closed"]) == ("whole", 0, True)
    assert await verified(told) == 0
    out = capsys.readouterr().out
    assert "run r is whole" in out
    assert document["head"] in out and "--head" in out
    assert await verified(told, head=document["head"]) == 0
    assert "nothing was changed" in " ".join(capsys.readouterr().out.split())


async def test_an_open_run_exits_3_and_has_no_head_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert await verified(tell(troubled, steps=4, number=1)) == 3
    out = capsys.readouterr().out
    assert "run r is unfinished" in out
    assert "none yet" in out


async def test_another_head_exits_4(capsys: pytest.CaptureFixture[str]) -> None:
    assert await verified(tell(troubled, number=1), head="0" * 64) == 4
    assert "the run's head is another" in capsys.readouterr().out


async def test_a_tampered_run_exits_4_and_tells_where_what_and_what_to_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await verified(tampered()) == 4
    out = capsys.readouterr().out
    assert "run r was decided otherwise than this version decides: 1 finding" in out
    assert "damaged" not in out
    for fact in ("ruling.made.v1, logicom-master.v1, round 1", 'decision "continue"', "eristic 0."):
        assert fact in out
    assert "what to do" in out
    assert await verified(tampered(), as_json=True) == 4
    document = json.loads(capsys.readouterr().out)
    assert document["findings"][0]["kind"] == "redecided"
    assert document["state"] == "redecided"


def retold(told: Told) -> Told:
    """Every decision of the run changed alike, as after a change of its rule."""
    return [
        (x, replace(e, reason="another rule") if isinstance(e, RulingMade) else e, m)
        for x, e, m in told
    ]


async def test_findings_that_say_the_same_are_told_three_times_and_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = retold(tell(troubled, number=2))
    assert await verified(told, as_json=True) == 4
    findings = json.loads(capsys.readouterr().out)["findings"]
    sorts = Counter((x["kind"], x["what"]) for x in findings)
    assert max(sorts.values()) > 3
    assert await verified(told) == 4
    out = capsys.readouterr().out
    for count in sorts.values():
        if count > 3:
            assert out.count(f"and {count - 3} more like it (see --json)") >= 1
    assert out.count("redecided  ") == sum(min(3, count) for count in sorts.values())
    assert out.count("more like it") == sum(count > 3 for count in sorts.values())


async def test_damage_beside_other_decisions_is_damage(capsys: pytest.CaptureFixture[str]) -> None:
    assert await verified(tampered(), head="0" * 64) == 4
    assert "run r is damaged: 2 findings" in capsys.readouterr().out


async def test_nothing_but_one_document_is_printed_with_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await verified(tampered(), as_json=True)
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 1
    assert captured.err == ""


def test_a_head_that_is_no_digest_is_refused_before_anything_is_read() -> None:
    args = argparse.Namespace(run="r", head="abc", json=False, home=None, nats=None)
    with pytest.raises(SpecRefused, match="64 hex digits"):
        verify.command(args)
