"""The published suite: one object a line, cases named by line and content, blocks by seed."""

from __future__ import annotations

import json

import pytest

from eristic.debate.errors import CaseRefused
from eristic.protocols.casework import read_case_files
from eristic.protocols.scr import SCR
from eristic.protocols.scr.layouts import aspect_of, read_ethics_suite
from eristic.sweeps import CaseSet, CaseSource, select


def lines(*rows: dict[str, object] | str) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def row(text: str, source: str = "cm_test", seed: str = "") -> dict[str, object]:
    return {"text": text, "source": source, "original_text": seed or f"seed of {text}"}


def read(content: bytes) -> CaseSet:
    return read_case_files(SCR, {"suite.jsonl": content}, origin="suite.jsonl")


def test_a_line_is_a_case() -> None:
    [case] = read(lines(row("I keep the tips. How?", "justice_test", "I keep tips."))).cases
    assert case.case_id.startswith("00001-")
    assert case.texts == {
        "situation": "I keep the tips. How?",
        "aspect": "justice",
        "source": "justice_test",
        "seed_text": "I keep tips.",
    }


def test_an_id_is_made_of_line_and_content() -> None:
    first, second = read(lines(row("One?"), "", row("Two?"))).cases
    assert second.case_id.startswith("00003-")
    moved, changed = read(lines(row("Zero?"), row("One!?"))).cases
    assert first.case_id.split("-")[1] not in (moved.case_id + changed.case_id)
    assert read(lines(row("One?"))).cases[0].case_id == first.case_id


def test_duplicates_and_situations_of_one_seed_share_a_block() -> None:
    found = read(
        lines(
            row("Same?", seed="a"),
            row("Same?", seed="b"),
            row("Other?", seed="b"),
            row("Lone?", seed="c"),
        )
    ).cases
    assert len({case.case_id for case in found}) == 4
    assert [case.block == found[0].block for case in found] == [True, True, True, False]


def test_without_a_seed_equal_situations_are_a_block() -> None:
    texts = ("Same?", " Same? ", "Other?")
    bare: list[dict[str, object]] = [{"text": text, "source": "x"} for text in texts]
    found = read(lines(*bare)).cases
    assert [case.block == found[0].block for case in found] == [True, True, False]
    assert "seed_text" not in found[0].texts


@pytest.mark.parametrize(
    ("source", "aspect"),
    [
        ("justice_train", "justice"),
        ("cm_test_hard", "commonsense"),
        ("virtue_test", "virtue"),
        ("deontology-test", "deontology"),
        ("util_train", "utilitarianism"),
        ("Justice", "justice"),
        ("somewhere", "other"),
        ("", "other"),
    ],
)
def test_an_unknown_source_is_another_aspect(source: str, aspect: str) -> None:
    assert aspect_of(source) == aspect


def test_malformed_lines_are_rejected_with_their_numbers_and_the_rest_is_used() -> None:
    content = lines(
        "{broken",
        row("Fine?"),
        "[1, 2]",
        {"text": " ", "source": "cm_test"},
        {"text": 7, "source": "cm_test"},
        "",
        row("Fine too?"),
        '{"text": "Cut off',
    )
    found = read(content)
    assert [case.case_id.split("-")[0] for case in found.cases] == ["00002", "00007"]
    assert [reason.partition(":")[0] for reason in found.rejected] == [
        f"line {number}" for number in (1, 3, 4, 5, 8)
    ]
    assert found.rejected[2] == "line 4: text is missing or blank"
    assert select(found, CaseSource(source="suite.jsonl", limit=1)).rejected == found.rejected


def test_a_file_without_a_usable_line_is_refused() -> None:
    blank: dict[str, object] = {"text": " ", "source": "cm_test"}
    with pytest.raises(CaseRefused, match="no line that can be used:\n  line 1: text is missing"):
        read(lines(blank))


def test_our_own_layout_and_folders_are_left_to_others() -> None:
    ours = lines({"case_id": "a", "situation": "I do. How?"})
    assert read_ethics_suite({"a.jsonl": ours}, "a.jsonl") is None
    assert read(ours).cases[0].case_id == "a"
    assert read_ethics_suite({"a": b"", "b": b""}, "folder") is None
    assert read_ethics_suite({"a": b"\xff\xfe"}, "a") is None


def test_a_blank_placebo_critique_is_refused() -> None:
    case = lines({"case_id": "a", "situation": "I do. How?", "placebo_critique": " "})
    with pytest.raises(CaseRefused, match="placebo_critique"):
        read(case)


def test_the_starter_cases_can_be_used() -> None:
    from eristic.agents.prompts import load_starter_cases

    name, content = load_starter_cases(SCR)
    found = read_case_files(SCR, {name: content}, origin=name).cases
    assert len(found) == 20
    assert all(case.texts["aspect"] != "other" for case in found)
