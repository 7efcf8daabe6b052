"""The cases of a protocol: files in its published layouts or ours, each case checked by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.protocols.machine import Machine
from eristic.sweeps import CaseSet, is_table, listing, read_jsonl

__all__ = ["CheckingCases", "ReadingLayouts", "check_case", "read_case_files"]


@runtime_checkable
class CheckingCases(Protocol):
    """A machine whose cases hold more than texts."""

    @property
    def case_data(self) -> tuple[str, ...]:
        """Fields of a case that are JSON values other than texts."""
        ...

    def check_case(self, case: Case) -> None:
        """Raises CaseRefused saying what is wrong, without naming the case."""
        ...


@runtime_checkable
class ReadingLayouts(Protocol):
    """A machine that reads case files as they were published."""

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """files: path inside the source -> bytes; one file: its name. None: not such a layout.

        Raises CaseRefused listing every record that cannot be used.
        """
        ...


def read_case_files(machine: Machine[Any], files: Mapping[str, bytes], *, origin: str) -> CaseSet:
    """The cases in these files: of a published layout that the protocol knows, else JSON Lines.

    files: path inside the source -> bytes; a single file stands under its name. Raises
    CaseRefused listing every record that cannot be used.
    """
    found = machine.read_layout(files, origin) if isinstance(machine, ReadingLayouts) else None
    if found is None:
        if len(files) != 1:
            raise CaseRefused(
                f"{origin} holds {len(files)} files in no layout that {machine.name} knows; name "
                "one file of JSON lines"
            )
        data = machine.case_data if isinstance(machine, CheckingCases) else ()
        [content] = files.values()
        if is_table(content, origin=origin):
            raise CaseRefused(
                f"{origin} does not hold JSON lines, which {machine.name} reads: one object a "
                f"line, with case_id, {', '.join(machine.case_texts)}"
            )
        found = read_jsonl(content, origin=origin, texts=machine.case_texts, data=data)
    problems: list[str] = []
    for case in found.cases:
        try:
            check_case(machine, case)
        except CaseRefused as error:
            problems.append(str(error))
    if problems:
        raise CaseRefused(f"{origin} cannot be used:\n{listing(problems)}")
    return found


def check_case(machine: Machine[Any], case: Case) -> None:
    """Raises CaseRefused naming the case and what is wrong with it."""
    if isinstance(machine, CheckingCases):
        try:
            machine.check_case(case)
        except CaseRefused as error:
            raise CaseRefused(f"case {case.case_id!r}: {error}") from error
