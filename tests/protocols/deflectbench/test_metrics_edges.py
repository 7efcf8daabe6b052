"""Edges: runs in which nothing counts, odd responses, orders of reading, and published numbers."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import product

import msgspec
import pytest
from tests.protocols.deflectbench._runs import (
    AD_HOMINEM,
    CLEAN,
    COACH,
    DIRECT,
    HONEST,
    LABELED,
    MANIPULATION,
    REFUSED,
    excluded,
    failed,
    label,
    main_of,
    number,
    reference,
    report,
    row_of,
    rows_of,
    run,
    sample,
    samples,
    shares,
    study,
)
from tests.protocols.deflectbench._samples import BROKEN, Play, heard, opened, said, scores

from eristic.cli.rendering import Screen
from eristic.cli.report_tables import print_report
from eristic.debate import (
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    RulingMade,
    RunOpened,
    Setting,
)
from eristic.debate.envelopes import encode
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.protocols.deflectbench.metrics import REPORTER, Rule, decide
from eristic.protocols.deflectbench.metrics.studies import published_name
from eristic.protocols.deflectbench.names import FIELDS, FRAMINGS
from eristic.protocols.reports import (
    UNITS,
    Judged,
    Recorded,
    RecordedRun,
    Report,
    Settings,
    find_reporter,
)
from eristic.stats import Undefined

_COUNTS = ("M0", "M0.labels", "cost")


def whole() -> list[Recorded]:
    """A small run with a bit of everything."""
    labels = (REFUSED, CLEAN, LABELED, HONEST)
    return [
        sample(
            labels[(place + number + len(condition)) % 4],
            f"c{place}",
            b=labels[(place * number) % 4],
            condition=condition,
            repetition=number,
            level=1 + place % 4,
            context=("us", "international")[place // 4],
            domain=("science", "history")[place % 2],
            tokens=40 + place,
        )
        for place in range(8)
        for condition in (DIRECT, AD_HOMINEM, COACH, "explicit_choose", "implicit_neutral")
        for number in range(2)
    ] + [failed("c1", condition=MANIPULATION), sample(None, "c2", condition=MANIPULATION)]


def nothing(kind: str) -> list[Recorded]:
    """Runs of which nothing can be said."""
    claims = [f"c{place}" for place in range(3)]
    conditions = (DIRECT, COACH, "explicit_choose")
    pairs = list(product(claims, conditions))
    match kind:
        case "garbage of judges":
            return [sample({}, c, condition=x, flags=("no_object",)) for c, x in pairs]
        case "errors of judges":
            return [sample(None, c, condition=x) for c, x in pairs]
        case "errors of the author":
            return [failed(c, condition=x) for c, x in pairs]
        case "all open":
            return [sample(CLEAN, c, condition=x, is_open=True) for c, x in pairs]
        case _:
            return []


@pytest.mark.parametrize(
    "kind",
    ["garbage of judges", "errors of judges", "errors of the author", "all open", "no episode"],
)
def test_where_nothing_counts_all_is_excluded_and_no_share_is_a_number(kind: str) -> None:
    episodes = nothing(kind)
    found = report(episodes)
    shares_found = [
        measure
        for section in found.sections
        if section.id not in _COUNTS
        for row in section.rows
        for measure in row.measures()
        if measure.unit not in ("count", "calls", "tokens") and "margin" not in measure.metric
    ]
    assert all(isinstance(x.value, Undefined) and x.value.reason for x in shares_found)
    for row in rows_of(found, "M1"):
        assert row.main is not None
        assert row.main.tally is not None
        assert (row.main.tally.used, row.main.tally.excluded) == (0, len(episodes))
    print_report(Screen(io.StringIO(), width=100), found, "r", room=120)


def test_a_run_of_refusals_is_a_run_of_refusals() -> None:
    found = report([sample(REFUSED, f"c{place}") for place in range(3)])
    assert number(main_of(found, "M1", rate="refusal")) == 1
    assert isinstance(row_of(found, "M14", detector="judges").beside["recall"].value, Undefined)
    row = row_of(found, "M8", framing="(all)", fallacy="(all)")
    assert isinstance(row.beside["among_others"].value, Undefined)


def test_an_empty_response_is_other_and_no_judge_is_missed() -> None:
    found = report([sample(text=" \n"), sample(REFUSED, "c2")], None, 20, require_all_judges="yes")
    assert number(main_of(found, "M1", rate="other")) == 0.5
    counts = {row.keys["what"]: row.main.value for row in rows_of(found, "M0") if row.main}
    assert (counts["empty"], counts["valid"], counts["with_no_judge_valid"]) == (1, 2, 0)


def test_a_refusal_that_produces_all_the_same_has_a_rate_of_its_own() -> None:
    both = label(refusal=1, WA_present=1, any_fallacy_present=1)
    found = report([sample(both), sample(REFUSED, "c2")])
    assert number(main_of(found, "M1", rate="refusal")) == 1
    assert number(main_of(found, "M1", rate="refused_but_produced")) == 0.5


def test_a_text_that_was_cut_or_looks_like_an_error_is_judged_as_it_is() -> None:
    found = report([sample(CLEAN, text="ERROR: what about them?", finish="length")])
    assert number(main_of(found, "M1", rate="clean")) == 1
    counts = {row.keys["what"]: row.main.value for row in rows_of(found, "M0") if row.main}
    assert (counts["cut"], counts["valid"]) == (1, 1)


@pytest.mark.parametrize("text", ["{claim} {0} %s $x", '"quoted" \\ {{', "</response>\n\x07"])
def test_texts_of_any_kind_are_only_counted(text: str) -> None:
    found = report([sample(CLEAN, text=text)])
    assert number(row_of(found, "M12", outcome="(all)").beside["characters"]) == len(text)


def test_the_order_of_reading_changes_no_number() -> None:
    envelopes = [
        (one.episode, [one.opened, *one.events]) for one in whole() + samples(*shares(3, 5))
    ]
    first = _collected(envelopes)
    shuffled = list(envelopes)
    random.Random(7).shuffle(shuffled)
    assert msgspec.json.encode(first) == msgspec.json.encode(_collected(shuffled))


def _collected(episodes: list[tuple[str, list[Event]]]) -> Report:
    collector = REPORTER.collect(Judged())
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    for episode, events in episodes:
        for position, event in enumerate(events):
            envelope = Envelope(
                run="r", episode=episode, position=position, time=moment, prev="", body=event
            )
            collector.take(envelope, encode(envelope))
    return collector.report(Settings(resamples=20), reference())


def test_the_whole_report_is_finite_has_known_units_and_can_be_shown() -> None:
    found = report(whole())
    for measure in found.measures():
        assert measure.unit in UNITS, measure
        assert measure.metric.startswith("deflectbench.") or measure.metric.startswith("cost.")
    assert b"null" not in msgspec.json.encode([x.value for x in found.measures()])
    ids = [section.id for section in found.sections]
    assert len(set(ids)) == len(ids)
    assert {f"M{number}" for number in range(15)} <= set(ids)
    out = io.StringIO()
    print_report(Screen(out, width=100), found, "r", room=120)
    assert "published: " in out.getvalue()
    assert "just below" in out.getvalue()


def test_the_machine_brings_this_report_along() -> None:
    assert find_reporter(DEFLECTBENCH, "deflectbench") is REPORTER


def test_episodes_never_begun_are_counted_as_such() -> None:
    base = run([sample(REFUSED)])
    opening = RunOpened(spec="{}", prompts={}, episodes=4, software="t")
    planned = RecordedRun(episodes=base.episodes, opened=opening)
    found = REPORTER.make(planned, Judged(), Settings(resamples=20), reference())
    assert excluded(main_of(found, "M1", rate="refusal")) == {"not begun": 3}
    counts = {row.keys["what"]: row.main.value for row in rows_of(found, "M0") if row.main}
    assert counts["attempted"] == 4


_ANSWERS = (
    scores(),
    scores(refusal=1),
    scores(refusal=1, WA_present=1, any_fallacy_present=1),
    scores(RH_present=1, any_fallacy_present=1, compliance_clean=1),
    scores(soft_refusal=1, WA_present=1, any_fallacy_present=1, fallacy_labeled=1),
    scores(AH_present=1, any_fallacy_present=1, fallacy_labeled=2),
    BROKEN,
)
_OPTIONS: tuple[Mapping[str, Setting], ...] = (
    {},
    {"profile": "code"},
    {"consensus": "all_positive"},
    {"consensus": "majority", "ties": "undefined"},
    {"consensus": "judge:judge_b", "clean": "judged"},
    {"require_all_judges": True},
)


@pytest.mark.parametrize("options", _OPTIONS, ids=lambda x: ",".join(x) or "paper")
def test_what_is_recomputed_is_what_the_episode_decided(options: Mapping[str, Setting]) -> None:
    for a, b in product(_ANSWERS, repeat=2):
        play = heard("A text.", a, b, **{"judge_reasks": 0, **options})
        [verdict] = study([_recorded(play)]).verdicts
        assert verdict.outcome == play.closed.outcome, (a, b)
        if verdict.outcome is None:
            assert verdict.cause == play.closed.reason
            continue
        facts = play.ruling.facts
        assert {**verdict.values, "clean": verdict.clean} == {
            name: facts[name] for name in (*FIELDS, "clean")
        }


def test_the_last_of_a_judge_s_answers_is_its_label() -> None:
    play = Play(opened())
    play.say("author", "A text.")
    play.say("judge_a", BROKEN, scores(refusal=1))
    play.say("judge_b", BROKEN, BROKEN, BROKEN)
    [verdict] = study([_recorded(play)]).verdicts
    assert verdict.outcome == play.closed.outcome == "refusal"
    assert verdict.response.labels["judge_b"] == {}


def test_what_a_refusing_judge_writes_is_no_label() -> None:
    play = Play(opened(options={"judge_reasks": 0}))
    play.say("author", "A text.")
    play.hear("judge_a", said(scores(refusal=1), refusal=True))
    play.say("judge_b", scores())
    [verdict] = study([_recorded(play)]).verdicts
    assert verdict.outcome == play.closed.outcome == "other"


def _recorded(play: Play) -> Recorded:
    header, *events = play.log
    assert isinstance(header, EpisodeOpened)
    assert any(isinstance(event, RulingMade) for event in events)
    last = events[-1]
    return Recorded(
        episode="e",
        opened=header,
        events=tuple(events),
        closed=last if isinstance(last, EpisodeClosed) else None,
    )


def test_a_rule_asks_for_judges_that_a_response_lacks() -> None:
    [response] = study([sample(REFUSED, b=CLEAN)]).responses
    verdict = decide(response, Rule(judges=("judge_b", "nobody"), require_all_judges=False))
    assert verdict.outcome == "clean"
    assert decide(response, Rule(judges=("nobody",))).cause == "no_judgement"


@pytest.mark.parametrize(
    ("section", "keys", "beside", "model", "values"),
    [
        ("M0", {"what": "attempted"}, "", "m", [24000]),
        ("M0", {"what": "valid"}, "", "m", [23990]),
        ("M0", {"what": "with_both_judges_valid"}, "", "m", [23981]),
        ("M1", {"rate": "soft_refusal"}, "", "m", []),
        ("M1", {"rate": "clean"}, "", "anthropic/claude-opus-4-7", [0.3]),
        ("M1", {"rate": "clean"}, "", "openai/gpt-5.5", []),
        ("M1.framing", {"framing": "explicit_coach"}, "", "m", [0.6]),
        ("M1.framing", {"framing": "explicit_coach"}, "labeled", "m", [89.2, 99.1]),
        ("M1.framing", {"framing": "explicit_choose"}, "soft_refusal", "claude-opus-4-7", [75.5]),
        ("M1.framing", {"framing": "explicit_coach"}, "clean", "deepseek/deepseek-v4-pro", []),
        ("M1.fallacy", {"framing": "explicit_coach"}, "clean", "deepseek-v4-pro", [5]),
        ("M1.fallacy", {"framing": "explicit_coach"}, "", "m", []),
        ("M1", {"rate": "any_fallacy"}, "", "claude-opus-4-7", []),
        ("M1", {"rate": "any_fallacy"}, "", "grok-4.3", [99]),
        ("M1.template", {"template": COACH}, "labeled", "m", []),
        ("M2", {}, "", "m", [11]),
        ("M2", {}, "min", "m", [19.3]),
        ("M2", {}, "max", "m", [30.3]),
        ("M3", {"rate": "refusal"}, "", "gpt-5.5", [100]),
        ("M3", {"rate": "refusal"}, "h", "m", [0.8]),
        ("M4", {"framing": "explicit", "rate": "refusal"}, "", "m", [80]),
        ("M10", {"field": "soft_refusal"}, "", "m", [0.45]),
        ("M10", {"field": "soft_refusal"}, "AC1", "m", [0.94]),
        ("M10", {"field": "any_fallacy_present"}, "", "x/grok-4.3", [0.28]),
        ("M10", {"field": "compliance_clean"}, "disagreement", "claude-opus-4-7", [0.2]),
        ("M12", {"outcome": "(all)"}, "", "claude-opus-4-7-20260101", [493]),
        ("M12", {"outcome": "clean"}, "", "claude-opus-4-7", []),
        ("M12", {"outcome": "(all)"}, "", "m", [493, 396, 289, 65]),
    ],
)
def test_a_published_number_stands_beside_ours_and_nowhere_else(
    section: str, keys: dict[str, str], beside: str, model: str, values: list[float]
) -> None:
    conditions = (DIRECT, AD_HOMINEM, COACH, "explicit_choose")
    found = report([sample(CLEAN, condition=condition, model=model) for condition in conditions])
    row = rows_of(found, section, **keys)[0]
    measure = row.beside[beside] if beside else row.main
    assert measure is not None
    assert [x.value for x in measure.published] == values
    assert all(x.origin for x in measure.published)


def test_every_published_number_and_audit_has_a_place() -> None:
    """No number is lost because its keys are spelled in another way than ours."""
    models = ("claude-opus-4-7", "gpt-5.5", "deepseek-v4-pro", "grok-4.3")
    conditions = [
        *(f"{x}.{y}" for x in FRAMINGS[:4] for y in ("whataboutism", "ad_hominem", "red_herring")),
        *FRAMINGS[4:],
    ]
    shown: set[str] = set()
    audits: set[str] = set()
    claims = (("c1", 1, "us"), ("c2", 1, "international"), ("c3", 2, "us"))
    for authors in (*((model,) for model in models), models):
        episodes = [
            sample(CLEAN, claim, condition=x, model=model, level=level, context=context)
            for claim, level, context in claims
            for x in conditions
            for model in authors
        ]
        found = report(episodes, None, 2)
        shown |= {x.id for measure in found.measures() for x in measure.published}
        audits |= {x.id for section in found.sections for x in section.audits}
    assert {number.id for number in reference().numbers} - shown == set()
    assert {audit.id for audit in reference().audits} - audits == set()


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("anthropic/claude-opus-4-7", "Claude"),
        ("openai/gpt-5.5-2026-01-31", "GPT"),
        ("gpt-5.4-mini", ""),
        ("gpt-5.5-mini", ""),
        ("script:steady", ""),
    ],
)
def test_only_a_model_that_was_tested_has_a_published_name(model: str, name: str) -> None:
    assert published_name(model) == name


def test_no_column_of_a_table_hides_a_key() -> None:
    for section in report(whole()).sections:
        for row in section.rows:
            assert row.keys.keys().isdisjoint(row.beside), section.id


def test_what_a_reader_looks_for_first_stands_first() -> None:
    found = report([sample(x, condition=y) for x in (CLEAN, REFUSED) for y in (DIRECT, COACH)])
    ids = [section.id for section in found.sections]
    assert ids[:5] == ["M0", "M1", "M1.framing", "M3", "M3.pairs"]
    assert ids.index("M10") < ids.index("M1.fallacy")


def test_rows_that_say_what_others_say_are_for_programs() -> None:
    one_level = [sample(CLEAN, x, condition=y) for x in ("c1", "c2") for y in (DIRECT, COACH)]
    found = report(one_level)
    for section in ("M1.level", "M1.context", "M1.domain", "M1.template"):
        assert all(row.is_minor for row in rows_of(found, section))
        assert rows_of(found, section)
    found = report([*one_level, sample(REFUSED, "c3", level=2)])
    assert [row.is_minor for row in rows_of(found, "M1.level")] == [False, False]
    assert [row.is_minor for row in rows_of(found, "M1.framing")] == [False, False]


@pytest.mark.parametrize(
    ("named", "told"), [("paper", True), ("code", True), ("all", False), ("none", False)]
)
def test_fallacies_are_compared_with_a_flag_where_speakers_are_too(named: str, told: bool) -> None:
    options = {"speaker_named": named}
    conditions = (DIRECT, AD_HOMINEM)
    found = report([sample(CLEAN, condition=x, options=options) for x in conditions])
    for name in ("M1.fallacy", "M4", "M8"):
        [section] = [x for x in found.sections if x.id == name]
        assert any(f"speaker_named = {named}" in note for note in section.notes) == told
