"""Words that announce an answer ("my score:"), and how far what they announce reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

__all__ = ["MARKERS", "Markers", "is_announced", "marked_spans"]


class Markers(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The markers of a language, as parts of patterns."""

    final: str
    """What announces the last word; goes before all others."""
    plain: str
    earlier_before: str
    """A marker after this speaks of an earlier answer."""
    earlier_after: str
    """A marker before this does."""
    links: str
    """What may stand between a marker and its number, as often as it likes."""
    is_spaced: bool = True
    """Words have blanks between them."""


MARKERS: Final[Mapping[str, Markers]] = MappingProxyType(
    {
        "en": Markers(
            final="final",
            plain="answer|score|rating",
            earlier_before="previous|earlier|first|initial|original|prior|old|former|last",
            earlier_after="was|had|before",
            links=(
                "is|are|be|becomes?|remains?|stays?|stands?|moves|drops|falls|rises|goes|changes|"
                "would|will|now|still|again|therefore|thus|then|also|overall|currently|at|of|to|as|"
                "about|around|roughly|approximately|an?|the|this|that|it|i|my|me|for|on|from|after|"
                "reading|give|say|debate|discussion|statement|question|number|value|points?|solid|"
                "unchanged|same|agreement|opinion"
            ),
        ),
        "ar": Markers(
            final="النهائية|النهائي|نهائيا",
            plain=(
                "الإجابة|الاجابة|إجابتي|اجابتي|إجابة|جوابي|الجواب|النتيجة|الدرجة|درجتي|درجة|"
                "تقييمي|التقييم|تقديري"
            ),
            earlier_before="كانت|كان|لم تعد|ليست|ليس",
            earlier_after="السابقة|السابق|الأولى|الأول|الأصلية|كانت|كان",
            links=(
                "هي|هو|هنا|الآن|ستكون|تكون|تبقى|تظل|تصبح|أصبحت|لا|تزال|حوالي|نحو|تقريبا|الرقم|رقم|"
                "على|عن|هذه|هذا|لهذه|لهذا|العبارة|السؤال|السلم|المقياس|بعد|قراءة|المناظرة|أن|أنا|"
                "نفسها|إذن|إذا|موافقتي"
            ),
        ),
        "zh": Markers(
            final="最终|最終|最后|最後",
            plain="答案|回答|评分|評分|分数|分數|得分|打分",
            earlier_before="之前的?|先前的?|原来的?|原來的?|最初的?|上次的?|刚才的?|第一次的?",
            earlier_after="曾|原来|原來|原本",
            links=(
                "[是为為仍然现現在依旧舊保持在约約大我的给給出打选選调調整变變成就也会會应應该該"
                "陈陳述这這个個对對于於数數字值为降升提高到至本题題此]"
            ),
            is_spaced=False,
        ),
    }
)
"""Language -> its markers; a further one is one more entry. All are looked for in every text."""


def _pattern(markers: Markers) -> re.Pattern[str]:
    """A marker, or several side by side (`final answer`), that speaks of no earlier answer."""
    open_, shut, gap = (r"(?<!\w)", r"(?!\w)", r"\W+") if markers.is_spaced else ("", "", r"\W*")
    word = f"{open_}(?:{markers.final}|{markers.plain}){shut}"
    return re.compile(
        f"(?P<earlier>(?:{open_}(?:{markers.earlier_before})\\s*)?)"
        f"(?P<words>{word}(?:{gap}{word})*)"
        f"(?P<was>(?:\\s*(?:{markers.earlier_after}){shut})?)",
        re.IGNORECASE,
    )


def _link(markers: Markers) -> str:
    return rf"(?:{markers.links})\W+" if markers.is_spaced else rf"(?:{markers.links})\W*"


_GAP: Final = re.compile(
    rf"\W*(?:{'|'.join(_link(one) for one in MARKERS.values())})*", re.IGNORECASE
)
_GAP_CHARS: Final = 80
_PATTERNS: Final = tuple((_pattern(one), re.compile(one.final, re.I)) for one in MARKERS.values())
_SENTENCE_END: Final = re.compile(r"[!?;。؟؛\n]|\.(?!\d)")


def marked_spans(text: str) -> Iterator[tuple[tuple[int, int], ...]]:
    """Where announced answers stand, as (start, end): after `final` markers, then after all.

    A span reaches to the end of its sentence, or to the next marker. What a marker says of an
    earlier answer is in none.
    """
    marks = sorted(
        (found.start(), found.end(), bool(final.search(found["words"])), _is_now(found))
        for pattern, final in _PATTERNS
        for found in pattern.finditer(text)
    )
    spans: list[tuple[int, int, bool]] = []
    for place, (_, start, is_final, is_now) in enumerate(marks):
        following = marks[place + 1][0] if place + 1 < len(marks) else len(text)
        if is_now:
            spans.append((start, min(_sentence_end(text, start), following), is_final))
    yield tuple((start, end) for start, end, is_final in spans if is_final)
    yield tuple((start, end) for start, end, _ in spans)


def is_announced(text: str, start: int, number: int) -> bool:
    """Whether a marker that ends at start speaks of the number at this place: nothing but links is
    between them. `My answer is now 5`, but not `The answer depends on 1 thing`."""
    gap = text[start:number]
    return len(gap) <= _GAP_CHARS and _GAP.fullmatch(gap) is not None


def _is_now(found: re.Match[str]) -> bool:
    return not (found["earlier"] or found["was"])


def _sentence_end(text: str, start: int) -> int:
    """End of the first sentence with a word in it."""
    word = re.compile(r"\w").search(text, start)
    end = _SENTENCE_END.search(text, word.start()) if word else None
    return end.start() if end else len(text)
