"""Loads datasets and tasks from a directory, and writes proofs into it."""

from __future__ import annotations

import json
from pathlib import Path

from harness.dataset.idebench import IdeBenchLayout, repositories_in
from harness.dataset.model import Dataset, Repository, Task
from harness.dataset.ours import OurLayout
from harness.dataset.proofs import Proof
from harness.dataset.starting import started


def load_dataset(directory: Path) -> Dataset:
    """The dataset in `directory`, in our layout or IDE-Bench's. Raises DatasetError with every problem found."""
    directory = directory.resolve()
    return _layout(directory)(directory).load()


def load_task(directory: Path, repository: str, task: str, *, digest: str) -> tuple[Repository, Task]:
    """One task of a dataset that was loaded before, and its repository with this task only. Reads no other task.

    `digest` is the task's digest from the earlier load. If it is unchanged, the checks of `load_dataset` need not be
    repeated. The repository has the task's own start: see `started`. Raises LookupError if the task is missing or has
    changed, DatasetError if its files are not readable.
    """
    directory = directory.resolve()
    dataset = _layout(directory)(directory, only=(repository, task)).load()
    for found, one in dataset.tasks():
        if one.digest == digest:
            return started(found, one), one
        raise LookupError(f"{one.directory} changed since it was loaded")
    raise LookupError(f"{directory} holds no task {repository}/{task} any more")


def load_repository(directory: Path, repository: str) -> tuple[Dataset, Repository]:
    """A dataset in our layout with one repository, without the tasks: it may have none yet.

    Raises ConfigurationError for an unknown repository, and DatasetError if its files are not readable.
    """
    dataset = OurLayout(directory.resolve(), only=(repository, "")).load()
    return dataset, dataset.repository(repository)


def _layout(directory: Path) -> type[OurLayout] | type[IdeBenchLayout]:
    ours = (directory / "dataset.toml").exists() and any(directory.glob("*/repository.toml"))
    return OurLayout if ours or not repositories_in(directory) else IdeBenchLayout


def write_proof(task: Task, proof: Proof) -> Path:
    """Stores `proof` beside the task's files, replacing an older one atomically. Returns its path."""
    path = task.directory / "proof.json"
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(proof.to_json(), indent=2) + "\n", encoding="utf-8")
    partial.replace(path)
    return path
