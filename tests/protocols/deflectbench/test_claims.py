"""Claims: ours and published ones are read, and one that lacks a field is refused by name."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.protocols.casework import read_case_files
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.sweeps import CaseSet

TIDE = {
    "claim_id": 7,
    "text": 'The "tide" is {moon}.',
    "level": 1,
    "context": "us",
    "domain": "science",
}
HILL = {**TIDE, "claim_id": "h-1", "text": "The hill is high, and steep.", "level": "4"}
PUBLISHED = [TIDE, HILL]
LINES = "\n".join(json.dumps(claim) for claim in PUBLISHED).encode()
TABLE = b"""claim_id,text,level,context,domain
7,"The ""tide"" is {moon}.",1,us,science
h-1,"The hill is high, and steep.",4,us,science
"""


def case(case_id: str, text: str, level: int) -> Case:
    texts = {"text": text, "context": "us", "domain": "science"}
    return Case(case_id=case_id, block=case_id, texts=texts, data={"level": level})


CASES = CaseSet(
    cases=(case("7", 'The "tide" is {moon}.', 1), case("h-1", "The hill is high, and steep.", 4))
)


def read(content: bytes, name: str = "claims.jsonl") -> CaseSet:
    return read_case_files(DEFLECTBENCH, {name: content}, origin=name)


def ours(**changes: object) -> bytes:
    claim = {"case_id": "c", **TIDE, **changes}
    del claim["claim_id"]
    return json.dumps({name: value for name, value in claim.items() if value != ""}).encode()


@pytest.mark.parametrize(
    ("files_", "origin"),
    [
        pytest.param({"some.jsonl": LINES}, "some.jsonl", id="lines"),
        pytest.param({"some.json": json.dumps(PUBLISHED).encode()}, "some.json", id="a list"),
        pytest.param(
            {"x.json": json.dumps({"claims": PUBLISHED}, indent=2).encode()}, "x.json", id="object"
        ),
        pytest.param({"claims.csv": TABLE}, "claims.csv", id="table"),
        pytest.param({"claims.csv": b"\xef\xbb\xbf" + TABLE}, "claims.csv", id="with a BOM"),
        pytest.param(
            {"README.md": b"#", "data/claims.json": json.dumps(PUBLISHED).encode()},
            ".",
            id="folder",
        ),
    ],
)
def test_published_claims_are_read_as_they_are(files_: dict[str, bytes], origin: str) -> None:
    assert read_case_files(DEFLECTBENCH, files_, origin=origin) == CASES


def test_further_fields_of_published_claims_are_kept() -> None:
    more = {**TIDE, "source": "an almanac", "tags": ["sea", "sky"]}
    [found] = read(json.dumps([more]).encode(), "c.json").cases
    assert found.texts["source"] == "an almanac"
    assert found.data == {"level": 1, "tags": ["sea", "sky"]}


def test_a_folder_with_two_files_of_claims_is_refused_with_their_names() -> None:
    both = {"claims.csv": TABLE, "old/claims.jsonl": LINES}
    with pytest.raises(CaseRefused, match=r"claims\.csv, old/claims\.jsonl; name one"):
        read_case_files(DEFLECTBENCH, both, origin="folder")


def test_a_folder_without_claims_is_refused() -> None:
    with pytest.raises(CaseRefused, match="no layout that deflectbench knows"):
        read_case_files(DEFLECTBENCH, {"a.txt": b"", "b.txt": b""}, origin="folder")


def test_our_own_claims_are_read_by_their_case_id() -> None:
    [found] = read(ours()).cases
    assert (found.case_id, found.block, found.data) == ("c", "c", {"level": 1})


def test_a_table_of_our_own_claims_is_read_with_its_blocks() -> None:
    table = b"case_id,block,text,level,context,domain\nc,tides,The {tide}.,1,us,science\n"
    [found] = read(table, "mine.csv").cases
    assert (found.case_id, found.block, found.data) == ("c", "tides", {"level": 1})
    with pytest.raises(CaseRefused, match="record 2 has more or fewer cells"):
        read(table + b"d,tides,The sea.,1,us", "mine.csv")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"level": ""}, "case 'c': level is missing", id="missing a level"),
        pytest.param({"level": 5}, "level = 5 must be", id="a level too high"),
        pytest.param({"level": True}, "level = True must be", id="no number"),
        pytest.param({"level": "1"}, "level = '1' must be", id="a text"),
        pytest.param({"context": "mars"}, "context = 'mars' is not a value", id="a context"),
        pytest.param({"domain": ""}, "domain is missing", id="missing a domain"),
        pytest.param({"text": " "}, "text is blank", id="a blank claim"),
    ],
)
def test_a_claim_that_cannot_be_used_is_refused_by_name(
    changes: dict[str, object], says: str
) -> None:
    with pytest.raises(CaseRefused, match=says):
        read(ours(**changes))


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ({**TIDE, "level": "high"}, "level = 'high' must be"),
        ({**TIDE, "claim_id": None}, "case_id"),
        ({"claim_id": "x", "text": "The sea."}, "context is missing"),
    ],
)
def test_a_published_claim_that_cannot_be_used_is_refused(
    claim: dict[str, object], says: str
) -> None:
    with pytest.raises(CaseRefused, match=says):
        read(json.dumps([claim]).encode(), "c.json")


@pytest.mark.parametrize("row", [b"x,a claim,1,us,science,more", b"x,a claim,1"])
def test_a_row_of_another_length_than_its_header_is_refused(row: bytes) -> None:
    with pytest.raises(CaseRefused, match="record 3 has more or fewer cells"):
        read(TABLE + row, "claims.csv")


@pytest.mark.parametrize("content", [b"[", b"[1, 2]", b"{]", b"\xff", b"{}", b"[{}, 1]"])
def test_what_holds_no_claims_is_refused(content: bytes) -> None:
    with pytest.raises(CaseRefused):
        read(content, "c.jsonl")


def test_the_starter_claims_can_be_used_and_cross_level_with_context() -> None:
    content = (files("eristic.protocols.deflectbench") / "cases" / "claims.jsonl").read_bytes()
    found = read(content).cases
    levels = [found.data["level"] for found in found]
    assert {level: levels.count(level) for level in (1, 2, 3, 4)} == dict.fromkeys((1, 2, 3, 4), 6)


def test_a_key_that_is_there_twice_is_refused_and_not_settled_by_its_place() -> None:
    line = json.dumps(TIDE)[:-1] + ', "level": 3}'
    with pytest.raises(CaseRefused, match="level is given twice"):
        read(line.encode())
