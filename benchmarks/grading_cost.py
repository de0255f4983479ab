"""The time of grading beside that of the same tests in a container without any defence.

    python -m benchmarks.grading_cost [--pairs 5]

Each shipped task is graded with its reference patch and without a patch. The baseline is a plain container in which
everything is root, without traps. The images are built before. Promised: over all tasks, the sum of the medians is at
most 1.25 times that of the baseline. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.forging.control import forges_without_defence
from harness.dataset import Repository, Task, load_dataset
from harness.grading.grade import grade
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine

PROMISED = 1.25
STARTER = Path(__file__).parent.parent / "datasets" / "starter"
OWNER = Owner("benchmark-grading-cost", "grading-cost")


def main() -> int:
    """Prints the table; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    pairs: int = parser.parse_args().pairs
    ours = plain = 0.0
    print(f"{pairs} pairs, seconds (median)\n{'':<40}{'graded':>8}{'plain':>8}{'ratio':>8}")
    with closing(DockerEngine()) as engine:
        for repository, task in load_dataset(STARTER).tasks():
            for name, patch in (("reference", task.reference_diff.read_bytes()), ("no patch", b"")):
                graded, baseline = _pairs(engine, repository, task, patch, pairs)
                print(
                    f"{f'{task.slug}, {name}':<40}{graded:8.2f}{baseline:8.2f}{graded / baseline:8.2f}",
                    flush=True,
                )
                ours += graded
                plain += baseline
    return conclude(ours <= PROMISED * plain, f"ratio of the sums: {ours / plain:.2f}, promised {PROMISED}")


def _pairs(
    engine: DockerEngine, repository: Repository, task: Task, patch: bytes, pairs: int
) -> tuple[float, float]:
    """The median times of grading and of the baseline, in turn, after one grade that builds the images."""
    image = engine.image(repository)

    def graded() -> bool:
        return grade(engine, repository, task, patch, use=ContainerUse(OWNER)).resolved

    def plain() -> bool:
        return forges_without_defence(repository, task, image, patch)[0]

    if graded() != bool(patch):
        raise SystemExit(f"{task.slug}: another verdict than expected")
    times = [(_seconds(graded), _seconds(plain)) for _ in range(pairs)]
    return median(one for one, _ in times), median(other for _, other in times)


def _seconds(measured: Callable[[], object]) -> float:
    began = time.monotonic()
    measured()
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
