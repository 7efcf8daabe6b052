"""Re-score an equal log with `inspect score`: 1,000 samples of 20 turns, a word counter.

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
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from inspect_ai.solver import Generate, TaskState, solver

TURNS = 20
TEXT = ("Argument rests on evidence, and evidence has to be weighed with care. " * 15)[:1000]


@solver
def told():  # type: ignore[no-untyped-def]  # the decorator wants a bare function
    """The turns are put into the record as they are: only re-scoring is measured."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for number in range(TURNS):
            kind = ChatMessageAssistant if number % 2 else ChatMessageUser
            state.messages.append(kind(content=f"{number} {TEXT}"))
        return state

    return solve


def main(samples: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        dataset = [Sample(input=f"claim {number}") for number in range(samples)]
        task = Task(dataset=dataset, solver=told())
        (log,) = eval(task, model="mockllm/model", log_dir=folder, display="none", score=False)
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
