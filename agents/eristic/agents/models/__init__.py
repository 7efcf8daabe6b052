"""Models behind one port: litellm for real ones, scripts for made-up ones, a directory for all."""

from eristic.agents.models.directory import (
    PROVIDER_GROUP,
    ModelDirectory,
    Provider,
    ProviderFactory,
)
from eristic.agents.models.litellm_model import LitellmModel
from eristic.agents.models.redaction import scrub
from eristic.agents.models.retries import RetryPolicy, Wait
from eristic.agents.models.scripted import Replies, ScriptedModel

__all__ = [
    "LitellmModel",
    "ModelDirectory",
    "PROVIDER_GROUP",
    "Provider",
    "ProviderFactory",
    "Replies",
    "RetryPolicy",
    "ScriptedModel",
    "Wait",
    "scrub",
]
