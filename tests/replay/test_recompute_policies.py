"""Our own debates by other policies: exact where they stop earlier, censored where they go on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.replay._plays import Told, logged, read, write
from tests.replay._rounds import (
    ASTRAY,
    CALM,
    FIRST,
    POLITE,
    SURE,
    SURE_AND_POLITE,
    Copy,
    again,
    ends,
    one,
    says,
    whole,
)

from eristic.debate import EpisodeClosed, Failed, TurnSpoken
from eristic.debate.errors import SpecRefused
from eristic.replay import replay

CASES = [
    ("logicom-master", (CALM, SURE), "convinced, convinced @2"),
    ("logicom-master", (CALM, POLITE), "not_convinced, pleasantries @2"),
    ("logicom-master", (CALM,), "not_convinced, round_limit @10"),
    ("convinced-twice", (CALM, SURE), "goes_on @2"),
    ("convinced-twice", (CALM, POLITE), "not_convinced, pleasantries @2"),
    ("convinced-twice", (SURE_AND_POLITE,), "not_convinced, pleasantries @1"),
    ("round-limit=3", (CALM,), "not_convinced, round_limit @3"),
    ("round-limit=3", (CALM, SURE), "convinced, convinced @2"),
    ("round-limit=1", (CALM, SURE), "not_convinced, round_limit @1"),
    ("round-limit=12", (CALM,), "goes_on @10"),
    ("topic=off", (CALM, ASTRAY), "goes_on @2"),
    ("topic=on", (CALM, ASTRAY), "not_convinced, off_topic @2"),
    ("panel=unanimous", (CALM, SURE), "convinced, convinced @2"),
    ("panel=majority", (CALM, POLITE), "not_convinced, pleasantries @2"),
    ("panel=single", (CALM, SURE), "convinced, convinced @2"),
    ("order=pleasantry", (SURE_AND_POLITE,), "not_convinced, pleasantries @1"),
    ("order=topic,pleasantry", (SURE_AND_POLITE,), "not_convinced, pleasantries @1"),
    ("first-conviction", (CALM, SURE_AND_POLITE), "convinced, convinced @2"),
    ("final-round", (CALM, SURE), "convinced, convinced @2"),
    ("final-round", (CALM, POLITE), "not_convinced, pleasantries @2"),
    ("any-conviction", (CALM, SURE), "convinced, convinced @2"),
    ("any-conviction", (CALM, POLITE), "not_convinced, pleasantries @2"),
]


@pytest.mark.parametrize(("policy", "told", "expected"), CASES)
def test_a_debate_of_one_moderator_by_another_policy(
    policy: str, told: tuple[Copy, ...], expected: str
) -> None:
    assert ends(again(one(*told), policy)) == [expected]


PANEL = {"moderator_panel": 3, "panel_rule": "unanimous", "topic_check": "ignored"}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("logicom-master", "convinced, convinced @4"),
        ("panel=single", "convinced, convinced @2"),
        ("panel=majority", "convinced, convinced @3"),
        ("convinced-twice", "goes_on @4"),
        ("topic=on", "convinced, convinced @4"),
        ("round-limit=2", "not_convinced, convinced @2"),
        ("round-limit=3", "not_convinced, convinced @3"),
        ("any-conviction", "convinced, convinced @4"),
        ("final-round", "convinced, convinced @4"),
    ],
)
def test_a_debate_of_three_moderators_by_another_policy(policy: str, expected: str) -> None:
    told = ((CALM, CALM, CALM), (SURE, CALM, CALM), (SURE, SURE, CALM), (SURE, SURE, SURE))
    assert ends(again(one(*told, **PANEL), policy)) == [expected]


def test_without_a_policy_an_episode_follows_its_own_rules_and_nothing_changes() -> None:
    found = again(one(CALM, CALM, SURE))
    effect = whole(found, "logicom-master")
    assert found.policies == ("logicom-master.v1",)
    assert (effect.n, effect.same, effect.flips, effect.undecided) == (1, 1, 0, 0)


def test_every_policy_is_decided_by_itself_and_a_repeated_one_once() -> None:
    found = again(one(CALM, CALM, SURE), "round-limit=2", "convinced-twice", "round-limit.v1=2")
    assert found.policies == ("round-limit.v1=2", "convinced-twice.v1")
    assert ends(found) == ["not_convinced, round_limit @2", "goes_on @3"]


def test_a_flip_names_the_turns_that_it_rests_on() -> None:
    (episode,) = again(one(CALM, CALM, SURE), "round-limit=2").episodes
    assert episode.change(0) == "flipped"
    assert (episode.outcome, episode.reason, episode.round) == ("convinced", "convinced", 3)
    # Round 2: the debater speaks in turn 6, its checks are the three turns behind it.
    assert episode.decided[0].inputs == (7, 8, 9)


def test_the_same_outcome_in_an_earlier_round_is_moved_not_flipped() -> None:
    (episode,) = again(one(CALM), "round-limit=4").episodes
    assert episode.change(0) == "moved"


def test_defaults_and_re_asks_count_as_they_did() -> None:
    """Unreadable to the end is not convinced; a re-ask that was read is what it said."""
    told = (says("maybe"), says("maybe", "true"))
    found = again(one(*told), "logicom-master", "round-limit=1")
    assert ends(found) == ["convinced, convinced @2", "not_convinced, round_limit @1"]


def test_an_outcome_of_defaults_alone_is_marked_and_counted() -> None:
    """Round 1 cannot be read, round 2 can: by a limit of 1 only the default is left."""
    found = again(one(says("maybe"), CALM, SURE), "round-limit=1", "round-limit=2")
    (episode,) = found.episodes
    assert [x.by_default for x in episode.decided] == [True, False]
    effect = whole(found, "round-limit.v1=1")
    assert (effect.by_default_before, effect.by_default_exact) == (0, 1)


def test_a_recorded_outcome_of_defaults_alone_stays_marked() -> None:
    effect = whole(again(one(says("maybe"))), "logicom-master")
    assert (effect.by_default_before, effect.by_default_exact) == (1, 1)


def test_a_round_judged_by_the_fallback_model_counts_for_a_fresh_counter() -> None:
    """The replacement begins at 0, so the third unconvinced round of its own is the limit."""
    failed = Failed(error="timeout", message="no answer")
    told = (CALM, says(failed, "false"), CALM)
    options = {"fallback_counter": "fresh", "round_limit": 3}
    found = again(one(*told, **options), "logicom-master", "round-limit=2", "round-limit=4")
    assert ends(found) == [
        "not_convinced, round_limit @4",
        "not_convinced, round_limit @3",
        "goes_on @4",
    ]


def test_what_stands_behind_an_earlier_stop_changes_nothing() -> None:
    """C1: every text and reading after round 2 is poisoned; the policy stopped before them."""
    records = one(CALM, CALM, SURE)

    def poisoned(told: Told) -> Told:
        # The turns of round 2 end with 9.
        return [
            (
                episode,
                replace(event, text="true", reading=replace(event.reading, value="true"))
                if isinstance(event, TurnSpoken) and event.turn > 9 and event.reading
                else event,
                moment,
            )
            for episode, event, moment in told
        ]

    other = write(poisoned(read(records)))
    assert other != records
    (before,), (after,) = (again(x, "round-limit=2").episodes for x in (records, other))
    assert before.decided == after.decided


def test_what_stands_behind_the_close_is_not_even_read() -> None:
    records = one(CALM, SURE)
    place = max(n for n, (episode, _) in enumerate(records) if episode == FIRST)
    more = [*records[: place + 1], (FIRST, b"no event at all"), *records[place + 1 :]]
    assert again(more, "convinced-twice") == again(records, "convinced-twice")


def test_a_flip_is_measured_against_the_recorded_close() -> None:
    told = read(one(CALM, SURE))
    claimed = [
        (
            episode,
            replace(event, outcome="not_convinced") if isinstance(event, EpisodeClosed) else event,
            moment,
        )
        for episode, event, moment in told
    ]
    effect = whole(again(write(claimed)), "logicom-master")
    assert effect.flipped == {"not_convinced -> convinced": 1}


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("convinced-twise", "Did you mean 'convinced-twice'"),
        ("round-limit", "write round-limit=N"),
        ("round-limit=0", "write round-limit=N"),
        ("topic=maybe", "write topic=on|off"),
        ("convinced-twice=2", "with nothing after it"),
        ("convinced-twice+topic=on", "no policy"),
    ],
)
def test_a_policy_that_is_not_there_is_refused(policy: str, says: str) -> None:
    with pytest.raises(SpecRefused, match=says.replace("|", r"\|")):
        again(one(CALM, SURE), policy)


async def test_a_whole_log_is_replayed_through_its_port() -> None:
    records = one(CALM, CALM, SURE)
    found = await replay(await logged(records), "r", policies=("round-limit=2",))
    assert found == again(records, "round-limit=2")
