"""The published suite of situations: one JSON object a line with text, source and original_text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.sweeps import CaseSet, case_set, listing, unique_keys

__all__ = ["aspect_of", "read_ethics_suite"]

_ASPECTS: Final = MappingProxyType(
    {
        "justice": "justice",
        "cm": "commonsense",
        "commonsense": "commonsense",
        "virtue": "virtue",
        "deontology": "deontology",
        "util": "utilitarianism",
        "utilitarianism": "utilitarianism",
    }
)
"""First word of a source -> aspect; any other is `other`."""
_FIELDS: Final = ("text", "source", "original_text")
_HEX = 8
_DIGITS = 5
_LOOKED_AT = 20
"""Lines in which the layout must show itself (count)."""

_encoder = msgspec.json.Encoder()


class _Record(msgspec.Struct, frozen=True, gc=False):
    line: int
    text: str
    source: str
    seed: str


def read_ethics_suite(files: Mapping[str, bytes], origin: str) -> CaseSet | None:
    """The situations of one such file; None for a file of another layout.

    A case is named by its line and a digest of its content, so lines may be compared between
    versions of the file. Situations with one seed, and duplicates of a situation, share a block.
    A line that cannot be used is rejected with its number, and the others are used. Raises
    CaseRefused when none can be.
    """
    if len(files) != 1:
        return None
    [content] = files.values()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None  # the usual reader says where
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not any(_is_ours(line) for _, line in lines[:_LOOKED_AT]):
        return None
    records, problems = _records(lines)
    if not records:
        raise CaseRefused(f"{origin} holds no line that can be used:\n{listing(problems)}")
    found = case_set(list(_cases(records)))
    return msgspec.structs.replace(found, rejected=tuple(problems))


def aspect_of(source: str) -> str:
    """justice, commonsense, virtue, deontology, utilitarianism or other."""
    return _ASPECTS.get(source.strip().casefold().replace("-", "_").split("_")[0], "other")


def _is_ours(line: str) -> bool:
    found = _parsed(line)
    return isinstance(found, dict) and "case_id" not in found and {"text", "source"} <= found.keys()


def _parsed(line: str) -> object:
    """None for what is no JSON."""
    try:
        found: object = json.loads(line, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return found


def _records(lines: list[tuple[int, str]]) -> tuple[list[_Record], list[str]]:
    records: list[_Record] = []
    problems: list[str] = []
    for number, line in lines:
        found = _parsed(line)
        if not isinstance(found, dict):
            problems.append(f"line {number}: not a JSON object with {', '.join(_FIELDS)}")
            continue
        texts = {name: found.get(name, "") for name in _FIELDS}
        wrong = [name for name, value in texts.items() if not _is_text(value)]
        if wrong:
            problems.append(f"line {number}: {wrong[0]} must be a text in quotes")
        elif not texts["text"].strip():
            problems.append(f"line {number}: text is missing or blank")
        else:
            records.append(_Record(number, texts["text"], texts["source"], texts["original_text"]))
    return records, problems


def _is_text(value: object) -> bool:
    """Half a surrogate pair cannot be stored."""
    return isinstance(value, str) and value == value.encode(errors="replace").decode()


def _cases(records: list[_Record]) -> Iterator[Case]:
    blocks = _Blocks()
    for record in records:
        blocks.join(record)
    for record in records:
        texts = {
            "situation": record.text,
            "aspect": aspect_of(record.source),
            "source": record.source,
        }
        if record.seed.strip():
            texts["seed_text"] = record.seed
        name = f"{record.line:0{_DIGITS}d}-{_digest(record.text, record.source, record.seed)}"
        yield Case(case_id=name, block=blocks.block_of(record), texts=texts)


class _Blocks:
    """Which situations belong together: those of one seed, and equal ones."""

    def __init__(self) -> None:
        self._over: dict[str, str] = {}

    def join(self, record: _Record) -> None:
        situation = self._top(_situation_key(record))
        if record.seed.strip():
            seed = self._top(_seed_key(record))
            if seed != situation:
                self._over[situation] = seed

    def block_of(self, record: _Record) -> str:
        return self._top(_situation_key(record))

    def _top(self, key: str) -> str:
        while key in self._over:
            key = self._over[key]
        return key


def _situation_key(record: _Record) -> str:
    return f"situation-{_digest(record.text.strip())}"


def _seed_key(record: _Record) -> str:
    return f"seed-{_digest(record.seed.strip())}"


def _digest(*texts: str) -> str:
    return hashlib.sha256(_encoder.encode(texts)).hexdigest()[:_HEX]
