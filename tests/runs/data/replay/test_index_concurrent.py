"""Many readers, a growing run and killed writers: every reader sees whole steps in order."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from runs.data.replay.open_index import index_path, outline
from runs.data.replay.outline import OutlineRow
from runs.data.replay.step_filter import StepCondition
from tests.runs.data.replay.tapes import edit, step, write

ROOT = Path(__file__).parents[4]
STEPS = 150
BUILD = """
import sys, django
django.setup()
from pathlib import Path
from runs.data.replay.open_index import update_index
print("ready", flush=True)
update_index(Path(sys.argv[1]))
"""


def rows(directory: Path) -> tuple[OutlineRow, ...]:
    with outline(directory) as steps:
        return steps.rows(StepCondition(), 0, 1_000_000)


def record(directory: Path, number: int) -> None:
    """One step and what it changed, in the order in which the harness writes them."""
    write(directory, [step(number, "edit_file", {"path": f"{number % 5}.py"})])
    write(directory, [], [edit(number, f"{number % 5}.py")] if number % 2 else [])


def test_readers_of_a_growing_run_see_a_prefix_and_finally_all(data_directory: Path) -> None:
    directory = data_directory / "runs" / "x" / "try-1"
    record(directory, 1)
    over = threading.Event()

    def read() -> int:
        seen = 0
        while not over.is_set():
            numbers = [row.number for row in rows(directory)]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) >= seen
            seen = len(numbers)
        return seen

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for number in range(2, STEPS + 1):
            record(directory, number)
        over.set()
        assert all(0 < reader.result() <= STEPS for reader in readers)

    grown = rows(directory)
    place = index_path(directory)
    assert place is not None
    place.unlink()
    assert rows(directory) == grown
    assert [row.edited for row in grown] == [row.number % 2 == 1 for row in grown]


def test_concurrent_readers_share_one_new_index(data_directory: Path) -> None:
    directory = data_directory / "runs" / "x" / "try-1"
    write(directory, [step(number) for number in range(1, STEPS + 1)])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(rows, [directory] * 8))
    assert all(len(one) == STEPS for one in found)


def test_a_killed_writer_leaves_no_damage(data_directory: Path) -> None:
    directory = data_directory / "runs" / "x" / "try-1"
    environment = {
        **os.environ,
        "BENCHBENCH_DATA": str(data_directory),
        "DJANGO_SETTINGS_MODULE": "benchbench.settings",
    }
    random_ = random.Random(5)
    written = 0
    for _ in range(3):
        # The first one dies while it makes the index, the others while they make it longer.
        numbers = range(written + 1, written + 2_501)
        write(directory, [step(number, "read_file", {"path": "a.py"}) for number in numbers])
        written = numbers[-1]
        command = [sys.executable, "-c", BUILD, str(directory)]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(random_.uniform(0.02, 0.3))
            process.kill()
        assert [row.number for row in rows(directory)] == list(range(1, written + 1))
    place = index_path(directory)
    assert place is not None
    assert [path.name for path in place.parent.iterdir()] == [place.name]
