"""Whether agents can reach the original code of generated tasks.

    python -m benchmarks.originals DATASET [--repository SLUG] [--tasks N] [--layers N]

For each task with targets, a workspace is searched as root for what the reference patch brings back: in all files, in
archives, compressed files, bytecode and objects of git; for the first tasks of each repository also in all layers of
the image. For the first task, the original is planted in six ways, and each has to be found. Promised: nothing else is
found. Exits with 1 otherwise. Needs a container engine, and takes a few seconds a task.
"""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude
from harness.dataset import Repository, Task, load_dataset, started
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.originals import (
    PLANTED,
    original_of,
    places_in,
    places_in_layers,
    plant,
)

INSTANCE = "benchmark"


def main() -> int:
    """Prints what was found of each task; 1 if anything was found, or a planted original was not."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--repository", help="only this one")
    parser.add_argument("--tasks", type=int, help="of each repository, at most")
    parser.add_argument("--layers", type=int, default=2, help="tasks whose image layers are searched; 2")
    options = parser.parse_args()
    repositories = [
        one
        for one in load_dataset(options.dataset).repositories
        if options.repository in (None, one.slug) and any(task.targets for task in one.tasks)
    ]
    with closing(DockerEngine()) as engine:
        found = [_found(engine, one, options.tasks, options.layers) for one in repositories]
    return conclude(bool(found) and not any(found), f"{sum(found)} finds in {len(found)} repositories")


def _found(engine: DockerEngine, repository: Repository, most: int | None, layered: int) -> int:
    """How many finds there are in the tasks of a repository; each planted original that is not found is one, too."""
    tasks = [task for task in repository.tasks if task.targets][:most]
    began = time.monotonic()
    finds: list[str] = []
    for number, task in enumerate(tasks):
        finds += _in_container(engine, repository, task, planted=number == 0)
        if number < layered:
            finds += _in_layers(engine, repository, task)
    seconds = time.monotonic() - began
    print(f"{repository.slug}: {len(tasks)} tasks, {len(finds)} finds, {seconds:.0f} s", flush=True)
    for find in finds:
        print(f"  {find}", flush=True)
    return len(finds)


def _in_container(engine: DockerEngine, repository: Repository, task: Task, *, planted: bool) -> list[str]:
    original, owner = original_of(repository, task), Owner(INSTANCE, "originals")
    with engine.workspace(started(repository, task), ContainerUse(owner)) as workspace:
        found = [f"{task.slug}: {place}" for place in places_in(workspace, original)]
        if planted:
            (path, text), *_ = original.files.items()
            plant(workspace, path, text)
            after = set(places_in(workspace, original))
            found += [f"{task.slug}: planted and not found: {place}" for place in sorted(PLANTED - after)]
    return found


def _in_layers(engine: DockerEngine, repository: Repository, task: Task) -> list[str]:
    image = engine.image(started(repository, task))
    return [
        f"{task.slug}: {place}"
        for place in places_in_layers(engine._api, image, original_of(repository, task))
    ]


if __name__ == "__main__":
    sys.exit(main())
