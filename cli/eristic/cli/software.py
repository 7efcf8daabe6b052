"""What software this is, for headers of logs and bug reports."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["software", "versions"]

_SHAPING = ("msgspec", "litellm", "tiktoken", "nats-py", "ray", "xllamacpp")


def software() -> str:
    """`eristic` and its version."""
    return f"eristic {version('eristic')}"


def versions() -> dict[str, str]:
    """Versions of the installed packages that can shape a result."""
    found = {}
    for name in _SHAPING:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
