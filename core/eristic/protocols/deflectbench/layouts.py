"""Reading claims as they were published: records with `claim_id`, `text`, `level`, `context` and
`domain`, as a JSON list, JSON Lines or a table. Ours have `case_id` instead; they are read here
when they are a table, and elsewhere when they are JSON Lines.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Final

from eristic.debate.errors import CaseRefused
from eristic.sweeps import CaseSet, read_jsonl, unique_keys

__all__ = ["CASE_DATA", "CASE_TEXTS", "read_claims"]

CASE_TEXTS: Final = ("text", "context", "domain")
CASE_DATA: Final = ("level",)

_ID: Final = "claim_id"
_OUR_ID: Final = "case_id"
_NAMES: Final = ("claims.jsonl", "claims.json", "claims.csv")
_LEVELS: Final = {"1": 1, "2": 2, "3": 3, "4": 4}


def read_claims(files: Mapping[str, bytes], origin: str) -> CaseSet | None:
    """The published claims in these files; None when there are none.

    files: path -> bytes; of several the one that is named claims, with the ending json, jsonl or
    csv. Of its fields texts stay as they are, ids that are numbers become texts, levels that are
    texts become numbers; every other field that is no text is kept as data. Raises CaseRefused for
    two such files, and listing every record that cannot be used, by its number.
    """
    name = _claims_file(files, origin)
    is_table = name is not None and name.lower().endswith(".csv")
    records = None if name is None else _records(files[name], is_table=is_table)
    if records is None:
        return None
    cases = [_ours(record) for record in records]
    data = sorted({name for case in cases for name, value in case.items() if _is_data(name, value)})
    lines = "\n".join(json.dumps(case) for case in cases)
    return read_jsonl(lines.encode(), origin=origin, texts=CASE_TEXTS, data=tuple(data))


def _claims_file(files: Mapping[str, bytes], origin: str) -> str | None:
    if len(files) == 1:
        return next(iter(files))
    found = [name for name in files if name.lower().rpartition("/")[2] in _NAMES]
    if len(found) > 1:
        raise CaseRefused(f"{origin} holds {', '.join(found)}; name one of them")
    return found[0] if found else None


def _records(content: bytes, *, is_table: bool) -> list[dict[str, object]] | None:
    """Every record; None unless the first one has a claim id, or a table our id."""
    try:
        text = content.decode("utf-8-sig")
        found = _rows(text) if is_table else _values(text)
    except (ValueError, RecursionError, csv.Error):
        # Not ours to explain: whoever reads the file as JSON Lines says where it breaks.
        return None
    if not found or not all(isinstance(record, dict) for record in found):
        return None
    records = [record for record in found if isinstance(record, dict)]
    return records if _ID in records[0] or (is_table and _OUR_ID in records[0]) else None


def _values(text: str) -> list[object]:
    start = text.lstrip()[:1]
    whole = None
    if start in ("[", "{"):
        try:
            whole = json.loads(text, object_pairs_hook=unique_keys)
        except json.JSONDecodeError:
            whole = None
    if isinstance(whole, dict) and isinstance(whole.get("claims"), list):
        whole = whole["claims"]
    if isinstance(whole, list):
        return whole
    lines = (line for line in text.split("\n") if line.strip())
    return [json.loads(line, object_pairs_hook=unique_keys) for line in lines]


def _rows(text: str) -> list[object]:
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    for number, row in enumerate(rows, 1):
        # Cells beyond the header stand under None, and missing ones are None.
        if not {_ID, _OUR_ID}.isdisjoint(row) and (None in row or None in row.values()):
            raise CaseRefused(f"record {number} has more or fewer cells than the header")
    return list(rows)


def _ours(record: dict[str, object]) -> dict[str, object]:
    """The same record with our name and type of its id and its level."""
    case = {name: value for name, value in record.items() if name not in (_ID, _OUR_ID)}
    number = record.get(_ID, record.get(_OUR_ID))
    is_number = isinstance(number, int) and not isinstance(number, bool)
    level = case.get("level")
    if isinstance(level, str):
        case["level"] = _LEVELS.get(level.strip(), level)
    return {_OUR_ID: str(number) if is_number else number, **case}


def _is_data(name: str, value: object) -> bool:
    return name in CASE_DATA or (
        name not in (_OUR_ID, "block", *CASE_TEXTS) and not isinstance(value, str)
    )
