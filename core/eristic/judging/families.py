"""Which house a model comes from: a judge may favour the texts of its own kin.

Found by name, since no provider says it. A name that nobody here knows has no family, which is a
remark and not an acquittal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["FAMILIES", "families_of"]

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("gpt", "chatgpt", "davinci", "o1", "o3", "o4", "codex"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma", "palm", "bison", "bard"),
    "meta": ("llama", "codellama", "tinyllama", "vicuna", "alpaca"),
    "mistral": ("mistral", "mixtral", "ministral", "magistral", "codestral", "pixtral"),
    "alibaba": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "cohere": ("command", "aya"),
    "microsoft": ("phi", "wizardlm"),
    "xai": ("grok",),
    "amazon": ("nova", "titan"),
    "zhipu": ("glm", "chatglm"),
    "moonshot": ("kimi", "moonshot"),
    "nvidia": ("nemotron",),
    "ibm": ("granite",),
    "ai21": ("jamba", "jurassic"),
    "01-ai": ("yi",),
    "tii": ("falcon",),
    "huggingface": ("smollm", "zephyr"),
}
"""Family -> words that begin a part of a model's name. A name may belong to two families: a
distillation (`deepseek-r1-distill-llama-70b`) has learnt from the texts of another one."""

_ALIASES: Final[Mapping[str, str]] = {"local": "smollm"}
_PARTS = re.compile(r"[^a-z0-9.]+")
_WORDS: Final = tuple((word, name) for name, words in FAMILIES.items() for word in words)


def families_of(models: Iterable[str]) -> frozenset[str]:
    """The families of all these model ids together; empty when none is known.

    The provider is not looked at: `openai/` is also how a server of one's own is addressed.
    """
    found: set[str] = set()
    for model in models:
        if model.startswith("script:"):
            continue
        name = model.lower().rpartition("/")[2]
        name = _ALIASES.get(name, name)
        for part in filter(None, _PARTS.split(name)):
            for piece in {part, *part.split(".")}:
                found |= {family for word, family in _WORDS if _begins(piece, word)}
    return frozenset(found)


def _begins(part: str, word: str) -> bool:
    """`llama3` begins with `llama`, `phi4` with `phi`; `philosopher` is no `phi`."""
    rest = part[len(word) :]
    return part.startswith(word) and not rest[:1].isalpha()
