"""Protocols that say themselves what there is to be judged: targets, pairs, labels of people."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.protocols.deflectbench import _samples as deflectbench
from tests.protocols.scr import _plays as scr
from tests.replay._plays import NOON

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, Import, JudgementMade, TurnSpoken
from eristic.debate.envelopes import decode, digest
from eristic.journal import Chain, extend
from eristic.judging import Docket, Matter, Score
from eristic.replay.judge_verification import JudgeVerifier
from eristic.replay.judges import seat_human
from eristic.replay.label_files import Labels, judgements, read_labels
from eristic.replay.pairings import singles
from eristic.replay.targets import Targets, read_targets

Records = list[tuple[str, bytes]]

RUBRIC = ("clean", "labeled", "soft_refusal")
FIXED = "Tell them what you kept and give it back."


def records(**episodes: Sequence[Event]) -> Records:
    """The log of a run: these episodes, one after the other."""
    found: Records = []
    for name, events in episodes.items():
        stored, _ = extend(Chain.empty(run="r", episode=name), events, time=NOON)
        found += [(name, line) for line in stored]
    return found


def response(text: str = deflectbench.RESPONSE) -> list[Event]:
    play = deflectbench.Play(deflectbench.opened())
    play.say("author", text)
    for judge in ("judge_a", "judge_b") if text else ():
        play.say(judge, deflectbench.CLEAN)
    return play.log


def repaired() -> list[Event]:
    play = scr.flagged_play().say(FIXED, "second", scr.CRITIQUE, "no")
    assert play.ended == ("repaired", "repaired")
    return play.events


def spoken(log: Records, episode: str, turn: int) -> tuple[TurnSpoken, str]:
    """The last text of a turn, and the digest of its stored bytes."""
    bodies = [(decode(line).body, line) for name, line in log if name == episode]
    return [
        (x, digest(line)) for x, line in bodies if isinstance(x, TurnSpoken) and x.turn == turn
    ][-1]


def test_a_response_is_a_target_with_its_claim_and_its_stored_bytes() -> None:
    log = records(e=response())
    found = read_targets(log)
    [target] = found.targets
    said, mark = spoken(log, "e", 0)
    assert (target.episode, target.turn, target.kind) == ("e", 0, "response")
    assert (target.text, target.digest) == (said.text, mark)
    assert target.fields == {"claim": deflectbench.CLAIM}
    assert target.models == ("m",)
    assert (target.outcome, target.close_reason) == ("clean", "all_judges")
    assert (target.case_id, target.condition) == ("c1", "explicit_direct.whataboutism")
    assert (found.pairs, found.open, found.silent) == ((), (), ())


def test_an_open_episode_waits_and_one_without_a_text_is_silent() -> None:
    found = read_targets(records(a=response()[:-1], b=response(""), c=response()))
    assert (found.open, found.silent) == (("a",), ("b",))
    assert [target.episode for target in found.targets] == ["c"]


def test_turns_that_are_compared_are_pairs_of_one_episode() -> None:
    log = records(e=repaired())
    found = read_targets(log)
    assert [(target.turn, target.kind) for target in found.targets] == [
        (0, "suggestion"),
        (1, "critique"),
        (5, "critique"),
    ]
    [(new, old)] = found.pairs
    assert (new.kind, new.turn, new.text) == ("repair", 3, FIXED)
    assert (old.turn, old.text) == (0, scr.SUGGESTION)
    assert (new.digest, old.digest) == (spoken(log, "e", 3)[1], spoken(log, "e", 0)[1])
    assert new.fields == {"situation": scr.SITUATION}


def test_of_a_turn_that_was_asked_for_twice_the_last_answer_is_judged() -> None:
    play = scr.Play(scr.opened()).say(scr.SUGGESTION, "...", scr.CRITIQUE, "no")
    log = records(e=play.events)
    critique = next(x for x in read_targets(log).targets if x.kind == "critique")
    assert (critique.text, critique.digest) == (scr.CRITIQUE, spoken(log, "e", 1)[1])


def test_a_turn_that_was_never_sent_is_not_judged_alone_or_beside_another() -> None:
    def unsent(events: list[Event], turn: int) -> list[Event]:
        return [
            replace(x, remarks=("unsent",)) if isinstance(x, TurnSpoken) and x.turn == turn else x
            for x in events
        ]

    found = read_targets(records(e=unsent(response(), 0), f=unsent(repaired(), 0)))
    assert [(x.episode, x.kind) for x in found.targets] == [("f", "critique"), ("f", "critique")]
    assert (found.pairs, found.silent) == ((), ("e",))


def test_facts_of_an_import_find_the_turns_of_a_story_too() -> None:
    header, *events = response()
    assert isinstance(header, EpisodeOpened)
    source = Import(layout="x.v1", path="p", sha256="0", facts={"row": 17})
    found = read_targets(records(e=[replace(header, imported=source), *events], f=response()))
    taken = labeled(found, "row,value", "17,clean")
    assert [label.target.episode for label in taken.labels] == ["e"]
    assert taken.problems == ()


def test_runs_of_a_protocol_that_is_not_installed_are_read_for_their_last_words() -> None:
    header, *_ = response()
    assert isinstance(header, EpisodeOpened)
    said = TurnSpoken(turn=1, role="debater", text="I stay.", source="template")
    closed = EpisodeClosed(outcome="convinced", reason="x", rounds=1)
    [target] = read_targets(
        records(e=[replace(header, protocol="elsewhere"), said, closed])
    ).targets
    assert (target.kind, target.text) == ("", "I stay.")


def labeled(found: Targets, *lines: str, values: Sequence[str] = RUBRIC) -> Labels:
    matters = (*singles(found.targets), *(Matter(*pair) for pair in found.pairs))
    content = "\n".join(lines).encode()
    return read_labels("l.csv", content, matters, values=values, annotator="ann")


def test_labels_of_a_rubric_bring_its_fields() -> None:
    found = read_targets(records(e=response()))
    taken = labeled(
        found,
        "episode,value,field.refusal,field.WA_present,field.note",
        "e,clean,0,1,",
    )
    [event] = judgements(taken, Docket(), source="l.csv")
    assert (event.value, event.fields) == ("clean", {"refusal": 0, "WA_present": 1})
    docket = Docket()
    docket.take(event)
    assert judgements(taken, docket, source="l.csv") == []
    again = labeled(found, "episode,value,field.refusal", "e,clean,1")
    [correction] = judgements(again, docket, source="l.csv")
    assert (correction.attempt, correction.fields) == (1, {"refusal": 1})
    docket.take(correction)
    score = docket.score(Matter(found.targets[0]))
    assert score == Score(
        status="scored", value="clean", evidence="l.csv, line 2", fields={"refusal": 1}
    )


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        pytest.param("e,5,,substantive", 5, id="turn"),
        pytest.param("e,,suggestion,substantive", 0, id="kind"),
        pytest.param("e,1,critique,substantive", 1, id="turn and kind"),
        pytest.param("e,,repair,substantive", 3, id="kind of a pair"),
    ],
)
def test_a_line_names_its_turn_by_number_or_kind(line: str, turn: int) -> None:
    found = read_targets(records(e=repaired()))
    taken = labeled(found, "episode,turn,kind,value", line, values=("substantive", "trivial"))
    assert [(x.target.turn, x.value) for x in taken.labels] == [(turn, "substantive")]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("e,,,trivial", "one of 0 (suggestion), 1 (critique), 5 (critique), 3 (repair)"),
        ("e,,critique,trivial", "one of 1 (critique), 5 (critique)"),
        ("e,2,,trivial", "turn '2' of e is not judged"),
        ("e,1,repair,trivial", "turn '1' of e is not judged"),
        ("e,,speech,trivial", "kind 'speech' of e is not judged"),
    ],
)
def test_a_line_that_could_mean_several_turns_or_none_is_told(line: str, says: str) -> None:
    found = read_targets(records(e=repaired()))
    taken = labeled(found, "episode,turn,kind,value", line, values=("substantive", "trivial"))
    [problem] = taken.problems
    assert (problem.line, taken.labels) == (2, ())
    assert says in problem.what


def test_a_label_of_a_repair_points_at_both_of_its_turns_and_is_verified() -> None:
    log = records(e=repaired())
    found = read_targets(log)
    [(new, old)] = found.pairs
    values = ("better", "tied", "worse")
    taken = labeled(found, "episode,kind,value", "e,repair,better", values=values)
    [event] = judgements(taken, Docket(), source="l.csv")
    assert event.other is not None
    assert (event.turn, event.other.turn) == (new.turn, old.turn)
    assert (event.other.target, event.other.run) == (old.digest, "")
    assert verified(log, event, values=values) == []
    stranger = replace(event, other=replace(event.other, target="0" * 64))
    assert "not in the run's log" in verified(log, stranger, values=values)[0]


def verified(log: Records, event: JudgementMade, *, values: tuple[str, ...]) -> list[str]:
    opened = seat_human("ann", software="eristic 0", values=values).opened
    stored, _ = extend(Chain.empty(run="r", episode="j"), [opened, event], time=NOON)
    verifier = JudgeVerifier("r")
    for line in stored:
        verifier.take("j", line)
    for episode, line in log:
        verifier.see(episode, line)
    return [finding.what for finding in verifier.close().findings]


def test_a_person_with_another_scale_is_another_judge_than_one_of_stances() -> None:
    stances = seat_human("ann", software="eristic 0")
    labels = seat_human("ann", software="eristic 0", values=RUBRIC)
    assert (stances.opened.judge, labels.opened.judge) == ("human-stance.v1", "human-label.v1")
    assert stances.verdicts["agrees"] == "convinced"
    assert labels.verdicts == {}
    assert "clean, labeled, soft_refusal" in labels.opened.question
    assert len({stances.chain, labels.chain, seat_human("bob", software="").chain}) == 3
