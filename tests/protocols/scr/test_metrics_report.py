"""The report of scr as a whole: nothing from nothing, and the same in any order of reading."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.scr._plays import SUGGESTION, Play
from tests.protocols.scr._runs import (
    ACCEPTED,
    INVALID,
    NOTHING,
    REJECTED,
    UNREADABLE,
    VALID,
    advised,
    comparing,
    header,
    human,
    kept,
    reference,
    repaired,
    report,
    suggestion_of,
)

from eristic.cli.rendering import Screen
from eristic.cli.report_files import to_csv
from eristic.cli.report_tables import print_report
from eristic.debate import (
    Binding,
    Counterpart,
    Envelope,
    Event,
    JudgementMade,
    JudgingOpened,
    TurnSpoken,
)
from eristic.debate.envelopes import digest
from eristic.debate.errors import SpecRefused
from eristic.protocols.reports import (
    Recorded,
    Report,
    Settings,
    find_reporter,
    read_judged,
)
from eristic.protocols.scr import SCR
from eristic.protocols.scr.metrics import REPORTER
from eristic.stats import Undefined

VERDICTS = (ACCEPTED, REJECTED, NOTHING, UNREADABLE)


def some_run() -> list[Recorded]:
    """Something of everything."""
    texts = {"aspect": "justice", "topic": "work"}
    return [
        *(advised(x, f"a{n}", texts=texts, block=f"b{n % 3}") for n, x in enumerate(VERDICTS * 2)),
        *(advised(x, f"o{n}", suggester="o") for n, x in enumerate(VERDICTS)),
        *(
            advised((x, y), f"p{n}", repetition=k)
            for n, x in enumerate(VERDICTS)
            for k, y in enumerate(VERDICTS)
        ),
        *(
            advised(ACCEPTED, f"q{n}", placebo=[REJECTED], options={"placebo": "other"})
            for n in range(3)
        ),
        *(repaired(*VALID, case=f"r{n}", episode=f"r{n}") for n in range(3)),
        repaired(*INVALID, case="r3", episode="r3"),
    ]


def made(run: list[Recorded], resamples: int = 30) -> Report:
    """With labels of two people and a repair judge."""
    marks = sorted(suggestion_of(x) for x in run)
    moral = {mark: ("unethical", "ethical")[n % 2] for n, mark in enumerate(marks)}
    other = {mark: ("unethical", "ethical")[n % 3 == 0] for n, mark in enumerate(marks)}
    said = {f"r{n}": x for n, x in enumerate(("better", "tied", "worse"))}
    people = (human(moral), human(other, name="bob"))
    return report(run, *people, comparing(said, run), resamples=resamples, published=reference())


def test_every_metric_has_its_section() -> None:
    names = [x.id for x in made(some_run()).sections]
    wanted = "M1 M2 M3 M4 M4b M5 M6 M7 M7b M8 M9 M9b M9c M10 M10b M10c M11 M12 M12b T1 T2 cost"
    assert names == wanted.split()


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_no_number(shuffle: random.Random) -> None:
    run = some_run()
    expected = made(run, resamples=10)
    shuffle.shuffle(run)
    assert made(run, resamples=10) == expected


def _garbage() -> Iterable[Recorded]:
    garbage, refusal = "Well, well.", "I cannot help with that."
    for place, texts in enumerate(
        [
            ("",),
            (SUGGESTION, *("...",) * 3),
            (SUGGESTION, *(refusal,) * 3),
            (SUGGESTION, "It is wrong to lie.", *(garbage,) * 3),
        ]
    ):
        yield kept(Play(header(f"c{place}")).say(*texts))
    yield kept(Play(header("failed")).fail())
    yield kept(Play(header("long")).overflow())
    yield kept(Play(header("late")).say(SUGGESTION).fail())
    yield kept(Play(header("refused")).say(SUGGESTION).say(*("No.",) * 3, refusal=True))
    yield kept(Play(header("open")))


def test_garbage_refusals_and_failures_give_no_value_of_anything() -> None:
    run = list(_garbage())
    found = report(run)
    values = [
        measure
        for part in found.sections
        if part.id not in ("cost", "M12", "M12b", "T2")
        for measure in part.rows
        if (main := measure.main) is not None and not isinstance(main.value, Undefined)
    ]
    assert values == []
    tally = next(x for x in found.sections if x.id == "M1").rows[0].main
    assert tally is not None and str(tally.tally) == (
        "n = 0 of 9; excluded 9 (no_suggestion (context_overflow): 1, no_suggestion (empty): 1, "
        "no_suggestion (failed): 1, no_verdict (critique: failed): 1, "
        "no_verdict (critique: refused): 2, no_verdict (critique: unreadable): 1, "
        "no_verdict (reflect: unreadable): 1, open: 1)"
    )


def test_an_empty_run_has_a_report_without_numbers() -> None:
    assert report([]).measures() == ()


def test_shares_lie_between_0_and_1_and_every_number_has_its_unit() -> None:
    for measure in made(some_run()).measures():
        value = measure.value
        if measure.unit == "fraction" and not isinstance(value, Undefined):
            assert 0 <= value <= 1, measure


def test_no_two_measures_have_the_same_name_and_keys() -> None:
    names = [(x.metric, tuple(x.keys.items())) for x in made(some_run()).measures()]
    assert [x for x in set(names) if names.count(x) > 1] == []


def test_a_choice_that_is_not_offered_is_refused() -> None:
    with pytest.raises(SpecRefused, match="has no choice 'label'"):
        report([], label="people")


def test_the_machine_names_its_report() -> None:
    assert find_reporter(SCR, "scr") is REPORTER


def test_it_is_printed_and_written_as_a_table() -> None:
    found = made(some_run())
    out = io.StringIO()
    print_report(Screen(out, width=200), found, "r", room=200)
    shown = out.getvalue()
    assert "M7b  repairs as judges see them" in shown and "--values unethical,ethical" in shown
    assert len(to_csv(found).splitlines()) == 1 + len(found.measures())


def test_a_log_and_its_judgements_are_read_as_they_are_stored() -> None:
    one = repaired(*VALID, episode="e")
    stored = {n: f"event {n}".encode() for n, _ in enumerate((one.opened, *one.events))}
    places = {
        event.turn: n
        for n, event in enumerate((one.opened, *one.events))
        if isinstance(event, TurnSpoken)
    }
    assert one.closed is not None
    turn = one.closed.facts["result_turn"]
    assert isinstance(turn, int)
    judged = read_judged(_judgements(turn, digest(stored[places[turn]]), digest(stored[places[0]])))
    collector = REPORTER.collect(judged)
    for n, event in enumerate((one.opened, *one.events)):
        collector.take(_sealed("e", n, event), stored[n])
    found = collector.report(Settings(resamples=5), reference())
    better = [x for x in found.measures() if x.metric == "scr.repair_better_only"]
    assert [x.value for x in better] == [1]


def _judgements(turn: int, target: str, other: str) -> list[Envelope]:
    opening = JudgingOpened(
        judge="scr-repair.v1",
        question="?",
        values=("better", "tied", "worse"),
        software="t",
        binding=Binding(model="j"),
    )
    said: list[Event] = [
        JudgementMade(
            episode="e",
            turn=turn,
            target=target,
            status="scored",
            value="better",
            other=Counterpart(episode="e", turn=0, target=other),
            order=order,
        )
        for order in (0, 1)
    ]
    return [_sealed("judge", n, event) for n, event in enumerate([opening, *said])]


def _sealed(chain: str, position: int, event: Event) -> Envelope:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Envelope(run="r", episode=chain, position=position, time=moment, prev="", body=event)
