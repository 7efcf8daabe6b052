"""An imported episode gone through again: do its raw texts still give these events?"""

from __future__ import annotations

from typing import Any

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, TurnSpoken
from eristic.protocols import Machine
from eristic.replay.findings import Fault, differences, name_event
from eristic.replay.importing import Importer
from eristic.replay.walks import Proof

__all__ = ["Retelling"]


class Retelling:
    """Takes the events of one imported episode; compares them all when it closes.

    Raises whatever the machine raises for a header it cannot begin with.
    """

    def __init__(
        self, machine: Machine[Any], opened: EpisodeOpened, importer: Importer, *, episode: str
    ) -> None:
        self._machine = machine
        self._opened = opened
        self._importer = importer
        self._episode = episode
        self._state: Any = machine.initial(opened)
        self._events: list[Event] = [opened]
        self.proof: Proof | None = None
        """What became of the prompt of the event taken last; None when it has none."""

    @property
    def opened(self) -> EpisodeOpened:
        """The episode's header."""
        return self._opened

    def take(self, event: Event) -> list[Fault]:
        """Go on by one event; what does not hold, told at the close."""
        self.proof = None
        if isinstance(event, TurnSpoken) and event.source == "imported":
            # Made by a model somewhere, and nobody kept what it was sent.
            self.proof = None if "template" in event.remarks else "not_recorded"
        elif not isinstance(event, EpisodeClosed):
            what = "no event of an imported episode, which has texts and a close only"
            fault = Fault(kind="damaged", what=what, actual=name_event(event), is_fatal=True)
            return [fault]
        self._state = self._machine.evolve(self._state, event)
        self._events.append(event)
        return self._compare() if isinstance(event, EpisodeClosed) else []

    def _compare(self) -> list[Fault]:
        faults = []
        if (due := self._importer.episode_of(self._opened)) != self._episode:
            what = "the header's facts are those of another episode"
            faults.append(Fault(kind="damaged", what=what, expected=due, actual=self._episode))
        spoken = [event for event in self._events if isinstance(event, TurnSpoken)]
        told = self._importer.retell(self._opened, spoken)
        for there, again in zip(self._events, told, strict=True):
            if there == again:
                continue
            expected, actual = differences(again, there)
            what = f"{name_event(there)}: this version of the importer tells it otherwise"
            faults.append(Fault(kind="redecided", what=what, expected=expected, actual=actual))
        return faults
