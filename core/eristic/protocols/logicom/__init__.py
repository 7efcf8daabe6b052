"""LOGICOM: how susceptible is a debater to fallacies, compared with sound and no outside help?"""

from eristic.protocols.logicom.machine import LOGICOM, Logicom
from eristic.protocols.logicom.options import PROFILES, Options
from eristic.protocols.logicom.state import State

__all__ = ["LOGICOM", "PROFILES", "Logicom", "Options", "State"]
