"""Reads an experiment file into a Draft, and lays a command line over one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

import msgspec

from eristic.debate.cast import Cast, Setting
from eristic.debate.errors import NameRefused, SpecRefused, nearest
from eristic.debate.ids import check_run_name
from eristic.sweeps._credentials import ADVICE, find_secrets
from eristic.sweeps._problems import Problems
from eristic.sweeps.bindings import ALL_ROLES, bind, check_role_name, read_setting
from eristic.sweeps.calls import CallBounds, read_call_bounds
from eristic.sweeps.experiment import Draft, DraftCases, Durability

__all__ = ["Override", "merge", "parse_experiment", "parse_override"]

T = TypeVar("T")
_Where = Literal["file", "command line"]
_COMMAND_LINE = "the command line"
_KEYS = (
    "run",
    "protocol",
    "profile",
    "seed",
    "repetitions",
    "conditions",
    "cases",
    "calls",
    "options",
    "roles",
    "durability",
)
_CASES = ("from", "only", "limit", "sample")
_CHOOSING = _CASES[1:]
_INTEGERS = 2**63


class Override(msgspec.Struct, frozen=True):
    """One `key=value` of a command line."""

    key: str
    """Dotted, e.g. options.round_limit."""
    value: object


def parse_experiment(text: str, *, origin: str) -> Draft:
    """Read an experiment file.

    origin: how the person calls the file; it names the run if the file does not. Raises
    SpecRefused that lists every mistake with its line where that can be told.
    """
    if origin.lower().endswith((".yaml", ".yml", ".json")):
        raise SpecRefused(f"{origin}: experiment files are TOML; see examples/quick.toml")
    try:
        tree: Mapping[str, object] = tomllib.loads(text)
    except RecursionError as error:
        raise SpecRefused(f"{origin}: nested too deeply for an experiment") from error
    except ValueError as error:  # also numbers of more digits than Python converts
        end = f"at line {len(text.splitlines()) or 1}, the end of the file"
        told = str(error).replace("at end of document", end)
        raise SpecRefused(
            f"{origin} is not TOML: {told}; mend that line, examples/quick.toml shows the form"
        ) from error
    return _read(tree, Problems(origin, text), "file")


def parse_override(text: str) -> Override:
    """`key=value` as given to `-o`: the value is read as TOML, and as plain text if it is none.

    Raises SpecRefused when there is no `=`.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise SpecRefused("-o takes key=value, e.g. -o options.round_limit=5")
    try:
        # A line feed could open another key; such a value is plain text.
        read: object = value if "\n" in value else tomllib.loads(f"v = {value}")["v"]
    except (ValueError, RecursionError):
        read = value
    return Override(key.strip(), read)


def merge(draft: Draft, overrides: Mapping[str, object]) -> Draft:
    """The draft with what the command line says laid over it.

    overrides: keys are dotted or nest (`{"options.round_limit": 5}` is `{"options":
    {"round_limit": 5}}`); roles may be Bindings. Options go one by one. A role is replaced
    whole, and `all` replaces every role of the file: who names a model for all of them means
    it. A table of repetitions is replaced whole as well. `cases.from` keeps no selection of the
    file's cases, `only`, `limit` and `sample` replace each other. Raises SpecRefused as
    `parse_experiment` does.
    """
    over = _read(_nest(overrides), Problems(_COMMAND_LINE), "command line")
    kept = {} if ALL_ROLES in over.roles else draft.roles
    changes: dict[str, object] = {
        name: value
        for name in ("run", "protocol", "profile", "seed", "repetitions", "conditions")
        if (value := getattr(over, name)) is not None
    }
    return msgspec.structs.replace(
        draft,
        **changes,
        durability=over.durability or draft.durability,
        options=draft.options | over.options,
        roles=kept | over.roles,
        cases=_over_cases(draft.cases, over.cases),
        calls=_over_calls(draft.calls, over.calls),
    )


def _over_cases(base: DraftCases, over: DraftCases) -> DraftCases:
    if over.source is not None:
        return over
    if any(getattr(over, name) is not None for name in _CHOOSING):
        return msgspec.structs.replace(base, only=over.only, limit=over.limit, sample=over.sample)
    return base


def _over_calls(base: CallBounds, over: CallBounds) -> CallBounds:
    said = {
        name: value for name, value in msgspec.structs.asdict(over).items() if value is not None
    }
    return msgspec.structs.replace(base, **said)


def _nest(overrides: Mapping[str, object]) -> dict[str, object]:
    """Dotted keys opened up. Keys inside a given table stay: a parameter's name may hold dots."""
    tree: dict[str, object] = {}
    for dotted, value in overrides.items():
        *path, last = dotted.split(".")
        inner = tree
        for name in path:
            deeper = inner.setdefault(name, {})
            if not isinstance(deeper, dict):
                raise SpecRefused(f"{_COMMAND_LINE}: {dotted} lies inside a value set already")
            inner = deeper
        present = inner.get(last, {})
        if isinstance(value, Mapping) and isinstance(present, dict):
            inner[last] = {**present, **value}
        elif last in inner:
            raise SpecRefused(f"{_COMMAND_LINE}: {dotted} is set twice; keep one of them")
        else:
            inner[last] = value
    return tree


def _read(tree: Mapping[str, object], problems: Problems, where: _Where) -> Draft:
    # First of all: no later message may repeat a value that is a secret.
    for key in find_secrets(tree):
        problems.add(key, ADVICE)
    problems.check()
    for key in tree:
        if key not in _KEYS:
            problems.add(key, f"no such key.{nearest(key, _KEYS)}")
    reader = _Reader(tree, problems)
    draft = Draft(
        origin=problems.origin,
        run=reader.take("run", _run),
        protocol=reader.take("protocol", _word),
        profile=reader.take("profile", _word),
        seed=reader.take("seed", lambda value: _count(value, 0)),
        repetitions=reader.take("repetitions", _repetitions),
        conditions=reader.take("conditions", _words),
        durability=reader.take("durability", _durability),
        options=_options(reader.inside("options")),
        roles=_roles(reader.inside("roles")),
        cases=_cases(reader, where),
        calls=_calls(reader.inside("calls")),
    )
    problems.check()
    return draft


class _Reader:
    """Takes values out of one table; what does not fit is put with the problems."""

    def __init__(self, table: Mapping[str, object], problems: Problems, path: str = "") -> None:
        self.table = table
        self.problems = problems
        self._path = path

    def refuse(self, key: str, what: str) -> None:
        self.problems.add(self._path + key, what)

    def take(self, key: str, read: Callable[[object], T]) -> T | None:
        if key not in self.table:
            return None
        try:
            return read(self.table[key])
        except (SpecRefused, NameRefused) as error:
            self.refuse(key, str(error))
            return None

    def inside(self, key: str) -> _Reader:
        table = self.table.get(key, {})
        if not isinstance(table, Mapping):
            self.refuse(key, f"must be a table: [{key}]")
            table = {}
        return _Reader(table, self.problems, f"{self._path}{key}.")


def _options(reader: _Reader) -> dict[str, Setting]:
    options: dict[str, Setting] = {}
    for name, value in reader.table.items():
        try:
            options[name] = None if value is None else read_setting(value)
        except SpecRefused as error:
            reader.refuse(name, str(error))
    return options


def _roles(reader: _Reader) -> Cast:
    roles: Cast = {}
    for name in reader.table:
        try:
            roles[check_role_name(name)] = bind(reader.table[name])
        except SpecRefused as error:
            reader.refuse(name, str(error))
    return roles


def _cases(reader: _Reader, where: _Where) -> DraftCases:
    if isinstance(reader.table.get("cases"), str):
        return DraftCases(source=reader.take("cases", _word), written_in=where)
    cases = reader.inside("cases")
    for key in cases.table:
        if key not in _CASES:
            cases.refuse(key, f"no such key.{nearest(key, _CASES)}")
    chosen = [name for name in _CHOOSING if cases.table.get(name)]
    if len(chosen) > 1:
        cases.refuse(chosen[1], f"{' and '.join(chosen)} exclude each other; keep one of them")
    return DraftCases(
        source=cases.take("from", _word),
        written_in=where,
        only=cases.take("only", _words),
        limit=cases.take("limit", lambda value: _count(value, 1)),
        sample=cases.take("sample", lambda value: _count(value, 1)),
    )


def _calls(reader: _Reader) -> CallBounds:
    bounds, wrong = read_call_bounds(reader.table)
    for key, what in wrong.items():
        reader.refuse(key, what)
    return bounds


def _word(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise SpecRefused("must be a text that is not empty")
    read_setting(value)
    return value


def _run(value: object) -> str:
    return check_run_name(_word(value))


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise SpecRefused('must be a list of texts, e.g. ["one", "two"]')
    words = tuple(_word(word) for word in value)
    for word in words:
        if words.count(word) > 1:
            raise SpecRefused(f"{word!r} is there twice")
    return words


def _count(value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < _INTEGERS:
        raise SpecRefused(f"must be a whole number of at least {least}")
    return value


def _repetitions(value: object) -> int | dict[str, int]:
    if not isinstance(value, Mapping):
        return _count(value, 1)
    if not value:
        raise SpecRefused(
            'must name a condition or a pattern, e.g. { "fair.*" = 5 }, or be a whole number'
        )
    return {_word(name): _count(count, 1) for name, count in value.items()}


def _durability(value: object) -> Durability:
    if value == "always":
        return "always"
    if value == "fast":
        return "fast"
    raise SpecRefused("must be 'always' (each event on disk before it counts) or 'fast'")
