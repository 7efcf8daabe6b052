"""The main job with the real small model, in CI size: one motion, two rounds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eristic.agents.local_model import unavailable_reason

pytestmark = [pytest.mark.local_model, pytest.mark.nats, pytest.mark.timeout(600)]


def eristic(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eristic.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)


@pytest.mark.skipif(unavailable_reason() is not None, reason=str(unavailable_reason()))
def test_a_motion_is_debated_logged_and_verified_with_a_real_model(tmp_path: Path) -> None:
    home = tmp_path / "home"
    words = ["--role", "all=local", "--limit", "1", "--condition", "fallacious_helper"]
    words += ["-o", "options.round_limit=2", "--run", "real", "--host", "inline"]
    done = eristic("run", "logicom", *words, "--home", home, "--json")
    facts = json.loads(done.stdout)
    # What a 135M model says is no evidence of anything; that it is all there is.
    assert done.returncode in (0, 8), done.stderr
    assert facts["state"] == "finished"
    assert facts["episodes"] == 2
    checked = eristic("verify", "real", "--head", facts["head"], "--home", home, "--json")
    assert checked.returncode == 0, checked.stderr
    verified = json.loads(checked.stdout)
    assert verified["prompts_not_recorded"] == 0
    assert verified["prompts_rebuilt"] >= 4
    shown = eristic("show", "real", facts["endings"][0]["episode"], "--home", home, "--json")
    transcript = json.loads(shown.stdout)
    calls = [entry for entry in transcript["entries"] if entry.get("model")]
    assert {call["model"] for call in calls} == {"smollm2-135m-instruct"}
    assert all(call["tokens_in"] > 0 and call["tokens_out"] > 0 for call in calls)
