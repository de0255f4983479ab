"""Grades honest patches again and again: no verdict may change, and none may be flagged.

    python -m benchmarks.honest [--times 20] [--jobs 2] [--no-recorded]

The reference patch of each task of the dataset *starter* is graded `--times` times, under other traps each time: all
are resolved, without a flag. The patch of each recorded run that ships with the project (agents for calibration, and
a small model) is graded once: its verdict, the status of each test and its flags are those of the record. Exits with
1 otherwise.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude
from harness.dataset import Repository, Task, load_dataset
from harness.grading.grade import grade
from harness.records import Grade, RunRecord, RunSummary
from harness.records.packing import unpack
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine

ROOT = Path(__file__).parent.parent
STARTER, GENERATED = (  # those with recorded runs
    ROOT / "datasets" / name for name in ("starter", "generated")
)
RECORDED = ROOT / "runs" / "recorded"
OWNER = Owner("benchmark-honest", "honest")

Tasks = Mapping[tuple[str, str], tuple[Repository, Task]]
# Grades one patch and returns how the grade differs from the expected one, '' if it does not.
Check = Callable[[], str]


def main() -> int:
    """Prints a line for each difference, and the totals; 1 if there is a difference."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2, help="gradings at once")
    parser.add_argument(
        "--no-recorded", dest="recorded", action="store_false", help="leave out recorded runs"
    )
    options = parser.parse_args()
    starter = _tasks(STARTER)
    with tempfile.TemporaryDirectory(prefix="benchbench-honest-") as directory:
        with closing(DockerEngine()) as engine:
            for repository, _ in starter.values():
                engine.image(repository)  # once, before the threads
        references = [partial(_reference, *place) for place in starter.values() for _ in range(options.times)]
        different = _differences("gradings of reference patches", references, options.jobs)
        if options.recorded:
            recorded = list(_recorded({**starter, **_tasks(GENERATED)}, Path(directory)))
            different += _differences("recorded runs", recorded, options.jobs)
    return conclude(different == 0)


def _tasks(dataset: Path) -> Tasks:
    return {
        (repository.slug, task.slug): (repository, task) for repository, task in load_dataset(dataset).tasks()
    }


def _differences(title: str, checks: Sequence[Check], jobs: int) -> int:
    """Makes all checks, prints what differs, and returns how many do."""
    began, different = time.monotonic(), 0
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda check: check(), checks):
            if found:
                different += 1
                print(found, flush=True)
    print(f"{len(checks)} {title}: {different} differ ({time.monotonic() - began:.0f} s)", flush=True)
    return different


def _reference(repository: Repository, task: Task) -> str:
    done = _graded(repository, task, task.reference_diff.read_bytes())
    return "" if done.resolved and not done.flags else f"{task.slug}: {done.reason} {done.flags}"


def _recorded(tasks: Tasks, directory: Path) -> Iterator[Check]:
    """Unpacks the archives, and yields a check of each run."""
    for archive in RECORDED.glob("*.tar.xz"):
        unpack(archive, directory)
    for path in sorted(directory.rglob("run_summary.json")):
        record = RunRecord(path.parent)
        if (summary := record.summary()) is not None:
            place = tasks[summary.identity.repository, summary.identity.task]
            yield partial(_again, *place, record, summary)


def _again(repository: Repository, task: Task, record: RunRecord, summary: RunSummary) -> str:
    done = _graded(repository, task, record.patch())
    was = {test.id: test.status for test in record.tests()}
    changed = [
        f"{test.id}: {was.get(test.id)}, now {test.status}"
        for test in done.tests
        if was.get(test.id) != test.status
    ]
    if done.resolved != (summary.outcome == "resolved") or done.flags != summary.flags or changed:
        return f"{summary.identity.run_id}: {summary.outcome}, now {done.reason} {done.flags}; {'; '.join(changed)}"
    return ""


def _graded(repository: Repository, task: Task, patch: bytes) -> Grade:
    with closing(DockerEngine()) as engine:  # one for each thread
        return grade(engine, repository, task, patch, use=ContainerUse(OWNER))


if __name__ == "__main__":
    sys.exit(main())
