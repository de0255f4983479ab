"""Stores reported results: a dataset without source, agents, and runs without a trajectory, in one transaction."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.text import slugify

from runs.analysis.facts import INFRASTRUCTURE_FAILED
from runs.analysis.outcomes.printed_claims import own_number
from runs.cells.recompute import cell_totals, mark_changed, recompute_cells
from runs.models import Agent, Cell, Claim, Evaluation, LanguageModel, ReportedTests, ResultReport, Run
from runs.models.agent import REPORTED, plain_name, report_origin, reported_name
from runs.queries.filters import Pair
from runs.reported.bulk_rows import insert_rows
from runs.reported.reported_result import (
    PrintedNumber,
    ReportedAgent,
    ReportedResult,
    ReportedSet,
    ResultSource,
    ResultsRefused,
    SettledResult,
    duplicates,
)
from runs.transfer.imported_names import NameRefused, check_agent_name
from tasks.models import LONGEST_SLUG, Dataset, Repository, Task

UNKNOWN_MODEL = "unknown model"
_LINES = 1_000  # that are added to a digest at once
_FAILURE = Run._meta.get_field("failure").max_length or 40
# Of a run, beside the ids: the fields that differ between results, in the order of _values.
_VARYING = (
    *("key", "agent_id", "task_id", "attempt", "outcome", "ending", "detail", "failure"),
    *("tests_total", "tests_passed", "iterations", "tool_calls", "prompt_tokens", "completion_tokens"),
    *("cached_tokens", "cost_usd", "act_seconds", "started_at", "finished_at"),
)
_UNKNOWN = (
    *("steps", "failed_calls", "prepare_seconds", "grade_seconds"),
    *("files_changed", "lines_added", "lines_removed"),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """What an import did. `new`: how many runs it stored, 0 if the same results were imported before."""

    report: ResultReport
    new: int


def store(found: ReportedSet) -> Stored:
    """Stores these results, all or none of them. Raises ResultsRefused.

    The same results are stored once. Other results of the same source are a new report: the runs of older ones stay,
    but are no longer listed.
    """
    _check(found)
    digest = digest_of(found)
    with transaction.atomic():
        known = ResultReport.objects.filter(digest=digest).first()
        return Stored(known, 0) if known else _stored(found, digest)


def digest_of(found: ReportedSet) -> str:
    """A digest of everything that an import stores, whatever the order of its rows."""
    state = hashlib.sha256(repr((found.source, sorted(found.printed))).encode())
    state.update(repr(sorted(found.agents, key=lambda agent: agent.name)).encode())
    lines = sorted(map(repr, map(tuple, found.results)))
    for start in range(0, len(lines), _LINES):
        state.update("".join(lines[start : start + _LINES]).encode(errors="surrogatepass"))
    return state.hexdigest()


def _check(found: ReportedSet) -> None:
    place = found.source.slug
    if not found.results:
        raise ResultsRefused(place, "it has no results")
    if (twice := duplicates(found.results)) is not None:
        agent, task, attempt = twice.name
        raise ResultsRefused(place, f"attempt {attempt} of agent {agent!r} at task {task!r} is there twice")
    homes: dict[str, str] = {}
    for result in found.results:
        if homes.setdefault(result.task, result.repository) != result.repository:
            raise ResultsRefused(
                place, f"task {result.task!r} is in two repositories: names of tasks are unique in a dataset"
            )
    described = [agent.name for agent in found.agents]
    if len(set(described)) < len(described):
        raise ResultsRefused(place, "an agent is described twice")


def _stored(found: ReportedSet, digest: str) -> Stored:
    source = found.source
    dataset = _dataset(source)
    tasks = _tasks(dataset, found.results)
    agents = _agents(found, dataset)
    older = Evaluation.objects.select_for_update().filter(report__dataset=dataset, listed=True).order_by("pk")
    before = list(older.values_list("pk", flat=True))
    Evaluation.objects.filter(pk__in=before).update(listed=False)
    evaluation = _evaluation(source, found.results)
    runs = _runs(evaluation, found.results, agents, tasks)
    report = ResultReport.objects.create(
        evaluation=evaluation,
        dataset=dataset,
        version=source.version,
        reported_on=source.reported_on,
        url=source.url,
        unknown=list(source.unknown),
        digest=digest,
    )
    _claims(report, found, agents)
    _cells(runs, agents, tasks, before)
    mark_changed((agent, dataset.pk) for agent in agents.values())
    Dataset.objects.filter(pk=dataset.pk).update(revision=F("revision") + 1)
    return Stored(report, len(runs))


def _dataset(source: ResultSource) -> Dataset:
    values = {
        "title": source.title,
        "description": source.description,
        "version": source.benchmark_version or source.version[:40],
        "licence": source.licence or "unknown",
    }
    dataset, created = Dataset.objects.get_or_create(
        slug=source.slug, defaults={**values, "reported_by": source.reported_by}
    )
    if not created and dataset.reported_by != source.reported_by:
        owner = f"reported by {dataset.reported_by}" if dataset.reported_by else "run here"
        raise ResultsRefused(source.slug, f"there is a dataset of this name, {owner}: choose another slug")
    if not created:
        Dataset.objects.filter(pk=dataset.pk).update(**values)
    return dataset


def _tasks(dataset: Dataset, results: Sequence[ReportedResult]) -> Mapping[str, int]:
    """The numbers of the tasks by name; missing tasks and repositories are created."""
    homes = {result.task: result.repository for result in results}
    repositories = _repositories(dataset, homes.values())
    known = _known_tasks(dataset)
    new = {
        task: Task(
            repository_id=repositories[home],
            slug=_slug(task, LONGEST_SLUG),
            title=task,
            digest="",
        )
        for task, home in homes.items()
        if task not in known
    }
    slugs = [(task.repository_id, task.slug) for task in new.values()]
    if len(set(slugs)) < len(slugs):
        raise ResultsRefused(dataset.slug, "two tasks have names that differ in punctuation only")
    Task.objects.bulk_create(new.values(), batch_size=500)
    return _known_tasks(dataset)


def _known_tasks(dataset: Dataset) -> dict[str, int]:
    return dict(Task.objects.filter(repository__dataset=dataset).order_by().values_list("title", "pk"))


def _repositories(dataset: Dataset, names: Iterable[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for name in sorted(set(names)):
        slug = _slug(f"{dataset.slug}-{name}" if name else dataset.slug, LONGEST_SLUG)
        values = {
            "dataset": dataset,
            "title": name or dataset.title,
            "description": "",
            "stack": "",
            "domain": "",
        }
        repository, _ = Repository.objects.get_or_create(slug=slug, defaults=values)
        if repository.dataset_id != dataset.pk or repository.title != values["title"]:
            raise ResultsRefused(dataset.slug, f"the address of the repository {name!r} is taken: {slug}")
        found[name] = repository.pk
    return found


def _agents(found: ReportedSet, dataset: Dataset) -> Mapping[str, int]:
    """The numbers of the agents by name. An agent is the same in every version of its source."""
    described = {agent.name: agent for agent in found.agents}
    names = sorted({result.agent for result in found.results})
    known = {
        plain_name(name): pk
        for name, pk in Agent.objects.filter(origin=_origin(dataset)).values_list("name", "pk")
    }
    for name in names:
        if name not in known:
            try:
                check_agent_name(name, known)
            except NameRefused as error:
                raise ResultsRefused(dataset.slug, str(error)) from error
            known[name] = _new_agent(described.get(name, ReportedAgent(name)), dataset).pk
    return known


def _origin(dataset: Dataset) -> str:
    return report_origin(dataset.reported_by, dataset.slug)


def _new_agent(agent: ReportedAgent, dataset: Dataset) -> Agent:
    slug = _slug(f"{dataset.slug}-{agent.name}", LONGEST_SLUG)
    if Agent.objects.filter(slug=slug).exists():
        raise ResultsRefused(dataset.slug, f"the address of the agent {agent.name!r} is taken: {slug}")
    return Agent.objects.create(
        slug=slug,
        name=reported_name(agent.name),
        kind=REPORTED,
        model=_model(agent, dataset),
        description=agent.description,
        enabled=False,
        origin=_origin(dataset),
    )


def _model(agent: ReportedAgent, dataset: Dataset) -> LanguageModel:
    """A model known from reports only: without an address, so that no evaluation can use it."""
    name = agent.model or UNKNOWN_MODEL
    model, _ = LanguageModel.objects.get_or_create(
        slug=_slug(f"{dataset.slug}-{agent.provider}-{name}", LONGEST_SLUG),
        defaults={"name": name, "provider": agent.provider[:100], "open_weights": agent.open_weights},
    )
    return model


def _evaluation(source: ResultSource, results: Sequence[ReportedResult]) -> Evaluation:
    now = timezone.now()
    slug = _slug(f"{source.slug}-{source.version}", LONGEST_SLUG - 4)
    taken = Evaluation.objects.filter(slug__startswith=slug).count()
    return Evaluation.objects.create(
        slug=f"{slug}-{taken + 1}" if taken else slug,
        title=f"{source.title}, reported by {source.reported_by}"[:200],
        state=Evaluation.State.FINISHED,
        attempts=max(result.attempt for result in results),
        finished_at=now,
        origin=source.reported_by,
        imported_at=now,
    )


def _runs(
    evaluation: Evaluation,
    results: Sequence[ReportedResult],
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
) -> list[SettledResult]:
    fixed = {
        "evaluation_id": evaluation.pk,
        "state": Run.State.FINISHED,
        "queued_at": evaluation.imported_at,
        **dict.fromkeys(_UNKNOWN),
    }
    adapt = connection.ops.adapt_datetimefield_value  # looking it up for each row takes as long as its work
    insert_rows(Run, fixed, _VARYING, (_values(evaluation, one, agents, tasks, adapt) for one in results))
    numbers = {
        (agent, task, attempt): pk
        for agent, task, attempt, pk in evaluation.runs.order_by().values_list(
            "agent_id", "task_id", "attempt", "pk"
        )
    }
    stored = [SettledResult(numbers[agents[one.agent], tasks[one.task], one.attempt], one) for one in results]
    named = [one for one in stored if one.result.failed_tests or one.result.passed_tests]
    names = ReportedTests._meta.get_field("failed").get_db_prep_save
    tests = (
        (one.pk, names(one.result.failed_tests, connection), names(passed, connection))
        for one, passed in _passed(named)
    )
    insert_rows(ReportedTests, {}, ("run_id", "failed", "passed"), tests)
    return stored


def _values(
    evaluation: Evaluation,
    one: ReportedResult,
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    adapt: Callable[[datetime], Any],
) -> tuple[Any, ...]:
    agent, task = agents[one.agent], tasks[one.task]
    failed = one.outcome == INFRASTRUCTURE_FAILED
    return (
        f"{evaluation.slug}/{agent}/{task}/{one.attempt}",
        *(agent, task, one.attempt, one.outcome, one.ending, one.detail),
        (one.detail or "reported")[:_FAILURE] if failed else "",
        *(one.tests_total, one.tests_passed, one.iterations, one.tool_calls),
        *(one.prompt_tokens, one.completion_tokens, one.cached_tokens, one.cost_usd, one.seconds),
        # They are in UTC already; Django would convert each, which takes longer than the rest of this row.
        one.started_at and adapt(one.started_at.replace(tzinfo=None)),
        one.finished_at and adapt(one.finished_at.replace(tzinfo=None)),
    )


def _passed(named: Sequence[SettledResult]) -> Iterator[tuple[SettledResult, Sequence[str]]]:
    """The names of passed tests. Where a source names failed ones only, they come from other attempts at the task.

    A test that another attempt failed, and that is not among all named failures of this one, passed in it.
    """
    by_task: dict[str, dict[str, None]] = defaultdict(dict)
    for one in named:
        by_task[one.result.task].update(dict.fromkeys(one.result.failed_tests))
    for one in named:
        result = one.result
        total, passed = result.tests_total or 0, result.tests_passed or 0
        if result.passed_tests or len(result.failed_tests) != total - passed:
            yield one, result.passed_tests
        else:
            failed = set(result.failed_tests)
            others = [test for test in by_task[result.task] if test not in failed]
            yield one, others if len(others) <= passed else ()


def _claims(report: ResultReport, found: ReportedSet, agents: Mapping[str, int]) -> None:
    attempts: dict[str, list[ReportedResult]] = defaultdict(list)
    for result in found.results:
        attempts[result.agent].append(result)
    claims = [_claim(report, number, agents, attempts[number.agent]) for number in found.printed]
    Claim.objects.bulk_create(claims, batch_size=500)


def _claim(
    report: ResultReport, number: PrintedNumber, agents: Mapping[str, int], attempts: Sequence[ReportedResult]
) -> Claim:
    own = own_number(number.metric, attempts)
    ends = own.interval
    return Claim(
        report=report,
        agent_id=agents[number.agent] if attempts else None,
        name=number.agent,
        metric=number.metric,
        printed=number.printed,
        own=own.value,
        own_low=ends.low if ends else None,
        own_high=ends.high if ends else None,
        own_n=own.n,
    )


def _cells(
    runs: Sequence[SettledResult],
    agents: Mapping[str, int],
    tasks: Mapping[str, int],
    before: Sequence[int],
) -> None:
    """Cells of the results: inserted where they are new, recomputed where older ones were listed."""
    by_pair: dict[Pair, list[SettledResult]] = defaultdict(list)
    for one in runs:
        by_pair[agents[one.result.agent], tasks[one.result.task]].append(one)
    ours = {"agent_id__in": set(agents.values()), "task_id__in": set(tasks.values())}
    known = set(Cell.rows.filter(**ours).order_by().values_list("agent_id", "task_id"))
    if before:
        older = Run.objects.filter(evaluation__in=before).order_by()
        recompute_cells({*older.values_list("agent_id", "task_id").distinct(), *(known & by_pair.keys())})
    new = [(pair, cell_totals(by_pair[pair])) for pair in sorted(by_pair.keys() - known)]
    if new:
        names = tuple(new[0][1])
        fixed = {"revision": 1, "updated_at": timezone.now()}
        rows = ((*pair, *(totals[name] for name in names)) for pair, totals in new)
        insert_rows(Cell, fixed, ("agent_id", "task_id", *names), rows)


def _slug(name: str, longest: int) -> str:
    """A slug of at most so many characters; the end of a longer one is a digest of the name."""
    slug = slugify(name.replace("/", "-").replace(".", "-")) or "x"
    if len(slug) <= longest:
        return slug
    return f"{slug[: longest - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
