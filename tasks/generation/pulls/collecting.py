"""Collects tasks from merged changes into a repository of a dataset, and records what became of each change.

    <dataset>/<repository>/collected/<key>.json   the outcome of one change: its task, or the reason why there is none
    <dataset>/<repository>/tasks/<slug>/          the task, written whole or not at all

A change with an outcome is not measured again, so that a collection that was stopped goes on where it was.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness.dataset import DatasetError, Repository, Task, Tree, load_dataset, write_proof
from harness.dataset.generation import GENERATION
from harness.errors import ConfigurationError
from harness.patches import PatchError
from harness.version import __version__
from tasks.generation.pulls.changes import Files, MergedChange, Reason, Refusal
from tasks.generation.pulls.filters import ChangeFilter
from tasks.generation.pulls.measuring import Measurement, Unfit
from tasks.generation.pulls.splitting import SplitPatch, split_patch
from tasks.generation.pulls.writing import TaskFiles, TaskSettings, change_key, task_files

COLLECTED = "collected"
OUTCOME_SCHEMA = 1
_STAGING = "staging-"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one change. `reason` None: it is the task `task`; else `detail` explains it.

    `rules`: the criteria that were applied. An outcome holds while they and the generator's version are the same; a
    task stays. `again`: whether it was read from its record.
    """

    key: str
    identifier: str
    title: str
    reason: Reason | None
    detail: str = ""
    task: str = ""
    fail_to_pass: int = 0
    pass_to_pass: int = 0
    missing_before: int = 0
    rules: Mapping[str, Any] = field(default_factory=dict)
    again: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Collection:
    """A repository of a dataset that tasks are collected into.

    It needs dataset.toml, and repository.toml, Dockerfile and run_tests.sh of the repository; `source` is written if it
    is missing. `retry`: changes that were refused are measured again.
    """

    dataset: Path
    slug: str
    rules: ChangeFilter
    settings: TaskSettings
    measurement: Measurement
    retry: bool = False

    @property
    def criteria(self) -> Mapping[str, Any]:
        """What decides over a change, besides its tests."""
        settings = self.settings
        return {
            **asdict(self.rules),
            "parts": dict(settings.overrides or {}),
            "without": list(settings.without),
            "allow_missing": self.measurement.allow_missing,
        }

    @property
    def directory(self) -> Path:
        """The repository's directory."""
        return self.dataset / self.slug

    def collect(self, found: Iterable[MergedChange | Refusal], files: Files) -> Iterator[Outcome]:
        """The outcome of each change, as soon as it is recorded. `files`: the repository's source if it has none.

        Raises ConfigurationError with what is missing, or while another process collects into this repository.
        """
        with self._alone():
            source = self._source(files)
            for one in found:
                key = change_key(one) if isinstance(one, MergedChange) else _refusal_key(one)
                outcome = self._recorded(key)
                if outcome is None:
                    outcome = (
                        self._refused(one, key) if isinstance(one, Refusal) else self._tried(one, key, source)
                    )
                    path = self._path(outcome.key)
                    stored = {"schema_version": OUTCOME_SCHEMA, "generator": __version__, **asdict(outcome)}
                    del stored["again"]
                    partial = path.with_suffix(".partial")
                    partial.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
                    partial.replace(path)
                yield outcome

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Holds the directory of the records, and removes what a killed collection left in it."""
        needed = (self.dataset / "dataset.toml", *(self.directory / name for name in _NEEDED))
        if missing := [str(path) for path in needed if not path.is_file()]:
            raise ConfigurationError(f"write {', '.join(missing)} first: see docs/datasets.md")
        records = self.directory / COLLECTED
        records.mkdir(exist_ok=True)
        held = os.open(records, os.O_RDONLY | os.O_DIRECTORY)
        try:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                advice = f"another process collects into {self.directory}: wait for it"
                raise ConfigurationError(advice) from None
            for left in records.glob(f"{_STAGING}*"):
                shutil.rmtree(left)
            yield
        finally:
            os.close(held)

    def _source(self, files: Files) -> Files:
        """The repository's own tree, which is written from `files` if there is none."""
        place = self.directory / "source"
        if not place.exists():
            partial = self.directory / COLLECTED / f"{_STAGING}source"
            TaskFiles("source", tuple(self.settings.kept(files).values())).write(partial)
            partial.replace(place)
        return {file.path: file for file in Tree(place).files()}

    def _tried(self, change: MergedChange, key: str, source: Files) -> Outcome:
        try:
            parts = split_patch(change.diff, self.settings.overrides)
            if refusal := self.rules.refusal(change, parts):
                return self._refused(refusal, key)
            return self._measured(change, parts, key, source)
        except PatchError as error:
            return self._refused(
                Refusal(change.identifier, change.title, Reason.NOT_APPLYING, str(error)), key
            )

    def _measured(self, change: MergedChange, parts: SplitPatch, key: str, source: Files) -> Outcome:
        files = task_files(change, parts, source, self.settings)
        slug = self._free_slug(files.slug, key)
        with self._staged(slug) as directory:
            files.write(directory)
            try:
                screened = self.measurement.screen(*self._loaded(directory))
            except DatasetError as error:
                return self._refused(_own_problem(change, directory, error), key)
            if isinstance(screened, Unfit):
                return self._unfit(change, screened, key)
            if screened.leave_out:
                shutil.rmtree(directory)
                task_files(change, parts, source, self.settings, screened.leave_out).write(directory)
            repository, task = self._loaded(directory)
            proof = self.measurement.prove(repository, task)
            if isinstance(proof, Unfit):
                return self._unfit(change, proof, key)
            write_proof(task, proof)
            place = self.directory / "tasks" / slug
            place.parent.mkdir(exist_ok=True)
            if place.exists():  # of this change, from a collection that was killed before its record
                shutil.rmtree(place)
            directory.replace(place)
        return Outcome(
            *(key, change.identifier, change.title, None),
            task=slug,
            fail_to_pass=len(proof.fail_to_pass),
            pass_to_pass=len(proof.pass_to_pass),
            missing_before=len(screened.missing_before),
            rules=self.criteria,
        )

    @contextmanager
    def _staged(self, slug: str) -> Iterator[Path]:
        """The directory of a task in a dataset of its own, which is a copy of this repository without other tasks."""
        staging = self.directory / COLLECTED / f"{_STAGING}{os.getpid()}"
        own = staging / self.slug

        def ignore(directory: str, names: list[str]) -> set[str]:
            return {"tasks", COLLECTED} & set(names) if Path(directory) == self.directory else set()

        try:
            shutil.copytree(self.directory, own, symlinks=True, ignore=ignore, copy_function=_linked)
            shutil.copy(self.dataset / "dataset.toml", staging)
            yield own / "tasks" / slug
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def _loaded(self, directory: Path) -> tuple[Repository, Task]:
        """The staged task. Raises harness.dataset.DatasetError."""
        ((repository, task),) = load_dataset(directory.parent.parent.parent).tasks()
        return repository, task

    def _free_slug(self, slug: str, key: str) -> str:
        """The slug, with some digits of the key if another change has it."""
        record = self.directory / "tasks" / slug / GENERATION
        if not record.parent.exists():
            return slug
        try:
            if json.loads(record.read_text(encoding="utf-8"))["pull_request"]["key"] == key:
                return slug
        except (OSError, ValueError, LookupError, TypeError):
            pass
        return f"{slug}-{key[:8]}"

    def _unfit(self, change: MergedChange, unfit: Unfit, key: str) -> Outcome:
        return self._refused(Refusal(change.identifier, change.title, unfit.reason, unfit.detail), key)

    def _refused(self, refusal: Refusal, key: str) -> Outcome:
        return Outcome(
            *(key, refusal.identifier, refusal.title, refusal.reason, refusal.detail),
            rules=self.criteria,
        )

    def _path(self, key: str) -> Path:
        return self.directory / COLLECTED / f"{key[:32]}.json"

    def _recorded(self, key: str) -> Outcome | None:
        """The outcome of an earlier collection that still holds."""
        try:
            stored = json.loads(self._path(key).read_text(encoding="utf-8"))
            if stored.pop("schema_version") != OUTCOME_SCHEMA:
                return None
            version = stored.pop("generator")
            reason = None if stored["reason"] is None else Reason(stored["reason"])
            outcome = Outcome(**{**stored, "reason": reason}, again=True)
        except (OSError, ValueError, LookupError, TypeError):
            return None
        if outcome.task:
            return outcome if (self.directory / "tasks" / outcome.task).is_dir() else None
        if self.retry:
            return None
        return outcome if version == __version__ and outcome.rules == self.criteria else None


_NEEDED = ("repository.toml", "Dockerfile", "run_tests.sh")


def yield_of(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many changes became tasks, and how many were refused for each reason, the most frequent first."""
    counts = Counter(str(outcome.reason or "tasks") for outcome in outcomes)
    return {"tasks": counts.pop("tasks", 0), **dict(counts.most_common())}


def _refusal_key(refusal: Refusal) -> str:
    return sha256(f"{refusal.identifier}\0{refusal.reason}".encode("utf-8", "surrogateescape")).hexdigest()


def _own_problem(change: MergedChange, directory: Path, error: DatasetError) -> Refusal:
    """The refusal of a change whose task is invalid. Raises the error itself if the repository is."""
    problems = [problem for problem in error.problems if problem.path.is_relative_to(directory.resolve())]
    if not problems:
        raise error
    first = problems[0]
    place = ", ".join(filter(None, (str(first.path.relative_to(directory.resolve())), first.where)))
    return Refusal(change.identifier, change.title, Reason.UNREADABLE, f"{place}: {first.reason}")


def _linked(source: str, target: str) -> None:
    """A second name of the same file; links stay links. Nothing writes into the staged copy of these files."""
    os.link(source, target, follow_symlinks=False)
