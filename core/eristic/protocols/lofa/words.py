"""Words by which an answer is known, in several languages: tables, to be added to.

A new word is a new meaning of old texts: raise the version of the parsers in `readings.py`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = [
    "BARE_FOLLOWERS",
    "BARE_LEADS",
    "CARDINALS",
    "DONT_KNOW",
    "LEAD_INS",
    "NONE_OF_THESE",
    "NOUNS_AFTER_NO",
    "NO_BY_LANGUAGE",
    "OPTION_WORDS",
    "ORDINALS",
    "YES_BY_LANGUAGE",
]

OPTION_WORDS: Final = (
    *("option", "options", "opción", "opciones", "opção", "opções", "opzione", "вариант"),
    *("الخيار", "خيار", "विकल्प", "选项", "選項", "オプション", "選択肢", "옵션", "선택지"),
)
"""Words before the number of an option."""

BARE_LEADS: Final = frozenset(
    "answer answers answered is be it s are remains choice choose chose pick select say with for "
    "number no n opt and or between either both from not to go keep guess think still boxed text "
    "its option antwort ist réponse est respuesta es resposta é risposta è".split()
)
"""Words after which a plain number may be the answer: `I say 3`, not `in 1927` or `step 1`."""
BARE_FOLLOWERS: Final = frozenset(
    "is was because since as and or but not remains seems would it i still again so by for "
    "to".split()
)
"""Words that may follow such a number: `3 because`, not `3 reasons`."""

CARDINALS: Final = MappingProxyType(
    {
        word: number
        for number, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve".split()
        )
    }
)
ORDINALS: Final = MappingProxyType(
    {
        word: number
        for number, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
        )
    }
)

DONT_KNOW: Final = (
    *("don't know", "dont know", "do not know", "i don't know", "i do not know", "i dont know"),
    *("i'm not sure", "i am not sure", "not sure", "i'm unsure", "i am unsure", "unsure"),
    *("i have no idea", "no idea", "no clue", "i cannot say", "i can't say", "cannot tell"),
    *("i don't know the answer", "i do not know the answer", "i can't tell", "i cannot tell"),
    *("no lo sé", "no sé", "je ne sais pas", "ich weiß es nicht", "ich weiß nicht"),
    *("weiß nicht", "ich weiss nicht", "weiss nicht", "não sei", "non lo so", "ik weet het niet"),
    *("не знаю", "я не знаю", "لا أعرف", "لا أعلم", "لا اعرف", "不知道", "我不知道", "不清楚"),
    *("我不清楚", "不確定", "不确定", "分かりません", "わかりません", "知りません", "모르겠습니다"),
    *("모릅니다", "मुझे नहीं पता", "bilmiyorum", "nie wiem"),
)

NONE_OF_THESE: Final = (
    *("all options are incorrect", "all of the options are incorrect", "all options are wrong"),
    *("none of these", "none of the above", "none of the options", "none of them"),
    *("none of the options is correct", "none of the options are correct", "all incorrect"),
    *("ninguna de las anteriores", "aucune de ces réponses", "keine davon", "以上都不对"),
    *("所有选项都不正确", "以上皆非", "लागू नहीं", "لا شيء مما سبق"),
)

LEAD_INS: Final = (
    *("the answer is", "the correct answer is", "the right answer is", "my answer is", "answer"),
    *("the correct option is", "the right option is", "correct answer", "final answer"),
    *("my final answer is", "my answer remains", "my answer", "the answer remains", "i choose"),
    *("i still choose", "i select", "i pick", "i would choose", "i'd choose", "it is", "it's"),
    *("i believe it is", "i think it is", "i still think it is", "答案是", "正确答案是", "答案"),
)
"""What may stand before the full text of an option."""

NOUNS_AFTER_NO: Final = frozenset(
    "doubt evidence reason way one matter question problem longer need more idea thanks worries "
    "proof argument wonder difference such".split()
)
"""What may begin a sentence after `no` without its being an answer."""

YES_BY_LANGUAGE: Final = MappingProxyType(
    {
        "en": ("yes",),
        "ar": ("نعم",),
        "de": ("ja",),
        "es": ("sí", "si"),
        "fr": ("oui",),
        "hi": ("हाँ", "हां"),
        "it": ("sì",),
        "ja": ("はい",),
        "ko": ("네", "예"),
        "nl": ("ja",),
        "pl": ("tak",),
        "pt": ("sim",),
        "ru": ("да",),
        "tr": ("evet",),
        "zh": ("是的", "是", "对", "對", "对的"),
    }
)
NO_BY_LANGUAGE: Final = MappingProxyType(
    {
        "en": ("no",),
        "ar": ("لا", "كلا"),
        "de": ("nein",),
        "fr": ("non",),
        "hi": ("नहीं",),
        "ja": ("いいえ",),
        "ko": ("아니요", "아니오"),
        "nl": ("nee",),
        "pl": ("nie",),
        "pt": ("não",),
        "ru": ("нет",),
        "tr": ("hayır",),
        "zh": ("不是的", "不是", "不", "否", "不对", "不對"),
    }
)
"""English words count anywhere in a text, those of other languages where it begins: many are
everyday words of a third one."""
