"""Suggest, critique, reflect: advice that its own author disowns, and its repair on the fly."""

from eristic.protocols.scr.building import SCR_BUILD, ScrBuild
from eristic.protocols.scr.machine import SCR, Scr
from eristic.protocols.scr.options import BUILD_PROFILES, PROFILES, BuildOptions, Options

__all__ = [
    "BUILD_PROFILES",
    "PROFILES",
    "SCR",
    "SCR_BUILD",
    "BuildOptions",
    "Options",
    "Scr",
    "ScrBuild",
]
