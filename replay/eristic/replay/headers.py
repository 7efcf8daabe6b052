"""Does an episode's header fit the run it belongs to? And the templates: are they the run's own?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from eristic.debate import Binding, EpisodeOpened, RunOpened, Setting
from eristic.debate.errors import SpecRefused
from eristic.debate.ids import derive_seed, episode_id
from eristic.debate.prompting import Template, parse_template, template_digest
from eristic.replay.findings import Fault, shorten

__all__ = ["RunHeader"]

_case_encoder = msgspec.json.Encoder(order="sorted")


class _Spec(msgspec.Struct, frozen=True):
    """The part of a canonical spec that every header repeats."""

    protocol: str
    seed: int
    repetitions: int | dict[str, int]
    conditions: tuple[str, ...]
    options: dict[str, Setting]
    roles: dict[str, Binding]


class _ImportSpec(msgspec.Struct, frozen=True, tag_field="kind", tag="import"):
    layout: str


class RunHeader:
    """The run's first event, ready to be held against the headers of its episodes."""

    def __init__(self, opened: RunOpened) -> None:
        self.episodes = opened.episodes
        self.is_import = _is_import(opened.spec)
        """Nobody planned its episodes: it grows with its source."""
        self._spec = _read_spec(opened.spec)
        self._digests = {name: template_digest(text) for name, text in opened.prompts.items()}
        self._templates: dict[str, Template] = {}
        self._cases: dict[str, bytes] = {}
        self._reported: set[tuple[str, str]] = set()
        self._unreadable: dict[str, str] = {}
        for name, text in opened.prompts.items():
            try:
                self._templates[name] = parse_template(text)
            except SpecRefused as error:
                self._unreadable[name] = str(error)

    def templates(self, opened: EpisodeOpened) -> Mapping[str, Template]:
        """The run's templates that are, byte for byte, those the episode names."""
        return {
            name: template
            for name, template in self._templates.items()
            if opened.prompts.get(name) == self._digests[name]
        }

    def faults(self, episode: str, opened: EpisodeOpened) -> Iterator[Fault]:
        """What in this header contradicts the run or another header."""
        yield from self._template_faults(opened)
        # An imported debate says by itself what it is about, and its source may contradict itself.
        # A branch has an id, a seed and maybe options of its own; its case is that of its source.
        if opened.imported is not None or opened.parent is not None:
            return
        yield from self._case_faults(opened)
        yield from _id_faults(episode, opened)
        if self._spec is not None:
            yield from _spec_faults(self._spec, opened)

    def _template_faults(self, opened: EpisodeOpened) -> Iterator[Fault]:
        # One fault for each wrong pair, not one for each episode: they share the run's templates.
        for name, said in opened.prompts.items():
            there = self._digests.get(name, "")
            if (said == there and name not in self._unreadable) or (name, said) in self._reported:
                continue
            self._reported.add((name, said))
            what = f"the run's text of template {shorten(name)} is not the one episodes name"
            if name in self._unreadable:
                what = f"template {shorten(name)} cannot be read: {self._unreadable[name]}"
            elif not there:
                what = f"the run holds no text of template {shorten(name)}"
            yield Fault(kind="prompt", what=what, expected=shorten(said), actual=there)

    def _case_faults(self, opened: EpisodeOpened) -> Iterator[Fault]:
        case = opened.case
        digest = hashlib.sha256(_case_encoder.encode(case)).digest()
        if self._cases.setdefault(case.case_id, digest) != digest:
            yield Fault(
                kind="damaged",
                what=f"case {shorten(case.case_id)!r} has other texts in another episode",
            )


def _read_spec(text: str) -> _Spec | None:
    """None for a run whose experiment is not written the way `run` writes it (an import)."""
    try:
        return msgspec.json.decode(text, type=_Spec)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _is_import(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=_ImportSpec)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _id_faults(episode: str, opened: EpisodeOpened) -> Iterator[Fault]:
    expected = episode_id(
        case_id=opened.case.case_id,
        condition=opened.condition,
        repetition=opened.repetition,
    )
    if episode != expected:
        yield _header_fault("id of case, condition and repetition", expected, episode)


def _spec_faults(spec: _Spec, opened: EpisodeOpened) -> Iterator[Fault]:
    seed = derive_seed(spec.seed, opened.case.case_id, opened.condition, opened.repetition)
    if opened.seed != seed:
        yield _header_fault("seed", seed, opened.seed)
    if opened.protocol != spec.protocol:
        yield _header_fault("protocol", spec.protocol, opened.protocol)
    if spec.conditions and opened.condition not in spec.conditions:
        yield _header_fault("condition", spec.conditions, opened.condition)
    counts = spec.repetitions
    count = counts if isinstance(counts, int) else counts.get(opened.condition, 0)
    if not 0 <= opened.repetition < count:
        yield _header_fault("repetition", f"0 to {count - 1}", opened.repetition)
    for name in sorted(spec.options.keys() | opened.options.keys()):
        planned, used = spec.options.get(name), opened.options.get(name)
        if planned != used:
            yield _header_fault(f"option {name}", planned, used)
    for role, binding in opened.cast.items():
        bound = spec.roles.get(role)
        if bound is not None and _sampling(bound) != _sampling(binding):
            yield _header_fault(f"binding of {role}", bound, binding)


def _sampling(binding: Binding) -> Binding:
    # A spec leaves these two out: they change no result.
    return replace(binding, shards=1, epoch=0)


def _header_fault(what: str, expected: object, actual: object) -> Fault:
    return Fault(
        kind="damaged",
        what=f"the header's {shorten(what)} is not the run's",
        expected=shorten(str(expected)),
        actual=shorten(str(actual)),
    )
