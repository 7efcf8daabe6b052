"""Case files that cannot be used: which line, which case, which field, and what to do."""

from __future__ import annotations

import json

import pytest
from tests.cli._commands import Shell

GOOD = {"case_id": "a", "topic": "T", "claim": "C", "reason": "R"}
HEADER = "id,title,claim,reason,debateInfo"


def line(**changes: object) -> str:
    return json.dumps({k: v for k, v in {**GOOD, **changes}.items() if v is not None})


def refuse(shell: Shell, content: str | bytes, *says: str, name: str = "mine.jsonl") -> str:
    path = shell.write(name, content)
    words = ("run", "logicom", "--role", "all=script:steady", "--cases", path)
    return shell.refused_at_the_door(*words, says=(name, *says))


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([line(), line()], ("line 2", "'a'", "taken by line 1")),
        ([line(case_id="")], ("line 1", "case_id is missing or blank")),
        ([line(case_id=" \t")], ("line 1", "case_id is missing or blank")),
        ([line(case_id=None)], ("line 1", "case_id is missing or blank")),
        ([line(), line(case_id="b", claim=None)], ("line 2", "'b'", "claim is missing")),
        ([line(claim=None, claims="C")], ("claim is missing", "Did you mean 'claims'?")),
        ([line(claim="  ")], ("line 1", "'a'", "claim is blank")),
        ([line(reason=None)], ("reason is missing",)),
        ([line(reason="\n")], ("reason is blank",)),
        ([line(block=" ")], ("block is blank",)),
        ([line(claim=7)], ("claim must be a text in quotes",)),
        ([line(), '{"case_id": "b", '], ("line 2, column", "not JSON")),
        ([line(), "[1]"], ("line 2", "not an object")),
        (['{"case_id": "a", "case_id": "b"}'], ("line 1", "case_id is given twice")),
        ([line(claim="\ud800")], ("surrogate",)),
        ([], ("holds no case",)),
        (["", "  "], ("holds no case",)),
    ],
)
def test_a_record_that_cannot_be_used_is_shown_where_it_stands(
    shell: Shell, lines: list[str], says: tuple[str, ...]
) -> None:
    refuse(shell, "\n".join(lines), *says)


def test_all_mistakes_of_a_file_are_told_at_once(shell: Shell) -> None:
    lines = [line(case_id=f"c{number}", claim="") for number in range(15)]
    refuse(shell, "\n".join(lines), "15 mistakes", "line 1 ", "line 10 ", "and 5 more")


def test_a_file_that_is_not_utf_8_is_refused_with_its_line(shell: Shell) -> None:
    refuse(shell, line().encode() + b"\n\xff\xfe", "line 2", "not UTF-8", "save the file as UTF-8")


def test_a_file_that_is_not_there_or_is_a_folder_is_named(shell: Shell) -> None:
    words = ("run", "logicom", "--role", "all=script:steady", "--cases")
    shell.refused_at_the_door(*words, "gone.jsonl", says=("gone.jsonl", "No such file"))
    shell.refused_at_the_door(*words, str(shell.folder), says=("holds 0 files",))


def test_a_table_needs_the_columns_of_the_paper(shell: Shell) -> None:
    refuse(shell, "id,titel,claim,reason,debateInfo\n", "'title'", "'titel'", name="t.csv")
    refuse(shell, f"{HEADER}\n1,T,C,R\n", "record 1", "4 cells, the header 5", name="t.csv")
    refuse(shell, f"{HEADER}\n1,T,,R,b\n", "record 1", "claim is blank", name="t.csv")
    refuse(shell, f'{HEADER}\n1,"T,C,R,b\n', "not CSV", name="t.csv")
    refuse(shell, f"{HEADER}\n", "holds no case", name="t.csv")
    refuse(shell, "", name="t.csv")
    refuse(shell, "[{}]", "one object a line", name="t.json")


def test_a_table_of_the_paper_is_read(shell: Shell) -> None:
    path = shell.write("t.csv", f'{HEADER}\n1,T,"C,\nand more",R,b\n')
    words = ("logicom", "--role", "all=script:steady", "--cases", path, "--dry-run", "--json")
    assert shell.run(*words).document["cases"] == 1


def test_a_case_that_is_not_in_the_file_is_named_with_the_nearest(shell: Shell) -> None:
    path = shell.write("mine.jsonl", line(case_id="phones-pro"))
    words = ("run", "logicom", "--role", "all=script:steady", "--cases", path)
    shell.refused_at_the_door(*words, "--only", "phone-pro", says=("'phones-pro'",))
