"""The published debates as the judges' tests read them, and the sample that was labelled by hand.

The debates are data of others and stay outside the project; tests that need them are skipped
where they are not.
"""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2].parent / "shared/data/logicom/debates"
SEEDS = (2308, 9853)
"""Of the first and of the second sample."""
PER_STRATUM = (5, 3)
"""Debates of each model x scenario x recorded verdict: 12 strata, 60 and 36 debates."""

_SCENARIOS = {
    x.lower(): x for x in ("No_Helper", "Fallacy_Helper", "Vanilla_Helper")
}  # three folders are spelt in another case


class Key(NamedTuple):
    """What finds one debate."""

    model: str
    scenario: str
    iteration: int
    topic: str


class Debate(NamedTuple):
    """One published debate, as far as a judge of its end needs it."""

    key: Key
    title: str
    claim: str
    reason: str
    message: str
    """The debater's last; the persuader's entry behind it was never sent."""
    is_convinced: bool
    """The recorded verdict."""

    @property
    def digest(self) -> str:
        """SHA-256 of the message as recorded, UTF-8."""
        return sha256(self.message.encode()).hexdigest()

    @property
    def stratum(self) -> tuple[str, str, bool]:
        return self.key.model, self.key.scenario, self.is_convinced


def published_debates() -> list[Debate]:
    """All of them, sorted by key."""
    return sorted(map(_debate, ROOT.glob("iteration */*/*/*/*.json")))


def _debate(path: Path) -> Debate:
    iteration, model, topic, scenario = path.relative_to(ROOT).parts[:4]
    record = json.loads(path.read_text("utf-8"))
    opening: str = record["log"][0]["assistant"]
    title, rest = opening.split("topic:  “ ", 1)[1].split(' ”\nclaim: "', 1)
    claim, rest = rest.split('"\nreason: "', 1)
    return Debate(
        key=Key(model, _SCENARIOS[scenario.lower()], int(iteration.split()[1]), topic),
        title=title.strip(' "'),
        claim=claim,
        reason=rest.split('"\nBased on the my reason: "', 1)[0],
        message=record["log"][-2]["user"],
        is_convinced=record["Convinced?"],
    )


def samples(debates: list[Debate]) -> tuple[list[Debate], list[Debate]]:
    """The labelled ones. The second comes from titles of the first, without its debates.

    So all other titles, and nothing of these, were free to tune the rules on.
    """
    first = _drawn(debates, 0)
    titles = {x.title for x in first}
    rest = [x for x in debates if x.title in titles and x not in first]
    return first, _drawn(rest, 1)


def _drawn(debates: list[Debate], which: int) -> list[Debate]:
    """From each stratum as many as it takes, no two of them under one title.

    The two claims of a title and all their debates hang together; with one debate a title the
    drawn ones are independent enough for a plain interval.
    """
    rng = random.Random(SEEDS[which])
    titles: set[str] = set()
    sample: list[Debate] = []
    for stratum in sorted({x.stratum for x in debates}):
        candidates = [x for x in debates if x.stratum == stratum]
        rng.shuffle(candidates)
        taken = 0
        for debate in candidates:
            if taken < PER_STRATUM[which] and debate.title not in titles:
                titles.add(debate.title)
                sample.append(debate)
                taken += 1
    return sample
