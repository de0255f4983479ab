"""Writes the worlds as two datasets, one for each layout, and admits their tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.forging.worlds.model import CANARY, DESCRIPTION, TITLE, World
from harness.admission.admit import admit
from harness.dataset import Repository, Task, load_dataset, write_proof
from harness.sandbox.base import Engine
from tests.harness.worlds import write_tree

TASK = "task-1"
_DATASET = """\
title = "Forging"
description = "Tasks for attempts to forge a verdict."
version = "1.0.0"
licence = "MIT"
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A world that was written and admitted."""

    world: World
    repository: Repository
    task: Task


def prepare(root: Path, worlds: Iterable[World], engine: Engine, instance: str) -> Mapping[str, Place]:
    """Writes these worlds below `root` and admits those without a valid proof. Returns their places by name."""
    chosen = list(worlds)
    for world in chosen:
        write_world(root / world.layout, world)
    found: dict[str, Place] = {}
    for layout in sorted({world.layout for world in chosen}):
        names = {world.name: world for world in chosen if world.layout == layout}
        for repository, task in load_dataset(root / layout).tasks():
            if repository.slug in names and not task.admitted:
                print(f"admitting {repository.slug}", flush=True)
                write_proof(task, admit(repository, task, engine, instance=instance))
        for repository, task in load_dataset(root / layout).tasks():
            if repository.slug in names:
                found[repository.slug] = Place(names[repository.slug], repository, task)
    return {world.name: found[world.name] for world in chosen}


def write_world(dataset: Path, world: World) -> None:
    """Writes a world into the dataset of its layout. Its task has no proof yet."""
    directory = dataset / world.name
    task = directory / "tasks" / TASK
    reference = world.patch(world.solution)
    if world.layout == "ours":
        canary = f'canary = "{CANARY}"\n'
        write_tree(dataset, {"dataset.toml": _DATASET + canary})
        write_tree(directory / "source", world.source)
        write_tree(directory, {"repository.toml": _repository(world)})
        write_tree(task, {"task.toml": _TASK, "description.md": DESCRIPTION})
        write_tree(task / "tests", world.tests)
        (task / "reference.diff").write_bytes(f"{CANARY}\n".encode() + reference)
    else:
        write_tree(dataset, {"dataset.toml": _DATASET})
        write_tree(directory, world.source)
        write_tree(task, {"task_description.txt": _description(world), **world.tests})
        (task / "task_diff.txt").write_bytes(reference)
    write_tree(task / "traps", world.trap_diffs())
    write_tree(directory, {"Dockerfile": world.dockerfile, "run_tests.sh": world.script})


_TASK = f'title = "{TITLE}"\ncategory = "feature"\ndifficulty = "easy"\ntest_timeout = 120\n'


def _repository(world: World) -> str:
    return (
        f'title = "{world.name}"\ndescription = "Reads and spells durations."\nstack = "{world.language}"\n'
        f'languages = ["{world.language}"]\ndomain = "time"\nworkdir = "/app"\nreport = "{world.report}"\n'
    )


def _description(world: World) -> str:
    text = "".join(f"  {line}\n" for line in DESCRIPTION.splitlines())
    return (
        f"task_description: |\n  Task: {TITLE}\n\n{text}\ndifficulty: easy\ncategory: feature implementation\n"
        f'tags: ["durations"]\nparser_name: {world.report}\n'
    )
