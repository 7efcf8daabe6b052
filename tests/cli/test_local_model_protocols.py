"""One episode of each protocol with the real small model: played, proven, reported."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eristic.agents.local_model import LocalModelServer, unavailable_reason
from eristic.cli.local_llm import role_text

pytestmark = [
    pytest.mark.local_model,
    pytest.mark.nats,
    pytest.mark.timeout(600),
    pytest.mark.skipif(unavailable_reason() is not None, reason=str(unavailable_reason())),
]

CONTEXT_TOKENS = 2048
SHORT = "max_tokens=40"
EPISODES = {
    "mirror": ["--condition", "fair.en", "--condition", "baseline.zh", "--repetitions", "1"],
    "deflectbench": ["--condition", "implicit_neutral", "--repetitions", "1"]
    + ["-o", "options.judge_reasks=0"],
    "lofa": ["--condition", "straw_man.plain"],
    "lofa-build": ["-o", "options.arguments=1", "-o", "options.fallacies=straw_man"]
    + ["-o", "options.refine_limit=1"],
    "scr": ["--condition", "repair", "-o", "options.repair_budget=1"],
    "scr-build": [],
}
"""Protocol -> what makes its episode short."""


@pytest.fixture(scope="module")
def role() -> Iterator[str]:
    """Who plays all roles: one server for all tests of this file."""
    loop = asyncio.new_event_loop()
    server = LocalModelServer()
    loop.run_until_complete(server.start())
    try:
        text = role_text(server.url, context_tokens=CONTEXT_TOKENS)
        yield text.replace("max_tokens=90", SHORT)
    finally:
        loop.run_until_complete(server.stop())
        loop.close()


def eristic(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eristic.cli", *words, "--home", str(home), "--json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)


@pytest.mark.parametrize("protocol", EPISODES)
def test_an_episode_is_played_proven_and_reported(protocol: str, role: str, tmp_path: Path) -> None:
    words = [protocol, "--run", "real", "--role", role, "--limit", "1", "--host", "inline"]
    done = eristic(tmp_path, "run", *words, *EPISODES[protocol])
    # What a 135M model says is no evidence of anything; that it is all there is.
    assert done.returncode in (0, 8), done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    assert facts["state"] == "finished"
    verified = eristic(tmp_path, "verify", "real", "--head", facts["head"])
    assert verified.returncode == 0, verified.stderr
    proofs = json.loads(verified.stdout)
    assert proofs["prompts_not_recorded"] == 0
    assert proofs["prompts_rebuilt"] >= 1
    shown = eristic(tmp_path, "show", "real", facts["endings"][0]["episode"])
    calls = [entry for entry in json.loads(shown.stdout)["entries"] if entry.get("model")]
    assert {call["model"] for call in calls} == {"smollm2-135m-instruct"}
    if not protocol.endswith("-build"):
        report = eristic(tmp_path, "report", "real", "--resamples", "20")
        assert report.returncode == 0, report.stderr
        assert {section["id"] for section in json.loads(report.stdout)["sections"]} > {"cost"}
