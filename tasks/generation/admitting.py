"""Makes tasks of screened candidates: written into a dataset, proved in containers, and removed if the proof fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.admission.admit import AdmissionRefused, admit
from harness.admission.solved_runs import SolvedRuns
from harness.dataset import Dataset, Proof, Repository, Task, load_repository, write_proof
from harness.dataset.ours import OurLayout
from harness.errors import ConfigurationError
from harness.sandbox.base import Engine
from tasks.generation.corrupting.candidates import Candidate, Reason, Refusal
from tasks.generation.writing import write_task

Prove = Callable[[Repository, Task], Proof]
_FLAKY = "the tests are flaky"  # in the reason of an admission that is refused


def prover(engine: Engine, instance: str) -> Prove:
    """The full admission of a task, without the measurement of its tests' strength.

    All tasks of a repository have the same solution, its source, so that is tested for the first one alone. For
    sqlparse this takes 3 test runs for a task instead of 12.
    """
    solved = SolvedRuns()
    return lambda repository, task: admit(
        repository, task, engine, instance=instance, strength=False, solved=solved
    )


@dataclass(frozen=True)
class Admitter:
    """Makes tasks in one repository of a dataset. `command`: what was called, for the record of each task.

    `measures`: of a candidate, by name; {} if they are unknown.
    """

    dataset: Dataset
    repository: Repository
    prove: Prove
    measures: Callable[[Candidate], Mapping[str, float]]
    command: str = ""

    def __call__(self, candidate: Candidate) -> Candidate:
        """The candidate with its task, or with a refusal. A task that was written and proved before stays."""
        directory = write_task(
            self.repository.directory / "tasks",
            candidate,
            self.repository.source,
            canary=self.dataset.canary,
            measures=self.measures(candidate),
            command=self.command,
        )
        repository, task = load_task_of(self.dataset.directory, self.repository.slug, directory.name)
        if not task.admitted:
            try:
                write_proof(task, self.prove(repository, task))
            except AdmissionRefused as refused:
                shutil.rmtree(directory)
                reason = Reason.FLAKY if _FLAKY in refused.reason else Reason.NOT_ADMITTED
                return replace(candidate, refusal=Refusal(reason, refused.reason[:2000]))
        return replace(candidate, task=directory.name)


def load_task_of(directory: Path, repository: str, task: str) -> tuple[Repository, Task]:
    """A repository with one of its tasks, from disk. Raises DatasetError."""
    found = OurLayout(directory, only=(repository, task)).load().repository(repository)
    return found, found.task(task)


def prepare_output(
    dataset: Path, repository: str, output: Path, *, slug: str = "", title: str = ""
) -> tuple[Dataset, Repository]:
    """The repository in the dataset `output`, which may be `dataset` itself.

    Copied from `dataset` without its tasks if it is not there yet: as `slug`, or with the same name. `title`: of the
    output if it is new; '' for that of `dataset`. Raises ConfigurationError if it is there with other files, and
    DatasetError.
    """
    original, wanted = load_repository(dataset, repository)
    output = output.resolve()
    slug = slug or repository
    if not (output / "dataset.toml").exists():
        output.mkdir(parents=True, exist_ok=True)
        _write_settings(original, output / "dataset.toml", title)
    if not (output / slug).exists():
        partial = output / f".{slug}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(wanted.directory, partial, symlinks=True, ignore=_tasks_of(wanted.directory))
        partial.rename(output / slug)
    found, copy = load_repository(output, slug)
    if copy.digest != wanted.digest:
        raise ConfigurationError(
            f"{output / slug} holds another version of {repository} than {dataset}: choose another output"
        )
    return found, copy


def _write_settings(original: Dataset, path: Path, title: str) -> None:
    """The settings of a new dataset. Its canary is that of the original, which is in the copied files."""
    if not title:
        shutil.copy2(original.directory / path.name, path)
        return
    values = {
        "title": title,
        "description": f"Tasks generated from {original.title}.",
        "version": "1.0.0",
        "licence": original.licence,
        "canary": original.canary,
    }
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in values.items())  # strings of TOML, too
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text("".join(lines), encoding="utf-8")
    partial.rename(path)


def _tasks_of(repository: Path) -> Callable[[str, list[str]], list[str]]:
    """What is not copied: the tasks, and what a killed run left."""

    def left_out(directory: str, names: list[str]) -> list[str]:
        if Path(directory) != repository:
            return ["__pycache__"] if "__pycache__" in names else []
        return [name for name in names if name == "tasks" or name.endswith(".partial")]

    return left_out
