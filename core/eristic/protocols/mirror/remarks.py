"""Why an answer is missing, and what is odd about an episode without deciding anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eristic.debate import EpisodeOpened
from eristic.protocols.mirror.names import ADVOCATES, RESPONDENT
from eristic.protocols.mirror.options import Options
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Heard

__all__ = ["cause_of", "flags_of"]

_CAUSES = {"refused": "refusal", "overflow": "context_overflow", "empty": "empty"}


def cause_of(heard: Heard) -> str:
    """One of names.CAUSES, for an answer that is not read.

    A provider that refuses a prompt for its length fails with the error `context`; that is an
    overflow like the one that is seen before the call.
    """
    if heard.status == "failed":
        return "context_overflow" if heard.error == "context" else "failed"
    if heard.status in _CAUSES:
        return _CAUSES[heard.status]
    return heard.reading.parts["cause"] if heard.reading is not None else heard.status


def flags_of(opened: EpisodeOpened, heard: Mapping[str, Heard]) -> tuple[str, ...]:
    """`WHERE:FLAG` of the cast and of every answer. heard: place -> answer."""
    return (*_of_cast(opened, heard), *_of_answers(heard))


def _of_answers(heard: Mapping[str, Heard]) -> Iterator[str]:
    for place, said in heard.items():
        for flag in said.reading.flags if said.reading is not None else ():
            yield f"{place}:{flag}"


def _of_cast(opened: EpisodeOpened, heard: Mapping[str, Heard]) -> Iterator[str]:
    """human: a person is asked. not_same_model, not_another_model: the advocates that spoke are
    not what the option `debaters` says."""
    respondent = opened.cast[RESPONDENT].model
    if respondent == "human":
        yield "cast:human"
    spoke = {said.role for said in heard.values()}
    models = {opened.cast[role].model for role in ADVOCATES.values() if role in spoke}
    meant = read_options(opened.options, Options).debaters
    if meant == "same_model" and models - {respondent}:
        yield "cast:not_same_model"
    if meant == "another_model" and respondent in models:
        yield "cast:not_another_model"
