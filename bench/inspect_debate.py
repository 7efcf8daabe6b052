"""The same ten-round debate in Inspect AI, for a ratio in one run. Runs in its own venv.

Per sample: 9 drafts of the persuader, 10 replies of the debater, 3 independent checks a round =
49 model calls, texts of the same length, mock model without latency, eval log written as users
have it. Prints one JSON line: {"turns": ..., "seconds": ..., "bytes": ...}.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from inspect_ai import Task, eval  # their public name
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Generate, TaskState, solver

ROUNDS = 10
CALLS = ROUNDS - 1 + ROUNDS + 3 * ROUNDS
SYSTEM = "You take part in a debate about a claim. Argue your side in a few sentences. " * 4


def _speech(number: int, chars: int) -> str:
    words = f"Argument {number} rests on evidence, and evidence has to be weighed with care. "
    return (words * (chars // len(words) + 1))[:chars]


def _model(chars: int) -> object:
    count = 0

    def reply(messages: list[object], *_: object) -> ModelOutput:
        nonlocal count
        count += 1
        is_check = getattr(messages[0], "text", "").startswith("CHECK")
        output = ModelOutput.from_content("mock", "false" if is_check else _speech(count, chars))
        # Without usage the mock would fetch a tokenizer from the network.
        output.usage = ModelUsage(input_tokens=1000, output_tokens=250, total_tokens=1250)
        return output

    return get_model("mockllm/model", custom_outputs=reply)


@solver
def debate(chars: int):  # type: ignore[no-untyped-def]  # the decorator wants a bare function
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        opening = _speech(0, chars)
        persuader = [ChatMessageSystem(content=SYSTEM), ChatMessageAssistant(content=opening)]
        debater = [ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=opening)]
        for number in range(ROUNDS):
            if number:
                draft = (await model.generate(persuader)).completion
                persuader.append(ChatMessageAssistant(content=draft))
                debater.append(ChatMessageUser(content=draft))
            said = (await model.generate(debater)).completion
            debater.append(ChatMessageAssistant(content=said))
            persuader.append(ChatMessageUser(content=said))
            window = "\n\n".join(message.text for message in debater[-6:])
            check = [ChatMessageSystem(content="CHECK " + SYSTEM)]
            await asyncio.gather(
                model.generate([*check, ChatMessageUser(content=said)]),
                model.generate([*check, ChatMessageUser(content=window)]),
                model.generate([*check, ChatMessageUser(content=window)]),
            )
        return state

    return solve


def main(samples: int, chars: int) -> None:
    task = Task(
        dataset=[Sample(input=f"claim {number}") for number in range(samples)],
        solver=debate(chars),
    )
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        logs = eval(
            task,
            model=_model(chars),
            log_dir=folder,
            display="none",
            max_samples=samples,
            max_connections=samples,
            score=False,
        )
        seconds = time.perf_counter() - started
        if any(log.status != "success" for log in logs):
            raise SystemExit(f"inspect did not finish: {[log.error for log in logs]}")
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    print(json.dumps({"turns": samples * CALLS, "seconds": seconds, "bytes": size}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
