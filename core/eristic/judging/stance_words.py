"""A judge made of words: does the author of a message now hold the claim to be correct?

Small, transparent and free: it calls no model, and every verdict names the rule and the passage
that led to it. English only. How often it is wrong is measured against hand labels, see
`data/README.md`.

How a message is read (`stance-words.v1`):

1. Quotations are taken out, so that nobody is judged by what the other side said. A quotation of
   the claim or of the reason stays as such, and so do both where they stand without quotes.
2. In every sentence, cues open statements of stance: words of agreement, of denial, of keeping a
   position, of having been moved, of still differing, and what is said of the claim. A statement
   counts when it is the author's own ("you agree" does not), not a hypothesis ("whether I
   agree"), and about the claim: named, quoted, or told again in its own words.
3. A negation turns a statement. A part or a condition ("to some extent", "as long as") makes it
   unclear. Agreement with a reason or a point is no agreement with the claim.
4. The last statement that counts decides. So a concession gives way to the reservation that takes
   it back, and a doubt at the beginning to the conviction at the end.
5. Without any such statement the stance is unclear; the rule says what the message was instead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec

from eristic.judging._stance_claims import (
    CLAIM_ITSELF,
    NEAR_CHARS,
    Known,
    is_unsound,
    known,
    object_of,
    plain_form,
    told_again,
    words,
)
from eristic.judging._stance_lexicon import (
    CONDITION,
    CUE,
    DOUBT,
    ENGLISH,
    FORMERLY,
    HYPOTHESIS,
    MODAL,
    NEGATION,
    NOT_BEHIND,
    OBJECT,
    OPENER,
    PARTLY,
    REFUSAL,
    REFUSAL_HINTS,
    SARCASM,
    SUBJECT,
    TRUE_THAT,
)

__all__ = ["STANCE_WORDS", "Stance", "stance"]

STANCE_WORDS = "stance-words.v1"
"""Id of the judge with the version of its rules; other rules, other version."""

Side = Literal["agrees", "disagrees", "unclear"]


class Stance(msgspec.Struct, frozen=True, kw_only=True):
    """What a message holds of a claim, and why it was read so."""

    value: Side
    rule: str
    """Decisive: `agrees-with-claim`, `restates-claim`, `rates-claim-sound`, `was-moved`; `denies`,
    `not-convinced`, `opposes-claim`, `rates-claim-unsound`, `keeps-position`, `still-differs`.
    Unclear: `partly`, `conditional`, `sarcasm`, `argument-only`, `bare-agreement`, `refusal`,
    `empty`, `not-english`, `no-statement`. A text of quotations only is `empty` too."""
    evidence: str
    """The sentence that decided, as normalised; at most 300 characters, empty if none did."""


class _Said(NamedTuple):
    value: Side | None
    """None when the statement decides nothing."""
    rule: str


class _Sentence(NamedTuple):
    start: int
    end: int
    cues: tuple[re.Match[str], ...]


_QUOTED_LINE = re.compile(
    r"^[ \t]*(?:>|(?:user|persuader|opponent|assistant):)[^\n]*", re.MULTILINE
)
# Each begins with a set of characters, which is what makes searching fast.
_QUOTATION = re.compile(
    r"[\"'](?:(?<=\")([^\"\n]*+)\"|(?<!\w')(?<=')((?:[^'\n]++|(?<=\w)'(?=\w))*+)'(?!\w))"
)
_SENTENCE_END = re.compile(r"[.!?;\n](?<![^a-z][a-z][.])(?:(?<=\n)\s*|[\"')\]]*\s+)")
_BARE = re.compile(r"(?: with (?:it|you|this|that))?\s*(?:[.,!;]|$)")
_CLAIM_NAMED = re.compile(r"\b(?:the|your|this) claim\b|@claim")
_LEFT_CHARS, _RIGHT_CHARS, _QUOTE_SLACK_CHARS, _EVIDENCE_CHARS = 70, 240, 15, 300
_APART_WORDS = 7
"""Between the author and the cue."""
_FEW_WORDS, _ENGLISH_EVERY = 5, 12
"""Too few words to tell a language by; words within which English uses one of its commonest."""
_NOTHING = _Said(None, "")
_RATED_SOUND = _Said("agrees", "rates-claim-sound")
_RATED_UNSOUND = _Said("disagrees", "rates-claim-unsound")


def stance(text: str, *, claim: str = "", reason: str = "") -> Stance:
    """What the author of this message holds of the claim at its end.

    text: a debater's last message. claim, reason: as the message was answering them; without the
    claim only statements that name "the claim" or the like are found. Never raises; time grows
    linearly with the text.
    """
    answered = known(claim)
    plain = _without_quotations(plain_form(text), answered, known(reason))
    decided, fallback, evidence = None, "", ""
    for sentence in _sentences(plain):
        for said in _statements(plain, sentence, answered):
            if said.value is not None:
                decided, evidence = said, plain[sentence.start : sentence.end]
            fallback = fallback or said.rule
    if decided is None:
        return Stance(value="unclear", rule=_what_else(plain, fallback), evidence="")
    evidence = " ".join(evidence.split())[:_EVIDENCE_CHARS]
    if decided.value != "disagrees" and any(x in plain for x in SARCASM):
        return Stance(value="unclear", rule="sarcasm", evidence=evidence)
    return Stance(value=decided.value or "unclear", rule=decided.rule, evidence=evidence)


def _without_quotations(plain: str, claim: Known, reason: Known) -> str:
    if reason.plain and reason.plain not in claim.plain:
        plain = plain.replace(reason.plain, "@reason")
    if claim.plain:
        plain = plain.replace(claim.plain, "@claim")
    if ">" in plain or ":" in plain:
        plain = _QUOTED_LINE.sub("", plain)
    return _QUOTATION.sub(lambda x: _unquoted(x, claim), plain)


def _unquoted(quotation: re.Match[str], claim: Known) -> str:
    """The claim or the reason when the quotation is little else, a mark for any other."""
    inside = quotation.group(1) or quotation.group(2) or ""
    end = ". " if inside.endswith((".", "!")) else ""
    for mark in ("@claim", "@reason"):
        if mark in inside and len(inside) <= len(mark) + _QUOTE_SLACK_CHARS:
            # What ended inside the quotes ends the sentence outside as well.
            return mark + end
    if len(inside) <= len(claim.plain) + _QUOTE_SLACK_CHARS:
        said = words(inside)
        is_same = said.negations % 2 == claim.words.negations % 2
        if is_same and claim.words.content and claim.words.content <= said.content:
            return "@claim" + end
    return "@quote" + end


def _sentences(plain: str) -> Iterator[_Sentence]:
    """Every sentence in which cues stand, from left to right."""
    ends = [*(x.end() for x in _SENTENCE_END.finditer(plain)), len(plain)]
    for at, cues in groupby(_cues(plain), key=lambda x: bisect_right(ends, x.start())):
        yield _Sentence(ends[at - 1] if at else 0, ends[at], tuple(cues))


def _cues(plain: str) -> Iterator[re.Match[str]]:
    read = 0
    for opener in OPENER.finditer(plain):
        cue = CUE.match(plain, opener.start()) if opener.start() >= read else None
        if cue is not None:
            read = cue.end()
            yield cue


def _statements(plain: str, sentence: _Sentence, claim: Known) -> Iterator[_Said]:
    has_own = False
    for cue in sentence.cues:
        kind = cue.lastgroup or ""
        left = plain[max(sentence.start, cue.start() - _LEFT_CHARS) : cue.start()]
        right = plain[cue.end() : min(sentence.end, cue.end() + _RIGHT_CHARS)]
        if kind == "differ":
            yield _Said("disagrees", "still-differs")
        elif kind in ("rate", "mark"):
            # Behind the author's own verb, what is said of the claim belongs to that verb.
            yield _NOTHING if has_own else _rating(left, right)
        else:
            own = _own_part(left, cue.group())
            if own is not None:
                has_own = True
                said = _statement(kind, cue.group(), own, right, claim)
                is_bare = said.rule == "bare-agreement" and _BARE.match(right) is not None
                is_meant = is_bare and _CLAIM_NAMED.search(left)
                yield _Said("agrees", "agrees-with-claim") if is_meant else said


def _own_part(left: str, cue: str) -> str | None:
    """What stands between the author and the cue; None when the statement is not the author's."""
    subjects = list(SUBJECT.finditer(left))
    if not subjects:
        is_own = " my " in f" {cue} " or " me" in cue or len(left.split()) <= 2
        return left if is_own and not HYPOTHESIS.search(left) else None
    last = subjects[-1]
    if FORMERLY.search(left):
        return None
    if left.endswith(("but remain ", "but still remain ")) and subjects[0].group("own"):
        return "remain "
    if len(left[last.end() :].split()) > _APART_WORDS or left.endswith(("support for ", "for ")):
        return None
    if last.group("own") is None and " me" not in cue and "my " not in cue:
        return None
    return None if HYPOTHESIS.search(left, max(0, last.start() - 12)) else left[last.start() :]


def _statement(kind: str, cue: str, own: str, right: str, claim: Known) -> _Said:
    is_negated = NEGATION.search(own) is not None
    if kind == "moved":
        return _moved(cue, is_negated)
    if kind == "keep":
        return _NOTHING if is_negated else _kept(right)
    about, end = object_of(right, claim) if kind != "assert" else told_again(right, 0, claim)
    if kind == "deny":
        return _denial(cue, own, about, is_negated)
    near = f"{own} {right[: end + NEAR_CHARS]}"
    if kind == "assert":
        return _assertion(own, near, about, is_negated)
    return _assent(cue, near, about, is_negated)


def _moved(cue: str, is_negated: bool) -> _Said:
    """An unchanged mind says nothing, for it may have agreed from the start."""
    if not is_negated:
        return _Said("agrees", "was-moved")
    return _Said("disagrees", "not-convinced") if cue.endswith(" me") else _NOTHING


def _kept(right: str) -> _Said:
    """A position that is kept is the opposing one unless the claim follows as its content."""
    content = CLAIM_ITSELF.match(right)
    is_claim = content and not (is_unsound(right) or NOT_BEHIND.match(right, content.end()))
    return _Said("agrees" if is_claim else "disagrees", "keeps-position")


def _denial(cue: str, own: str, about: str, is_negated: bool) -> _Said:
    if is_negated or about == "argument" or own.rstrip().endswith(("agree or", "you")):
        return _NOTHING
    if about == "opposite" and cue == "disagree":
        return _Said("agrees", "restates-claim")
    rule = "not-convinced" if cue.startswith(("un", "s", "doubt")) else "denies"
    return _Said("disagrees", rule)


def _assertion(own: str, near: str, about: str, is_negated: bool) -> _Said:
    """Somebody believes, concludes or concedes something in words of the claim."""
    if about not in ("claim", "opposite"):
        return _NOTHING
    if is_negated == (about == "claim"):
        return _Said("disagrees", "denies" if is_negated else "opposes-claim")
    return _limited(near) or _Said("agrees", "restates-claim")


def _assent(cue: str, near: str, about: str, is_negated: bool) -> _Said:
    if about == "opposite":
        return _NOTHING if is_negated else _Said("disagrees", "opposes-claim")
    if is_negated:
        decides = about != "argument" or cue in ("convinced", "persuaded", "swayed")
        return _Said("disagrees", "not-convinced") if decides else _Said(None, "argument-only")
    if about != "claim":
        return _Said(None, "argument-only" if about == "argument" else "bare-agreement")
    return _limited(near) or _Said("agrees", "agrees-with-claim")


def _limited(near: str) -> _Said | None:
    if PARTLY.search(near):
        return _Said("unclear", "partly")
    return _Said("unclear", "conditional") if CONDITION.search(near) else None


def _rating(left: str, right: str) -> _Said:
    """What is said of the claim itself: that it is correct, or too simple."""
    called = TRUE_THAT.search(left)
    if called is not None and not (HYPOTHESIS.search(left) or MODAL.search(left)):
        is_turned = called.group("turn") is not None
        return _RATED_UNSOUND if is_turned else _RATED_SOUND
    found = DOUBT.search(right, 0, NEAR_CHARS + 10)
    between = right[: found.start()].replace("@claim", "").replace("that ", "") if found else ""
    if found is None or OBJECT.search(between):
        return _NOTHING
    near = left + between
    others = [x for x in SUBJECT.finditer(left) if x.group("own") is None and x.group() != "your"]
    if others or MODAL.search(near) or PARTLY.search(near):
        return _NOTHING
    is_turned = NEGATION.search(left) is not None
    return _RATED_UNSOUND if is_unsound(right) != is_turned else _RATED_SOUND


def _what_else(plain: str, fallback: str) -> str:
    if not any(map(str.isalnum, plain)):
        return "empty"
    if any(x in plain for x in REFUSAL_HINTS) and REFUSAL.search(plain):
        return "refusal"
    spoken = plain.split()
    if len(spoken) < _FEW_WORDS:
        return fallback or "no-statement"
    if not fallback and sum(x in ENGLISH for x in spoken) * _ENGLISH_EVERY < len(spoken):
        return "not-english"
    return fallback or "no-statement"
