from __future__ import annotations

from pathlib import Path

from eristic.judging import FAMILIES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "judging.md"


def test_the_documented_families_are_those_of_the_table_in_code() -> None:
    lines = PAGE.read_text("utf-8").split("\n")
    start = lines.index("| family | parts of a name that begin with |") + 2
    rows = [line.strip("| ").split(" | ") for line in lines[start : lines.index("", start)]]
    assert {name: tuple(words.split(", ")) for name, words in rows} == FAMILIES
