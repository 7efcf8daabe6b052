"""Does a private Ray really start here, and does an actor in it reach the bus?"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from eristic.cli.doctor_checks import Finding

if TYPE_CHECKING:
    from eristic.bus import BusSettings

__all__ = ["check_ray", "check_ray_address"]

_DEADLINE_S = 60.0


class Visitor:
    """An actor that connects to the bus, as every role does."""

    async def visit(self, settings: BusSettings) -> int:
        """Connect and leave; gives the process id. Raises BusError."""
        from eristic.bus import connect

        link = await connect(settings)
        await link.close()
        return os.getpid()

    async def pid(self) -> int:
        """Process id of the actor."""
        return os.getpid()


async def check_ray_address() -> list[Finding]:
    """A Ray cluster that the environment names is not the one that is used."""
    if not os.environ.get("RAY_ADDRESS"):
        return []
    return [
        Finding(
            name="RAY_ADDRESS",
            state="warn",
            found="it is set and is ignored: a run starts a private Ray on this machine",
            advice="unset RAY_ADDRESS, so that nobody believes the run is on that cluster",
        )
    ]


async def check_ray(settings: BusSettings | None) -> list[Finding]:
    """Start a private Ray (or use the one of this process) and let an actor visit the bus.

    settings: None when there is no server to visit. Must run in the main thread, blocking: Ray
    sets signal handlers.
    """
    from eristic.agents.hosts import start_ray

    folder = start_ray()
    import ray

    try:
        actor: Any = ray.remote(num_cpus=0)(Visitor).remote()
        try:
            visit = actor.pid.remote() if settings is None else actor.visit.remote(settings)
            pid = ray.get(visit, timeout=_DEADLINE_S)
        finally:
            ray.kill(actor)
    finally:
        if folder is not None:
            ray.shutdown()
            shutil.rmtree(folder, ignore_errors=True)
    text = f"ray {ray.__version__}: an actor (pid {pid}) ran in a private local Ray"
    if settings is not None:
        return [Finding(name="ray", state="ok", found=f"{text} and reached the bus")]
    advice = "repair the server first, then ask again"
    found = f"{text}; there was no server for it to reach"
    return [Finding(name="ray", state="warn", found=found, advice=advice)]
