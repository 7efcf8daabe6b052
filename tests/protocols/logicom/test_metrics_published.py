"""The metrics of the 2,400 published debates, against counts of their publication."""

from __future__ import annotations

import random

import msgspec
import pytest
from tests.protocols.logicom._metrics import facts, main, reference, report, row, section, value

from eristic.debate.envelopes import decode
from eristic.journal.memory import MemoryLog
from eristic.protocols.logicom.metrics import DebateCollector, RunFacts, make_report
from eristic.protocols.reports import Judged, Report, Settings
from eristic.stats import Undefined

MODELS = ("GPT-3.5", "GPT-4")
SCENARIOS = ("no_helper", "fallacious_helper", "logical_helper")


@pytest.fixture(scope="module")
def run(published_log: MemoryLog) -> RunFacts:
    collector = DebateCollector(frozenset())
    for _, stored in published_log._records:
        collector.take(decode(stored), stored)
    return collector.close()


@pytest.fixture(scope="module")
def found(run: RunFacts) -> Report:
    return make_report(run, Judged(), Settings(resamples=100), reference())


@pytest.mark.parametrize(
    ("model", "convinced", "disagreed"), [("GPT-3.5", 176, 982), ("GPT-4", 150, 780)]
)
def test_opinion_change_counts_as_the_publication_counted_rounds(
    found: Report, model: str, convinced: int, disagreed: int
) -> None:
    m4 = row(found, "M4", debater=model, initial_rule="rounds_gt_2")
    assert (value(m4.beside["convinced"]), value(m4.beside["disagreed"])) == (convinced, disagreed)
    assert value(main(found, "M4", debater=model, initial_rule="rounds_gt_2")) == pytest.approx(
        convinced / disagreed
    )


def test_the_first_check_is_not_recorded_and_never_guessed(found: Report) -> None:
    for model in MODELS:
        measure = main(found, "M4", debater=model, initial_rule="first_check")
        assert measure.value == Undefined("no readable check of round 1 is recorded")
        assert measure.tally is not None and measure.tally.excluded == 1200


def test_every_debate_counts_and_the_means_are_within_a_point_of_the_figure(
    found: Report,
) -> None:
    for model in MODELS:
        for scenario in SCENARIOS:
            measure = main(found, "M1", debater=model, scenario=scenario)
            assert str(measure.tally) == "n = 400"
            (published,) = measure.published
            assert abs(100 * value(measure) - published.value) <= 1.0


def test_discordance_is_the_difference_of_success_rates(found: Report) -> None:
    for model in MODELS:
        rates = [
            value(main(found, "M1", debater=model, scenario=x))
            for x in ("fallacious_helper", "logical_helper")
        ]
        m5 = row(found, "M5", debater=model)
        shares = [value(m5.beside[name]) for name in ("D10", "D01")]
        assert shares[0] - shares[1] == pytest.approx(rates[0] - rates[1])
        assert value(main(found, "M5", debater=model)) == pytest.approx(rates[0] - rates[1])


def test_only_sent_texts_of_the_fallacious_helper_are_in_its_profile(
    run: RunFacts, found: Report
) -> None:
    debates = [x for x in run.debates if x.condition == "fallacious_helper"]
    # 4,032 texts in 800 debates, of which each debate's last was never sent.
    assert sum(len(x.helped) for x in debates) == 4032 - 800
    rows = [x for x in section(found, "M8").rows if x.keys["label"] == "(all)"]
    assert sum(value(x.beside["texts"]) for x in rows) == 3232
    late = sum(1 for x in debates if x.convinced and x.helped)
    assert sum(value(x.beside["convinced"]) for x in rows) == late


def test_stop_reasons_sum_to_one_and_say_where_the_verdict_differs(found: Report) -> None:
    for m9 in section(found, "M9a").rows:
        shares = [x for x in m9.beside.values() if x.unit == "fraction"]
        assert sum(map(value, shares)) == pytest.approx(1)
    assert any("31 debates" in note for note in section(found, "M9a").notes)


def test_what_the_source_lacks_is_undefined_with_that_reason(found: Report) -> None:
    for m10 in section(found, "M10").rows:
        assert m10.main is not None and isinstance(m10.main.value, Undefined)
        assert "not recorded" in m10.main.value.reason
    folding = main(found, "T1", debater="GPT-4", scenario="no_helper", debates="with folding")
    assert folding.value == Undefined("folding is not recorded")


def test_the_order_of_the_episodes_changes_no_number(
    published_log: MemoryLog, found: Report
) -> None:
    chains: dict[str, list[bytes]] = {}
    for episode, stored in published_log._records:
        chains.setdefault(episode, []).append(stored)
    names = list(chains)
    random.Random(5).shuffle(names)
    collector = DebateCollector(frozenset())
    for name in names:
        for stored in chains[name]:
            collector.take(decode(stored), stored)
    again = make_report(collector.close(), Judged(), Settings(resamples=100), reference())
    assert msgspec.json.encode(again) == msgspec.json.encode(found)


def test_one_model_alone_has_the_same_numbers_as_beside_the_other(
    run: RunFacts, found: Report
) -> None:
    alone = report([x for x in run.debates if x.model == "GPT-4"], settings=Settings(resamples=100))
    assert len(facts(run.debates).debates) == 2400
    for name in ("M1", "M2", "M5", "M7"):
        both = [x for x in section(found, name).rows if x.keys["debater"] == "GPT-4"]
        assert [x.measures() for x in section(alone, name).rows] == [x.measures() for x in both]
