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
    record,
)
from eristic.protocols.registry import find_protocol, protocol_names

__all__ = [
    "Advance",
    "Due",
    "Machine",
    "Parser",
    "Record",
    "RoleSpec",
    "Step",
    "Wait",
    "advance",
    "complete_cast",
    "find_protocol",
    "fold",
    "needed_roles",
    "protocol_names",
    "record",
]
