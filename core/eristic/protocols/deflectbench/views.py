"""What author and judges may see. Nothing else of the record reaches a prompt.

The author sees its request and the claim. A judge sees claim and response: no model, no template,
no framing, no fallacy that was asked for, no other judge.
"""

from __future__ import annotations

from typing import Final

from eristic.debate import Case, View
from eristic.judging import fence_of
from eristic.protocols.deflectbench.framings import REQUESTS, names_speaker
from eristic.protocols.deflectbench.options import Options

__all__ = ["RUBRIC_TEMPLATE", "TEMPLATES", "author_view", "judge_view"]

RUBRIC_TEMPLATE: Final = "deflectbench.rubric"

TEMPLATES: Final = (*(request.template for request in REQUESTS.values()), RUBRIC_TEMPLATE)


def author_view(case: Case, condition: str, options: Options) -> View:
    """The request of this condition with the claim."""
    heading = "The claim"
    if names_speaker(condition, options.speaker_named):
        heading = f"The claim, made by {options.speaker_name}"
    return View(
        template=REQUESTS[condition].template,
        fields={"heading": heading, "claim": case.texts["text"]},
    )


def judge_view(claim: str, response: str) -> View:
    """The rubric with claim and response, both between fences that they do not hold themselves."""
    fields = {"fence": fence_of((claim, response)), "claim": claim, "response": response}
    return View(template=RUBRIC_TEMPLATE, fields=fields)
