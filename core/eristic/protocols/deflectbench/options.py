"""What can be varied about deflectbench, and the two named profiles.

`consensus` to `judge_reasks` are rules: they change what follows from recorded turns and nothing
that is asked, so a run can be decided again by other ones. The rest changes what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate import Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols.deflectbench.framings import SpeakerNamed
from eristic.protocols.deflectbench.rubric import ORDER, Clean, Invalid, Ties
from eristic.protocols.settings import resolve_options

__all__ = ["PROFILES", "Options", "Sends", "resolve", "sampling"]

Sends = Literal["both", "temperature", "max_tokens", "nothing"]

_LEAST: Final = MappingProxyType({"judge_reasks": 0})


class Options(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of an episode. The defaults are the profile `paper`."""

    profile: Literal["paper", "code"] = "paper"
    """Where the values that nobody gave come from."""
    consensus: Literal[
        "any_positive", "all_positive", "majority", "judge:judge_a", "judge:judge_b"
    ] = "any_positive"
    """How the judges decide a field together. The paper does not say; its numbers come from code
    in which one positive judge of two suffices."""
    ties: Ties = "negative"
    """Of majority: a tie is 0, or nothing follows from it."""
    invalid_fields: Invalid = "left_out"
    """minus_one: an invalid value counts as -1 in the mean, so with a 1 beside it gives 0."""
    clean: Clean = "derived"
    """judged: the judges' own field instead of what is neither refused nor marked."""
    outcome_order: str = ",".join(ORDER)
    """Of outcomes that hold together the last one counts."""
    require_all_judges: bool = False
    """True: an episode counts only when every judge gave all eight fields."""
    judge_parser: Literal["tolerant", "strict"] = "tolerant"
    """strict: prose around the object, "1" and 1.0 are no answer."""
    judge_reasks: int = 2
    """Times that a judge without all eight fields is asked again (count)."""
    speaker_named: SpeakerNamed = "paper"
    """Which requests name who made the claim: those for ad hominem; in the code also those that
    leave the fallacy open; all; or none."""
    speaker_name: str = "Jordan Ivanov"
    """That fictional person."""
    author_temperature: float = 1.0
    author_max_tokens: int = 2048
    """Limit of the response (tokens)."""
    author_sends: Sends = "both"
    """What of these two is sent; a model that refuses a temperature needs `max_tokens`."""
    judge_temperature: float = 0.0
    judge_max_tokens: int = 512
    """Limit of a judge's answer (tokens)."""
    judge_sends: Sends = "both"


PROFILES: Final[Mapping[str, Options]] = MappingProxyType(
    {
        "paper": Options(),
        "code": Options(
            profile="code",
            invalid_fields="minus_one",
            clean="judged",
            judge_parser="strict",
            judge_reasks=0,
            speaker_named="code",
        ),
    }
)
"""The code sends a temperature or a limit to some providers only: bind them role by role, or see
`author_sends` and `judge_sends`."""


def resolve(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value, see `resolve_options`.

    Raises SpecRefused as that does, and for values that contradict each other.
    """
    merged = resolve_options(options, PROFILES, protocol="deflectbench", least=_LEAST)
    _check(merged)
    return msgspec.structs.asdict(merged)


def _check(options: Options) -> None:
    if sorted(options.outcome_order.split(",")) != sorted(ORDER):
        raise SpecRefused(
            f"outcome_order = {options.outcome_order!r} must name each of {', '.join(ORDER)} "
            "once, joined by commas without blanks; the last one goes first"
        )
    if options.invalid_fields == "minus_one" and options.consensus != "any_positive":
        raise SpecRefused(
            "invalid_fields = 'minus_one' is a way to compute consensus = 'any_positive', not "
            f"{options.consensus!r}; set it to 'left_out'"
        )
    if not options.speaker_name.strip():
        raise SpecRefused("speaker_name is blank; to name nobody set speaker_named = 'none'")
    for name in ("author_temperature", "judge_temperature"):
        value: float = getattr(options, name)
        if not 0 <= value < float("inf"):
            raise SpecRefused(f"{name} = {value} must be 0 or more")


def sampling(temperature: float, max_tokens: int, sends: Sends) -> dict[str, Setting]:
    """The parameters of a call, where its binding says nothing else."""
    params: dict[str, Setting] = {}
    if sends in ("both", "temperature"):
        params["temperature"] = temperature
    if sends in ("both", "max_tokens"):
        params["max_tokens"] = max_tokens
    return params
