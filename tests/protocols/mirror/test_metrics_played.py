"""Metrics of mirror over episodes as the machine itself records them."""

from __future__ import annotations

import pytest
from tests.protocols.mirror._debates import Play, failed, opened, overflowed, said
from tests.protocols.mirror._metrics import main, number, recorded, report, row

from eristic.debate import EpisodeOpened
from eristic.protocols.reports import Recorded

SPEECHES = ("I speak.", "I object.", "I conclude.", "I object again.")


def played(play: Play) -> Recorded:
    """What the machine put on record."""
    header, *events = play.log
    assert isinstance(header, EpisodeOpened) and play.due is None
    return recorded(header, *events)


def test_a_debate_as_told_has_its_shift_its_sides_and_its_asks() -> None:
    play = Play(opened("biased.en", weak_if_neutral="alternate")).hear_all("7", *SPEECHES, "-2")
    found = report([played(play)])
    assert number(main(found, "M3")) == 9
    assert number(main(found, "M5")) == 1
    assert str(main(found, "M12").tally) == "n = 2"
    shown = {name: number(x) for name, x in row(found, "T2").beside.items()}
    assert (shown["against first"], shown["for weak"], shown["rule pre_sign"]) == (1, 1, 1)


def test_an_ask_that_was_repeated_is_one_ask() -> None:
    play = Play(opened("baseline.en")).hear_all("Well.", "Hm.", "4")
    found = report([played(play)])
    assert str(main(found, "M12").tally) == "n = 1"
    assert number(row(found, "M12").beside["asked again"]) == 1
    assert number(main(found, "M12")) == 0


@pytest.mark.parametrize("answers", [("Hm.", "8", "3"), ("8", "Hm.", "3")])
def test_of_the_two_asks_of_a_debate_the_one_that_was_repeated_counts(
    answers: tuple[str, ...],
) -> None:
    place = 1 + answers.index("8")
    play = Play(opened()).hear_all(*answers[:place], *SPEECHES, *answers[place:])
    assert number(row(report([played(play)]), "M12").beside["asked again"]) == 1 / 2


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ((said("No.", refusal=True),) * 4, "refusal"),
        (("15",) * 4, "out_of_range"),
        (("between 5 and 7",) * 4, "ambiguous"),
        (("Well, well.",) * 4, "no_number"),
        (("neutral",) * 4, "verbal"),
        (("",) * 4, "empty"),
        ((failed(),), "failed"),
        ((overflowed(),), "context_overflow"),
    ],
)
@pytest.mark.parametrize("condition", ["baseline.en", "fair.en"])
def test_a_missing_first_number_is_counted_by_its_cause(
    answers: tuple[str, ...], cause: str, condition: str
) -> None:
    found = report([played(Play(opened(condition)).hear_all(*answers))])
    assert number(main(found, "M12")) == 1
    assert number(row(found, "M12").beside[cause]) == 1
    assert cause in str(main(found, "M1" if condition == "baseline.en" else "M3").tally)


def test_a_debate_that_is_declined_or_too_long_keeps_its_first_number() -> None:
    refusal = said("I cannot argue against this group.", refusal=True)
    declined = Play(opened(repetition=0)).hear_all("3", SPEECHES[0], *([refusal] * 4))
    too_long = Play(opened(repetition=1)).hear_all("3", *SPEECHES, overflowed())
    found = report([played(declined), played(too_long)])
    assert str(main(found, "M12").tally) == "n = 3"
    assert number(row(found, "M12").beside["context_overflow"]) == pytest.approx(1 / 3)
    assert number(main(found, "M12b")) == 0.5
    assert number(row(found, "M12b").beside["speech 2"]) == 1
    assert number(row(found, "T1", answer="before").beside["at 0"]) == 0
