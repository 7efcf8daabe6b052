"""Real models, through litellm."""

from __future__ import annotations

import asyncio

import msgspec

from eristic.agents.models._litellm import Litellm, close_clients, load_async
from eristic.agents.models.constraints import CONSTRAINTS, constrain, unwrap
from eristic.agents.models.failures import Filtered, NotFound, translate
from eristic.agents.models.params import Nested, merge, unflatten
from eristic.agents.models.redaction import scrub
from eristic.agents.models.replies import filtered, read_reply
from eristic.agents.models.resolution import (
    Resolution,
    check_api_base,
    placeholder_key,
    resolve,
    unserved,
)
from eristic.agents.models.retries import GaveUp, Kept, RetryPolicy, Wait, attempt
from eristic.debate import Binding, FailedAttempt
from eristic.debate.errors import ModelFailed, SpecRefused, nearest
from eristic.ports import ModelReply, ModelRequest

__all__ = ["LitellmModel"]

_CLIENT_MARGIN_S = 30.0  # so that our deadline ends an attempt, not the client's

_ADVICE = {
    "auth": "check the provider's key variable",
    "bad_request": "check the binding's params and constrain",
    "connect": "check api_base and the network",
    "context": "lower the memory trigger or bind a model with a larger window",
    "rate_limit": "lower the number of episodes in flight",
    "server": "try again later",
    "timeout": "raise the attempt deadline or try again later",
}


class LitellmModel:
    """Calls any model that litellm knows. The only layer that retries.

    wait: how to pause between attempts; tests give one that takes no time.
    """

    def __init__(self, *, retry: RetryPolicy | None = None, wait: Wait = asyncio.sleep) -> None:
        self._retry = retry or RetryPolicy()
        self._wait = wait

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One reply, with every failed attempt before it.

        A filter or refusal is a reply. Raises ModelFailed (also, with bad_request, for what
        `check` refuses as SpecRefused), ModelUnknown, CredentialMissing; ExtraMissing without
        litellm.
        """
        litellm = await load_async()
        resolved = resolve(request.model, request.api_base)
        try:
            arguments = self._arguments(request, resolved)
        except SpecRefused as error:
            raise ModelFailed(str(error), error="bad_request") from error

        async def call() -> ModelReply:
            return await _attempt(litellm, arguments, request, resolved)

        failed: tuple[FailedAttempt, ...]
        try:
            return _finished(await attempt(call, self._retry, wait=self._wait))
        except GaveUp as error:
            failed = error.failed
        raise _all_failed(request.model, failed)

    async def check(self, model: str, binding: Binding) -> None:
        """Find what would go wrong with a binding before anything is paid for.

        model: the binding's model or one of its fallback chain. Raises ModelUnknown,
        CredentialMissing or SpecRefused.
        """
        unflatten(binding.params)
        check_api_base(binding.api_base)
        if binding.constrain not in CONSTRAINTS:
            hint = nearest(binding.constrain, CONSTRAINTS)
            raise SpecRefused(f"constrain = {binding.constrain!r} is unknown.{hint}")
        await load_async()
        resolved = resolve(model, binding.api_base)
        placeholder_key(model, resolved.provider, binding.api_base)
        if binding.constrain != "none" and not resolved.takes_schema:
            raise SpecRefused(
                f"{model} cannot be held to a JSON schema by {resolved.provider}; "
                "set constrain = 'none'"
            )

    async def aclose(self) -> None:
        """Close the HTTP clients; the model may be used again."""
        await close_clients()

    def _arguments(self, request: ModelRequest, resolved: Resolution) -> Nested:
        check_api_base(request.api_base)
        params = unflatten(request.params)
        max_tokens = params.get("max_tokens")
        held = constrain(
            request.expected,
            request.constrain,
            max_tokens=max_tokens if isinstance(max_tokens, int) else None,
            own_server=request.api_base is not None,
        )
        arguments = merge(params, held)
        arguments.update(
            model=request.model,
            messages=[{"role": x.role, "content": x.content} for x in request.messages],
            timeout=self._retry.attempt_deadline_s + _CLIENT_MARGIN_S,
            num_retries=0,
            max_retries=0,
        )
        if resolved.takes_seed:
            arguments["seed"] = request.seed
        if request.api_base is not None:
            arguments["api_base"] = request.api_base
        key = placeholder_key(request.model, resolved.provider, request.api_base)
        if key is not None:
            arguments["api_key"] = key
        return arguments


async def _attempt(
    litellm: Litellm, arguments: Nested, request: ModelRequest, resolved: Resolution
) -> ModelReply:
    """One try. Raises AttemptFailed or ModelUnknown, neither with the foreign error inside."""
    try:
        response = await litellm.acompletion(**arguments)
        reply = read_reply(response, asked=request.model)
    except Exception as error:  # whatever it is, it is translated once, here
        failure = translate(error)
    else:
        text = unwrap(reply.text, request.expected, request.constrain)
        return msgspec.structs.replace(reply, text=text)
    if isinstance(failure, Filtered):
        return filtered(request.model)
    if isinstance(failure, NotFound):
        raise unserved(request.model, resolved.provider, str(failure))
    raise failure


def _finished(kept: Kept[ModelReply]) -> ModelReply:
    return msgspec.structs.replace(kept.value, latency_s=kept.latency_s, failed=kept.failed)


def _all_failed(model: str, failed: tuple[FailedAttempt, ...]) -> ModelFailed:
    last = failed[-1]
    times = "1 attempt" if len(failed) == 1 else f"{len(failed)} attempts"
    advice = _ADVICE.get(last.error, "look at the attempts")
    return ModelFailed(
        f"{scrub(model)}: {times} failed, the last with {last.error}: {last.message}; {advice}",
        error=last.error,
        failed=failed,
    )
