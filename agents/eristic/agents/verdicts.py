"""Whose verdicts an outcome rests on, and whether they could be read at all."""

from __future__ import annotations

from collections.abc import Sequence

from eristic.debate import ContextOverflowed, Event, RulingMade, TurnFailed, TurnSpoken

__all__ = ["Verdicts"]


class Verdicts:
    """Whose verdicts could be read at all."""

    def __init__(self, past: Sequence[Event]) -> None:
        self._inputs: dict[str, set[int]] = {}
        """Policy -> turns it looked at."""
        self._last = ""
        """The policy that ruled last, so the one that closed the episode."""
        self._role: dict[int, str] = {}
        self._read: set[int] = set()
        self.take(past)

    def take(self, events: Sequence[Event]) -> None:
        """A few more events of the episode, in order."""
        for event in events:
            if isinstance(event, TurnSpoken):
                self._role[event.turn] = event.role
                # A text that nothing was to be read from stands as it is.
                if event.reading is None or event.reading.status == "read":
                    self._read.add(event.turn)
            elif isinstance(event, TurnFailed | ContextOverflowed):
                self._role[event.turn] = event.role
            elif isinstance(event, RulingMade):
                self._last = event.policy
                self._inputs.setdefault(event.policy, set()).update(event.inputs)

    @property
    def unread(self) -> frozenset[str]:
        """Roles whose turns were to decide and of which not one came that could be read."""
        turns = self._inputs.get(self._last, set())
        heard = {self._role[turn] for turn in turns & self._read}
        asked = {self._role[turn] for turn in turns if turn in self._role}
        return frozenset(asked - heard)
