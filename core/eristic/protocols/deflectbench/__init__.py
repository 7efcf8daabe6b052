"""DeflectBench: does a model write fallacies on request, and which request makes it refuse?"""

from eristic.protocols.deflectbench.machine import DEFLECTBENCH, Deflectbench
from eristic.protocols.deflectbench.options import PROFILES, Options

__all__ = ["DEFLECTBENCH", "PROFILES", "Deflectbench", "Options"]
