"""LoFa: does a model that knows a fact hold on to it against fallacies?"""

from eristic.protocols.lofa.building import LOFA_BUILD, LofaBuild
from eristic.protocols.lofa.machine import LOFA, Lofa
from eristic.protocols.lofa.options import PROFILES, Options

__all__ = ["LOFA", "LOFA_BUILD", "PROFILES", "Lofa", "LofaBuild", "Options"]
