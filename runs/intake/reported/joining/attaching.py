"""Attaches trajectories to the attempts that a board of reported results has.

The board stays as it is: its title, its agents, its tasks, and every number that its source reports. What trajectories
say otherwise is stored beside them, and named. All in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.db.models import F

from runs.analysis.outcomes.stated_values import DIFFERS, Name, compare
from runs.data.cells.recompute import mark_changed, recompute_cells
from runs.intake.reported.growing.storing_longer_states import free_home
from runs.intake.reported.joining.attempt_matching import match_attempts
from runs.intake.reported.joining.board_copy import write_board
from runs.intake.reported.joining.board_rows import BoardRows, rows_of
from runs.intake.reported.joining.board_task_names import TaskNames
from runs.intake.reported.joining.stated_results import (
    Stated,
    by_attempt,
    named,
    stated_by,
    stated_in,
)
from runs.intake.reported.listed_runs import ListedRun
from runs.intake.reported.read_back import read_agent_back, read_result_back, read_source_back
from runs.intake.reported.reported_result import ReportedResult, ReportedSet, ResultsRefused
from runs.intake.reported.staged_records import Progress, StagedRecords, staged_records
from runs.intake.reported.stored_runs import attach_records
from runs.intake.reported.storing import Stored
from runs.models import Evaluation, ReportedTests, Run
from tasks.models import Dataset, Task

MAX_NAMED = 20


@dataclass(slots=True)
class _Matched:
    """What belongs to which attempt of a board: trajectories, and results without one that are trials like them.

    `numbered`: results without a trajectory that only their number tells apart, such as reports beside trajectories.
    `unmatched`: sentences on what was left out.
    """

    results: dict[Name, ReportedResult] = field(default_factory=dict)
    trials: dict[Name, ReportedResult] = field(default_factory=dict)
    numbered: list[ReportedResult] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)


def join(
    reported: ReportedSet,
    progress: Progress | None = None,
    *,
    slug: str,
    agent: str = "",
    reports: Sequence[ReportedResult] = (),
    rehearse: bool = False,
) -> Stored:
    """Attaches trajectories to the attempts of an agent on a board, all of them or none. Raises ResultsRefused.

    Tasks are found by name (`board_task_names`). `reports`: outcomes that are compared with the board, like those of
    results without a trajectory in `reported`. An attempt that has this trajectory is known. `rehearse`: nothing is
    stored, as by `store_all`.
    """
    board = rows_of(slug, agent)
    names = TaskNames(task for task, _ in board.runs)
    rows = {name: read_result_back(run, tests_of(run)) for name, run in board.runs.items()}
    matched = _match(reported, board, rows, names)
    outcomes = by_attempt([*matched.numbered, *reports], names) | matched.trials
    fresh = _fresh(matched.results, board)
    results = {name: rows[name]._replace(trajectory=one.trajectory) for name, one in fresh.items()}
    with staged_records(list(results.values()), progress, rehearse=rehearse) as records:
        stated = {
            name: stated_by(one, records.of(results[name]), outcomes.get(name)) for name, one in fresh.items()
        }
        for difference in compare(stated, rows).differences:
            values = stated[difference.task, difference.attempt]
            values[DIFFERS] = f"{values.get(DIFFERS) or ''} {difference.field}".strip()
        if fresh:
            with transaction.atomic():
                _attach(board, results, stated, records)
                if rehearse:
                    transaction.set_rollback(True)
    said = {name: stated_in(report) for name, report in outcomes.items() if name in rows}
    for name in matched.results.keys() - fresh.keys():
        said[name] = board.runs[name].trajectory_source.stated or {}
    comparison = compare(said | stated, rows)
    known = len(matched.results) - len(fresh)
    read = [(one, sums) for name, one in fresh.items() if (sums := records.of(results[name])) is not None]
    return Stored(
        board.report,
        len(fresh),
        known=known,
        comparison=comparison,
        unmatched=matched.unmatched,
        recorded=read,
    )


def tests_of(run: Run) -> ReportedTests | None:
    """The names of its tests; None if its source names none."""
    return getattr(run, "reported_tests", None)


def attach(
    evaluation: Evaluation,
    attached: Sequence[tuple[Run, ReportedResult, Stated]],
    records: StagedRecords,
    home: str,
) -> None:
    """Gives these runs the records of these results. Call it in a transaction. Raises ResultsRefused.

    `home`: the directory of the import in which their run directories will be.
    """
    Evaluation.objects.select_for_update().get(pk=evaluation.pk)
    rows = evaluation.runs.select_for_update().order_by("pk").values_list("pk", "directory")
    directories = dict(rows)
    if any(directories[run.pk] for run, *_ in attached):
        raise ResultsRefused(evaluation.slug, "another import attached trajectories at the same time")
    attach_records(attached, records, home)
    _describe([run.task for run, *_ in attached], records)
    pairs = {(run.agent_id, run.task_id) for run, *_ in attached}
    recompute_cells(pairs)
    dataset = evaluation.report.dataset_id
    mark_changed((agent, dataset) for agent, _ in pairs)
    Dataset.objects.filter(pk=dataset).update(revision=F("revision") + 1)


def _describe(tasks: Sequence[Task], records: StagedRecords) -> None:
    """A board says nothing about its tasks: the first message of a user does, as for other trajectories."""
    said = records.descriptions()
    blank = {task.pk: task for task in tasks if not task.description and said.get(task.title)}
    for task in blank.values():
        task.description = said[task.title]
    Task.objects.bulk_update(blank.values(), ["description"], batch_size=100)


def _match(
    found: ReportedSet, board: BoardRows, rows: Mapping[Name, ReportedResult], names: TaskNames
) -> _Matched:
    """Raises ResultsRefused if a trajectory may belong to several tasks, or none belongs to any attempt."""
    agents = sorted({result.agent for result in found.results})
    if len(agents) > 1:
        raise ResultsRefused(
            board.agent.name,
            f"the trajectories are those of {len(agents)} agents, {', '.join(map(repr, agents[:4]))}: "
            "import those of each agent alone",
        )
    by_task, missing = _by_task(found.results, names)
    bare, _ = _by_task(found.bare, names)
    attempts: dict[str, list[ReportedResult]] = defaultdict(list)
    for (task, _), row in sorted(rows.items()):
        attempts[task].append(row)
    matched = _Matched()
    unknown: list[str] = []
    for task in (*by_task, *(task for task in bare if task not in by_task)):
        if not _add_task(matched, task, by_task.get(task, []), bare.get(task, []), attempts[task]):
            unknown.append(f"{task} ({len(by_task[task])} of {len(attempts[task])})")
    if missing:
        matched.unmatched.append(f"the board has no attempt at {', '.join(_few(missing))}")
    if unknown:
        matched.unmatched.append(
            f"it is unknown which of several attempts they are: {', '.join(_few(unknown))}"
        )
    if not matched.results:
        problem = f"no trajectory is one of an attempt: {'; '.join(matched.unmatched)}"
        raise ResultsRefused(board.report.dataset.slug, problem)
    return matched


def _by_task(
    results: Sequence[ReportedResult], names: TaskNames
) -> tuple[dict[str, list[ReportedResult]], list[str]]:
    """Results by task of the board, and the tasks that it does not have. Raises ResultsRefused."""
    found: dict[str, list[ReportedResult]] = defaultdict(list)
    missing: list[str] = []
    for result, task in named(results, names):
        if task is None:
            missing.append(result.task)
        else:
            found[task].append(result)
    return dict(found), missing


def _add_task(
    matched: _Matched,
    task: str,
    members: Sequence[ReportedResult],
    bare: Sequence[ReportedResult],
    attempts: Sequence[ReportedResult],
) -> bool:
    """Adds the trajectories at a task, and results without one. False if it is unknown which attempts they are.

    Several trials of one run, of which some have no trajectory, are matched together.
    """
    _check_number(task, members, len(attempts))
    if len(attempts) == 1 or len(members) + len(bare) > len(attempts):
        matched.numbered += bare
        bare = ()
    if not members and not bare:
        return True
    pairs = match_attempts([*members, *bare], attempts)
    for result, row in pairs or ():
        (matched.trials if result.trajectory is None else matched.results)[task, row.attempt] = result
    return bool(pairs) or not members


def _check_number(task: str, members: Sequence[ReportedResult], attempts: int) -> None:
    if len(members) > attempts:
        first, second = (one.trajectory.place for one in members[:2] if one.trajectory)
        count = "one attempt" if attempts == 1 else f"{attempts} attempts"
        problem = f"{first!r} and {second!r} are of this task" + (
            ", among others" if len(members) > 2 else ""
        )
        raise ResultsRefused(
            task, f"{problem}, and the board has {count}: leave out what is not on the board"
        )


def _few(names: Sequence[str]) -> list[str]:
    more = [f"and {len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return [*names[:MAX_NAMED], *more]


def _fresh(matched: Mapping[Name, ReportedResult], board: BoardRows) -> dict[Name, ReportedResult]:
    """Those whose attempts have no trajectory yet. Files of a board are not followed while they grow."""
    fresh: dict[Name, ReportedResult] = {}
    for name, result in matched.items():
        run, trajectory = board.runs[name], result.trajectory
        assert trajectory is not None
        if not run.directory:
            fresh[name] = result._replace(trajectory=replace(trajectory, session=""))
        elif run.trajectory_source.digest != trajectory.key:
            problem = (
                f"attempt {name[1]} of {name[0]!r} has another trajectory, {run.trajectory_source.file!r}"
            )
            raise ResultsRefused(trajectory.place, problem)
    return fresh


def _attach(
    board: BoardRows,
    results: Mapping[Name, ReportedResult],
    stated: Mapping[Name, Stated],
    records: StagedRecords,
) -> None:
    """Stores the attached trajectories, then puts their directories in place, with a copy of the board."""
    evaluation = board.report.evaluation
    home = free_home(evaluation.slug)
    attached = [(board.runs[name], one, stated[name]) for name, one in results.items()]
    attach(evaluation, attached, records, home)
    source, agent = read_source_back(board.report), read_agent_back(board.agent)
    places = {
        pk: number for number, pk in enumerate(evaluation.runs.order_by("pk").values_list("pk", flat=True), 1)
    }
    listed = [
        ListedRun.of(
            result,
            recorded,
            directory=records.directory(home, result),
            evaluation=evaluation.slug,
            number=places[run.pk],
            source=source,
            agent=agent,
            stated=said,
        )
        for run, result, said in attached
        if (recorded := records.of(result)) is not None
    ]
    write_board(records.home, board.report)
    records.move(home, listed, {"board": board.report.dataset.slug})
