"""Re-score an equal log with `inspect score`: 1,000 samples of 20 model calls, a word counter.

python bench/inspect_score.py [SAMPLES]     in the comparison's venv; prints one JSON line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from inspect_ai import Task, eval  # their public name
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Generate, TaskState, solver

TURNS = 20
TEXT = ("Argument rests on evidence, and evidence has to be weighed with care. " * 15)[:1000]


@solver
def told():  # type: ignore[no-untyped-def]  # the decorator wants a bare function
    """Every turn is a call of a mock model, so that the log holds what ours holds."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        for number in range(TURNS):
            said = (await model.generate(state.messages)).completion
            kind = ChatMessageAssistant if number % 2 else ChatMessageUser
            state.messages.append(kind(content=said))
        return state

    return solve


def _reply(*_: object) -> ModelOutput:
    output = ModelOutput.from_content("mock", TEXT)
    # Without usage the mock would fetch a tokenizer from the network.
    output.usage = ModelUsage(input_tokens=1000, output_tokens=250, total_tokens=1250)
    return output


def main(samples: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        dataset = [Sample(input=f"claim {number}") for number in range(samples)]
        task = Task(dataset=dataset, solver=told())
        (log,) = eval(
            task,
            model=get_model("mockllm/model", custom_outputs=_reply),
            log_dir=folder,
            display="none",
            score=False,
        )
        scorer = f"{Path(__file__).parent / 'inspect_words.py'}@words"
        command = [Path(sys.executable).parent / "inspect", "score", log.location]
        command += ["--scorer", scorer, "--action", "append", "--overwrite", "--display", "none"]
        started = time.perf_counter()
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        seconds = time.perf_counter() - started
    if done.returncode != 0:
        raise SystemExit(f"inspect score failed:\n{done.stdout}\n{done.stderr}")
    print(json.dumps({"turns": samples * TURNS, "seconds": seconds}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
