"""Which provider a model belongs to, and whether it can be called: found out without paying."""

from __future__ import annotations

import difflib
import functools
import ipaddress
import os
from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec

from eristic.agents.models._litellm import Litellm, load
from eristic.agents.models.redaction import scrub
from eristic.debate.errors import CredentialMissing, ModelUnknown, SpecRefused

__all__ = ["Resolution", "check_api_base", "is_loopback", "placeholder_key", "resolve", "unserved"]

_PLACEHOLDER = "none-needed"
_KEY_ENDINGS = ("_API_KEY", "_API_TOKEN")
_AZURE_OTHERS = ("AZURE_AD_TOKEN", "AZURE_CLIENT_ID", "AZURE_FEDERATED_TOKEN_FILE")


class Resolution(msgspec.Struct, frozen=True, kw_only=True):
    """A model id as litellm understands it."""

    provider: str
    name: str
    """The model's name without its provider."""
    takes_seed: bool
    takes_schema: bool


@functools.lru_cache(maxsize=256)
def resolve(model: str, api_base: str | None) -> Resolution:
    """Raises ModelUnknown with the nearest name when no provider is known for the model."""
    litellm = load()
    found: tuple[str, str] | None = None
    try:
        found = litellm.get_llm_provider(model, api_base=api_base)[:2]
    except Exception:  # whatever it is, litellm cannot place the name
        pass
    if found is None:
        raise ModelUnknown(_unplaced(litellm, model))
    name, provider = found
    takes = litellm.get_supported_openai_params(name, provider) or []
    return Resolution(
        provider=provider,
        name=name,
        takes_seed="seed" in takes,
        takes_schema="response_format" in takes,
    )


def unserved(model: str, provider: str, said: str) -> ModelUnknown:
    """The refusal for a model whose provider answers that it has none of that name."""
    prices = load().model_cost
    known = (
        name if "/" in name else f"{provider}/{name}"
        for name, facts in prices.items()
        if facts.get("litellm_provider") == provider
    )
    return ModelUnknown(f"{provider} does not serve {model!r}: {said}.{_hint(model, known)}")


def placeholder_key(model: str, provider: str, api_base: str | None) -> str | None:
    """A stand-in key for a server of one's own on this machine; None when a real one is set.

    Raises CredentialMissing, which names the variable, when the provider needs a key and its
    variable is not set or empty. Providers that are reached with more than a key (AWS roles, Google
    service accounts) are left to say so themselves.
    """
    missing = load().validate_environment(model)["missing_keys"]
    names = [x for x in missing if _is_key(str(x))] if isinstance(missing, list) else []
    usual = f"{provider.upper()}_API_KEY"
    if os.environ.get(usual) == "":  # litellm takes an empty variable for a key
        names.append(usual)
    if not names or _has_other_login(names):
        return None
    if api_base is not None and is_loopback(api_base):
        return _PLACEHOLDER
    variable = " or ".join(names)
    instead = "; any value if the server at api_base needs no key" if api_base else ""
    raise CredentialMissing(
        f"{model} needs a key and {variable} is not set: export it in the environment of the "
        f"role's process{instead}"
    )


def check_api_base(api_base: str | None) -> None:
    """Raises SpecRefused for an address that cannot be called or that holds a credential."""
    if api_base is None:
        return
    parts = urlsplit(api_base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SpecRefused(f"api_base {scrub(api_base)!r} is no address; write http://HOST:PORT/v1")
    if parts.username or parts.password or parts.query:
        raise SpecRefused(
            f"api_base for host {parts.hostname} holds a user, password or query, and the "
            "binding is logged; set the provider's key variable instead"
        )


def is_loopback(api_base: str) -> bool:
    """True for an address on this machine."""
    host = urlsplit(api_base).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_key(variable: str) -> bool:
    return variable.endswith(_KEY_ENDINGS)


def _has_other_login(names: list[object]) -> bool:
    return "AZURE_API_KEY" in names and any(name in os.environ for name in _AZURE_OTHERS)


def _unplaced(litellm: Litellm, model: str) -> str:
    said = f"no provider is known for model {scrub(model)!r}."
    provider, slash, rest = model.partition("/")
    if slash:
        names = [str(getattr(x, "value", x)) for x in litellm.provider_list]
        hint = _hint(model, (f"{name}/{rest}" for name in _close(provider, names)))
    else:
        hint = _hint(model, litellm.model_cost)
    return said + (hint or " Write provider/model, for example openai/NAME or script:steady.")


def _hint(word: str, known: Iterable[str]) -> str:
    close = _close(word, known)
    return f" Did you mean {close[0]!r}?" if close else ""


def _close(word: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(word, known, n=1, cutoff=0.6)
