"""The words of `stance-words.v1`: what opens a statement of stance, and what it may be about.

Everything here is in lower case with straight quotes; `@claim`, `@reason` and `@quote` stand for
the claim, the reason and any other quotation. A change to any of these patterns changes verdicts
and needs a new version of the judge.
"""

from __future__ import annotations

import re

__all__ = [
    "AND_CLAIM",
    "ARGUMENT_WORDS",
    "CONDITION",
    "CUE",
    "DOUBT",
    "ENGLISH",
    "FORMERLY",
    "HYPOTHESIS",
    "MODAL",
    "NAMED_CLAIM",
    "NEGATION",
    "NOT_BEHIND",
    "OBJECT",
    "OPENER",
    "PARTLY",
    "REFUSAL",
    "REFUSAL_HINTS",
    "REVISED",
    "SARCASM",
    "STOP_WORDS",
    "SUBJECT",
    "TOPIC",
    "TRUE_THAT",
]

_CLAIM = "claim|statement|assertion|proposition|motion|thesis|position|stance|standpoint"
_VIEW = "premise|notion|conclusion|viewpoint|view|perspective|opinion|belief|idea"
_ARGUMENT = (
    "reason(?:ing|s)?|points?|arguments?|sentiments?|evidence|examples?|approach|importance|need"
    "|necessity|concerns?|facts?|suggestions?|observations?|principles?|emphasis|aspects?"
    "|elements?|parts?|value|assessment|analysis|interpretation|definition"
)
ARGUMENT_WORDS = re.compile(rf"\b(?:{_ARGUMENT})\b")
AND_CLAIM = re.compile(r"^,? (?:and|as well as|thus|hence)\b[^,;]{0,30}?(?:\bclaim\b|@claim)")
REVISED = re.compile(
    r"\b(?:modified|revised|refined|adjusted|updated|amended|nuanced|new|reworded|rephrased)\b"
)
"""A claim that is no longer the claim."""
NAMED_CLAIM = re.compile(
    r"(?:(?:the|your|this|that) (?:[a-z]+ ){0,2}?(?:claim|statement|assertion|proposition) ?)?"
    r"(?:that )?(?:@claim)?"
)
NOT_BEHIND = re.compile(
    r"\W{0,3}(?:\w+ ){0,2}?(?:is|are|was|were|would be|may be|should|does|do)"
    r"(?:n't| \w*ly not| not| never)\b"
)
FORMERLY = re.compile(
    r"\b(?:at first|initially|originally|previously|formerly|used to|at one time)\b"
)
TRUE_THAT = re.compile(
    r"(?P<turn>\bnot |n't |\bno longer )?(?:\w+ly )?(?:true|correct|accurate|right|clear) that $"
)
"""What stands before a claim that is called true or not."""
TOPIC = re.compile(
    r"\b(?:whether|topics?|issues?|regarding|discuss\w*|conversations?|questions?|decisions?"
    r"|viewpoints|perspectives|differing|role|such as|like)\b"
)
"""Words of the claim behind one of these name what is talked about and say nothing of it."""
MODAL = re.compile(r"\b(?:can|could|may|might|would|when|whether|if|to what extent)\b")

CUE = re.compile(
    r"\b(?:"
    r"(?P<differ>agree(?:d|ing)? to disagree"
    r"|we (?:(?:may|might|do) not|don't) (?:\w+ ){0,2}?(?:agree|see eye to eye|concur)"
    r"|(?:we|our \w+|our (?:\w+ ){0,3}?(?:views?|viewpoints|opinions|positions?|stances?"
    r"|perspectives|conclusions)(?: (?:on|about|regarding|over)(?: [^\s,.]+){1,8}?)?)"
    r" (?:(?:may|might|do|still|clearly|continue to|\w+ly) ){0,3}?(?:differ|diverge|vary)\b"
    r"|(?:may|might) not have reached (?:\w+ ){0,2}?(?:consensus|agreement)"
    r"|we (?:(?:may|might|do|still|currently|clearly|both) ){0,3}?"
    r"(?:have|hold|stand on|maintain|come from) (?:\w+ ){0,2}?(?:differ(?:ent|ing)|opposing)"
    r"|(?:despite|regardless of|notwithstanding|in spite of) (?:our|the|certain|any) (?:\w+ ){0,2}?"
    r"(?:differ(?:ences?|ent|ing)|opposing|disagreement))"
    r"|(?P<deny>(?:disagree(?:ing|ment)?|dispute|reject|oppose|unconvinced|unpersuaded"
    r"|skeptical|sceptical|doubt))"
    r"|(?P<keep>(?:(?:maintain|keep|hold|retain|reaffirm|reiterate|restate|affirm|uphold)"
    r"(?:ing)?(?: (?:on )?to)?|(?:stand|stick) (?:by|to|with|firm in)"
    r"|(?:firm|steadfast|resolute) in) (?:my|the)"
    r" (?:[a-z-]+ ){0,2}?(?:position|stance|standpoint|viewpoint|view|perspective|opinion|belief)"
    r"|my (?:[a-z-]+ ){0,2}?(?:position|stance|standpoint|viewpoint|view|opinion)"
    r" (?:\w+ ){0,2}?(?:remains?|stands|unchanged|is still|has not changed|hasn't changed))"
    r"|(?P<moved>(?:changed|shifted|revised) my (?:mind|view|stance|position|opinion)"
    r"|(?:convinced|persuaded|swayed) me|won me over|stand corrected)"
    r"|(?P<accept>agree(?:d|ing|ment)?|concur|accept|support(?! for)|endorse|side with|sold on"
    r"|convinced|persuaded|swayed)"
    r"|(?P<assert>believe|think|conclude|concede|acknowledge|admit|maintain|argue|insist"
    r"|assert|contend|affirm|confirm|feel)"
    r"|(?P<rate>claim|statement|assertion|proposition)"
    r")\b|(?P<mark>@claim)\b"
)
"""Where a statement of stance may begin; the name of the group says of which kind. `rate` and
`mark` are the claim itself, of which something may be said."""

_OPENERS = (
    *("agree", "concur", "accept", "support", "endorse", "side with", "sold on", "convinced"),
    *("persuaded", "swayed", "unconvinced", "unpersuaded", "disagree", "dispute", "reject"),
    *("oppose", "skeptical", "sceptical", "doubt", "may not", "might not"),
    *("we ", "our ", "despite", "regardless of", "notwithstanding", "in spite of", "maintain"),
    *("keep", "hold", "retain", "reaffirm", "reiterat", "restat", "affirm", "uphold", "stand "),
    *("stick ", "firm in", "steadfast in", "resolute in", "my ", "changed my", "shifted my"),
    *("revised my", "won me", "believe", "think", "conclude", "concede", "acknowledge", "admit"),
    *("argue", "insist", "assert", "contend", "confirm", "feel", "claim", "statement"),
    "proposition",
)


def _tree(words: tuple[str, ...]) -> str:
    """One pattern for many words, branching letter by letter: three times as fast as a list."""
    branches: dict[str, list[str]] = {}
    for word in words:
        branches.setdefault(word[:1], []).append(word[1:])
    if "" in branches:
        return ""
    return f"(?:{'|'.join(re.escape(x) + _tree(tuple(y)) for x, y in branches.items())})"


OPENER = re.compile(rf"\b{_tree(_OPENERS)}|@claim")
"""How every cue begins: much faster to search than the cues themselves."""

SUBJECT = re.compile(
    r"\b(?P<own>i|me|myself|my|we|im|ive"
    r"|it (?:is|becomes|seems) (?:\w+ )?(?:reasonable|fair|safe))\b"
    r"|\b(?:you|your|they|he|she|it|others|people|some|many|experts|critics|who|one|proponents"
    r"|opponents|anyone|everyone|nobody|everybody|researchers|economists)\b"
)
"""Whose stance it is: the last of these before the cue."""

NEGATION = re.compile(
    r"n't\b|\b(?:not(?! only\b)|never|cannot|cant|dont|no longer|no|hardly|unable|hesitant"
    r"|reluctant|difficult|hard|impossible|far from|without|refuse|fail|neither|nor|yet to"
    r"|rather than|instead of|against|challeng\w+)\b"
)
HYPOTHESIS = re.compile(r"\b(?:whether|why|if|unless|until|before|would have|were to|wish|want)\b")
PARTLY = re.compile(
    r"\b(?:partial(?:ly)?|partly|conditional(?:ly)?|somewhat|in part|nuanced|to an extent"
    r"|to (?:a|some) (?:\w+ )?(?:extent|degree)|some(?: \w+)? (?:merit|validity|truth)"
    r"|(?:has|have|holds?|carries|there is) (?:\w+ )?(?:merit|weight|validity|support))\b"
)
CONDITION = re.compile(
    r"\b(?:if|unless|when|provided (?:that|it|they|the|there)|as long as|so long as|only in"
    r"|on condition"
    r"|(?:in|under|to|for) (?:certain|some|specific|such|particular|the right|many) \w+"
    r"|under these \w+|there (?:are|may be|could be|have been)"
    r" (?:\w+ )?(?:cases|instances|situations|circumstances|times|examples)"
    r"|in (?:situations|cases|instances|contexts|scenarios))\b"
)
OBJECT = re.compile(
    rf"\b(?:(?P<noun>{_CLAIM})|(?P<view>{_VIEW})|(?P<argument>{_ARGUMENT})|(?P<that>that)"
    r"|(?P<turn>but|however|while|although|though|because|since|due to|based on))\b"
    r"|(?P<claim>@claim)|(?P<reason>@reason)|(?P<stop>[;:])"
)
"""What a statement is about: the first of these behind the cue."""

DOUBT = re.compile(
    r"\b(?:oversimplif\w+|over-?generali\w+|simplistic|incorrect|invalid|untrue|false|flawed"
    r"|misleading|unfounded|debatable|wrong|problematic|inaccurate|unconvincing|unsupported"
    r"|too (?:broad|absolute|sweeping|general|simple|strong|extreme|narrow)"
    r"|(?P<sound>correct|valid|true|accurate|reasonable|justified|sound|convincing|right"
    r"|well-founded|compelling|holds true|stands|justifiable))\b"
)
"""What can be said of a claim; the group `sound` holds the words in its favour."""

SARCASM = (
    *("yeah right", "yeah, right", "oh sure", "oh, sure", "sure, sure", "if you say so"),
    *("what a surprise", " as if", " /s", "right..."),
)
REFUSAL_HINTS = ("as an ai", "unable", "not able", "can't", "cannot", "won't", "personal ")
"""Without any of these there is no refusal; searching them is faster."""

REFUSAL = re.compile(
    r"\b(?:as an ai\b|(?:i'm|i am) (?:sorry|afraid|unable)\b[^.\n]{0,40}\b(?:can't|cannot|unable"
    r"|not able)|i (?:can't|cannot|won't|am unable to|'m unable to|am not able to) "
    r"(?:help|assist|engage|discuss|participate|continue|take part|comply|provide|answer)"
    r"|personal (?:opinions|beliefs))"
)
ENGLISH = frozenset("the and is are of to you i that it not this we for a in your with".split())
STOP_WORDS = frozenset(
    "a an the is are was were be been being do does did to of in on at by for from with and or as "
    "it its that this these those they them their there he she his her we our us you your i my "
    "should would could can will may might must have has had not no never cannot than then so if "
    "but into about very more most all any some just also up out over indeed too".split()
)
