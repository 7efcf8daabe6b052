from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.replay._judged import records, targets
from tests.replay._plays import NOON, Told, tell, write

from eristic.debate import (
    Counterpart,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Import,
    JudgementMade,
    TurnSpoken,
)
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.journal import Chain, extend
from eristic.judging import Docket
from eristic.replay.judge_verification import JudgeVerification, JudgeVerifier
from eristic.replay.judges import find_judge, seat, seat_human
from eristic.replay.label_files import judgements, read_labels
from eristic.replay.pairings import pair, singles
from eristic.replay.targets import Targets, read_targets


def changed(told: Told, change: Callable[[Event], Event]) -> Told:
    return [(episode, change(event), moment) for episode, event, moment in told]


def test_the_target_is_the_debaters_last_word_and_its_digest_is_of_the_stored_bytes() -> None:
    stored = records()
    found = read_targets(stored)
    assert len(found.targets) == 6
    for target in found.targets:
        lines = [line for episode, line in stored if episode == target.episode]
        bodies = [decode(line).body for line in lines]
        last = [
            (body, line)
            for body, line in zip(bodies, lines, strict=True)
            if isinstance(body, TurnSpoken) and body.role == "debater"
        ][-1]
        assert (target.turn, target.text) == (last[0].turn, last[0].text)
        assert target.digest == digest(last[1])
        assert (target.outcome, target.check) == ("not_convinced", "false")
        assert target.models == ("made-up-1", "made-up-0")


def test_open_and_silent_episodes_are_told_and_not_judged() -> None:
    told = tell(number=1)
    first, second, third = list(dict.fromkeys(x for x, _, _ in told if x != "run"))

    def keeps(episode: str, event: Event) -> bool:
        if episode == first:
            return not isinstance(event, EpisodeClosed)
        is_debater = isinstance(event, TurnSpoken) and event.role == "debater"
        return episode != second or not is_debater

    found = read_targets(write([x for x in told if keeps(x[0], x[1])]))
    assert (found.open, found.silent) == ((first,), (second,))
    assert [target.episode for target in found.targets] == [third]


def test_an_imported_turn_that_was_never_sent_is_not_what_was_said_last() -> None:
    told = tell(number=1)
    place = max(
        n for n, x in enumerate(told) if isinstance(x[1], TurnSpoken) and x[1].role == "debater"
    )
    episode, event, moment = told[place]
    assert isinstance(event, TurnSpoken)
    told[place] = (episode, replace(event, remarks=("unsent",)), moment)
    (target,) = [x for x in read_targets(write(told)).targets if x.episode == episode]
    assert target.turn < event.turn


def test_bytes_that_are_no_event_are_refused_by_name() -> None:
    with pytest.raises(LogDamaged):
        read_targets([("e1", b"{")])
    line = records()[1][1].replace(b"episode.opened.v1", b"episode.opened.v9")
    with pytest.raises(LogTooNew, match="newer"):
        read_targets([("e1", line)])


def test_forks_are_paired_with_their_parents_and_cells_with_the_other_runs() -> None:
    mine = targets()
    fork = replace(mine[1], episode="f1", parent=f"r/{mine[0].episode}", digest="other")
    (matter,) = pair("r", [*mine, fork])
    assert (matter.target, matter.other, matter.other_run) == (fork, mine[0], "")
    theirs = [replace(x, digest=f"d{n}") for n, x in enumerate(mine[:2])]
    found = pair("r", mine, against="s", others=theirs)
    assert [(x.target, x.other) for x in found] == list(zip(mine[:2], theirs, strict=True))


def imported() -> Targets:
    facts = iter(range(100))

    def change(event: Event) -> Event:
        if not isinstance(event, EpisodeOpened):
            return event
        source = Import(
            layout="x.v1", path="p", sha256="0", facts={"chat_id": next(facts), "model": "m"}
        )
        return replace(event, imported=source)

    return read_targets(write(changed(tell(number=2), change)))


def test_labels_are_taken_by_episode_or_by_facts_and_every_other_line_is_told() -> None:
    found = imported()
    one, two = found.targets[:2]
    lines = [
        "episode,chat_id,turn,value,remark,annotator",
        f'{one.episode},,{one.turn},agrees,"says so, twice",ann',
        f",{two.facts['chat_id']},,unclear,,",
        f"{one.episode},,,disagrees,,ann",
        "e000000000000,,,agrees,,ann",
        ",99,,agrees,,ann",
        f"{found.targets[2].episode},,,AGREES,,ann",
        f"{found.targets[3].episode},,1,agrees,,ann",
        ",,,agrees,,ann",
        f"{found.targets[4].episode},,,agrees,,bob",
        f"{found.targets[5].episode},,,,no idea,ann",
    ]
    scale = ("agrees", "unclear", "disagrees")
    taken = read_labels(
        "l.csv", "\n".join(lines).encode(), singles(found.targets), values=scale, annotator="ann"
    )
    assert [(x.line, x.target, x.value) for x in taken.labels] == [
        (2, one, "agrees"),
        (3, two, "unclear"),
        (11, found.targets[5], None),
    ]
    assert [x.line for x in taken.problems] == [4, 5, 6, 7, 8, 9]
    assert taken.of_others == 1
    told = " ".join(x.what for x in taken.problems)
    for fact in ("line 2", "not in this run", "chat_id='99'", "'AGREES'", "turn '1'", "no episode"):
        assert fact in told
    events = judgements(taken, Docket(), source="l.csv")
    assert [event.status for event in events] == ["scored", "scored", "unscored"]
    assert (events[0].text, events[2].cause) == ("says so, twice", "blank")
    assert events[0].evidence == "l.csv, line 2"


def test_labels_that_are_known_make_no_event_and_a_changed_one_is_a_correction() -> None:
    found = targets()
    docket = Docket()

    def take(value: str) -> list[JudgementMade]:
        line = f'{{"episode": "{found[0].episode}", "value": "{value}"}}'.encode()
        labels = read_labels(
            "l.jsonl", line, singles(found), values=("agrees", "unclear"), annotator="ann"
        )
        events = judgements(labels, docket, source="l.jsonl")
        for event in events:
            docket.take(event)
        return events

    assert [(x.value, x.attempt) for x in take("agrees")] == [("agrees", 0)]
    assert take("agrees") == []
    assert [(x.value, x.attempt) for x in take("unclear")] == [("unclear", 1)]


def verified(*events: Event, chain: str = "judge-1", forge: bool = False) -> JudgeVerification:
    opened = seat(find_judge("stance-words"), software="eristic 0").opened
    stored, _ = extend(Chain.empty(run="r", episode=chain), [opened, *events], time=NOON)
    if forge:
        stored[1] = stored[1].replace(b'"agrees"', b'"unclear"')
    verifier = JudgeVerifier("r")
    for line in stored:
        verifier.take(chain, line)
    for episode, line in records():
        verifier.see(episode, line)
    return verifier.close()


def judgement(**changes: object) -> JudgementMade:
    target = targets()[0]
    event = JudgementMade(
        episode=target.episode,
        turn=target.turn,
        target=target.digest,
        status="scored",
        value="agrees",
    )
    return replace(event, **changes)


def test_judgements_that_point_at_the_log_are_whole() -> None:
    other = targets()[1]
    side = Counterpart(episode=other.episode, turn=other.turn, target=other.digest)
    found = verified(judgement(), judgement(other=side), judgement(status="unscored", value=None))
    assert (found.found, found.judgements, found.unscored, found.chains) == (0, 3, 1, 1)


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (judgement(target="0" * 64), "not in the run's log"),
        (judgement(turn=999), "points at turn"),
        (judgement(value="convinced"), "none of this judge's"),
        (judgement(status="unscored"), "status unscored with value"),
        (judgement(other=Counterpart(episode="e1", turn=1, target="1" * 64)), "not in the run's"),
        (seat_human("ann", software="").opened, "cannot stand here"),
    ],
)
def test_a_judgement_that_does_not_hold_is_found(event: Event, says: str) -> None:
    found = verified(event)
    assert found.found == 1
    assert says in found.findings[0].what


def test_a_changed_judgement_breaks_its_chain() -> None:
    found = verified(judgement(), judgement(attempt=1), forge=True)
    assert [x.position for x in found.findings] == [2]
    assert "digest of the event before" in found.findings[0].what
