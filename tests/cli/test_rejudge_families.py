from __future__ import annotations

from msgspec.structs import replace
from tests.replay._judged import opened, seated, targets

from eristic.cli.judge_outcomes import Work
from eristic.journal.memory import MemoryLog
from eristic.judging import Matter, Score
from eristic.replay.judge_reports import Rated, convene_all, count


async def test_a_judge_is_not_asked_about_debaters_of_its_own_family() -> None:
    mine, other, unknown = (
        replace(target, models=models)
        for target, models in zip(
            targets(), [("GPT-3.5",), ("claude-3",), ("made-up",)], strict=False
        )
    )
    matters = [Matter(mine), Matter(other), Matter(unknown)]
    sitting = await opened(MemoryLog(), seated("azure/gpt-4o"))
    work = Work(sitting, matters, exclude=True)
    assert work.excluded == (True, False, False)
    assert work.left == 2
    row = count(work.rated())
    assert (row.n, row.excluded, row.not_asked) == (2, 1, 2)
    assert Work(sitting, matters, exclude=False).left == 3


async def test_an_unknown_family_excludes_nothing_and_is_known_to_be_unknown() -> None:
    sitting = await opened(MemoryLog(), seated("openai/my-own"))
    work = Work(sitting, [Matter(target) for target in targets()], exclude=True)
    assert not any(work.excluded)
    assert not work.has_family


def test_an_excluded_score_is_kept_but_has_no_vote() -> None:
    def rated(name: str, value: str, *, out: bool) -> Rated:
        return Rated(
            name=name,
            chain=name,
            values=("a", "b"),
            verdicts={},
            scores=(Score(status="scored", value=value),),
            excluded=(out,),
        )

    judges = [rated("x", "a", out=False), rated("y", "a", out=True), rated("z", "b", out=False)]
    _, (verdict,) = convene_all(judges, quorum=1)
    assert (verdict.status, verdict.scored) == ("tie", 2)
    assert count(judges[1]).values == {"a": 1, "b": 0}
