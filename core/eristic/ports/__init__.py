"""What the engine needs of the world: small interfaces that adapters satisfy."""

from eristic.ports._ports import (
    AskHandler,
    Clock,
    Courier,
    EpisodeLog,
    FixedClock,
    Model,
    ModelReply,
    ModelRequest,
    RoleDoor,
    SystemClock,
)

__all__ = [
    "AskHandler",
    "Clock",
    "Courier",
    "EpisodeLog",
    "FixedClock",
    "Model",
    "ModelReply",
    "ModelRequest",
    "RoleDoor",
    "SystemClock",
]
