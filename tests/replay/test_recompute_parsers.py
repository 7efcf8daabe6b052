"""Answers to checks read again by another parser, before any policy decides."""

from __future__ import annotations

import pytest
from tests.replay._plays import spoke, tell, write
from tests.replay._rounds import CALM, POLITE, again, ends, imported, one, rounds, says, tale, whole

from eristic.debate import Failed
from eristic.debate.errors import SpecRefused

LOOSE = {"conviction": "contains_true"}
STRICT = {"conviction": "strict"}


def test_untrue_convinces_the_published_parser_only() -> None:
    """A3: `untrue` holds the letters of true."""
    records = one(CALM, says("This is untrue: false"), POLITE)
    assert ends(again(records, parsers=LOOSE)) == ["convinced, convinced @2"]
    assert ends(again(records, parsers=STRICT)) == ["not_convinced, pleasantries @3"]


def test_what_a_loose_parser_took_for_conviction_would_have_gone_on() -> None:
    records = one(CALM, says("Untrue. false"), verdict_parse="contains_true")
    assert ends(again(records)) == ["convinced, convinced @2"]
    assert ends(again(records, parsers=STRICT)) == ["goes_on @2"]


def test_a_text_that_is_read_now_needs_none_of_the_re_asks() -> None:
    """Strict could not read the first answer and asked again; the second answer is not used."""
    records = one(CALM, says("true or false", "false"), POLITE)
    assert ends(again(records, parsers=LOOSE)) == ["convinced, convinced @2"]


def test_a_text_that_cannot_be_read_now_would_have_been_asked_for_again() -> None:
    records = one(CALM, says("true? or not true"), verdict_parse="contains_true")
    found = again(records, "logicom-master", "round-limit=1", parsers=STRICT)
    assert ends(found) == ["not_recorded @2", "not_convinced, round_limit @1"]


def test_a_first_round_that_cannot_be_read_leaves_nothing_to_decide() -> None:
    records = one(says("true? or not true"), verdict_parse="contains_true")
    assert ends(again(records, parsers=STRICT)) == ["not_recorded @1"]


def test_rounds_behind_a_takeover_that_would_not_have_been_are_not_used() -> None:
    """Strict finds nothing outside the thinking, twice, so another model took over for good."""
    thought = "<think>hm</think>"
    records = one(CALM, says(thought, thought, "false"), CALM, POLITE)
    assert ends(again(records)) == ["not_convinced, pleasantries @4"]
    found = again(records, "logicom-master", "round-limit=2", parsers=LOOSE)
    assert ends(found) == ["not_recorded @3", "not_convinced, round_limit @2"]


def test_a_takeover_for_another_cause_stays() -> None:
    failed = Failed(error="timeout", message="no answer")
    records = one(CALM, says(failed, "false"), POLITE)
    assert ends(again(records, parsers=LOOSE)) == ["not_convinced, pleasantries @3"]


def test_the_parser_of_the_record_changes_nothing() -> None:
    records = write(
        tell(rounds(CALM, says("maybe", "Yes: true")), number=3, conditions=("no_helper",))
    )
    effect = whole(again(records, parsers=STRICT), "logicom-master")
    assert (effect.n, effect.same) == (3, 3)


def test_what_was_read_again_is_told() -> None:
    found = again(one(CALM, says("true")), parsers=LOOSE)
    assert found.parsers == {"conviction": "conviction.contains_true"}


def test_imported_episodes_among_ours_are_censored_for_want_of_texts() -> None:
    name, events = tale(2, "convinced", "convinced", case="other")
    mixed = one(CALM, says("untrue"), POLITE) + imported((name, events))[1:]
    effect = whole(again(mixed, parsers=LOOSE), "logicom-master")
    assert (effect.n, effect.censored) == (2, {"no_texts": 1})
    assert effect.flipped == {"not_convinced -> convinced": 1}


@pytest.mark.parametrize(
    ("parsers", "says"),
    [
        ({"conviction": "contains_truth"}, "Did you mean 'contains_true'"),
        ({"pleasantry": "contains_true"}, "no parser 'contains_true'. Known: strict"),
        ({"convicton": "strict"}, "Did you mean 'conviction'"),
        ({"helper": "fallacious"}, "no check 'helper'"),
    ],
)
def test_a_parser_that_is_not_there_is_refused(parsers: dict[str, str], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        again(one(CALM, {"conviction": ("true",)}), parsers=parsers)


def test_a_refusal_of_the_provider_stays_one_whatever_is_read() -> None:
    from tests.replay._plays import usual

    from eristic.debate import Outcome
    from eristic.protocols import Due

    def refused(due: Due) -> Outcome:
        if due.role == "conviction" and due.turn == 7 and due.rank == 0:
            return spoke(due, "That is true, and I refuse", refusal=True)
        if due.role == "pleasantry" and due.turn > 10:
            return spoke(due, "stop")
        return usual(due)

    records = write(tell(refused, number=1, conditions=("no_helper",)))
    assert ends(again(records, parsers=LOOSE)) == ["not_convinced, pleasantries @3"]
