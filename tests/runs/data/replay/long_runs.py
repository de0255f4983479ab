"""Runs of any length, with directories as the harness leaves them: for what must not depend on length.

    python -m tests.runs.data.replay.long_runs DATA 10:0.1 1000:8 10000:100

adds to the data directory, whose database is there, a finished run for each STEPS:MEGABYTES, with the index that a
worker makes when it settles. It prints their numbers as JSON, in the given order.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # Django reads its settings when the models below are imported
    os.environ["BENCHBENCH_DATA"] = str(Path(sys.argv[1]).resolve())
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
    os.environ["LOG_LEVEL"] = "WARNING"
    import django

    django.setup()

from runs.data.replay.open_index import update_index
from tests.runs.cast import DIFF, Cast, grade_of, recorder_of
from tests.runs.data.replay.tapes import edit, step, write

if TYPE_CHECKING:
    from runs.models import Run

ROOT = Path(__file__).parents[4]
FILES = [f"src/{place}/{name}.py" for place in ("tide", "moon", "port") for name in ("a", "b", "c", "d", "e")]
BATCH = 500
OVERHEAD = 650  # bytes of a step without its texts


def fill(run: Run, steps: int, megabytes: float) -> None:
    """A directory of so many steps and bytes: source that is read, searches, edits with their diffs, test output."""
    recorder = recorder_of(run)
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "runs").glob("*.py")))
    size = max(100, int(megabytes * 1_000_000 / steps) - OVERHEAD)
    random_ = random.Random(steps)
    for first in range(1, steps + 1, BATCH):
        numbers = range(first, min(first + BATCH, steps + 1))
        write(run.path, (_step(number, size, source, random_) for number in numbers), _edits(numbers))
    recorder.patch(("diff --git a/tide.py b/tide.py\n" + DIFF).encode())
    recorder.grade(grade_of(run, {}))
    update_index(run.path)


def _step(number: int, size: int, source: str, random_: random.Random) -> dict[str, Any]:
    tool = ("read_file", "grep_search", "edit_file", "run_terminal_cmd")[number % 4]
    path = FILES[number * 7 % len(FILES)]
    argument = {"command": f"pytest -q {path}"} if tool == "run_terminal_cmd" else {"path": path}
    size = int(size * random_.uniform(0.5, 1.5))
    start = random_.randrange(max(1, len(source) - size))
    text = (source[start:] + source * (size // len(source) + 1))[:size]
    message = f"Step {number}: I look at {path}, which may hold the reason. mark-{number}-end"
    ok = random_.random() > 0.04
    return step(
        number,
        tool,
        {"explanation": "To see.", **argument},
        message=message,
        result=text,
        ok=ok,
        seconds=random_.expovariate(0.5),
        tokens=2_000 + 9 * number,
    )


def _edits(numbers: range) -> Iterator[dict[str, Any]]:
    return (edit(number, FILES[number % len(FILES)]) for number in numbers if number % 4 == 2)


def main(*sizes: str) -> None:
    """Makes the runs."""
    from runs.models import Run

    cast = Cast()
    alice = cast.alice()
    made: list[int] = []
    for number, size in enumerate(sizes, 1):
        steps, _, megabytes = size.partition(":")
        run = cast.add_run(alice, cast.add_tasks(1, start=number)[0], passed=4, steps=int(steps))
        fill(run, int(steps), float(megabytes))
        made.append(run.pk)
    cast.settle()
    assert Run.objects.count() == len(sizes)
    print(json.dumps(made))


if __name__ == "__main__":
    main(*sys.argv[2:])
