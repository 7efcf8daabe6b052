"""Readers of case files: JSON lines, and the table that comes with the logicom paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping

from eristic.debate.cases import Case
from eristic.debate.errors import CaseRefused, nearest
from eristic.sweeps._problems import listing
from eristic.sweeps.cases import CaseSet, case_set

__all__ = [
    "LOGICOM_TEXTS",
    "is_table",
    "read_cases",
    "read_jsonl",
    "read_logicom_csv",
    "unique_keys",
]

LOGICOM_TEXTS = ("topic", "claim", "reason")
"""Texts of which no logicom case may lack one."""

_COLUMNS = {
    "title": "topic",
    "debateInfo": "debate_info",
    "correctLabelW0orW1": "warrant_label",
}
"""Names in the published table that differ from ours."""
_NEEDED_COLUMNS = ("id", "title", "claim", "reason", "debateInfo")


def is_table(content: bytes, *, origin: str) -> bool:
    """A file is a table unless its name or its first character says JSON.

    Raises CaseRefused for one JSON list.
    """
    name, start = origin.lower(), content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if name.endswith((".jsonl", ".ndjson")) or (start == b"{" and not name.endswith(".csv")):
        return False
    if start == b"[" and not name.endswith(".csv"):
        raise CaseRefused(f"{origin} is one JSON list; write one object a line, see JSON Lines")
    return True


def read_cases(data: bytes, *, origin: str, texts: tuple[str, ...]) -> CaseSet:
    """Read a case file of either layout, told by its name or else by how it begins.

    texts: those that a case must have for its protocol. Raises CaseRefused.
    """
    if not is_table(data, origin=origin):
        return read_jsonl(data, origin=origin, texts=texts)
    if not set(texts) <= set(LOGICOM_TEXTS):
        raise CaseRefused(
            f"{origin}: a table has no {', '.join(sorted(set(texts) - set(LOGICOM_TEXTS)))}; "
            "this protocol reads JSON lines"
        )
    return read_logicom_csv(data, origin=origin)


def read_jsonl(
    content: bytes, *, origin: str, texts: tuple[str, ...], data: tuple[str, ...] = ()
) -> CaseSet:
    """One object a line: `case_id`, optionally `block`, texts, and the fields that are data.

    texts: those that must be there and not blank; other texts are kept. data: fields that may
    hold any JSON value. A case without a block is a block of its own. Raises CaseRefused listing
    every record that cannot be used.
    """
    check = _Check(origin)
    cases: list[Case] = []
    # Not splitlines: a text may hold U+2028 or a form feed.
    for number, line in enumerate(_decode(content, origin).split("\n"), 1):
        if not line.strip():
            continue
        value = _object(line, number, check)
        if value is None:
            continue
        structured = {name: value.pop(name) for name in data if name in value}
        fields = _texts(value, number, check)
        if fields is not None:
            case_id, block = fields.pop("case_id", ""), fields.pop("block", None)
            case = Case(
                case_id=case_id,
                block=case_id if block is None else block,
                texts=fields,
                data=structured,
            )
            check.case(case, texts, f"line {number}")
            cases.append(case)
    return check.done(cases)


def read_logicom_csv(data: bytes, *, origin: str) -> CaseSet:
    """The claims of the logicom paper: one record a claim, pairs share `debateInfo`.

    Columns that no prompt uses are kept as texts, those without a name are dropped; cells are
    kept as they are, blanks at their ends too. Raises CaseRefused listing every record that
    cannot be used.
    """
    check = _Check(origin)
    cases: list[Case] = []
    header: list[str] | None = None
    for number, row in _rows(_decode(data, origin), origin):
        if header is None:
            header = _header(row, origin)
        elif len(row) != len(header):
            check.refuse(f"record {number}", f"has {len(row)} cells, the header {len(header)}")
        else:
            cells = {name: cell for name, cell in zip(header, row, strict=True) if name}
            case = _logicom_case(cells)
            check.case(case, LOGICOM_TEXTS, f"record {number}")
            cases.append(case)
    return check.done(cases)


def _logicom_case(cells: Mapping[str, str]) -> Case:
    texts = {_COLUMNS.get(name, name): cell for name, cell in cells.items() if name != "id"}
    return Case(case_id=cells["id"], block=cells["debateInfo"], texts=texts)


def _header(row: list[str], origin: str) -> list[str]:
    missing = [name for name in _NEEDED_COLUMNS if name not in row]
    if missing:
        hints = [f"{name!r}.{nearest(name, [x for x in row if x])}" for name in missing]
        raise CaseRefused(f"{origin} is no table of claims: columns are missing\n{listing(hints)}")
    named = [_COLUMNS.get(name, name) for name in row if name]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise CaseRefused(f"{origin}: column {twice[0]!r} is there twice; rename one of them")
    return row


def _rows(text: str, origin: str) -> Iterator[tuple[int, list[str]]]:
    """(record number, cells); the header is record 0, empty lines do not count."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        for row in reader:
            if row:
                yield number, row
                number += 1
    except csv.Error as error:
        raise CaseRefused(f"{origin}, line {reader.line_num}: not CSV: {error}") from error


def _decode(data: bytes, origin: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CaseRefused(
            f"{origin}, line {line}: not UTF-8 (byte {error.start}); save the file as UTF-8"
        ) from error


def _object(line: str, number: int, check: _Check) -> dict[str, object] | None:
    """The fields of one line; None when the line is no object, which is then noted."""
    try:
        value: object = json.loads(line, object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        check.refuse(f"line {number}, column {error.colno}", f"not JSON: {error.msg}")
        return None
    except (ValueError, RecursionError) as error:  # keys set twice, endless digits or brackets
        check.refuse(f"line {number}", f"cannot be read: {error}")
        return None
    if not isinstance(value, dict):
        check.refuse(f"line {number}", 'not an object {"case_id": ..., ...}')
        return None
    return value


def _texts(value: Mapping[str, object], number: int, check: _Check) -> dict[str, str] | None:
    """The fields as texts; None when one is none, which is then noted."""
    place = _place(f"line {number}", value.get("case_id"))
    texts = {name: text for name, text in value.items() if isinstance(text, str)}
    for name in value.keys() - texts.keys():
        check.refuse(place, f"{name} must be a text in quotes")
    return texts if len(texts) == len(value) else None


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A hook for `json.loads`: raises ValueError for a key that an object holds twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice} is given twice")
    return found


def _place(where: str, case_id: object) -> str:
    return f"{where} (case {case_id!r})" if isinstance(case_id, str) and case_id else where


class _Check:
    """Notes what is wrong with the records of one file."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._problems: list[str] = []
        self._seen: dict[str, str] = {}

    def refuse(self, place: str, what: str) -> None:
        self._problems.append(f"{place}: {what}")

    def case(self, case: Case, texts: Iterable[str], where: str) -> None:
        place = _place(where, case.case_id)
        if not case.case_id.strip():
            self.refuse(place, "case_id is missing or blank")
        elif case.case_id in self._seen:
            self.refuse(place, f"this case_id is taken by {self._seen[case.case_id]}")
        self._seen.setdefault(case.case_id, where)
        if not case.block.strip():
            self.refuse(place, "block is blank; leave it out or name a pair")
        for name in texts:
            if name not in case.texts:
                self.refuse(place, f"{name} is missing.{nearest(name, case.texts)}")
            elif not case.texts[name].strip():
                self.refuse(place, f"{name} is blank")
        structured = json.dumps(case.data, ensure_ascii=False)
        for name, text in (
            *case.texts.items(),
            ("case_id", case.case_id),
            ("block", case.block),
            ("data", structured),
        ):
            if not _storable(name + text):
                self.refuse(place, f"{name!a} holds half a surrogate pair (\\ud800 to \\udfff)")

    def done(self, cases: list[Case]) -> CaseSet:
        if self._problems:
            count = len(self._problems)
            raise CaseRefused(
                f"{self._origin} cannot be used, {count} mistake{'s' if count > 1 else ''}:\n"
                f"{listing(self._problems)}"
            )
        if not cases:
            raise CaseRefused(f"{self._origin} holds no case")
        return case_set(cases)


def _storable(text: str) -> bool:
    return text == text.encode(errors="replace").decode()
