"""From events to facts: what of a debate counts, and what it is counted as."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.protocols.logicom._metrics import facts, main, report, section, value
from tests.replay._plays import HELP, Answers, Told, spoke, tell, troubled, usual, write

from eristic.debate import EpisodeOpened, Failed, Lineage, Outcome, RunOpened
from eristic.debate.envelopes import decode
from eristic.protocols import Due
from eristic.protocols.logicom.metrics import Debate, DebateCollector, RunFacts

FALLACIOUS = ("fallacious_helper",)


def collected(told: Told, turns: frozenset[tuple[str, int]] = frozenset()) -> RunFacts:
    collector = DebateCollector(turns)
    for _, stored in write(told):
        collector.take(decode(stored), stored)
    return collector.close()


def only(told: Told) -> Debate:
    (found,) = collected(told).debates
    return found


def convinced_in(number: int) -> Answers:
    """The moderator says so from that round on; without helper a round has five turns."""

    def answers(due: Due) -> Outcome:
        if due.role == "conviction":
            return spoke(due, "true" if 1 + due.turn // 5 >= number else "false")
        return usual(due)

    return answers


def test_a_debate_convinced_in_its_first_round_did_not_begin_in_disagreement() -> None:
    found = only(tell(convinced_in(1), number=1, conditions=("no_helper",)))
    assert (found.convinced, found.rounds, found.first_check) == (True, 1, True)
    later = only(tell(convinced_in(2), number=1, conditions=("no_helper",)))
    assert (later.convinced, later.rounds, later.first_check) == (True, 2, False)


def test_both_initial_rules_are_defined_for_our_own_debates() -> None:
    run = collected(tell(convinced_in(2), number=2, conditions=("no_helper",)))
    found = report(run.debates)
    assert value(main(found, "M4", initial_rule="first_check")) == 1.0
    assert value(section(found, "M4").rows[0].beside["disagreed"]) == 0


def test_the_helpers_text_stands_for_the_draft_and_carries_its_label() -> None:
    found = only(tell(usual, number=1, conditions=FALLACIOUS, options={"round_limit": 3}))
    assert [(x.label, x.reply) for x in found.helped] == [("straw_man", 2), ("straw_man", 3)]
    assert found.persuader.utterances == 2
    assert found.persuader.words == 2 * len("Final words, agree?".split())
    assert found.debater.utterances == 3


def test_a_draft_that_no_reply_follows_was_never_sent() -> None:
    options = {"round_limit": 2, "check_timing": "after_persuader"}
    found = only(tell(usual, number=1, conditions=FALLACIOUS, options=options))
    assert found.debater.utterances == 2
    assert [x.reply for x in found.helped] == [2]


def test_a_helper_that_cannot_be_read_leaves_the_draft_and_no_label() -> None:
    def answers(due: Due) -> Outcome:
        return spoke(due, "no object") if due.role == "helper" else usual(due)

    found = only(tell(answers, number=1, conditions=FALLACIOUS, options={"round_limit": 2}))
    assert found.helped == ()
    assert found.persuader.words == len("Draft of turn 5.".split())
    assert found.calls["helper"].calls == 4


def test_a_verdict_that_nobody_could_read_is_no_outcome() -> None:
    def answers(due: Due) -> Outcome:
        return spoke(due, "who knows") if due.role == "conviction" else usual(due)

    found = only(tell(answers, number=1, conditions=("no_helper",), options={"round_limit": 1}))
    assert (found.convinced, found.counts) == (None, False)
    assert found.cause == "outcome by default: no conviction check could be read"


def test_a_round_that_could_not_be_read_is_told_and_is_no_first_check() -> None:
    def answers(due: Due) -> Outcome:
        is_first = due.role == "conviction" and due.turn < 5
        return spoke(due, "who knows") if is_first else usual(due)

    found = only(tell(answers, number=1, conditions=("no_helper",), options={"round_limit": 2}))
    assert (found.convinced, found.first_check, found.unread_rounds) == (False, None, 1)
    notes = section(report([found]), "M1").notes
    assert any("1 of them have 1 rounds whose conviction check" in note for note in notes)


def test_a_debate_that_failed_says_of_what() -> None:
    def answers(due: Due) -> Outcome:
        return Failed(error="server", message="gone") if due.role == "debater" else usual(due)

    found = only(tell(answers, number=1, conditions=("no_helper",)))
    assert found.cause == "failed: debater_failed (server)"
    assert found.calls["debater"].failed == 1


def test_an_open_debate_has_no_outcome() -> None:
    run = collected(tell(usual, number=1, steps=2))
    assert {x.cause for x in run.debates} == {"open: not finished"}


def test_a_run_that_has_only_begun_reports_all_as_not_begun() -> None:
    told = tell(usual, number=2)
    started = [entry for entry in told if isinstance(entry[1], RunOpened)]
    found = report((), opened=collected(started).opened)
    for m1 in section(found, "M1").rows:
        assert m1.main is not None
        assert str(m1.main.tally) == "n = 0 of 2; excluded 2 (not begun: 2)"


def test_a_branch_of_a_debate_in_the_run_does_not_count_twice() -> None:
    told = tell(usual, number=1, conditions=("no_helper",), options={"round_limit": 1})
    first = next(episode for episode, event, _ in told if isinstance(event, EpisodeOpened))
    lineage = Lineage(run="r", episode=first, position=3, digest="0" * 64)
    branch = [
        ("e000000000000", replace(event, parent=lineage), moment)
        if isinstance(event, EpisodeOpened)
        else ("e000000000000", event, moment)
        for episode, event, moment in told
        if episode == first
    ]
    run = collected([*told[:-1], *branch, told[-1]])
    found = main(report(run.debates), "M1")
    assert str(found.tally) == "n = 1 of 2; excluded 1 (branch of another debate of this run: 1)"


def test_only_judged_turns_are_digested() -> None:
    told = tell(usual, number=1, conditions=("no_helper",), options={"round_limit": 1})
    (plain,) = collected(told).debates
    assert plain.last_digest == ""
    assert plain.last_turn is not None
    (judged,) = collected(told, frozenset({(plain.episode, plain.last_turn)})).debates
    assert len(judged.last_digest) == 64


def test_troubled_debates_are_all_accounted_for() -> None:
    run = collected(tell(troubled, number=4))
    assert all(x.counts or x.cause for x in run.debates)
    assert sum(x.folds or 0 for x in run.debates) > 0
    assert run.swaps.keys() <= {"conviction", "pleasantry", "topic"}
    found = report(run.debates)
    folded = [x for x in section(found, "T1").rows if x.keys["debates"] == "with folding"]
    assert sum(x.main.tally.used for x in folded if x.main and x.main.tally) > 0


@pytest.mark.parametrize("label", ["Straw Man Fallacy", "strawman", "Logical Fallacy: Straw man"])
def test_spellings_of_a_label_are_one(label: str) -> None:
    def answers(due: Due) -> Outcome:
        text = HELP.replace("straw man", label)
        return spoke(due, text) if due.role == "helper" else usual(due)

    found = only(tell(answers, number=1, conditions=FALLACIOUS, options={"round_limit": 2}))
    assert [x.label for x in found.helped] == ["straw_man"]


def test_facts_are_the_same_in_any_order_of_reading() -> None:
    told = tell(troubled, number=2)
    chains: dict[str, Told] = {}
    for entry in told:
        chains.setdefault(entry[0], []).append(entry)
    turned = [entry for name in reversed(chains) for entry in chains[name]]
    one, other = collected(told), collected(turned)
    assert one.debates == other.debates
    assert facts(one.debates) == facts(other.debates)
