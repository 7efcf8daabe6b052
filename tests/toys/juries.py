"""A small protocol for tests of what works with every story: a speaker, and a juror who may stop.

The speaker speaks, the juror says `stop` or `go on`, at most `rounds` times; then a clerk sums up
side by side with a second clerk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec
import pytest

from eristic.debate import EpisodeClosed, Expected, Line, Reading, Setting, View
from eristic.protocols import RoleSpec, registry
from eristic.protocols.settings import read_options, resolve_options
from eristic.protocols.stories import Asked, Heard, Scene, Story, StoryMachine

STOP, GO_ON = "stop", "go on"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    profile: Literal["paper", "short"] = "paper"
    rounds: int = 3
    reading: Literal["strict", "loose"] = "strict"
    manner: str = "plainly"
    """Said to the speaker: it changes what is shown."""
    temperature: float = 1.0
    """Of the speaker."""
    quorum: Literal["one", "both"] = "one"
    """Clerks that are needed."""


PROFILES: Final[Mapping[str, Options]] = {
    "paper": Options(),
    "short": Options(profile="short", rounds=1),
}


def _reader(version: str, fits: Callable[[str, str], bool]) -> Callable[[str], Reading]:
    def read(text: str) -> Reading:
        for word in (STOP, GO_ON):
            if fits(text.strip(), word):
                return Reading(parser=version, status="read", value=word)
        return Reading(parser=version, status="unreadable")

    return read


class Juries(StoryMachine):
    name = "juries"
    roles = {
        "speaker": RoleSpec(name="speaker", does="speaks"),
        "juror": RoleSpec(name="juror", does="stops it or does not", default_like="speaker"),
        "clerk": RoleSpec(name="clerk", does="sums up", default_like="juror"),
    }
    conditions = ("open", "closed")
    usual_conditions = ("open",)
    case_texts = ("claim",)
    success = STOP
    subject_role = "speaker"
    templates = ("juries.speech", "juries.vote", "juries.sum")
    parsers = {
        "strict": _reader("strict.v1", lambda text, word: text == word),
        "loose": _reader("loose.v1", lambda text, word: word in text.lower()),
    }

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        return msgspec.structs.asdict(resolve_options(options, PROFILES, protocol=self.name))

    def story(self, scene: Scene) -> Story:
        options = read_options(scene.opened.options, Options)
        lines: list[Line] = []
        number = 0
        while number < options.rounds:
            number += 1
            speech = yield from scene.ask(_speech(scene, options, tuple(lines)))
            if not speech.is_read:
                return scene.close(None, "no_speech", rounds=number, failed=speech)
            lines.append(Line("speaker", speech.text, speech.turn))
            vote = yield from scene.ask(_vote(options, tuple(lines)))
            if not vote.is_read:
                return scene.close(None, "no_vote", rounds=number, failed=vote)
            yield from scene.rule("vote.v1", (vote.turn,), vote.value, round=number)
            if vote.value == STOP:
                return scene.close(STOP, "juror", rounds=number)
        clerks = yield from scene.ask_all(_sum(lines), _sum(lines))
        return _sum_up(scene, options, clerks, number)


def _speech(scene: Scene, options: Options, lines: tuple[Line, ...]) -> Asked:
    fields = {"claim": scene.case.texts["claim"], "manner": options.manner}
    return Asked(
        role="speaker",
        view=View(template="juries.speech", fields=fields, history=lines),
        params={"temperature": options.temperature, "max_tokens": 300},
    )


def _vote(options: Options, lines: tuple[Line, ...]) -> Asked:
    return Asked(
        role="juror",
        view=View(template="juries.vote", history=lines),
        parser=options.reading,
        expected=Expected(form="token", tokens=(STOP, GO_ON)),
        attempts=2,
    )


def _sum(lines: list[Line]) -> Asked:
    return Asked(
        role="clerk",
        view=View(template="juries.sum", history=tuple(lines)),
        expected=Expected(form="object", keys=("sum", "remark")),
    )


def _sum_up(
    scene: Scene, options: Options, clerks: tuple[Heard, ...], rounds: int
) -> EpisodeClosed:
    needed = 1 if options.quorum == "one" else len(clerks)
    missing = [clerk for clerk in clerks if not clerk.is_read]
    if len(clerks) - len(missing) < needed:
        return scene.close(None, "no_sum", rounds=rounds, failed=missing[0])
    return scene.close("lasted", "summed_up", rounds=rounds)


JURIES: Final = Juries()


def install_juries(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The protocol as another package would bring it, by its entry point alone."""
    facts = folder / "juries-1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: juries\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        "[eristic.protocols]\njuries = tests.toys.juries:JURIES\n"
    )
    monkeypatch.syspath_prepend(folder)
    registry._entries.cache_clear()
    yield
    registry._entries.cache_clear()
