"""Case files: what is read, what is refused, and how the refusal helps."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.sweeps import (
    CaseSet,
    CaseSource,
    Remark,
    case_set,
    cases_digest,
    read_cases,
    read_jsonl,
    read_logicom_csv,
    select,
)

TEXTS = ("topic", "claim", "reason")
COLUMNS = ["", "id", "warrant_one", "correctLabelW0orW1", "reason", "claim", "title", "debateInfo"]
PUBLISHED = Path(__file__).parents[2].parent / "shared/data/logicom/claims/all-claim-not-claim.csv"


def line(case_id: str = "a", **fields: object) -> str:
    whole = {"case_id": case_id, "topic": "T", "claim": "C", "reason": "R"} | fields
    return json.dumps(whole)


def read(*lines: str) -> CaseSet:
    return read_jsonl("\n".join(lines).encode(), origin="my.jsonl", texts=TEXTS)


def refusal(*lines: str) -> str:
    with pytest.raises(CaseRefused) as caught:
        read(*lines)
    return str(caught.value)


def table(*rows: list[str], header: list[str] = COLUMNS) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([header, *rows])
    return out.getvalue().encode()


def row(case_id: str, block: str = "B", claim: str = "C") -> list[str]:
    return ["0", case_id, "w", "1", "R", claim, "T", block]


def test_a_line_becomes_a_case_with_all_its_texts() -> None:
    cases = read(line(block="pair", source="made up")).cases
    texts = {"topic": "T", "claim": "C", "reason": "R", "source": "made up"}
    assert cases == (Case(case_id="a", block="pair", texts=texts),)


def test_a_case_without_a_block_is_a_block_of_its_own() -> None:
    assert [case.block for case in read(line("a"), line("b")).cases] == ["a", "b"]


def test_a_mark_at_the_start_and_empty_lines_do_no_harm() -> None:
    data = b"\xef\xbb\xbf" + line().encode() + b"\r\n\r\n"
    assert len(read_jsonl(data, origin="x", texts=TEXTS).cases) == 1


def test_a_text_may_hold_a_line_separator_and_ends_in_the_blank_it_had() -> None:
    [case] = read('{"case_id":"a","topic":"T","claim":"one\u2028two ","reason":"R"}').cases
    assert case.texts["claim"] == "one\u2028two "


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("{nonsense}", "line 2, column 2: not JSON"),
        ("[1]", "line 2: not an object"),
        (line(""), "line 2: case_id is missing or blank"),
        (line(" "), "case_id is missing or blank"),
        ('{"topic":"T","claim":"C","reason":"R"}', "line 2: case_id is missing or blank"),
        (line("ok"), "line 2 (case 'ok'): this case_id is taken by line 1"),
        (line("b", claim="\t"), "line 2 (case 'b'): claim is blank"),
        (line("b", claim=3), "line 2 (case 'b'): claim must be a text"),
        (line("b", topic=None), "topic must be a text"),
        (line("b", block=" "), "block is blank"),
        ('{"case_id":"b","topic":"T","claims":"C","reason":"R"}', "Did you mean 'claims'?"),
        ('{"case_id":"b","case_id":"c"}', "case_id is given twice"),
        (line("b", claim="\ud800"), "half a surrogate pair"),
        ("[" * 5000, "line 2"),
        ('{"case_id": ' + "9" * 5000 + "}", "line 2"),
    ],
)
def test_a_bad_record_is_refused_with_its_place(bad: str, told: str) -> None:
    message = refusal(line("ok"), bad)
    assert told in message
    assert message.startswith("my.jsonl cannot be used")


def test_every_bad_record_is_listed_up_to_ten_and_the_rest_counted() -> None:
    message = refusal(*(line(f"c{n}", reason="") for n in range(14)))
    assert "14 mistakes" in message
    assert "line 10 (case 'c9'): reason is blank" in message
    assert "c10" not in message
    assert message.endswith("and 4 more")


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_a_case_is_refused(data: bytes) -> None:
    with pytest.raises(CaseRefused, match="holds no case"):
        read_jsonl(data, origin="x", texts=TEXTS)


def test_other_encodings_are_refused_with_the_line() -> None:
    data = line().encode() + b"\n" + "{é".encode("latin-1")
    with pytest.raises(CaseRefused, match=r"x, line 2: not UTF-8 \(byte \d+\)"):
        read_jsonl(data, origin="x", texts=TEXTS)


def test_a_claim_without_its_counterpart_is_remarked_on_and_kept() -> None:
    cases = read(line("a", block="1"), line("b", block="1"), line("c", block="2"))
    assert len(cases.cases) == 3
    assert cases.remarks == (Remark(kind="lone_claim", case_id="c", block="2"),)


def test_data_without_pairs_misses_none() -> None:
    assert read(line("a"), line("b")).remarks == ()


def test_the_published_table_is_paired_by_what_its_debate_is_about() -> None:
    [first, second] = read_logicom_csv(table(row("x"), row("x2")), origin="t.csv").cases
    assert (first.case_id, second.case_id) == ("x", "x2")
    assert first.block == second.block == "B"
    assert first.texts == {
        "warrant_one": "w",
        "warrant_label": "1",
        "reason": "R",
        "claim": "C",
        "topic": "T",
        "debate_info": "B",
    }


def test_a_cell_keeps_its_line_feeds_and_its_trailing_blank() -> None:
    data = table([*row("x", claim="C "), "a\nb"], header=[*COLUMNS, "original_text"])
    [case] = read_logicom_csv(data, origin="t.csv").cases
    assert (case.texts["claim"], case.texts["original_text"]) == ("C ", "a\nb")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (table(row("x"), row("x")), "record 2 (case 'x'): this case_id is taken by record 1"),
        (table(row("x", claim=" ")), "record 1 (case 'x'): claim is blank"),
        (table(row("x", block="")), "block is blank"),
        (table(["1", "2"]), "record 1: has 2 cells, the header 8"),
        (table(row("x"), header=["", "ids", *COLUMNS[2:]]), "'id'. Did you mean 'ids'?"),
        (table(row("x"), header=["topic", *COLUMNS[1:]]), "column 'topic' is there twice"),
        (table(row("x")) + b'0,"y', "line 3: not CSV"),
        (table(), "holds no case"),
        (b"", "holds no case"),
    ],
)
def test_a_bad_table_is_refused_with_its_place(data: bytes, told: str) -> None:
    with pytest.raises(CaseRefused) as caught:
        read_logicom_csv(data, origin="t.csv")
    assert told in str(caught.value)


def test_the_layout_is_told_by_the_name_or_by_the_first_character() -> None:
    lines, cells = line().encode(), table(row("x"))
    for data, origin in ((lines, "a.JSONL"), (lines, "-"), (cells, "a.csv"), (cells, "-")):
        assert len(read_cases(data, origin=origin, texts=TEXTS).cases) == 1
    with pytest.raises(CaseRefused, match="one object a line"):
        read_cases(b"[{}]", origin="a.json", texts=TEXTS)
    with pytest.raises(CaseRefused, match="has no question"):
        read_cases(cells, origin="a.csv", texts=("question",))


def test_the_published_claims_are_read_whole() -> None:
    if not PUBLISHED.is_file():
        pytest.skip("the published claims are not here; their licence keeps them out of this tree")
    cases = read_cases(PUBLISHED.read_bytes(), origin=PUBLISHED.name, texts=TEXTS)
    assert len(cases.cases) == 200
    assert len({case.texts["topic"] for case in cases.cases}) == 101
    assert len({case.block for case in cases.cases}) == 100
    assert cases.remarks == ()
    blank = next(c for c in cases.cases if c.case_id == "6622253_637_AE861G0AY5RGT2")
    assert blank.texts["claim"].endswith(" ")


PAIRS = case_set(
    [Case(case_id=f"{b}{n}", block=b, texts={}) for b in ("x", "y", "z") for n in (1, 2)]
)


def ids(cases: CaseSet) -> list[str]:
    return [case.case_id for case in cases.cases]


def test_a_limit_counts_blocks_and_keeps_pairs_whole() -> None:
    source = CaseSource(limit=2)
    assert ids(select(PAIRS, source)) == ["x1", "x2", "y1", "y2"]
    assert select(select(PAIRS, source), source) == select(PAIRS, source)


def test_only_the_named_cases_are_selected_and_lone_claims_remarked_on() -> None:
    chosen = select(PAIRS, CaseSource(only=("z2", "x1", "x2")))
    assert ids(chosen) == ["x1", "x2", "z2"]
    assert [remark.case_id for remark in chosen.remarks] == ["z2"]
    with pytest.raises(CaseRefused, match=r"'x11'\. Did you mean 'x1'\?"):
        select(PAIRS, CaseSource(only=("x1", "x11")))


def test_a_digest_tells_texts_apart_and_not_the_order_of_a_file() -> None:
    turned = case_set(PAIRS.cases[::-1])
    changed = case_set([*PAIRS.cases[:-1], Case(case_id="z2", block="z", texts={"claim": "!"})])
    assert cases_digest(turned) == cases_digest(PAIRS) != cases_digest(changed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["case_id", "block", *TEXTS, "more"]), inner | st.text(), max_size=6
        )
    ),
    max_leaves=8,
)
RECORD = st.fixed_dictionaries(
    {name: st.text(max_size=3) for name in ("case_id", *TEXTS)},
    optional={"block": st.text(max_size=2), "more": st.text()},
)
FILES = st.binary() | st.lists(st.one_of(RECORD, JSON).map(json.dumps), max_size=5).map(
    lambda lines: "\n".join(lines).encode()
)
TABLES = st.binary() | st.lists(
    st.lists(st.text(max_size=4), min_size=8, max_size=8), max_size=4
).map(lambda rows: table(*rows) if _writable(rows) else b"")


def _writable(rows: list[list[str]]) -> bool:
    return all(cell == cell.encode(errors="replace").decode() for row in rows for cell in row)


def check_sound(cases: CaseSet) -> None:
    found = [case.case_id for case in cases.cases]
    assert found
    assert len(set(found)) == len(found)
    assert all(case.texts[name].strip() for case in cases.cases for name in TEXTS)
    cases_digest(cases)


@given(FILES)
def test_lines_of_any_kind_are_read_soundly_or_refused(data: bytes) -> None:
    try:
        cases = read_jsonl(data, origin="x", texts=TEXTS)
    except CaseRefused:
        return
    check_sound(cases)


@given(TABLES)
def test_tables_of_any_kind_are_read_soundly_or_refused(data: bytes) -> None:
    try:
        cases = read_logicom_csv(data, origin="x")
    except CaseRefused:
        return
    check_sound(cases)


@given(FILES | TABLES, st.sampled_from(["x", "x.csv", "x.jsonl"]))
def test_whatever_a_file_is_called_it_is_read_or_refused(data: bytes, origin: str) -> None:
    try:
        cases = read_cases(data, origin=origin, texts=TEXTS)
    except CaseRefused:
        return
    check_sound(cases)


VISIBLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map("x{}".format)
GOOD = st.fixed_dictionaries(dict.fromkeys(("case_id", "block", *TEXTS), VISIBLE))


@given(st.lists(GOOD, min_size=1, max_size=4, unique_by=lambda record: record["case_id"]))
def test_every_good_record_is_read_in_order(records: list[dict[str, str]]) -> None:
    cases = read(*map(json.dumps, records)).cases
    assert [
        {"case_id": case.case_id, "block": case.block} | case.texts for case in cases
    ] == records


def test_a_sample_is_drawn_by_the_seed_and_a_larger_one_holds_the_smaller() -> None:
    lines = [line(f"c{n}", block=f"b{n // 2}") for n in range(40)]
    cases = read_jsonl("\n".join(lines).encode(), origin="x", texts=())
    small = select(cases, CaseSource(sample=4), seed=7)
    large = select(cases, CaseSource(sample=9), seed=7)
    assert [case.block for case in small.cases] == sorted(
        (case.block for case in small.cases), key=[case.block for case in cases.cases].index
    )
    assert len(small.cases) == 8 and len(large.cases) == 18
    assert {case.case_id for case in small.cases} < {case.case_id for case in large.cases}
    assert small.cases != select(cases, CaseSource(sample=4), seed=8).cases
    assert select(small, CaseSource(sample=4), seed=7) == small
