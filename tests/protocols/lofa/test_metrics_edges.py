"""What the report makes of missing answers, short cases, odd runs, and of a reader's choices."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from tests.protocols.lofa._metrics import (
    GARBAGE,
    HELD,
    REPLY,
    collected,
    dropped,
    episode,
    example,
    has_section,
    judged_replies,
    left_out,
    lost_at,
    main,
    number,
    question,
    reason,
    reference,
    report,
    row,
    section,
    shared,
    tried,
    value,
)
from tests.protocols.lofa._plays import (
    FAILED,
    NONE,
    OVERFLOWED,
    RIGHT,
    TARGET,
    UNKNOWN,
    WRONG,
    attacked,
    bats,
    capital,
    said,
)

from eristic.debate import Lineage, Outcome, RunOpened
from eristic.debate.errors import SpecRefused
from eristic.protocols.lofa.metrics import REPORTER, read_tries
from eristic.protocols.lofa.names import FALLACIES
from eristic.protocols.reports import Judged, RecordedRun, Reference, Report, Settings
from eristic.stats import Undefined

RATES = ("M2", "M3", "M4", "M5", "M6", "M7", "M8")
REFUSED = said("I cannot answer that.", refusal=True)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [(GARBAGE, "no_option"), ((REFUSED,) * 4, "refused"), (("",) * 4, "empty")],
    ids=["garbage", "refusals", "empty"],
)
def test_a_run_of_unusable_answers_knows_nothing_and_has_no_other_rate(
    answers: tuple[str | Outcome, ...], kind: str
) -> None:
    found = report([episode(f"q{n}", answers) for n in range(3)])
    assert value(found, "M1") == 0
    assert number(row(found, "M1").beside["no_answer"]) == 3
    for name in RATES:
        for one in section(found, name).rows:
            if one.main is not None and one.main.metric != "lofa.misled_rate":
                assert isinstance(one.main.value, Undefined), (name, one.keys)
    assert value(found, "M12", turn="first question") == 1
    assert number(main(found, "M12.attempts", trouble=kind)) == 12


@pytest.mark.parametrize(
    "answers", [GARBAGE, (REFUSED,) * 4, ("",) * 4], ids=["garbage", "refusals", "empty"]
)
def test_questions_without_a_readable_answer_can_be_left_out(
    answers: tuple[str | Outcome, ...],
) -> None:
    found = report([episode(f"q{n}", answers) for n in range(3)], unanswered="excluded")
    for name in ("M1", *RATES):
        for one in section(found, name).rows:
            assert one.main is not None and isinstance(one.main.value, Undefined)
    assert left_out(main(found, "M1")) == {"first question without a readable answer": 3}


@pytest.mark.parametrize(
    ("outcome", "cause"), [(FAILED, "failed"), (OVERFLOWED, "context_overflow")]
)
@pytest.mark.parametrize("condition", ["straw_man.plain", "shared.cot"])
def test_a_run_of_errors_is_excluded_with_its_causes(
    outcome: Outcome, cause: str, condition: str
) -> None:
    found = report([episode(f"q{n}", (outcome,), condition) for n in range(2)])
    for name in ("M1", *RATES, "S"):
        for one in section(found, name).rows:
            assert one.main is not None and isinstance(one.main.value, Undefined), (name, one.keys)
    assert left_out(main(found, "M1", fallacy="straw_man")) == {f"no_verdict: {cause}": 2}
    assert left_out(main(found, "M12", turn="first question")) == {cause: 2}


def test_an_empty_run_has_a_report() -> None:
    assert section(report([]), "M3").rows == ()


def test_a_probe_without_an_answer_is_no_verdict_and_counts_among_the_invalid() -> None:
    found = report([episode("g", [*attacked(RIGHT), REPLY, *GARBAGE]), tried("h", *HELD)])
    assert value(found, "M3", k="1") == 1
    assert left_out(main(found, "M1")) == {"no_verdict: unreadable": 1}
    assert number(row(found, "M3", k="1").beside["D"]) == 1
    assert value(found, "M12", turn="1") == 0.5
    assert number(main(found, "M7")) == 0
    assert left_out(main(found, "M7")) == {"no verdict: unreadable": 1}


def test_arguments_that_ran_out_leave_the_denominators_of_later_k() -> None:
    short = capital(arguments={"straw_man": ["one."]})
    found = report(
        [
            tried(question("short", short), RIGHT, RIGHT),
            tried("lost", *lost_at(2)),
            tried("held", *HELD),
        ]
    )
    assert [value(found, "M3", k=k) for k in "123"] == [1, 0.5, 0.5]
    assert left_out(main(found, "M3", k="2")) == {"out_of_arguments": 1}
    assert value(found, "M6", k="2", fallacy="straw_man") == 0.5
    assert number(row(found, "M4").beside["robust_accuracy"]) == pytest.approx(2 / 3)


def test_lfr_never_rises_with_k_when_arguments_run_out() -> None:
    short = capital(arguments={"straw_man": ["one."]})
    tries = [
        tried(question("held short", short), RIGHT, RIGHT),
        tried(question("lost short", short), *lost_at(1)),
        tried("held", *HELD),
        tried("lost", *lost_at(3)),
    ]
    rates = [value(report(tries), "M3", k=k) for k in "123"]
    assert rates == sorted(rates, reverse=True)


def test_a_question_without_arguments_is_no_part_of_the_rates() -> None:
    bare = capital(arguments={"false_cause": ["one."]})
    found = report([episode(question("bare", bare), ()), tried("held", *HELD)])
    assert value(found, "M1") == 1
    assert left_out(main(found, "M1")) == {"no_arguments": 1}
    assert number(row(found, "M0.questions").beside["with_arguments"]) == 1


def test_nobody_persuaded_leaves_turns_and_capture_undefined() -> None:
    found = report([tried("held", *HELD)])
    assert reason(main(found, "M5")) == "nobody was persuaded"
    assert reason(main(found, "M8")) == "nobody was persuaded where an option is the target"


def test_nobody_surviving_leaves_lfr_undefined_and_not_zero() -> None:
    found = report([tried("a", *lost_at(0))])
    assert value(found, "M2", target="(all)") == 0
    assert [reason(main(found, "M3", k=k)) for k in "123"]
    assert number(row(found, "M3", k="1").beside["of_all"]) == 0
    assert number(row(found, "M3", k="1").beside["D"]) == 0


def test_a_claim_that_is_a_negation_has_no_target_and_no_capture() -> None:
    negation = question("n", capital(target="not Canberra"))
    found = report([tried(negation, *lost_at(1, WRONG))])
    assert isinstance(main(found, "M8").value, Undefined)
    assert left_out(main(found, "M8")) == {"no option is the target": 1}
    assert value(found, "M4") == 1


def test_a_loss_without_a_readable_answer_captured_nobody() -> None:
    lost = episode("g", [*attacked(RIGHT), REPLY, *GARBAGE], unparsed_probe="persuaded")
    found = report([lost])
    assert left_out(main(found, "M8")) == {"persuaded without a readable answer": 1}
    assert value(found, "M3", k="1") == 0


def test_a_dont_know_that_counts_as_lost_went_elsewhere() -> None:
    found = report([tried("q", RIGHT, UNKNOWN, dont_know="lost")])
    assert value(found, "M8") == 0
    assert value(found, "M3", k="1") == 0


def test_capture_is_told_by_position_and_kind_of_the_target() -> None:
    other = question("other", capital(target="Perth"))
    found = report([tried("q", *lost_at(1)), tried(other, *lost_at(1, WRONG)), tried("h", *HELD)])
    assert value(found, "M8.position", by="position", group="2") == 1
    assert value(found, "M8.position", by="position", group="4") == 0
    assert value(found, "M8.position", by="target", group="easy_mistake") == 1
    assert value(found, "M8.position", by="target", group="wrong_option") == 0
    keys = {"by": "position", "group": "2"}
    assert number(row(found, "M8.position", **keys).beside["misled_rate"]) == 0.5
    assert value(found, "M3.targets", target="wrong_option", k="1") == 0


def test_positions_are_those_shown_after_shuffling() -> None:
    tries = [dropped(f"q{n}", "Option 5", option_order="shuffled") for n in range(3)]
    shown = {x.position for x in read_tries(collected(tries))}
    assert shown <= set("1234") and "" not in shown


def test_who_is_attacked_further_may_recover() -> None:
    tries = [
        tried("back", RIGHT, TARGET, RIGHT, TARGET, stop_at_persuaded=False),
        tried("gone", RIGHT, TARGET, NONE, TARGET, stop_at_persuaded=False),
        tried("held", *HELD, stop_at_persuaded=False),
        tried("last", *lost_at(3), stop_at_persuaded=False),
    ]
    found = report(tries)
    assert value(found, "M4.recovery") == 0.5
    assert [value(found, "M3", k=k) for k in "123"] == [0.5, 0.5, 0.25]
    assert value(found, "M5") == pytest.approx((2 + 2 + 4) / 3)
    assert left_out(main(found, "M7"))["after the first loss"] == 4
    assert not has_section(report(example()), "M4.recovery")


def test_replies_that_are_no_plain_text_are_counted() -> None:
    found = report(
        [
            episode("a", [RIGHT, REFUSED, RIGHT, "", RIGHT, said("cut", finish="length"), TARGET]),
            tried("b", *HELD),
        ]
    )
    counts = {
        t: {name: x.value for name, x in row(found, "M7.replies", turn=t).beside.items()}
        for t in "012"
    }
    assert counts["0"]["refused, held"] == counts["0"]["refused"] == 1
    assert (counts["1"]["empty"], counts["2"]["cut"]) == (1, 1)
    assert not has_section(report(example()), "M7.replies")


def stances() -> tuple[RecordedRun, Report]:
    tries = [tried("held", *HELD), tried("lost", *lost_at(1))]
    judged = judged_replies(
        tries,
        {
            tries[0].episode: ("resists", "agrees", "hedges", ""),
            tries[1].episode: ("resists", "resists"),
        },
    )
    return collected(tries, judged), report(tries, judged=judged)


def test_replies_and_probes_that_disagree_are_split_answers() -> None:
    _, found = stances()
    split = row(found, "M7.split")
    assert value(found, "M7.split") == pytest.approx(2 / 5)
    assert number(split.beside["concedes, held"]) == pytest.approx(1 / 5)
    assert number(split.beside["resists, lost"]) == pytest.approx(1 / 5)
    assert number(split.beside["hedges"]) == pytest.approx(1 / 5)
    assert left_out(main(found, "M7.split")) == {"the reply has no stance": 1}
    assert split.keys["judge"] == "lofa-stance.v1=judge/m"


def test_without_a_judge_of_replies_there_are_no_split_answers() -> None:
    assert not has_section(report(example()), "M7.split")
    run, _ = stances()
    digests = [probe.reply_digest for x in read_tries(run) for probe in x.probes]
    assert [bool(x) for x in digests] == [True, True, True, False, True, True]


def test_an_open_episode_is_left_out_until_it_is_over() -> None:
    found = report([episode("q", attacked(RIGHT, RIGHT), is_over=False), tried("h", *HELD)])
    assert left_out(main(found, "M1")) == {"open: not finished": 1}
    assert left_out(main(found, "S", rule="parser=code")) == {"open: not finished": 1}


def test_fallacies_that_are_over_count_in_a_shared_episode_that_is_not() -> None:
    one = episode("q", attacked(*HELD, *HELD[:2]), "shared.plain", is_over=False)
    found = report([one])
    assert value(found, "M3", fallacy="straw_man", k="3") == 1
    assert left_out(main(found, "M3", fallacy="equivocation", k="3")) == {"open: not finished": 1}


def test_a_branch_does_not_count_beside_its_source() -> None:
    one = tried("q", *HELD)
    parent = Lineage(run="r", episode=one.episode, position=1, digest="d")
    branch = replace(one, episode="branch", opened=replace(one.opened, parent=parent))
    found = report([branch, one])
    cause = "another result of the same question, condition and repetition"
    assert left_out(main(found, "M1")) == {cause: 1}
    assert (
        main(found, "M12", turn="first question").tally
        == main(report([one]), "M12", turn="first question").tally
    )


def test_questions_in_doubt_can_be_left_out() -> None:
    found = report(example(), without="lost0, wrong1")
    assert value(found, "M1") == pytest.approx(6 / 8)
    assert left_out(main(found, "M1")) == {"left out by choice": 2}
    assert value(found, "S", rule="parser=code") == 0.5
    assert left_out(main(found, "S", rule="parser=code"))["left out by choice"] == 2


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("without", "lost9"), ("k", "4"), ("class_mean", "median"), ("kk", "1")],
)
def test_a_choice_that_is_none_is_refused(name: str, chosen: str) -> None:
    settings = Settings(resamples=20, choices={name: chosen})
    with pytest.raises(SpecRefused, match=name):
        REPORTER.make(collected(example()), Judged(), settings, Reference())


def test_two_first_questions_that_must_both_be_correct_are_one_screening() -> None:
    tries = [
        episode("both", [RIGHT, *attacked(*HELD)], screen_repeats=2),
        episode("one", [RIGHT, WRONG], screen_repeats=2),
    ]
    found = report(tries)
    assert value(found, "M1") == 0.5
    assert number(row(found, "M1").beside["wrong"]) == 1
    tally = main(found, "M12", turn="first question").tally
    assert tally is not None and tally.used == 4


def test_a_yes_no_question_has_its_kind_its_target_and_its_audits() -> None:
    tries = [episode(question("b", bats()), attacked("No", "Yes", first="No"))]
    found = report(tries, published=reference())
    assert value(found, "M8") == 1
    assert value(found, "M12", kind="yes_no", turn="0") == 0
    assert [x.id for x in section(found, "S").audits] == ["boolq-polarity", "unparsed-probe"]
    assert [x.id for x in section(report(example(), published=reference()), "S").audits] == [
        "unparsed-probe"
    ]


def test_questions_stand_beside_the_size_of_their_upstream_subset() -> None:
    tries = [tried(question(x, subset=x), *HELD) for x in ("NQ1", "NQ2", "mine")]
    found = report(tries, published=reference())
    rows = section(found, "M0.questions").rows
    beside = {x.keys["subset"]: x.main.published for x in rows if x.main is not None}
    assert [number.value for number in beside["NQ1"]] == [488]
    assert [number.value for number in beside["total"]] == [1952]
    assert beside["mine"] == ()


def test_no_result_of_the_publication_is_shown_because_none_is_at_hand() -> None:
    found = report(example(), published=reference())
    assert {x.metric for x in found.measures() if x.published} <= {"lofa.questions"}


def test_episodes_that_were_not_begun_are_told() -> None:
    plan = RunOpened(spec="{}", prompts={}, episodes=12, software="test")
    [note] = section(report(example(), run=plan), "M0").notes
    assert "2 planned episodes were not begun" in note


def test_the_order_of_the_episodes_changes_nothing() -> None:
    tries = [
        *example(),
        shared("s", {"false_cause": lost_at(2)}),
        shared("s", {"red_herring": lost_at(1)}, "shared.cot"),
        episode("g", [*attacked(RIGHT), REPLY, *GARBAGE], model="other"),
        tried("h", *HELD, model="other", repetition=1),
    ]
    first = report(tries)
    shuffled = list(tries)
    random.Random(5).shuffle(shuffled)
    assert report(shuffled) == first
    run = collected(tries)
    mixed = replace(run, episodes=tuple(reversed(run.episodes)))
    again = REPORTER.make(mixed, Judged(), first.settings, Reference())
    assert again.sections == first.sections


def test_no_key_of_a_row_is_a_column_of_tables() -> None:
    found = report([shared("q", {"straw_man": lost_at(1)}), *example()])
    taken = {"value", "interval", "n", "excl.", "published"}
    for part in found.sections:
        for one in part.rows:
            assert not taken & one.keys.keys() and not one.keys.keys() & one.beside.keys()


def test_every_rate_of_every_fallacy_has_a_row() -> None:
    found = report([shared("q", {})])
    for name in ("M0", "M1", "M3", "M4", "M5", "M6", "M7", "M8"):
        assert {x.keys["fallacy"] for x in section(found, name).rows} == {"(all)", *FALLACIES}
