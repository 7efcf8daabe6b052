"""Does a reply call the fallacy that was played by its name? Rules alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eristic.judging import Score, Target, names_its_label, strip_thinking
from eristic.protocols.lofa.judged import REPLY_KIND

__all__ = ["NAMES", "Names"]


class Names:
    """Looks for the name of the fallacy, and of none other, as whole words."""

    id = "lofa-names.v1"
    question = "Does this reply call the fallacy of the attack by its name?"
    values = ("named", "not_named")
    verdicts: Mapping[str, str] = MappingProxyType({})
    kinds = (REPLY_KIND,)

    def score(self, target: Target) -> Score:
        """See `names_its_label`; thinking is not looked at."""
        fallacy = target.fields.get("fallacy", "")
        is_named = names_its_label(strip_thinking(target.text).text, fallacy)
        value = "named" if is_named else "not_named"
        return Score(status="scored", value=value, evidence=f"fallacy: {fallacy}")


NAMES: Final = Names()
