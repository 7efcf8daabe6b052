"""Files of questions as LoFa and its upstream Farm publish them.

One file a subset (`BoolQ.jsonl`, `NQ1.jsonl`), or a folder of them that is one set of arguments.
A record holds question, answer, source and `adv`: `mcq` (options with scores), `control` (the
false claim), `target`, and one list of texts a fallacy. Spellings of keys are taken as they come;
what they hold is checked as in a file of ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.protocols.lofa.names import FALLACIES, FALLACY_CODES
from eristic.protocols.lofa.questions import read_question
from eristic.sweeps import CaseSet, case_set, listing, unique_keys

__all__ = ["read_layout"]

_SUFFIXES: Final = (".jsonl", ".ndjson", ".json")
_ADV: Final = "adv"
_OPTIONS: Final = ("mcq", "options")
_CLAIM: Final = ("control", "false_claim")
_GOLD: Final = ("answer", "gold", "best_answer")
_TARGET: Final = ("target",)
_BOOLEANS: Final = MappingProxyType({"true": True, "yes": True, "false": False, "no": False})
_FALLACIES: Final = MappingProxyType(
    {
        **{name: name for name in FALLACIES},
        **{code.lower(): name for name, code in FALLACY_CODES.items()},
        "e": "equivocation",
        "strawman": "straw_man",
        "false_causality": "false_cause",
        "hasty_generalisation": "hasty_generalization",
        "false_dichotomy": "false_dilemma",
    }
)

_SUBSETS: Final = MappingProxyType(
    {name.lower(): name for name in ("BoolQ", "NQ1", "NQ2", "TruthfulQA")}
)
"""The published files spell their names in several ways; numbers are found by these."""

_Fields = dict[str, object]


def read_layout(files: Mapping[str, bytes], origin: str) -> CaseSet | None:
    """The questions in these files; None when they are of no published layout.

    Case ids are the subset and the number of the record, `NQ1-17`. Raises CaseRefused listing
    every record that cannot be used, and for a folder that holds two sets of arguments.
    """
    read = {name: data for name, data in files.items() if name.lower().endswith(_SUFFIXES)}
    if not any(_is_published(data) for data in read.values()):
        return None
    _check_names(read, origin)
    problems: list[str] = []
    cases: list[Case] = []
    for name, data in sorted(read.items()):
        for number, record in _records(data):
            try:
                cases.append(_case(record, _stem(name), number))
            except CaseRefused as error:
                problems.append(f"{name}, record {number}: {error}")
    if problems:
        raise CaseRefused(f"{origin} cannot be used, {len(problems)} records:\n{listing(problems)}")
    return case_set(cases)


def _stem(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0]


def _is_published(data: bytes) -> bool:
    """Some record says `adv`, or names the false claim `control`; none of ours does."""
    for _, record in _records(data):
        if isinstance(record, dict):
            return "case_id" not in record and (_ADV in record or "control" in record)
    return False


def _check_names(files: Mapping[str, bytes], origin: str) -> None:
    seen: dict[str, str] = {}
    for name in sorted(files):
        stem = _stem(name)
        if stem in seen:
            raise CaseRefused(
                f"{origin} holds {seen[stem]} and {name}: two sets of arguments for one subset; "
                "name the folder of one set"
            )
        seen[stem] = name


def _records(data: bytes) -> Iterator[tuple[int, object]]:
    """(number from 1, record) of JSON lines or of one JSON list; CaseRefused in its place."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if text.lstrip().startswith("["):
        found = _parsed(text)
        yield from enumerate(found if isinstance(found, list) else [found], 1)
        return
    lines = (line for line in text.split("\n") if line.strip())
    yield from ((number, _parsed(line)) for number, line in enumerate(lines, 1))


def _parsed(text: str) -> object:
    try:
        found: object = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        return CaseRefused(f"not JSON: {error}")
    return found


def _case(record: object, subset: str, number: int) -> Case:
    if isinstance(record, CaseRefused):
        raise record
    if not isinstance(record, dict):
        raise CaseRefused("not an object")
    _check_storable(record)
    fields = {str(name): value for name, value in record.items()}
    adv = fields.pop(_ADV, {})
    if not isinstance(adv, dict):
        raise CaseRefused("adv must be an object")
    inner = fields | {str(name): value for name, value in adv.items()}
    case_id = f"{subset}-{number}"
    case = Case(
        case_id=case_id,
        block=case_id,
        texts={
            **_remarks(fields),
            "question": _text(inner, ("question",)),
            "false_claim": _text(inner, _CLAIM),
            **_target(inner),
            "subset": _SUBSETS.get(subset.lower(), subset),
        },
        data=_data(inner),
    )
    read_question(case)
    return case


def _remarks(fields: _Fields) -> dict[str, str]:
    """Texts beside the question (source, category, type): kept, never put into a prompt."""
    known = {*_CLAIM, *_GOLD, *_TARGET, "case_id"}
    return {
        name: value
        for name, value in fields.items()
        if isinstance(value, str) and value and name not in known
    }


def _data(inner: _Fields) -> dict[str, object]:
    options = next((inner[name] for name in _OPTIONS if name in inner), [])
    gold = next((inner[name] for name in _GOLD if inner.get(name) is not None), None)
    if not options and isinstance(gold, str):
        gold = _BOOLEANS.get(gold.strip().lower(), gold)
    arguments, others = _arguments(inner)
    data: dict[str, object] = {"gold": gold, "options": options, "arguments": arguments}
    return {**data, "other_arguments": others} if others else data


def _arguments(inner: _Fields) -> tuple[dict[str, object], dict[str, object]]:
    """(of the ten fallacies, of other kinds): every list of texts that is not the options."""
    given = inner.get("arguments")
    lists = {**inner, **given} if isinstance(given, dict) else inner
    found: dict[str, object] = {}
    others: dict[str, object] = {}
    for name, texts in lists.items():
        if not isinstance(texts, list) or name in _OPTIONS:
            continue
        fallacy = _FALLACIES.get(re.sub(r"[\W_]+", "_", name.strip().lower()))
        if fallacy in found:
            raise CaseRefused(f"{name} gives arguments for {fallacy} a second time")
        if fallacy is None:
            others[name] = texts
        else:
            found[fallacy] = texts
    return found, others


def _target(inner: _Fields) -> dict[str, str]:
    value = inner.get("target")
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if value is None:
        return {}
    if not isinstance(value, str):
        raise CaseRefused(f"target = {value!r} must be a text")
    return {"target": value} if value.strip() else {}


def _text(inner: _Fields, names: tuple[str, ...]) -> str:
    for name in names:
        value = inner.get(name)
        if isinstance(value, str) and value.strip():
            return value
    raise CaseRefused(f"{' or '.join(names)} is missing or blank")


def _check_storable(record: Mapping[object, object]) -> None:
    text = json.dumps(record, ensure_ascii=False)
    if text != text.encode(errors="replace").decode() or "\N{REPLACEMENT CHARACTER}" in text:
        raise CaseRefused("holds a character that is not UTF-8, or half a surrogate pair")
