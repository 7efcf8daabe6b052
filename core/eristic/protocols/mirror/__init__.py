"""Mirror: how far do a model's opinions move when it debates them with itself?"""

from eristic.protocols.mirror.machine import MIRROR, Mirror
from eristic.protocols.mirror.options import PROFILES, Options
from eristic.protocols.mirror.readings import read_score

__all__ = ["MIRROR", "PROFILES", "Mirror", "Options", "read_score"]
