"""Whether the same command makes the same tasks, also when it is killed again and again.

    python -m benchmarks.generation_kills DATASET REPOSITORY [--limit N] [--kills N] [--longest S]

Generates tasks three times with the same options: twice without a disturbance, and once with `kill -9` at random
moments, each followed by the same command. Promised: all tasks have the same files with the same bytes, all candidates
too, and none is lost or made twice. Left out of the comparison is only what a measurement of time gives: seconds, the
date of a proof. Exits with 1 otherwise. Needs a container engine; nothing else may use its containers of the command
line, which are removed at the end.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude
from harness.sandbox import open_engine

ROOT = Path(__file__).parent.parent
INSTANCE = "shell"  # of manage.py generate_tasks
SAME = "generated"  # the name of each output: it is in the records of tasks
MIN_SECONDS = 3.0  # that a process lives before it is killed
TIMES = frozenset({"cpu_seconds", "seconds", "baseline_cpu_seconds", "proved_at", "ceiling_seconds"})


def main() -> int:
    """Prints the number of tasks of each generation and what differs; 1 if anything does."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("repository")
    parser.add_argument("--limit", type=int, default=6, help="candidates of each kind; 6")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=40.0, help="seconds before a kill, at most; 40")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a directory for the three datasets")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as temporary, closing(open_engine()) as engine:
        root = options.keep or Path(temporary)
        found: dict[str, Mapping[str, Any]] = {}
        for name, kills in (("first", 0), ("second", 0), ("killed", options.kills)):
            began = time.monotonic()
            command = _command(options.dataset, options.repository, root / name / SAME, options.limit)
            made = _generate(command, kills, partial(chance.uniform, MIN_SECONDS, options.longest))
            found[name] = contents(root / name / SAME)
            tasks = sum(path.endswith("/generation.json") for path in found[name])
            seconds = time.monotonic() - began
            print(f"{name}: {tasks} tasks, {made} kills, {seconds:.0f} s", flush=True)
            if made < kills:
                print(f"  it ended before the {kills} kills: raise --limit")
                return 2
        engine.sweep(INSTANCE, in_use=())
    differing = [line for name in ("second", "killed") for line in differences(found["first"], found[name])]
    for line in differing:
        print(f"  {line}")
    return conclude(not differing and any("/tasks/" in path for path in found["first"]))


def _command(dataset: Path, repository: str, output: Path, limit: int) -> Sequence[str]:
    options = ("--kinds", "remove,corrupt", "--seed", "1", "--limit", str(limit), "--output", str(output))
    return [sys.executable, "manage.py", "generate_tasks", str(dataset), repository, *options]


def _generate(command: Sequence[str], kills: int, seconds: Callable[[], float]) -> int:
    """Runs the command until it ends by itself. Returns how often it was killed before."""
    for made in range(kills):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            process.wait(seconds())
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        else:
            return made
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return kills


def contents(directory: Path) -> dict[str, Any]:
    """All files of a dataset by path: their bytes, or of JSON its value without measured times."""
    found: dict[str, Any] = {}
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.name != ".lock":
            content = path.read_bytes()
            name = str(path.relative_to(directory))
            found[name] = _without_times(json.loads(content)) if _has_times(name) else content
    return found


def _has_times(name: str) -> bool:
    return name.endswith("/proof.json") or name.startswith("candidates/")


def _without_times(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_times(one) for key, one in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [_without_times(one) for one in value]
    return value


def differences(first: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What one generation has and the other has not, and the files that differ."""
    lost = [f"missing: {name}" for name in first if name not in other]
    more = [f"too many: {name}" for name in other if name not in first]
    return [
        *lost,
        *more,
        *(f"differs: {name}" for name, content in first.items() if other.get(name, content) != content),
    ]


if __name__ == "__main__":
    sys.exit(main())
