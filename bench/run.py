"""make bench: every figure several times, interleaved in rounds, medians and ratios printed.

A benchmark, no test: it records what this machine did (bench/out/*.json) and asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
VENV = Path(sys.executable).parent
INSPECT_PYTHON = HERE.parent / ".venv-bench" / "bin" / "python"
SIZES = "1:20,50:200,500:500"
INSPECT_SAMPLES = 50
CHARS = 1000

Figures = dict[str, list[float]]


def run(command: Sequence[object], **environment: str) -> list[dict[str, float]]:
    """JSON lines of a child process."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=900,
    )
    if done.returncode != 0:
        raise SystemExit(f"{command} failed:\n{done.stdout}\n{done.stderr[-3000:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def measure_debates(figures: Figures, host: str) -> None:
    with tempfile.TemporaryDirectory(prefix="er-bench-") as home:
        command = [sys.executable, HERE / "debates.py", "--host", host, "--home", home]
        for row in run([*command, "--sizes", SIZES, "--chars", CHARS]):
            name = f"{host} {row['at_once']:.0f}"
            figures[f"{name} turns/s"].append(row["turns_per_s"])
            if host == "inline":
                figures["disk bytes/turn, all turns"].append(row["disk_bytes_per_turn"])
                figures["disk bytes/turn of 1,000 chars"].append(row["disk_bytes_per_1000_chars"])


def measure_memory(figures: Figures) -> None:
    with tempfile.TemporaryDirectory(prefix="er-bench-") as home:
        command = [sys.executable, HERE / "debates.py", "--host", "inline", "--home", home]
        for row in run([*command, "--sizes", "1000:1000", "--chars", CHARS]):
            figures["MB per 1,000 open episodes"].append(row["rss_growth_mb"])


def measure_inspect(figures: Figures) -> None:
    command = [INSPECT_PYTHON, HERE / "inspect_debate.py", INSPECT_SAMPLES, CHARS]
    for row in run(command):
        figures["inspect-ai turns/s"].append(row["turns"] / row["seconds"])
        figures["inspect-ai bytes/turn"].append(row["bytes"] / row["turns"])


def measure_reading(figures: Figures) -> None:
    """The reading verbs over the published debates, where they are."""
    for row in run([sys.executable, HERE / "reading.py"]):
        if "seconds" in row:
            figures[f"{row['figure']}, s"].append(row["seconds"])
            figures[f"{row['figure']}, peak MB"].append(row["peak_mb"])


def measure_rescoring(figures: Figures) -> None:
    for row in run([sys.executable, HERE / "rescoring.py"]):
        figures["re-scored turns/s"].append(row["turns"] / row["seconds"])


def measure_inspect_score(figures: Figures) -> None:
    for row in run([INSPECT_PYTHON, HERE / "inspect_score.py"]):
        figures["re-scored by inspect score turns/s"].append(row["turns"] / row["seconds"])


def measure_replay(figures: Figures) -> None:
    for row in run([sys.executable, HERE / "replaying.py"]):
        figures["replay from a stream, events/s"].append(row["events"] / row["seconds"])


def measure_archive(figures: Figures) -> None:
    """A million turns, written, replayed, and one episode taken out."""
    for row in run([sys.executable, HERE / "archive_bench.py"]):
        for key in ("events_a_second", "seconds", "rss_growth_mb"):
            if key in row:
                figures[f"archive, {row['what']}, {key}"].append(row[key])


def measure_help(figures: Figures) -> None:
    started = time.perf_counter()
    subprocess.run([VENV / "eristic", "--help"], capture_output=True, check=True)
    figures["eristic --help s"].append(time.perf_counter() - started)


def measure_cold_start(figures: Figures, host: str) -> None:
    """From the start of the process to the first durable turn of a model.

    The event after that turn is decided when the turn is on disk, so its time is an upper bound.
    """
    with tempfile.TemporaryDirectory(prefix="er-bench-") as home:
        started = time.time()  # noqa: TID251  # compared with the log's own times
        role = "all=script:steady"
        words: list[str | Path] = [
            VENV / "eristic",
            "run",
            "logicom",
            "--run",
            "cold",
            "--role",
            role,
        ]
        words += ["--only", "school-phones-pro", "--condition", "no_helper", "--json"]
        subprocess.run(
            [*words, "-o", "options.round_limit=1", "--host", host, "--home", home],
            capture_output=True,
            check=True,
        )
        shown = subprocess.run(
            [sys.executable, HERE / "first_turn.py", home, "cold"],
            capture_output=True,
            text=True,
            check=True,
        )
        figures[f"first durable turn, {host} s"].append(float(shown.stdout) - started)


def interleaved(figures: Figures, rounds: int, *, with_ray: bool) -> Iterator[int]:
    """Fills the figures; one round measures everything once, so that drift hits all alike."""
    for number in range(rounds):
        measure_inspect(figures)
        measure_debates(figures, "inline")
        if with_ray:
            measure_debates(figures, "ray")
        for _ in range(3):
            measure_help(figures)
        measure_cold_start(figures, "inline")
        measure_memory(figures)
        measure_reading(figures)
        measure_rescoring(figures)
        measure_replay(figures)
        yield number + 1
    measure_inspect_score(figures)  # once: its log takes minutes to make
    measure_archive(figures)
    if with_ray:
        for _ in range(2):
            measure_cold_start(figures, "ray")


def table(figures: Figures) -> list[str]:
    base = statistics.median(figures["inspect-ai turns/s"])
    lines = [f"{'figure':34} {'median':>10} {'min':>10} {'max':>10} {'n':>3}  x inspect-ai"]
    for name, values in figures.items():
        middle = statistics.median(values)
        ratio = f"{middle / base:8.1f}" if name.endswith("turns/s") and "scor" not in name else ""
        spread = f"{middle:>10,.2f} {min(values):>10,.2f} {max(values):>10,.2f} {len(values):>3}"
        lines.append(f"{name:34} {spread}  {ratio}")
    ours = statistics.median(figures["re-scored turns/s"])
    theirs = statistics.median(figures["re-scored by inspect score turns/s"])
    lines.append(f"re-scoring: {ours / theirs:.1f} times inspect score")
    return lines


def ensure_inspect() -> None:
    """The comparison has a venv of its own: its packages would change ours."""
    lock = HERE / "requirements-bench.lock"
    stamp = INSPECT_PYTHON.parent.parent / ".ready"
    if stamp.exists() and stamp.read_text() == lock.read_text():
        return
    folder = INSPECT_PYTHON.parent.parent
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install: list[str | Path] = ["install", "-q", "--require-hashes", "-r", lock]
    uv: list[str | Path] = [VENV / "uv", "pip", *install, "--compile-bytecode"]
    if subprocess.run([*uv, "--python", INSPECT_PYTHON], check=False).returncode != 0:
        subprocess.run([INSPECT_PYTHON, "-m", "pip", *install], check=True)
    stamp.write_text(lock.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skip-ray", action="store_true")
    args = parser.parse_args()
    ensure_inspect()
    figures: Figures = defaultdict(list)
    for number in interleaved(figures, args.rounds, with_ray=not args.skip_ray):
        print(f"round {number} of {args.rounds}", file=sys.stderr, flush=True)
    facts = {
        "machine": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load_at_end": os.getloadavg(),
        "durability": "sync_interval always, group commit, chain and validation on",
        "figures": figures,
    }
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    path = out / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps(facts, indent=1))
    print("\n".join(table(figures)))
    print(f"\nturn: a role acted once; a ten-round debate has 49. Recorded in {path}")


if __name__ == "__main__":
    main()
