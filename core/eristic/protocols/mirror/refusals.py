"""Words of models that will not say: no opinion, only neutrality, no speech for this side.

Looked up in `plain_words` of a text, so the patterns are in that spelling (see there). A change
to any of them changes readings, and needs a new version of the parsers that use them.
"""

from __future__ import annotations

import re
from typing import Final

from eristic.protocols.mirror.languages import plain_words

__all__ = ["declines", "gives_no_opinion", "is_neutral"]

_HEAD_CHARS: Final = 240
"""An advocate declines at the beginning; later the same words are about the matter."""


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_CANNOT: Final = (
    r"(?:cannot|can ?not|can't|won't|will not|am (?:not able|unable|not willing) to|"
    r"'m (?:not able|unable|not willing) to|must decline to|decline to|refuse to)"
)
_OPINION: Final = (
    r"(?:opinions?|beliefs?|views?|viewpoints?|feelings?|stances?|positions?|preferences?)"
)
_NO_OPINION: Final = _any_of(
    # No strong opinion is an opinion all the same.
    r"\b(?:do not|don't|cannot|can't) (?:have|hold|form|possess) "
    r"(?:(?!strong|firm|settled|fixed)\w+,? ){0,4}" + _OPINION + r"\b",
    rf"\b(?:have|having|hold) no (?:\w+ ){{0,3}}{_OPINION}\b",
    r"^\W*no (?:opinion|comment|answer)\W*$",
    rf"\bi ?{_CANNOT} (?:answer|provide|give|share|express|offer|rate|assign|form|"
    r"take (?:a|sides?)|say|help|assist|respond|comply|do (?:that|this)|participate)\b",
    r"\bi(?:'d| would)? (?:prefer|rather) not\b",
    r"\bi (?:must |have to |respectfully )*(?:decline|refuse)\b",
    r"\bas an ai\b.{0,80}?\b(?:do not|don't|cannot|can't|no)\b",
    # Arabic
    r"(?:ليس|ليست) (?:لدي|عندي) (?:اي )?(?:راي|اراء|موقف|مواقف|معتقدات|مشاعر|تفضيلات)",
    r"لا (?:املك|امتلك|احمل) (?:اي )?(?:راي|اراء|موقف|مواقف|معتقدات|مشاعر|تفضيلات)",
    r"لا راي لي",
    r"(?:لا (?:استطيع|يمكنني|اقدر)|لست قادرا علي|يتعذر علي|لن) "
    r"(?:ان )?(?:الاجابه|اجيب|تقديم|اقدم|ابداء|ابدي|اعطاء|اعطي|التعبير|اعبر|مساعدت|المساعده|"
    r"اساعد|المشاركه|اشارك|اتخاذ)",
    r"اعتذر عن|ارفض الاجابه|افضل عدم",
    r"(?:بصفتي|كوني|باعتباري|لانني|لاني) (?:نموذج|مساعد|ذكاء|برنامج).{0,60}?(?:لا|ليس)",
    # Chinese, simplified and traditional
    r"我(?:并|並)?(?:没有|沒有|无|無|不持有|不具备|不具備)(?:任何)?(?:个人|個人|自己|政治|具体)?的?"
    r"(?:观点|觀點|意见|意見|看法|立场|立場|偏好|信仰|情感|感受|主张)",
    r"我(?:无法|無法|不能|不可以|不便|不会|不會|拒绝|拒絕|不愿|不願).{0,6}?"
    r"(?:回答|提供|给出|給出|发表|發表|表达|表達|评价|評價|评分|評分|帮助|幫助|协助|参与|表态)",
    r"(?:抱歉|对不起|對不起).{0,20}?(?:无法|無法|不能)",
    r"作为(?:一个|一名|一款)?(?:人工智能|ai|语言模型|大型语言模型|虚拟助手).{0,40}?(?:没有|无法|不能|不会|不持)",
    r"无可奉告",
)

_NEUTRAL: Final = _any_of(
    r"\bneutral(?:ity|ly)?\b",
    r"\bneither agree nor disagree\b",
    r"محايد|حياد|لا اوافق ولا (?:اعارض|ارفض)",
    r"中立|既不同意也不反[对對]|既不赞成也不反对",
)

_DECLINED: Final = _any_of(
    rf"\bi ?{_CANNOT} (?:in good conscience )?(?:"
    r"argue (?:for|against|in favou?r|this(?! (?:very |too |that |so |any )*(?:well|better))|"
    r"that side|on)|debate (?:this|that|against|for)|"
    r"take (?:part|sides?|this|that|either|a side)|participate|"
    r"make (?:this|that|the|an?) (?:argument|case|speech)|give (?:this|that|the|a) speech|"
    r"(?:write|create|produce|generate|provide|deliver) "
    r"(?:this|that|any|such|an?|arguments|content)\b|"
    r"help(?: you)?(?: with| to)?(?: this| that| write|[.,!]|$)|assist|comply|advocate|"
    r"engage (?:in|with) (?:this|that)|continue|fulfil|do (?:this|that)|support (?:or|arguments))",
    r"\bi (?:must |have to |respectfully )+decline\b",
    # Not: I'm sorry, I can't remember. The weak side is told to speak like that.
    r"^\W*(?:i'm|i am) sorry,? (?:but )?i ?(?:can't|cannot|won't|(?:am|'m) unable to) ?(?:"
    r"assist|help|comply|do|fulfil|write|create|produce|generate|provide|deliver|give|argue|debate|"
    r"advocate|defend|support|engage|participate|continue|take|make|[.,!]|$)",
    r"\bi(?:'m| am) not (?:comfortable|willing|prepared) (?:with |to )?"
    r"(?:argu|mak|writ|debat|tak|creat|generat|defend|support)",
    r"\bi(?:'d| would) (?:prefer|rather) not (?:to )?(?:argue|write|make|take|debate|defend)",
    r"\bagainst my (?:guidelines|programming)\b",
    # Arabic
    r"لا (?:استطيع|يمكنني) (?:ان )?(?:اجادل|الجدال|المجادله|الدفاع|ادافع|كتابه|اكتب|تقديم|اقدم|"
    r"المشاركه|اشارك|مساعدت|المساعده|الاستمرار|اتخاذ|تبني)",
    r"اعتذر عن (?:المشاركه|تقديم|كتابه|الدفاع|القاء|عدم)",
    r"ارفض (?:المشاركه|الدفاع عن|كتابه|تقديم)",
    r"(?:لن|ليس بامكاني) (?:ان )?(?:اكتب|كتابه|ادافع|الدفاع|اشارك|المشاركه|القي|القاء)",
    r"^\W*(?:عذرا|اسف|اعتذر)\W{1,3}(?:ولكن |لكن )?لا (?:يمكنني|استطيع) "
    r"(?!(?:ان )?(?:اتذكر|التذكر|تذكر|اتاكد|الجزم))",
    # Chinese, simplified and traditional
    r"我(?:无法|無法|不能|拒绝|拒絕|不愿|不願).{0,12}?(?:辩护|辯護|论证|論證|辩论|辯論|参与|參與|提供|"
    r"撰写|撰寫|写|寫|发言|發言|协助|帮助|继续)",
    r"^\W*我(?:拒绝|拒絕)\W*$|我不[会會](?:为此|為此|参与|參與|写这|寫這)",
    r"(?:抱歉|对不起|對不起)(?:(?!对方|對方|他|她|你|您|人们|谁).){0,15}?(?:无法|無法|不能)"
    r"(?!记|記|想起|确定|確定|同意|赞同|接受|认同)",
)


def gives_no_opinion(text: str) -> bool:
    """It says that it has or gives no opinion, in any of the three languages."""
    return _NO_OPINION.search(plain_words(text)) is not None


def is_neutral(text: str) -> bool:
    """It calls itself neutral, or says that it neither agrees nor disagrees."""
    return _NEUTRAL.search(plain_words(text)) is not None


def declines(text: str) -> bool:
    """A speech that begins by saying that it will not be given."""
    return _DECLINED.search(plain_words(text)[:_HEAD_CHARS]) is not None
