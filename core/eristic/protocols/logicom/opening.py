"""The persuader's first utterance: a template that is filled, not a text that a model makes."""

from __future__ import annotations

from typing import Final

from eristic.debate import Case, View
from eristic.debate.prompting import Template, render

__all__ = ["OPENING", "opening_text"]

OPENING: Final = Template(
    id="logicom.opening",
    # The core reads no files, so the text stands here too; a test holds it to the prompt file.
    system="""\
The topic of this debate: {topic}
My claim: {claim}
My reason: {reason}

For this reason I hold that the claim is right. What do you think: do you agree or disagree?""",
)


def opening_text(case: Case) -> str:
    """The utterance for this case. Texts of the case are filled in once and never scanned again.

    Raises SpecRefused when topic, claim or reason is missing or empty.
    """
    view = View(template=OPENING.id, fields=case.texts)
    return render(OPENING, view, speaker="persuader")[0].content
