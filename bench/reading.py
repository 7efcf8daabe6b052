"""The reading verbs on 2,400 published debates: wall seconds and peak memory of each command.

python bench/reading.py [--data DIR]     DIR holds debates/ and claims/; prints JSON lines.

Every command is a cold process. The data are not ours and do not ship with Eristic; without them
this prints one line that says so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATA = Path(__file__).parents[2] / "shared" / "data" / "logicom"
RUN = "logicom-2023"
COMMANDS = {
    "verify": ["verify", RUN],
    "replay, 3 policies": [
        "replay",
        RUN,
        *("--policy", "convinced-twice"),
        *("--policy", "round-limit=5"),
        *("--policy", "topic=off"),
    ],
    "report, 1,000 resamples": ["report", RUN],
    "rejudge, stance-words": ["rejudge", RUN, "--judge", "stance-words", "--yes"],
    "export to parquet": ["export", RUN, "--to", "parquet", "ARCHIVE"],
    "verify of the archive": ["verify", "ARCHIVE"],
    "show one episode": ["show", RUN, "1"],
    "show one episode of the archive": ["show", "ARCHIVE", "1"],
}


def measure(name: str, words: list[str]) -> dict[str, object]:
    """Wall seconds and peak memory of one command, children not counted."""
    command = [sys.executable, "-m", "eristic.cli", *words]
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=output)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        if child.returncode not in (0, 3):
            output.seek(0)
            raise SystemExit(f"{' '.join(words)} failed:\n{output.read().decode()[-2000:]}")
    return {"figure": name, "seconds": seconds, "peak_mb": usage.ru_maxrss / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    args = parser.parse_args()
    if not (args.data / "debates").is_dir():
        print(json.dumps({"figure": "reading verbs", "skipped": f"no debates in {args.data.name}"}))
        return
    with tempfile.TemporaryDirectory(prefix="er-read-") as folder:
        home = ["--home", str(Path(folder, "home"))]
        archive = str(Path(folder, "archive"))
        imported = ["import", "logicom", str(args.data), "--run", RUN, *home]
        print(json.dumps(measure("import of 2,400 debates", imported)), flush=True)
        for name, words in COMMANDS.items():
            real = [archive if word == "ARCHIVE" else word for word in words]
            print(json.dumps(measure(name, [*real, *home])), flush=True)
        size = sum(path.stat().st_size for path in Path(archive).rglob("*") if path.is_file())
        print(json.dumps({"figure": "archive, bytes", "bytes": size}))


if __name__ == "__main__":
    main()
