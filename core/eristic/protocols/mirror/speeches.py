"""Reading a speech: was it given, for which side, and for one side only.

A speech is taken as it is. It counts as not given when it begins by declining, and, with the
option `side_check = declared`, when the first side that it declares as its own is the other one.
Only open declarations are looked at ("I am against this motion"); whether the arguments keep to
the side is for a judge afterwards.
"""

from __future__ import annotations

import re
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.mirror.languages import plain_words
from eristic.protocols.mirror.names import AGAINST, FOR, SWITCHED_SIDES, Side
from eristic.protocols.mirror.refusals import declines

__all__ = ["count_words", "declared_side", "holds_both_sides", "read_speech"]

_PARSERS: Final = {True: "mirror-speech.v1", False: "mirror-speech-any-side.v1"}

_MOTION: Final = r"(?:the|this) (?:statement|motion|proposition|resolution)"
_WHOLLY: Final = r"(?:\w+ly )?"
_TAKES: Final = (
    rf"i(?: am|'m)? ?(?:here to )?(?:will |shall |would |going to )?"
    rf"(?:stand|speak|speaking|argue|arguing)? ?{_WHOLLY}"
)
_AR_MOTION: Final = r"(?:هذه |لهذه )?(?:العباره|للعباره|عباره)"
_ZH_MOTION: Final = r"(?:这一|这个|該|该|此|上述|本|這一|這個)?(?:陈述|陳述|命题|命題|辩题|辯題)"
_ZH_WHOLLY: Final = r"(?:坚决|坚定|完全|强烈|坚定地|堅決)?"

_FOR: Final = (
    rf"\b{_TAKES}(?:in favou?r of|for|in support of) {_MOTION}",
    rf"\bi {_WHOLLY}(?:agree with|support) {_MOTION}",
    rf"(?<!لا )(?:اؤيد|اوافق علي|ادعم|مؤيدا?|ادافع عن|انا مع|اقف مع) {_AR_MOTION}",
    rf"我方?{_ZH_WHOLLY}(?:支持|赞成|贊成|同意){_ZH_MOTION}",
)
_AGAINST: Final = (
    rf"\b{_TAKES}(?:against|in opposition to) {_MOTION}",
    rf"\bi {_WHOLLY}(?:disagree with|oppose|reject) {_MOTION}",
    rf"\bi (?:do not|don't|cannot|can't) {_WHOLLY}(?:agree with|support) {_MOTION}",
    rf"(?<!لا )(?:اعارض|ارفض|معارضا?|انا ضد|اقف ضد) {_AR_MOTION}",
    rf"لا (?:اؤيد|اوافق علي|ادعم) {_AR_MOTION}",
    rf"我方?{_ZH_WHOLLY}(?:反对|反對|不支持|不赞成|不贊成|不同意){_ZH_MOTION}",
)
_DECLARED: Final = re.compile(f"(?P<for>{'|'.join(_FOR)})|(?P<against>{'|'.join(_AGAINST)})")
_QUOTATION: Final = re.compile(r"\"[^\"]{1,400}\"|“[^”]{1,400}”|«[^»]{1,400}»|「[^」]{1,400}」")

_HEADINGS: Final = {
    FOR: r"for|in favou?r|pro|proponents?|المؤيد|مؤيد|正方|支持方",
    AGAINST: r"against|con|opponents?|opposition|المعارض|معارض|反方|反对方|反對方",
    "other": r"other side|the other side|my opponent|الطرف الآخر|对方|對方",
}
_HEADING: Final = re.compile(
    r"^(?:[^\w\n]|_)*(?:(?:speaker|side|argument|advocate)s?\s+)?(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _HEADINGS.items())
    + r")(?:\s+the\s+(?:statement|motion)|\s+side)?\s*[*_]*\s*[:\uff1a]"
    r"|^(?:[^\w\n]|_)*(?:speech|الكلمة(?:\s+رقم)?)\s*(?P<number>[1-4١-٤])\b"
    r"|^(?:[^\w\n]|_)*第(?P<zh>[1-4一二三四])次发言",
    re.IGNORECASE | re.MULTILINE,
)
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


def read_speech(text: str, *, side: Side, checks_side: bool) -> Reading:
    """side: the one that was assigned. value: the speech without its thinking. parts: `words`
    (count), `cause` when it counts as not given."""
    parser = _PARSERS[checks_side]
    stripped = strip_thinking(text)
    speech = stripped.text.strip()
    if not speech:
        return Reading(parser=parser, status="empty", parts={"cause": "empty"})
    flags = (*stripped.flags, *(("both_sides",) if holds_both_sides(speech) else ()))
    parts = {"words": str(count_words(speech))}
    if declines(speech):
        parts["cause"] = "refusal"
        return Reading(parser=parser, status="refused", parts=parts, flags=flags)
    if checks_side and declared_side(speech) not in (None, side):
        parts["cause"] = SWITCHED_SIDES
        return Reading(parser=parser, status="unreadable", parts=parts, flags=flags)
    return Reading(parser=parser, status="read", value=speech, parts=parts, flags=flags)


def declared_side(speech: str) -> Side | None:
    """The first side that the speaker openly takes, outside quotation marks; None: none."""
    found = _DECLARED.search(plain_words(_QUOTATION.sub(" ", speech)))
    if found is None:
        return None
    return FOR if found["for"] else AGAINST


def holds_both_sides(speech: str) -> bool:
    """It has headings for both sides, for the other side, or for several speeches."""
    found = [match.groupdict() for match in _HEADING.finditer(speech)]
    sides = {name for groups in found for name in _HEADINGS if groups[name]}
    numbers = {groups["number"] or groups["zh"] for groups in found} - {None}
    return "other" in sides or {FOR, AGAINST} <= sides or len(numbers) > 1


def count_words(text: str) -> int:
    """Words between blanks, and of a text in Chinese characters these (count)."""
    return len(_HAN.findall(text)) + len(_HAN.sub(" ", text).split())
