"""Step 3 of reading a score: numbers written as words, from zero to ten.

Most such words are mostly used for something else (`no one`, `two sides`, 一个, 十分). So a word
counts where an answer would stand: after a minus, or before the end, punctuation or a word that
goes with an answer; in Chinese, which has no blanks, also only at the start, after punctuation or
after a word that announces it. The two that are said of anything (`the risk is zero`, `for one`,
风险为零) count only first in a sentence or after words that announce an answer. Of two numbers that
are joined (`five or six`) both count, so that neither is taken alone.

A further language is one more entry of NUMBER_WORDS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.protocols.mirror.numerals import Text

__all__ = ["NUMBER_WORDS", "NumberWords", "with_words"]


class NumberWords(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a language writes the numbers from zero to ten. Texts are parts of patterns."""

    words: Mapping[str, int]
    minus: str
    after: str
    """What may follow a number that is an answer, beside the end and punctuation."""
    no_answer_before: str = ""
    """Words after which a number word is no answer."""
    compound_after: str = ""
    """Words that make another number of it (`seven hundred`)."""
    joined_by: str
    """What stands between two numbers one of which is meant."""
    shy: str
    """The words that need an announcement."""
    announced: str
    """What announces an answer, anywhere before it in its sentence."""
    prefix: str = ""
    """What may be written together with the word, before it."""
    cues: str = ""
    """Of a language without blanks: characters that may stand directly before a number."""


_ENGLISH: Final = "zero one two three four five six seven eight nine ten"
_ARABIC: Final = (
    "صفر|صفرا",
    "واحد|واحدة|واحدا",
    "اثنان|اثنين|إثنان|إثنين|اثنتان|اثنتين",
    "ثلاثة|ثلاث",
    "أربعة|أربع|اربعة|اربع",
    "خمسة|خمس",
    "ستة|ست",
    "سبعة|سبع",
    "ثمانية|ثماني|ثمان",
    "تسعة|تسع",
    "عشرة|عشر",
)
_ARABIC_TENS: Final = (
    "عشرون|عشرين|ثلاثون|ثلاثين|أربعون|أربعين|خمسون|خمسين|ستون|ستين|سبعون|سبعين|ثمانون|ثمانين|"
    "تسعون|تسعين"
)
_LOOK_BACK: Final = 80
_CHINESE: Final = "零一二三四五六七八九十"
_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|point"

NUMBER_WORDS: Final[Mapping[str, NumberWords]] = MappingProxyType(
    {
        "en": NumberWords(
            words={word: number for number, word in enumerate(_ENGLISH.split())},
            minus=r"(?:minus|negative)[\s-]+",
            after=r"out|points?|because|since|as|on|overall|and|to|i",
            no_answer_before=(
                "no|the|this|that|these|those|any|every|each|some|only|another|which|both|all|"
                + _TENS
            ),
            compound_after="hundred|thousand|million|point",
            joined_by=r"or|to|and|maybe|perhaps",
            shy="zero|one",
            announced=(
                r"\b(?:answer|score|rating|final|neutral|number|say|rate|give|pick|choose|go|going|"
                r"select|put|assign|stay|settle|at|it's)\b"
            ),
        ),
        "ar": NumberWords(
            words={
                word: number for number, words in enumerate(_ARABIC) for word in words.split("|")
            },
            minus=r"(?:سالب|ناقص)\s+",
            prefix="[بو]?",
            after=rf"من|نقاط|نقطة|درجات|درجة|لأن\w*|إلى|و(?!(?:{_ARABIC_TENS})(?!\w))\w+",
            joined_by="أو|إلى|و",
            shy="صفرا?|واحد[ةا]?",
            announced="إجاب|اجاب|جواب|درج|تقييم|أقيم|تقدير|نتيج|نهائي|الرقم|أعطي|أختار|محايد",
            no_answer_before="هذا|هذه|لا|أي|كل|أحد|غير|" + "|".join(_ARABIC),
            compound_after="عشر|عشرة|مئة|مائة|فاصلة",
        ),
        "zh": NumberWords(
            words={word: number for number, word in enumerate(_CHINESE)}
            | {"〇": 0, "两": 2, "兩": 2},
            minus=r"[负負]\s*",
            after=(
                r"分(?:(?=[到至或和半])|(?:之间|之間|左右|吧)?(?!\w))|吧|到|至|或|和|之间|之間|左右"
            ),
            cues="是为為给給打选選评評答案分到至从從在和或者约約于於择擇间間",
            joined_by="或者?|到|至|和",
            shy="[零〇一]",
            announced="评分|評分|分数|分數|得分|打分|答案|回答|[给給打选選]|中立",
        ),
    }
)
"""Language -> its words. An answer may be in another language than it was asked in, so all of
them are looked for."""


def with_words(text: Text) -> Text:
    """Number words as digits, in a text without any digit."""
    if re.search(r"\d", text.text):
        return text
    said = text.text
    for words, negative, positive in _PATTERNS:
        said = negative.sub(partial(_negative, words=words), said)
        said = positive.sub(partial(_if_answer, words=words), said)
    return text.after("words", said)


def _number(found: re.Match[str], words: NumberWords) -> str:
    word = found["word"].lower()
    whole, point, part = word.replace("點", "点").partition("点")
    number = words.words[whole] if whole in words.words else _compound(whole, words.words)
    return f"{number}.{_digits(part, words.words)}" if point else str(number)


def _negative(found: re.Match[str], words: NumberWords) -> str:
    return f"-{_number(found, words)}"


def _compound(run: str, words: Mapping[str, int]) -> str:
    """Two to four Chinese numerals: tens and ones (十五), digit by digit where there is a zero in
    it (一〇), else one number or the other (七八: seven or eight)."""
    tens, ten, ones = run.partition("十")
    if ten and len(tens) <= 1 and len(ones) <= 1:
        return str(words.get(tens, 1) * 10 + words.get(ones, 0))
    if re.search("[零〇]", run):
        return str(int(_digits(run, words)))
    return "~".join(str(words[character]) for character in run)


def _digits(run: str, words: Mapping[str, int]) -> str:
    return "".join(str(words[character] % 10) for character in run)


def _if_answer(found: re.Match[str], words: NumberWords) -> str:
    before = found.string[: found.start("word")]
    if words.no_answer_before and re.search(
        rf"(?<!\w)(?:{words.no_answer_before})\s+$", before, re.IGNORECASE
    ):
        return found[0]
    if re.fullmatch(words.shy, found["word"], re.IGNORECASE) and not _is_announced(before, words):
        return found[0]
    return _number(found, words)


def _is_announced(before: str, words: NumberWords) -> bool:
    """It is the first word of its sentence, or something before it there says that it comes."""
    sentence = re.split(r"[.!?;。؟؛\n]", before[-_LOOK_BACK:])[-1]
    said = re.search(words.announced, sentence, re.IGNORECASE)
    return said is not None or re.search(r"(?:^|[:=])\W*$", sentence) is not None


def _patterns(words: NumberWords) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """(after a minus, where an answer stands)."""
    if words.cues:
        numeral = f"[{''.join(words.words)}]"
        point = f"[点點]{numeral}{{1,2}}"
        word = f"(?P<word>{numeral}{{1,4}}(?:{point})?)"
        start, end = rf"(?<![^\W{words.cues}])", f"(?!{numeral}|[点點])"
        other = numeral
    else:
        word = f"(?P<word>{'|'.join(sorted(words.words, key=len, reverse=True))})"
        start = rf"(?<![\w-]){words.prefix}"
        end = rf"(?!\w)(?!\s+(?:{words.compound_after})(?!\w))"
        other = rf"\s*{words.prefix}(?:{words.minus})?(?:{'|'.join(words.words)})(?!\w)"
    whole = "" if words.cues else r"(?!\w)"
    # The second of two joined numbers must stand like an answer itself.
    stop = rf"\s*(?:$|[^\w\s'-]|(?:{words.after}){whole})"
    tail = rf"(?={stop}|\s*(?:{words.joined_by}){other}{stop})"
    minus = words.minus if words.cues else rf"(?<!\w){words.prefix}{words.minus}"
    return (
        re.compile(minus + word + end, re.IGNORECASE),
        re.compile(start + word + end + tail, re.IGNORECASE),
    )


_PATTERNS: Final = tuple((words, *_patterns(words)) for words in NUMBER_WORDS.values())
