"""Makes the longer state of a session that of its run, which stays the same run: its number, address, attempt, agent.

What hangs on a run, and what becomes of it:

- Its counts, signs, exploits, tests by name, source and cells are those of the longer file, and so is its directory.
  The older directory is removed after the commit; until then, all of it is as it was.
- Reviews and comparisons by judges, their summaries, and ratings by people stay, with their files. They are about the
  steps that there were, so that the longer state is another try of the run: they count for the earlier one, as with
  runs of this site that are tried again, and the run can be judged and rated again.
- Claims of a source, snapshots of leaderboards and audit entries are of their day, and stay as they are.
- Tries, play sessions and gradings do not exist of runs from other tools.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from harness.records import TRAJECTORY
from runs.data.cells.recompute import mark_changed, recompute_cells
from runs.intake.reported.growing.earlier_answers import carry_answers
from runs.intake.reported.growing.grown_sessions import GrownRun
from runs.intake.reported.listed_runs import ListedRun, remove_older
from runs.intake.reported.reported_result import ReportedAgent, ResultSource, ResultsRefused
from runs.intake.reported.staged_records import IMPORTED, StagedRecords
from runs.intake.reported.stored_runs import update_runs
from runs.models import JudgeReview, Rating, Run, RunComparison, SummarySource
from runs.models.agent import UNKNOWN_MODEL, plain_name
from tasks.models import Dataset, Task

_DONE = JudgeReview.State.DONE


def free_home(slug: str) -> str:
    """A name that no directory of imports has, for runs of older evaluations: no slug has a plus sign."""
    root, number = Path(settings.RUNS_ROOT) / IMPORTED, 1
    while (root / f"{slug}+{number}").exists():
        number += 1
    return f"{slug}+{number}"


def grow_runs(grown: Sequence[GrownRun], records: StagedRecords, home: str) -> list[ListedRun]:
    """Stores the longer states of these runs, whose records are staged and will be in `home`. Returns their entries.

    Call it in a transaction; the older directories are removed after its commit. Raises ResultsRefused if another
    import has changed a run since.
    """
    if not grown:
        return []
    older = {one.run.pk: one.run for one in grown}
    _lock(older.values(), grown)
    pairs = {(run.agent_id, run.task_id) for run in older.values() if run.outcome}
    directories = [run.directory for run in older.values()]
    for one in grown:
        _carry_answers(one, records.staged(one.result))
        _name_run(one, records)
        _describe(one, records)
    update_runs([(one.run, one.result) for one in grown], records, home)
    recompute_cells(pairs | {(one.run.agent_id, one.run.task_id) for one in grown if one.result.outcome})
    datasets = {one.run.task.repository.dataset_id for one in grown}
    mark_changed((one.run.agent_id, one.run.task.repository.dataset_id) for one in grown)
    Dataset.objects.filter(pk__in=datasets).update(revision=F("revision") + 1)
    # What cannot be removed is logged: the import has succeeded.
    transaction.on_commit(lambda: remove_older(directories), robust=True)
    return [_listed(one, records, home) for one in grown]


def _lock(runs: Iterable[Run], grown: Sequence[GrownRun]) -> None:
    rows = Run.objects.select_for_update().filter(pk__in=[run.pk for run in runs]).order_by("pk")
    directories = dict(rows.values_list("pk", "directory"))
    for one in grown:
        if directories.get(one.run.pk) != one.run.directory:
            place = one.result.trajectory.place if one.result.trajectory else one.result.task
            raise ResultsRefused(
                place, "another import changed this session at the same time: import it again"
            )


def _describe(one: GrownRun, records: StagedRecords) -> None:
    """A session may get a title while it goes on, which is the description of a task that is its own."""
    task, text = one.run.task, records.description_of(one.result)
    if text != task.description and not task.runs.exclude(pk=one.run.pk).exists():
        Task.objects.filter(pk=task.pk).update(description=text)


def _carry_answers(one: GrownRun, staged: Path) -> None:
    """Copies what judges and people said about the older state; then the longer one is the next try of the run."""
    answered = any(rows.exists() for rows in _answers(one.run))
    carry_answers(one.run.path, staged, one.run.tries if answered else 0)
    one.run.tries += answered


def _answers(run: Run) -> Iterator[QuerySet[Any]]:
    """What judges and people said about a run."""
    yield JudgeReview.objects.filter(run=run, state=_DONE)
    yield RunComparison.objects.filter(Q(run_one=run) | Q(run_two=run), state=_DONE)
    yield SummarySource.objects.filter(run=run)
    yield Rating.objects.filter(run=run)


def _name_run(one: GrownRun, records: StagedRecords) -> None:
    """Writes the key of the run and the number of its try into the head of the record, where judges read them."""
    recorded, staged = records.of(one.result), records.staged(one.result)
    assert recorded is not None
    recorded.key, recorded.tries = one.run.key, one.run.tries
    path, copy = staged / TRAJECTORY, staged / f"{TRAJECTORY}.named"
    with path.open("rb") as file, copy.open("wb") as named:
        head = json.loads(file.readline())
        head["session_id"], head["extra"]["try_number"] = one.run.key, one.run.tries
        named.write(json.dumps(head, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        shutil.copyfileobj(file, named)
    copy.replace(path)


def _listed(one: GrownRun, records: StagedRecords, home: str) -> ListedRun:
    """The entry of a run that has grown: in the evaluation, by the agent, and as the attempt that it was."""
    run, recorded = one.run, records.of(one.result)
    assert recorded is not None
    name = plain_name(run.agent.name)
    result = one.result._replace(agent=name, task=run.task.title, attempt=run.attempt)
    return ListedRun.of(
        result,
        recorded,
        directory=records.directory(home, one.result),
        evaluation=run.evaluation.slug,
        number=run.evaluation.runs.filter(pk__lte=run.pk).count(),
        source=_source(run),
        agent=_agent(name, run),
    )


def _agent(name: str, run: Run) -> ReportedAgent:
    model, description = run.agent.model, run.agent.description
    if model is None or model.name == UNKNOWN_MODEL:
        return ReportedAgent(name, provider=model.provider if model else "", description=description)
    return ReportedAgent(name, model.name, model.provider, model.open_weights, description)


def _source(run: Run) -> ResultSource:
    report, dataset = run.evaluation.report, run.task.repository.dataset
    return ResultSource(
        dataset.slug,
        dataset.title,
        dataset.reported_by,
        report.version,
        dataset.description,
        dataset.version,
        report.reported_on,
        report.url,
        dataset.licence,
        tuple(report.unknown),
    )
