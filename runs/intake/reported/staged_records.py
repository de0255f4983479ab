"""The trajectories of an import: written and counted in a scratch directory, then moved into place at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from harness.records import write_json
from harness.scratch import scratch
from runs.analysis.facts import INFRASTRUCTURE_FAILED
from runs.data.run_facts.count_trajectory import TrajectoryCount, count_run, store_new_counts
from runs.intake.reported.listed_runs import ListedRun, write_list
from runs.intake.reported.original_files import remove_originals, store_originals
from runs.intake.reported.reported_result import ReportedResult
from runs.intake.reported.step_readers.recording import Recorded, record
from runs.models import Evaluation
from tasks.models import Task

MIN_FOR_PROCESSES = 20
OPTIONS = "import.json"  # the options of an import, so that it can be repeated after a loss of the database
IMPORTED = "imported"  # the directory of runs from elsewhere, below RUNS_ROOT
Progress = Callable[[int, int], None]
_Name = tuple[str, str, int]


@dataclass(slots=True)
class StagedRecords:
    """The run directories below `home`, by agent, task and attempt.

    `directories`: those below RUNS_ROOT that are in place already. `rehearse`: no directory is moved into place, so
    that nothing is counted and no original is copied.
    """

    home: Path
    numbers: dict[_Name, int] = field(default_factory=dict)
    recorded: dict[_Name, Recorded] = field(default_factory=dict)
    counted: dict[_Name, TrajectoryCount] = field(default_factory=dict)
    directories: dict[_Name, str] = field(default_factory=dict)
    placed: Path | None = None
    rehearse: bool = False

    def of(self, result: ReportedResult) -> Recorded | None:
        """The sums of the trajectory of a result; None without one."""
        return self.recorded.get(result.name) if self.recorded else None

    def pairs(self, results: Iterable[ReportedResult]) -> list[tuple[ReportedResult, Recorded]]:
        """Those of these results that have a trajectory, each with the sums of its own."""
        return [(result, one) for result in results if (one := self.of(result)) is not None]

    def descriptions(self) -> dict[str, str]:
        """By task, the title of a trajectory at it, and the first message of a user there."""
        return {task: one.description for (_, task, _), one in reversed(self.recorded.items())}

    def completed(self, results: Sequence[ReportedResult]) -> list[ReportedResult]:
        """The results, with what their trajectories say where the source says nothing."""
        return [one.completed(result) if (one := self.of(result)) else result for result in results]

    def directory(self, home: str, result: ReportedResult) -> str:
        """Where the run directory will be, below RUNS_ROOT, in the home of this import."""
        return self._directory(home, result.name)

    def staged(self, result: ReportedResult) -> Path:
        """Where the run directory is before the move."""
        return self.home / str(self.numbers[result.name])

    def description_of(self, result: ReportedResult) -> str:
        """What the trajectory of a result says of its task."""
        return self.recorded[result.name].description

    def count_of(self, result: ReportedResult) -> TrajectoryCount | None:
        """The counts of a result; None without a trajectory, or if the infrastructure failed it."""
        return self.counted.get(result.name)

    def write(self, results: Sequence[ReportedResult], progress: Progress | None) -> None:
        """Writes and counts the trajectories of these results, which all have one. Raises ResultsRefused.

        Many are written by several processes: with two, 1,000 of 100 KB take 0.55 times as long.
        """
        with _mapped(self._jobs(results)) as written:
            for number, (recorded, counted) in enumerate(written, 1):
                name = results[number - 1].name
                self.numbers[name], self.recorded[name] = number, recorded
                if counted is not None:
                    self.counted[name] = counted
                if progress is not None:
                    progress(number, len(results))

    def _jobs(self, results: Sequence[ReportedResult]) -> list[_Job]:
        """What one call of `_written` does for each result. A file with several trajectories is stored by the first."""
        jobs: list[_Job] = []
        stored: set[str] = set()
        for number, result in enumerate(results, 1):
            files = result.trajectory.files if result.trajectory else {}
            there = self.rehearse or (len(files) == 1 and stored.issuperset(files))
            if len(files) == 1:
                stored.update(files)
            originals = {} if there else files
            jobs.append(_Job(self.home / str(number), result, originals, counts=not self.rehearse))
        return jobs

    def store_counts(self, evaluation: Evaluation) -> None:
        """Stores the counts of the runs of an evaluation."""
        by_directory = {self._directory(evaluation.slug, name): found for name, found in self.counted.items()}
        runs = evaluation.runs.exclude(directory="").order_by().values_list("pk", "directory")
        store_new_counts({pk: by_directory[name] for pk, name in runs if name in by_directory})

    def move(self, home: str, stored: Sequence[ListedRun], options: Mapping[str, str]) -> None:
        """Puts the directories of these runs in place, with a list of them, and the options of the import.

        `home`: a new directory below IMPORTED. Raises OSError if it is there and not empty.
        """
        if not stored or self.rehearse:
            return
        self._remove_others(stored)
        write_json(self.home / OPTIONS, dict(options))
        write_list(self.home, stored)
        target = Path(settings.RUNS_ROOT) / IMPORTED / home
        target.parent.mkdir(parents=True, exist_ok=True)
        self.home.rename(target)
        self.placed = target

    def _remove_others(self, stored: Sequence[ListedRun]) -> None:
        """Removes what was staged for results that the site has, so that no more is stored than before."""
        directories = {Path(one.directory).name for one in stored}
        for number in map(str, self.numbers.values()):
            if number not in directories:
                shutil.rmtree(self.home / number)
        remove_originals(self.home, directories, {place for one in stored for place in one.files})

    def _directory(self, home: str, name: _Name) -> str:
        return self.directories.get(name) or f"{IMPORTED}/{home}/{self.numbers[name]}"


def remove_left(evaluation: str) -> None:
    """Removes what a killed import left behind: the database had no such evaluation."""
    shutil.rmtree(Path(settings.RUNS_ROOT) / IMPORTED / evaluation, ignore_errors=True)


def placed_records(runs: Sequence[ListedRun]) -> StagedRecords:
    """The records of runs that an earlier import stored, counted again."""
    root = Path(settings.RUNS_ROOT)
    found = StagedRecords(root)
    for run in runs:
        name = run.result.name
        found.recorded[name], found.directories[name] = run.recorded, run.directory
        if (counted := _counted(root / run.directory, run.result, run.recorded)) is not None:
            found.counted[name] = counted
    return found


class _Job(NamedTuple):
    """A result, the run directory that its trajectory gets, and the files that are stored as they came, by place.

    `counts`: whether the trajectory is counted.
    """

    directory: Path
    result: ReportedResult
    originals: Mapping[str, Path]
    counts: bool


def _written(job: _Job) -> tuple[Recorded, TrajectoryCount | None]:
    """Writes and counts one trajectory; it uses no database. Raises ResultsRefused."""
    directory, result, originals, counts = job
    assert result.trajectory is not None
    store_originals(originals, directory)
    recorded = record(result, result.trajectory, directory)
    return recorded, _counted(directory, result, recorded) if counts else None


def _counted(directory: Path, result: ReportedResult, recorded: Recorded) -> TrajectoryCount | None:
    if result.outcome == INFRASTRUCTURE_FAILED:
        return None
    task = Task(title=result.task, description=recorded.first_message)
    return count_run(directory, task, result.outcome, result.ending)


@contextmanager
def _mapped(jobs: Sequence[_Job]) -> Iterator[Iterable[tuple[Recorded, TrajectoryCount | None]]]:
    """What `_written` gives for each job, in order; for many jobs, by a process for each processor, at most 8.

    These have the jobs from the start: to send one with its 80 paths takes 0.5 ms.
    """
    processes = min(8, os.cpu_count() or 1)
    if len(jobs) < MIN_FOR_PROCESSES or processes == 1:
        yield map(_written, jobs)
        return
    with ProcessPoolExecutor(processes, get_context("fork"), _jobs_of_process.extend, (jobs,)) as pool:
        try:
            yield pool.map(_written_at, range(len(jobs)), chunksize=4)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_jobs_of_process: list[_Job] = []  # in a process of the pool


def _written_at(place: int) -> tuple[Recorded, TrajectoryCount | None]:
    return _written(_jobs_of_process[place])


@contextmanager
def staged_records(
    results: Sequence[ReportedResult], progress: Progress | None, *, rehearse: bool = False
) -> Iterator[StagedRecords]:
    """The written trajectories of these results. If the block raises, nothing of them stays. Raises ResultsRefused.

    With `rehearse`, nothing of them stays in any case.
    """
    wanted = [result for result in results if result.trajectory is not None]
    if not wanted:
        yield StagedRecords(Path(), rehearse=rehearse)
        return
    root = Path(settings.RUNS_ROOT).parent
    root.mkdir(parents=True, exist_ok=True)
    with scratch("trajectories", root=root) as directory:
        records = StagedRecords(directory / "records", rehearse=rehearse)
        records.home.mkdir()
        records.write(wanted, progress)
        try:
            yield records
        except BaseException:
            if records.placed is not None:
                shutil.rmtree(records.placed, ignore_errors=True)
            raise
