"""A trivial scorer for Inspect AI: words said in a debate. Runs in its own venv."""

from __future__ import annotations

from inspect_ai.scorer import Score, Target, mean, scorer
from inspect_ai.solver import TaskState


@scorer(metrics=[mean()])
def words():  # type: ignore[no-untyped-def]  # the decorator wants a bare function
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=sum(len(message.text.split()) for message in state.messages))

    return score
