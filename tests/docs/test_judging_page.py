from __future__ import annotations

from pathlib import Path

import pytest

from eristic.judging import FAMILIES, is_model_judge, kinds_of
from eristic.replay.judges import find_judge, judge_names

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "judging.md"
LINES = PAGE.read_text("utf-8").split("\n")


def table(heading: str) -> list[list[str]]:
    """Cells of the table with this heading."""
    start = LINES.index(heading) + 2
    return [line.strip("| ").split(" | ") for line in LINES[start : LINES.index("", start)]]


JUDGES = {
    cells[0].strip("`"): cells[1:]
    for cells in table("| judge | asks a model | looks at | values |")
}


def test_the_documented_families_are_those_of_the_table_in_code() -> None:
    rows = table("| family | parts of a name that begin with |")
    assert {name: tuple(words.split(", ")) for name, words in rows} == FAMILIES


def test_every_judge_is_documented() -> None:
    assert sorted(JUDGES) == list(judge_names())


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_is_documented_with_its_calls_turns_and_values(name: str) -> None:
    judge = find_judge(name)
    calls, kinds, values = JUDGES[name]
    sides = judge.sides if is_model_judge(judge) else 0
    assert calls == ("no", "once", "in both orders")[sides]
    assert kinds == ", ".join(kind or "last word" for kind in kinds_of(judge))
    assert values == ", ".join(f"`{value}`" for value in judge.values)


def test_the_scale_of_labels_beside_a_judge_is_the_judges_own() -> None:
    for _, beside, values, _ in table("| labels of | beside | `--values` | columns |"):
        if beside != "none" and values != "none":
            assert values.strip("`").split(",") == list(find_judge(beside.strip("`")).values)
