"""Labels that people gave, as one more judge.

CSV with a header line, or JSONL. Columns: `episode` (an id), or any facts that tell one episode
from all others (`chat_id` and whatever an import recorded, `case_id`, `condition`, `repetition`);
`value`; where several turns of an episode can be judged, `turn` or as much of `kind` and `turn` as
tells them apart; optionally `remark`, `annotator`, and for rubrics of several fields `field.NAME`.
Every line is taken or told about.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from eristic.debate import JudgementMade, Setting
from eristic.debate.errors import SpecRefused
from eristic.judging import Docket, Matter, Target

__all__ = ["Label", "Labels", "LineProblem", "judgements", "read_labels"]

_OURS = frozenset({"episode", "turn", "kind", "value", "remark", "annotator"})
_FACTS = ("case_id", "condition", "repetition")
_FIELD = "field."
_SHOWN_CHARS = 60


class Label(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One line that was taken."""

    line: int
    matter: Matter
    value: str | None
    """None for a line whose value was left blank: that person gave none."""
    remark: str = ""
    fields: dict[str, Setting] = {}
    """Columns `field.NAME` that are not blank: name -> whole number, or the text."""

    @property
    def target(self) -> Target:
        """The turn that was labeled."""
        return self.matter.target


class LineProblem(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One line that was not."""

    line: int
    what: str


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """What one annotator's labels in a file came to."""

    labels: tuple[Label, ...]
    problems: tuple[LineProblem, ...]
    of_others: int
    """Lines of other annotators (count)."""


def read_labels(
    name: str,
    content: bytes,
    matters: Sequence[Matter],
    *,
    values: Sequence[str],
    annotator: str,
    known_episodes: Sequence[str] = (),
) -> Labels:
    """The labels of one annotator in a file.

    name: of the file; `.jsonl` and `.ndjson` are JSONL, all others CSV. matters: turns that may be
    labeled, alone or beside another. known_episodes: those of the run that have none, for a better
    message. A line without an annotator is anybody's.
    Raises SpecRefused for a file that cannot be read at all.
    """
    finder = _Finder(matters, known_episodes)
    labels: dict[tuple[str, str], Label] = {}
    problems: list[LineProblem] = []
    of_others = 0
    for line, row in _rows(name, content):
        try:
            if row.get("annotator", "").strip() not in ("", annotator):
                of_others += 1
                continue
            label = _label(line, row, finder, values)
            key = _key(label.matter)
            if key in labels:
                raise _Unusable(f"the same turn as line {labels[key].line}; keep one of them")
            labels[key] = label
        except _Unusable as error:
            problems.append(LineProblem(line=line, what=str(error)))
    return Labels(labels=tuple(labels.values()), problems=tuple(problems), of_others=of_others)


def judgements(labels: Labels, docket: Docket, *, source: str) -> list[JudgementMade]:
    """The events of all labels that the chain does not say yet; a changed label is a correction."""
    events = []
    for label in labels.labels:
        last = docket.last(label.matter)
        said = (label.value, label.remark, label.fields)
        if last is not None and (last.value, last.text, last.fields) == said:
            continue
        events.append(
            JudgementMade(
                episode=label.target.episode,
                turn=label.target.turn,
                target=label.target.digest,
                status="scored" if label.value is not None else "unscored",
                value=label.value,
                cause="" if label.value is not None else "blank",
                text=label.remark,
                evidence=f"{source}, line {label.line}",
                fields=label.fields,
                other=label.matter.counterpart,
                attempt=0 if last is None else last.attempt + 1,
            )
        )
    return events


class _Unusable(Exception):
    """Why a line cannot be taken."""


class _Finder:
    """Finds the turn that a line means."""

    def __init__(self, matters: Sequence[Matter], known_episodes: Sequence[str]) -> None:
        self._matters = matters
        self._by_episode: dict[str, list[Matter]] = defaultdict(list)
        for matter in matters:
            self._by_episode[matter.target.episode].append(matter)
        self._known = frozenset(known_episodes)
        self._indexes: dict[tuple[str, ...], dict[tuple[str, ...], list[Matter]]] = {}

    def find(self, row: Mapping[str, str]) -> Matter:
        """Raises _Unusable when there is none or more than one."""
        episode = row.get("episode", "").strip()
        if episode:
            found = self._by_episode.get(episode)
            if not found:
                why = "has nothing to judge" if episode in self._known else "is not in this run"
                raise _Unusable(f"episode {_shown(episode)} {why}")
            return _meant(found, row)
        names = tuple(sorted(key for key, text in row.items() if _is_fact(key) and text))
        if not names:
            raise _Unusable("names no episode: give `episode`, or facts such as `chat_id`")
        matches = self._index(names).get(tuple(row[name] for name in names), [])
        episodes = {match.target.episode for match in matches}
        if len(episodes) == 1:
            return _meant(matches, row)
        facts = ", ".join(f"{name}={_shown(row[name])}" for name in names)
        what = "no episode" if not matches else f"{len(episodes)} episodes, which must be one,"
        raise _Unusable(f"{what} with {facts}")

    def _index(self, names: tuple[str, ...]) -> dict[tuple[str, ...], list[Matter]]:
        if names not in self._indexes:
            index: dict[tuple[str, ...], list[Matter]] = defaultdict(list)
            for matter in self._matters:
                index[tuple(_fact(matter.target, name) for name in names)].append(matter)
            self._indexes[names] = index
        return self._indexes[names]


def _is_fact(column: str) -> bool:
    return column not in _OURS and not column.startswith(_FIELD)


def _key(matter: Matter) -> tuple[str, str]:
    return matter.target.digest, matter.other.digest if matter.other is not None else ""


def _meant(matters: Sequence[Matter], row: Mapping[str, str]) -> Matter:
    """The judged turn of an episode that a line means."""
    turn, kind = row.get("turn", "").strip(), row.get("kind", "").strip()
    found = [
        matter
        for matter in matters
        if turn in ("", str(matter.target.turn)) and kind in ("", matter.target.kind)
    ]
    if len(found) == 1:
        return found[0]
    episode = matters[0].target.episode
    turns = ", ".join(_named(matter.target) for matter in found or matters)
    if found:
        raise _Unusable(f"episode {episode} needs a `turn` (or a `kind`): one of {turns}")
    wanted = f"turn {_shown(turn)}" if turn else f"kind {_shown(kind)}"
    raise _Unusable(f"{wanted} of {episode} is not judged; turn {turns} is")


def _named(target: Target) -> str:
    return f"{target.turn} ({target.kind})" if target.kind else str(target.turn)


def _fields(row: Mapping[str, str]) -> dict[str, Setting]:
    found = {
        key.removeprefix(_FIELD): text.strip()
        for key, text in row.items()
        if key.startswith(_FIELD) and text.strip()
    }
    return {
        key: int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text
        for key, text in found.items()
    }


def _fact(target: Target, name: str) -> str:
    if name in _FACTS:
        return str(getattr(target, name))
    value = target.facts.get(name)
    return "" if value is None else str(value)


def _label(line: int, row: Mapping[str, str], finder: _Finder, values: Sequence[str]) -> Label:
    matter = finder.find(row)
    if "value" not in row:
        raise _Unusable("has no `value`")
    value = row["value"].strip()
    if value and value not in values:
        raise _Unusable(f"value {_shown(value)} is none of {', '.join(values)}")
    return Label(
        line=line,
        matter=matter,
        value=value or None,
        remark=row.get("remark", ""),
        fields=_fields(row),
    )


def _rows(name: str, content: bytes) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Line number, and fields as text."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecRefused(f"{name} is not UTF-8: {error}; save it as UTF-8") from error
    if name.lower().endswith((".jsonl", ".ndjson")):
        yield from _json_rows(name, text)
    else:
        yield from _csv_rows(name, text)


def _json_rows(name: str, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise SpecRefused(f"{name}, line {number}: no JSON object: {error}") from error
        if not isinstance(row, dict):
            raise SpecRefused(f"{name}, line {number}: no JSON object")
        yield number, {key: "" if x is None else str(x) for key, x in row.items()}


def _csv_rows(name: str, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if "value" not in (rows.fieldnames or ()):
        found = ", ".join(map(str, rows.fieldnames or ()))[:200]
        raise SpecRefused(f"{name}: the first line names no column `value` (found: {found})")
    try:
        for row in rows:
            surplus = row.pop(None, None)
            if surplus:
                raise SpecRefused(f"{name}, line {rows.line_num}: more fields than columns")
            yield rows.line_num, {key: text or "" for key, text in row.items()}
    except csv.Error as error:
        raise SpecRefused(f"{name}, line {rows.line_num}: {error}") from error


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}...")
