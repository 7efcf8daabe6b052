"""Re-score 20,400 turns with a trivial judge, cold: 1,020 debates of 20 turns. One JSON line."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time

TURNS = 20
RUN = ["logicom", "--run", "r", "--role", "all=script:steady?chars=1000", "--host", "inline"]
SWEEP = ["--condition", "no_helper", "--repetitions", "17", "-o", "options.round_limit=4"]


def eristic(*words: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "eristic.cli", *words], check=True, capture_output=True, timeout=300
    )
    return time.perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="er-bench-") as home:
        eristic("run", *RUN, *SWEEP, "--parallel", "500", "--home", home)
        seconds = eristic("rejudge", "r", "--judge", "recorded", "--yes", "--home", home)
    print(json.dumps({"turns": 17 * 60 * TURNS, "seconds": seconds}))


if __name__ == "__main__":
    main()
