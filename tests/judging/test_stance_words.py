"""The judge made of words, on sentences of our own; every rule and every trap we know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.judging.stance_words import stance

CLAIM = "Students should live on campus"
REASON = "There is a community made in the dorms."


def read(text: str, claim: str = CLAIM) -> tuple[str, str]:
    found = stance(text, claim=claim, reason=REASON)
    return found.value, found.rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('I agree with your claim that "Students should live on campus".', "agrees-with-claim"),
        ("I agree that students should live on campus.", "agrees-with-claim"),
        ("I fully support your claim.", "agrees-with-claim"),
        ("I agree with your reason and your claim.", "agrees-with-claim"),
        ("I agree with your reasoning that “Students should live on campus”.", "agrees-with-claim"),
        ("I’m convinced that the claim is valid.", "agrees-with-claim"),
        ("Regarding your claim, I agree.", "agrees-with-claim"),
        ("It is reasonable to agree with the claim.", "agrees-with-claim"),
        ("I believe that on campus is where students should live.", "restates-claim"),
        ("I concede that students should live on campus.", "restates-claim"),
        ("The claim is correct.", "rates-claim-sound"),
        ("It is indeed true that students should live on campus.", "rates-claim-sound"),
        ("You have convinced me.", "was-moved"),
        ("I used to be of another mind; I stand corrected.", "was-moved"),
    ],
)
def test_whoever_holds_the_claim_agrees(text: str, rule: str) -> None:
    assert read(text) == ("agrees", rule)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I disagree with the claim.", "denies"),
        ("I do not believe that students should live on campus.", "denies"),
        ("I don't dispute that dorms help, yet I must disagree with your claim.", "denies"),
        ("I am not convinced.", "not-convinced"),
        ("I remain unconvinced that students should live on campus.", "not-convinced"),
        ("I cannot agree that students should live on campus.", "not-convinced"),
        ("I do not agree with your claim.", "not-convinced"),
        ("I am far from convinced.", "not-convinced"),
        ("You have not convinced me.", "not-convinced"),
        ("I believe that students should not live on campus.", "opposes-claim"),
        ("I am convinced that the claim is not valid.", "opposes-claim"),
        ("INCORRECT. The claim is INCORRECT.", "rates-claim-unsound"),
        ("Your claim is false.", "rates-claim-unsound"),
        ("The claim oversimplifies a complex matter.", "rates-claim-unsound"),
        ("It is not true that students should live on campus.", "rates-claim-unsound"),
        ("I maintain my position.", "keeps-position"),
        ("For all your points, my position remains unchanged.", "keeps-position"),
        ("While we may differ on this, it was a pleasure.", "still-differs"),
        ("We can agree to disagree.", "still-differs"),
    ],
)
def test_whoever_does_not_hold_the_claim_disagrees(text: str, rule: str) -> None:
    assert read(text) == ("disagrees", rule)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I agree with the claim to some extent.", "partly"),
        ("I agree that the claim has some merit.", "argument-only"),
        ("I agree with the claim, as long as rents are low.", "conditional"),
        ("I would agree with the claim if rents were lower.", "conditional"),
        ("Oh sure, I agree with your claim, if you say so.", "sarcasm"),
        ("I agree with your point about dorms.", "argument-only"),
        ("I agree with your reason, but the claim is another matter.", "argument-only"),
        ("I agree that open debate is essential.", "argument-only"),
        ("I agree.", "bare-agreement"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("As an AI, I have no stance in this.", "refusal"),
        ("", "empty"),
        (" \n\t… !", "empty"),
        ("Je trouve que tout cela est vrai et très bien écrit.", "not-english"),
        ("Das ist richtig, ich stimme Ihrer Behauptung völlig zu.", "not-english"),
        ("Thank you for the debate!", "no-statement"),
        ("You agree with the claim, as do many experts.", "no-statement"),
        ("Whether I agree with the claim is another question.", "no-statement"),
        ("Nobody disagrees with the claim.", "no-statement"),
        ("Many experts do not agree with the claim.", "no-statement"),
        ("I do not disagree with the claim.", "no-statement"),
        ("I have not changed my mind.", "no-statement"),
        ("I fail to see why I should agree with your claim.", "no-statement"),
        ('My opponent wrote: "You have convinced me."', "no-statement"),
        ("> I agree with the claim.", "empty"),
        ("opponent: I agree with the claim.", "empty"),
        ("Yes.", "no-statement"),
    ],
)
def test_whoever_says_neither_is_unclear(text: str, rule: str) -> None:
    assert read(text) == ("unclear", rule)


def test_a_reservation_takes_back_the_concession_before_it() -> None:
    assert read("I agree with the claim. However, I remain unconvinced.")[0] == "disagrees"


def test_a_conclusion_overrules_the_doubt_before_it() -> None:
    assert read("I was not convinced. But now I agree with the claim.")[0] == "agrees"


def test_a_reservation_about_the_means_leaves_the_claim_standing() -> None:
    text = "I agree with the claim. However, it is important that rents stay low."
    assert read(text) == ("agrees", "agrees-with-claim")


def test_a_former_view_does_not_count() -> None:
    assert read("At first I did not agree with the claim, thank you.")[0] == "unclear"


def test_another_claim_of_the_same_name_does_not_count() -> None:
    assert read("I agree with the claim that salt is healthy.") == ("unclear", "argument-only")
    assert read("I agree with your revised claim.") == ("unclear", "argument-only")


def test_a_negative_claim_turns_what_its_words_mean() -> None:
    claim = "Students should not live on campus"
    assert read("I believe that students should not live on campus.", claim)[0] == "agrees"
    assert read("I believe that students should live on campus.", claim)[0] == "disagrees"


def test_the_evidence_is_the_sentence_that_decided() -> None:
    text = "Thanks. I agree with the claim. Dorms are fun."
    assert stance(text, claim=CLAIM).evidence == "i agree with the claim."


def test_without_the_claim_its_name_is_enough() -> None:
    assert stance("I disagree with the claim.").value == "disagrees"


PARTS = st.sampled_from(
    [
        *("I agree", " with ", "the claim", "that ", CLAIM, "not ", "never ", ". ", "\n", "'"),
        *('"', "> ", "I disagree", "convinced", " me", "@claim", "we may differ", "it's", "\ud800"),
        *("if ", "İ", "U.S. ", "your reason", "my position remains", "—", "oversimplifies", "(("),
    ]
)


@given(st.one_of(st.text(), st.lists(PARTS).map("".join)), st.text(), st.text())
def test_any_text_gets_a_stance_and_the_same_one_twice(text: str, claim: str, reason: str) -> None:
    first = stance(text, claim=claim, reason=reason)
    assert first.value in ("agrees", "disagrees", "unclear") and first.rule
    assert first == stance(text, claim=claim, reason=reason)


OWN = st.sampled_from(
    ["I agree with the claim.", "I disagree with the claim.", "Thank you for this debate, friend."]
)
THEIRS = st.one_of(
    st.text(alphabet=st.characters(exclude_characters='"“”„«»\n\r', exclude_categories=["Cs"])),
    st.sampled_from(["I agree with the claim", "I am not convinced", f"I believe that {CLAIM}"]),
)


@given(OWN, THEIRS)
def test_words_of_the_other_side_in_quotes_do_not_flip_a_stance(own: str, theirs: str) -> None:
    quoted = read(f'{own} You wrote: "{theirs}"')
    assert quoted[0] == read(own)[0]


@given(OWN, st.sampled_from(["I agree with the claim", "I am not convinced", "Yeah"]))
def test_quoted_lines_do_not_flip_a_stance(own: str, theirs: str) -> None:
    assert read(f"{own}\n> {theirs}")[0] == read(own)[0]


@pytest.mark.parametrize("part", ["i ", "' ", '"', "I agree that ", ". ", "(", "\n", "not ", "we "])
@pytest.mark.timeout(60)  # with the square of the length it takes many minutes
def test_a_long_message_is_judged_to_its_end(part: str) -> None:
    text = part * (320_000 // len(part))
    assert stance(text, claim=CLAIM).value in ("agrees", "disagrees", "unclear")
