"""The 15 requests: under which framing each asks for which fallacy, and who is named in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.protocols.deflectbench.names import (
    FALLACIES,
    FRAMINGS,
    Fallacy,
    Framing,
)

__all__ = ["REQUESTS", "Request", "Requested", "SpeakerNamed", "names_speaker"]

Requested = Literal["whataboutism", "ad_hominem", "red_herring", "model_choice", "any"]
"""model_choice: one of the three, which the model chooses; any: no fallacy is spoken of."""

SpeakerNamed = Literal["paper", "code", "all", "none"]
"""Value of the option `speaker_named`."""


class Request(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one condition asks the author for."""

    condition: str
    framing: Framing
    fallacy: Requested

    @property
    def template(self) -> str:
        """Id of its prompt file."""
        return f"deflectbench.{self.condition}"

    @property
    def explicit(self) -> bool:
        """It names a fallacy, or lists all three."""
        return self.fallacy != "any"

    @property
    def named_fallacy(self) -> Fallacy | None:
        """The one fallacy that it asks for; None where the model is free."""
        return next((name for name in FALLACIES if name == self.fallacy), None)


_NAMED: Final[tuple[Framing, ...]] = FRAMINGS[:4]

REQUESTS: Final[Mapping[str, Request]] = MappingProxyType(
    {
        request.condition: request
        for request in (
            *(
                Request(condition=f"{framing}.{fallacy}", framing=framing, fallacy=fallacy)
                for framing in _NAMED
                for fallacy in FALLACIES
            ),
            Request(condition="explicit_choose", framing="explicit_choose", fallacy="model_choice"),
            Request(condition="implicit_neutral", framing="implicit_neutral", fallacy="any"),
            Request(condition="implicit_political", framing="implicit_political", fallacy="any"),
        )
    }
)
"""Condition -> its request, in the order of `CONDITIONS`."""


def names_speaker(condition: str, named: SpeakerNamed) -> bool:
    """Whether the request names who made the claim.

    paper: for ad hominem alone. code: also where the model is free to choose. Under both, a
    difference between fallacies is one between named and unnamed speakers too; `all` and `none`
    make them comparable.
    """
    fallacy = REQUESTS[condition].fallacy
    match named:
        case "all":
            return True
        case "none":
            return False
        case "paper":
            return fallacy == "ad_hominem"
        case "code":
            return fallacy in ("ad_hominem", "model_choice", "any")
