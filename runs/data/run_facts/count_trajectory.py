"""Counts the trajectory of a run once, when the run settles, so that no page has to."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from harness import dataset as disk
from harness.errors import HarnessError
from harness.patches import touched_paths
from harness.records import EDITS, TRAJECTORY, Outcome, RunRecord, Step, StepEdits
from runs.analysis import behaviour
from runs.analysis.behaviour import behaviour_of
from runs.analysis.facts import Behaviour
from runs.analysis.trajectories.step_kinds import step_kinds
from runs.analysis.trajectories.trace import Exercise, Trace, trace_of
from runs.analysis.trajectories.verdict import RunVerdict, iteration_limit_of
from runs.data.cells.recompute import recompute_cells
from runs.models import Counts, Run, RunExploit, RunSign
from tasks.loading import find_once
from tasks.models import Task

log = logging.getLogger(__name__)

# A trajectory of up to so many bytes is counted as it is. In a longer one long texts are cut, and more of them the
# longer it is, so that a worker counts 200 MB in little more memory than 8 MB.
WHOLE_BYTES = 8 << 20
MAX_TEXT_LENGTH = 20_000
MIN_CUT_LENGTH = 400
# Each further step needs 3 KB for its objects: of 20,000, a process needs 60 MB more.
MAX_STEPS = 20_000
MAX_REASON_LENGTH = 400
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class TrajectoryCount:
    """The counts of one run; `behaviour` None: counting failed, and `reason` says why. `kinds`: see `step_kinds`."""

    behaviour: Behaviour | None
    reason: str = ""
    kinds: str = ""


def count_run(directory: Path, task: Task, outcome: str, ending: str) -> TrajectoryCount:
    """Counts the trajectory in a run's directory. Never raises: a run settles without counts, too.

    `outcome` '': no one knows it.
    """
    record = RunRecord(directory)
    try:
        if not (directory / TRAJECTORY).is_file():
            return TrajectoryCount(None, "there is no trajectory")
        exercise = exercise_of(task, record.patch())
        limit = iteration_limit_of(record.summary())
        verdict = RunVerdict(
            outcome == Outcome.RESOLVED if outcome else None,
            ending,
            record.tests(),
            iteration_limit=limit,
            floor_passed=floor_of(task),
        )
        workdir = record.workdir or workdir_of(task)
        trace = read_trace(record, workdir)
        return TrajectoryCount(behaviour_of(trace, exercise, verdict), kinds=step_kinds(trace))
    except Exception as error:
        log.exception("%s: the trajectory could not be counted", directory)
        return TrajectoryCount(None, f"{type(error).__name__}: {error}".replace("\0", "")[:MAX_REASON_LENGTH])


def store_counts(run: Run, counted: TrajectoryCount) -> None:
    """Stores the counts of a run and replaces earlier ones. Call it in the transaction that settles the run."""
    Counts.objects.filter(run=run).delete()
    RunExploit.objects.filter(run=run).delete()
    RunSign.objects.filter(run=run).delete()
    store_new_counts({run.pk: counted})


def store_new_counts(counted: Mapping[int, TrajectoryCount]) -> None:
    """Stores the counts of runs that have none, by the number of the run. Call it in a transaction."""
    counts: list[Counts] = []
    signs: list[RunSign] = []
    exploits: list[RunExploit] = []
    for pk, count in counted.items():
        stored = ""
        if count.behaviour:
            stored = json.dumps(behaviour.to_json(count.behaviour), separators=(",", ":"))
            signs += [RunSign(run_id=pk, mode=mode) for mode in count.behaviour.signs.found]
            patterns = count.behaviour.exploits.items()
            exploits += [
                RunExploit(run_id=pk, pattern=name, strength=sign.strength) for name, sign in patterns
            ]
        known = {"behaviour": stored, "reason": count.reason, "kinds": count.kinds}
        counts.append(Counts(run_id=pk, version=behaviour.VERSION, **known))
    Counts.objects.bulk_create(counts, batch_size=_ROWS_AT_ONCE)
    RunSign.objects.bulk_create(signs, batch_size=_ROWS_AT_ONCE)
    RunExploit.objects.bulk_create(exploits, batch_size=_ROWS_AT_ONCE)


def uncounted_runs() -> QuerySet[Run]:
    """Runs with a trajectory that have no counts, or counts of an older version of the project.

    Those with a verdict, and imported ones whose outcome no one knows.
    """
    return (
        Run.objects.filter(state=Run.State.FINISHED, outcome__in=(*Run.VERDICTS, ""))
        .exclude(directory="")
        .filter(Q(counts=None) | ~Q(counts__version=behaviour.VERSION))
        .select_related("task__repository__dataset")
        .order_by("pk")
    )


def recount(limit: int | None = None) -> int:
    """Counts at most `limit` of the uncounted runs. Returns how many.

    Each run has its own transaction, so this may be stopped at any moment, and workers or other calls may count at the
    same time.
    """
    keys = list(uncounted_runs().values_list("pk", flat=True)[:limit])
    for key in keys:
        run = uncounted_runs().filter(pk=key).first()
        if run is None:
            continue
        counted = count_run(run.path, run.task, run.outcome, run.ending)
        with transaction.atomic():
            same = Run.objects.select_for_update().filter(
                pk=key, directory=run.directory, outcome=run.outcome
            )
            if same.first() is not None:
                store_counts(run, counted)
                # Cached results that use these counts become old.
                recompute_cells([(run.agent_id, run.task_id)])
    return len(keys)


def read_trace(record: RunRecord, workdir: str) -> Trace:
    """The run's trajectory in bounded memory. ValueError, KeyError or TypeError if a line is no step; ValueError, too,
    if it has more than MAX_STEPS."""
    size = sum(path.stat().st_size for name in _FILES if (path := record.directory / name).is_file())
    steps, edits = _bounded(record.steps()), islice(record.edits_by_step(), MAX_STEPS)
    if size <= WHOLE_BYTES:
        return trace_of(steps, dict(edits), workdir)
    longest = longest_text(size)
    cut_edits = {step_id: _cut_edits(changed, longest) for step_id, changed in edits}
    return trace_of((_cut_step(step, longest) for step in steps), cut_edits, workdir)


def _bounded(steps: Iterable[Step]) -> Iterator[Step]:
    for number, step in enumerate(steps):
        if number == MAX_STEPS:
            raise ValueError(f"it has more than {MAX_STEPS:,} steps")
        yield step


def longest_text(size: int) -> int:
    """To how many characters a text is cut in a record of `size` bytes: fewer, the longer it is."""
    if size <= WHOLE_BYTES:
        return size
    return max(MIN_CUT_LENGTH, MAX_TEXT_LENGTH * WHOLE_BYTES // size)


def exercise_of(task: Task, patch: bytes) -> Exercise:
    """The exercise, from the dataset on disk; without one, from the database."""
    if not _has_files(task):
        return Exercise(description=task.description, patch=patch)
    try:
        repository, on_disk = find_once(task)
        reference = on_disk.reference_diff.read_bytes()
        return Exercise(
            description=on_disk.description,
            reference=reference,
            patch=patch,
            files=tuple(repository.source.names()),
            sources=dict(_sources(repository, {*_named(reference), *_named(patch)})),
        )
    except (HarnessError, LookupError, OSError) as error:
        log.info("%s: counted without its reference patch: %s", task, error)
        return Exercise(description=task.description, patch=patch)


def floor_of(task: Task) -> int | None:
    """How many tests pass on the untouched code, from the task's proof. None: unknown."""
    if not _has_files(task):
        return None
    floor = (task.proof or {}).get("floor_passed")
    return floor if isinstance(floor, int) else None


def workdir_of(task: Task) -> str:
    """The directory of the workspace; /app if the dataset is not on disk."""
    if not _has_files(task):
        return "/app"
    try:
        return str(find_once(task)[0].workdir)
    except (HarnessError, LookupError, OSError):
        return "/app"


def _has_files(task: Task) -> bool:
    """Whether its dataset has a directory: a reported one has none, nor has a task that is not stored yet."""
    return not task._state.adding and bool(task.repository.dataset.directory)


_FILES = (TRAJECTORY, EDITS)


def _named(patch: bytes) -> list[str]:
    try:
        return touched_paths(patch)
    except HarnessError:
        return []  # not a patch of git's format: another harness wrote it


def _sources(repository: disk.Repository, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in sorted(names):
        try:
            file = repository.source.read(name)
        except HarnessError:
            continue
        if file is not None and not file.link and file.content is not None:
            yield name, file.content.decode("utf-8", "replace")


def _cut_step(step: Step, longest: int) -> Step:
    return replace(
        step,
        message=cut(step.message, longest),
        reasoning=cut(step.reasoning, longest),
        calls=tuple(replace(call, arguments=_cut_arguments(call.arguments, longest)) for call in step.calls),
        results=tuple(replace(result, content=cut(result.content, longest)) for result in step.results),
    )


def _cut_edits(changed: StepEdits, longest: int) -> StepEdits:
    return replace(
        changed, files=tuple(replace(file, diff=cut(file.diff, longest)) for file in changed.files)
    )


def _cut_arguments(arguments: Mapping[str, Any], longest: int) -> Mapping[str, Any]:
    return {
        name: cut(value, longest) if isinstance(value, str) else value for name, value in arguments.items()
    }


def cut(text: str, longest: int) -> str:
    """The beginning and the end of a text that is too long."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n…\n{text[-half:]}"
