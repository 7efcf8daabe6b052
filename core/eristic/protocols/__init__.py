"""The experiments: one folder each, all driven by one machine."""

from eristic.protocols.machine import (
    Advance,
    Due,
    Machine,
    Parser,
    Record,
    RoleSpec,
    Step,
    Wait,
    advance,
    complete_cast,
    fold,
    needed_roles,
    playing_roles,
    record,
)
from eristic.protocols.registry import find_protocol, protocol_names
from eristic.protocols.suffixes import Bounded, CallsLeft, calls_left

__all__ = [
    "Advance",
    "Bounded",
    "CallsLeft",
    "Due",
    "Machine",
    "Parser",
    "Record",
    "RoleSpec",
    "Step",
    "Wait",
    "advance",
    "calls_left",
    "complete_cast",
    "find_protocol",
    "fold",
    "needed_roles",
    "playing_roles",
    "protocol_names",
    "record",
]
