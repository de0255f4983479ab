"""Stores reported results: a dataset without source, agents, and runs, with their trajectories if there are any.

Everything in one transaction. Trajectories are written before it, in a scratch directory that one move puts in place.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from runs.analysis.outcomes.stated_values import Comparison
from runs.data.cells.recompute import cell_totals, mark_changed, recompute_cells
from runs.data.queries.filters import Pair
from runs.intake.reported.bulk_rows import insert_rows
from runs.intake.reported.catalogue.row_addresses import slug_of
from runs.intake.reported.catalogue.stored_agents import name_harnesses, store_agents
from runs.intake.reported.catalogue.stored_claims import store_claims
from runs.intake.reported.catalogue.stored_tasks import store_dataset, store_tasks
from runs.intake.reported.growing.sorting_results import GrownRun, SortedResults, sorted_results
from runs.intake.reported.growing.storing_longer_states import free_home, grow_runs
from runs.intake.reported.listed_runs import ListedRun
from runs.intake.reported.reported_result import (
    ReportedAgent,
    ReportedResult,
    ReportedSet,
    ResultSource,
    ResultsRefused,
    SettledResult,
    duplicates,
)
from runs.intake.reported.staged_records import Progress, StagedRecords, remove_left, staged_records
from runs.intake.reported.step_readers.recording import Recorded
from runs.intake.reported.stored_runs import store_runs
from runs.models import (
    Cell,
    Evaluation,
    ResultReport,
    Run,
    TrajectorySource,
)
from runs.transfer.imported_names import free_slug
from tasks.models import MAX_SLUG_LENGTH, Dataset

_LINES = 1_000  # that are added to a digest at once


@dataclass(frozen=True, slots=True)
class Stored:
    """What an import did. `new`: how many runs it stored, 0 if the same results were imported before.

    `printed`: how many numbers it stored of a source that reports no results.
    `grown`: how many runs went on since they were stored. `known`: how many trajectories were there already, and were
    left out. `recorded`: the new and grown results that have trajectories, each with the sums of its own. Of
    trajectories that were attached to a board: `comparison`, and in `unmatched` sentences on those of no attempt.
    """

    report: ResultReport
    new: int
    grown: int = 0
    known: int = 0
    printed: int = 0
    comparison: Comparison | None = None
    unmatched: Sequence[str] = ()
    recorded: Sequence[tuple[ReportedResult, Recorded]] = ()


def store(reported: ReportedSet, progress: Progress | None = None) -> Stored:
    """Stores these results, all or none of them. Raises ResultsRefused.

    The same results are stored once. Other results of the same source are a new report: the runs of older ones stay,
    but are no longer listed, unless the new ones only add to them (`ReportedSet.adds`). A trajectory that begins with
    one of the site replaces it (`sorting_results`). `progress` is called after each trajectory that was read, with how
    many there are.
    """
    return store_all(replace(reported, others=()), progress)[0]


def store_all(
    reported: ReportedSet, progress: Progress | None = None, *, rehearse: bool = False
) -> list[Stored]:
    """Stores these results and those of `reported.others`, as `store` does, all or none of them.

    With `rehearse` the transaction is rolled back and no directory is moved: nothing is stored, and what is returned,
    or raised, is what storing them would have returned or raised.
    """
    with ExitStack() as stack:
        ready = [_staged(one, stack, progress, rehearse=rehearse) for one in (reported, *reported.others)]
        with transaction.atomic():
            stored = [store_one() for store_one in ready]
            if rehearse:
                transaction.set_rollback(True)
        return stored


def _staged(
    reported: ReportedSet, stack: ExitStack, progress: Progress | None, *, rehearse: bool
) -> Callable[[], Stored]:
    """Writes the trajectories of one dataset. Returns what stores its results in a transaction."""
    _check(reported)
    digest = digest_of(reported)
    if known := ResultReport.objects.filter(digest=digest).first():
        return partial(_known_already, reported, known)
    stored_keys = _known_trajectories(reported.source)
    fresh = [
        one for one in reported.results if one.trajectory is None or one.trajectory.key not in stored_keys
    ]
    records = stack.enter_context(staged_records(fresh, progress, rehearse=rehearse))
    growing = reported.source if reported.adds else None
    sorted_ = sorted_results(records.completed(fresh), records, growing)
    return partial(_stored_once, reported, sorted_, digest, records)


def _known_already(reported: ReportedSet, report: ResultReport) -> Stored:
    name_harnesses(reported.source, reported.agents)
    return Stored(report, 0, known=len(reported.results))


def _stored_once(
    reported: ReportedSet, sorted_: SortedResults, digest: str, records: StagedRecords
) -> Stored:
    total = len(reported.results)
    if known := ResultReport.objects.filter(digest=digest).first():
        return _known_already(reported, known)
    if not total:
        return Stored(_stored(reported, digest, records), 0, printed=len(reported.printed))
    report = _stored_all(replace(reported, results=sorted_.new), sorted_.grown, digest, records)
    new, grown = len(sorted_.new), len(sorted_.grown)
    stored = [*sorted_.new, *(one.result for one in sorted_.grown)]
    return Stored(report, new, grown, total - new - grown, recorded=records.pairs(stored))


def restore(reported: ReportedSet, records: StagedRecords, slug: str, digest: str = "") -> ResultReport:
    """Stores the runs of one evaluation again, whose directories are in place. Raises ResultsRefused.

    `digest`: that of the results as they were imported; empty: it is that of `reported`.
    """
    with transaction.atomic():
        return _stored(reported, digest or digest_of(reported), records, slug)


def _stored_all(
    reported: ReportedSet, grown: Sequence[GrownRun], digest: str, records: StagedRecords
) -> ResultReport:
    """Stores new runs and longer states of known ones; then puts the directories of both in place, at once."""
    report = ResultReport.objects.filter(dataset__slug=reported.source.slug).order_by("pk").last()
    listed: list[ListedRun] = []
    if reported.results or report is None:
        report = _stored(reported, digest, records)
        listed = _listed(reported, report, records)
    home = report.evaluation.slug
    if reported.results:
        remove_left(home)
    else:
        home = free_home(home)
    listed += grow_runs(grown, records, home)
    records.move(home, listed, reported.options)
    return report


def _listed(reported: ReportedSet, report: ResultReport, records: StagedRecords) -> list[ListedRun]:
    """The runs of a new evaluation that have trajectories."""
    described = {agent.name: agent for agent in reported.agents}
    slug = report.evaluation.slug
    return [
        ListedRun.of(
            one,
            recorded,
            directory=records.directory(slug, one),
            evaluation=slug,
            number=number,
            source=reported.source,
            agent=described.get(one.agent, ReportedAgent(one.agent)),
        )
        for number, one in enumerate(reported.results, 1)
        if one.trajectory is not None and (recorded := records.of(one)) is not None
    ]


def _known_trajectories(source: ResultSource) -> set[str]:
    stored = TrajectorySource.objects.filter(run__evaluation__report__dataset__slug=source.slug)
    return set(stored.order_by().values_list("digest", flat=True))


def digest_of(found: ReportedSet) -> str:
    """A digest of everything that an import stores, whatever the order of its rows.

    What earlier versions did not know is part of it only where a source says it, and the harness of agents is not: so
    their imports stay known.
    """
    state = hashlib.sha256(repr((found.source, sorted(found.printed))).encode())
    if found.source.percent_of_all_tasks:
        state.update(b"percent of all tasks")
    if found.source.judged_by:
        state.update(found.source.judged_by.encode())
    state.update(repr(sorted(found.agents, key=lambda agent: agent.name)).encode())
    for agent in sorted(found.agents, key=lambda agent: agent.name):
        state.update(agent.trajectories_url.encode())
    lines = sorted(repr(_without_newer_fields(one)) for one in found.results)
    for start in range(0, len(lines), _LINES):
        state.update("".join(lines[start : start + _LINES]).encode(errors="surrogatepass"))
    return state.hexdigest()


def _without_newer_fields(result: ReportedResult) -> tuple[Any, ...]:
    """The values of a result, without those of its last fields that its source does not say."""
    end = len(result)
    while result[end - 1] == "":
        end -= 1
    return result[:end]


def _check(reported: ReportedSet) -> None:
    place = reported.source.slug
    if not reported.results and not reported.printed:
        raise ResultsRefused(place, "it has no results")
    if (twice := duplicates(reported.results)) is not None:
        agent, task, attempt = twice.name
        raise ResultsRefused(place, f"attempt {attempt} of agent {agent!r} at task {task!r} is there twice")
    if not reported.source.judged_by and any(result.judged for result in reported.results):
        raise ResultsRefused(place, "its verdicts were judged, but not by which rule: give judged_by")
    homes: dict[str, str] = {}
    for result in reported.results:
        if homes.setdefault(result.task, result.repository) != result.repository:
            raise ResultsRefused(
                place, f"task {result.task!r} is in two repositories: names of tasks are unique in a dataset"
            )
    described = [agent.name for agent in reported.agents]
    if len(set(described)) < len(described):
        raise ResultsRefused(place, "an agent is described twice")


def _stored(reported: ReportedSet, digest: str, records: StagedRecords, slug: str = "") -> ResultReport:
    """Stores an evaluation with its runs. `slug`: the one that it had before the database was lost."""
    source = reported.source
    dataset = store_dataset(source)
    tasks = store_tasks(dataset, reported.results, records.descriptions())
    agents = store_agents(reported, dataset)
    older = Evaluation.objects.select_for_update().filter(report__dataset=dataset, listed=True).order_by("pk")
    before = [] if reported.adds else list(older.values_list("pk", flat=True))
    Evaluation.objects.filter(pk__in=before).update(listed=False)
    evaluation = _evaluation(source, reported.results, slug)
    runs = store_runs(evaluation, reported.results, agents, tasks, records)
    report = ResultReport.objects.create(
        evaluation=evaluation,
        dataset=dataset,
        version=source.version,
        reported_on=source.reported_on,
        url=source.url,
        unknown=list(source.unknown),
        percent_of_all_tasks=source.percent_of_all_tasks,
        judged_by=source.judged_by,
        digest=digest,
    )
    store_claims(report, reported, agents)
    records.store_counts(evaluation)
    _cells(runs, agents, tasks, None if reported.adds else before)
    mark_changed((agent, dataset.pk) for agent in agents.values())
    Dataset.objects.filter(pk=dataset.pk).update(revision=F("revision") + 1)
    return report


def _evaluation(source: ResultSource, results: Sequence[ReportedResult], slug: str) -> Evaluation:
    now = timezone.now()
    return Evaluation.objects.create(
        slug=slug or _evaluation_slug(source),
        title=f"{source.title}, reported by {source.reported_by}"[:200],
        state=Evaluation.State.FINISHED,
        attempts=max((result.attempt for result in results), default=1),
        finished_at=now,
        origin=source.reported_by,
        imported_at=now,
    )


def _evaluation_slug(source: ResultSource) -> str:
    slug = slug_of(f"{source.slug}-{source.version}", MAX_SLUG_LENGTH - 4)
    taken = set(Evaluation.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    return free_slug(slug, taken)


def _cells(
    runs: Sequence[SettledResult],
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    before: Sequence[int] | None,
) -> None:
    """Cells of the results: inserted where they are new, recomputed where older ones were listed.

    `before`: the evaluations that are no longer listed; None: all stay.
    """
    by_pair: dict[Pair, list[SettledResult]] = defaultdict(list)
    for one in runs:
        if one.outcome:
            by_pair[agents[one.result.agent], tasks[one.result.task]].append(one)
    ours = {"agent_id__in": set(agents.values()), "task_id__in": set(tasks.values())}
    known = set(Cell.rows.filter(**ours).order_by().values_list("agent_id", "task_id"))
    if before is None:
        recompute_cells(known & by_pair.keys())
    elif before:
        older = Run.objects.filter(evaluation__in=before).order_by()
        recompute_cells({*older.values_list("agent_id", "task_id").distinct(), *(known & by_pair.keys())})
    new = [(pair, cell_totals(by_pair[pair])) for pair in sorted(by_pair.keys() - known)]
    if new:
        names = tuple(new[0][1])
        fixed = {"revision": 1, "updated_at": timezone.now()}
        rows = ((*pair, *(totals[name] for name in names)) for pair, totals in new)
        insert_rows(Cell, fixed, ("agent_id", "task_id", *names), rows)
