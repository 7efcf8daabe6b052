"""A run's experiment as stored text, and what changed between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from eristic.debate.cast import Binding
from eristic.debate.errors import LogDamaged
from eristic.sweeps.experiment import Experiment

__all__ = ["canonical_spec", "difference"]

_encoder = msgspec.json.Encoder(order="sorted")
_NOT_SET = "(not set)"
_EXACT = 2.0**53
"""Below it every whole float is one integer."""


def canonical_spec(experiment: Experiment, case_digest: str) -> str:
    """The experiment as JSON with sorted keys: equal text means the same experiment.

    experiment: settled, so that an option left to its default equals one that names it.
    case_digest: `cases_digest` of the cases that are used. Paths are left out: a moved file is
    the same experiment. So are a role's shards and epoch and the bounds of a call.
    """
    spec = {
        "schema": 1,
        "run": experiment.run,
        "protocol": experiment.protocol,
        "profile": experiment.profile,
        "seed": experiment.seed,
        "repetitions": experiment.repetitions,
        "conditions": experiment.conditions,
        "cases": {"sha256": case_digest},
        "options": experiment.options,
        "roles": {role: _binding(binding) for role, binding in experiment.roles.items()},
        "durability": experiment.durability,
    }
    return _encoder.encode(_plain_numbers(msgspec.to_builtins(spec))).decode()


def difference(old: str, new: str) -> tuple[str, ...]:
    """What differs between two canonical specs, one line each: `options.round_limit: 10 -> 5`.

    Empty when they mean the same. Raises LogDamaged if one of them is not a spec.
    """
    before, after = dict(_flat(_decoded(old))), dict(_flat(_decoded(new)))
    changes = (
        (key, before.get(key, _NOT_SET), after.get(key, _NOT_SET))
        for key in sorted(before.keys() | after.keys())
    )
    return tuple(
        f"{key}: {_shown(key, was)} -> {_shown(key, now)}"
        for key, was, now in changes
        if was != now
    )


def _binding(binding: Binding) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(binding)
    return {key: value for key, value in plain.items() if key not in ("shards", "epoch")}


def _plain_numbers(value: object) -> object:
    # 1 and 1.0 are the same temperature, and must be the same text.
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {key: _plain_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_numbers(inner) for inner in value]
    return value


def _decoded(spec: str) -> Mapping[str, object]:
    try:
        return msgspec.json.decode(spec, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise LogDamaged(f"the run's experiment cannot be read: {error}") from error


def _flat(tree: Mapping[str, object], path: str = "") -> Iterator[tuple[str, str]]:
    # Values as JSON text: in Python true == 1, in an experiment it does not.
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{path}{key}.")
        elif value is not None:
            yield f"{path}{key}", _encoder.encode(value).decode()


def _shown(key: str, value: str) -> str:
    limit = 16 if key == "cases.sha256" else 80
    return value if len(value) <= limit else f"{value[: limit - 3]}..."
