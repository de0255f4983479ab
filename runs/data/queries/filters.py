"""Filters of cells and runs, and the querysets that views share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Now
from django.shortcuts import get_object_or_404

from harness.limits import Ending
from runs.analysis.outcomes.standings import CellFacts
from runs.data.cache.agent_rows import agent_rows
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.board_names import BoardName
from runs.data.queries.replay_filter import REPLAYS, with_replay
from runs.data.queries.visibility import Reader, sees_hidden, visible, visible_repositories
from runs.models import FAULT_CATALOGUE, Agent, Cell, Evaluation, PlaySession, Run
from runs.models.open_rows import with_fault_catalogue, without_hidden
from tasks.models import Repository, Task

# Where runs were executed: a value, and a text for pages.
ORIGINS = (("here", "here"), ("imported", "elsewhere"))
# The values of these parameters; all others are slugs or days.
VALUES: Mapping[str, Sequence[str]] = {
    "difficulty": Task.Difficulty.values,
    "category": Task.Category.values,
    "outcome": Run.Outcome.values,
    "ending": tuple(ending.value for ending in Ending),
    "state": Run.State.values,
    "weights": ("open", "closed"),
    "origin": tuple(value for value, _ in ORIGINS),
    "listed": ("yes", "no"),
    "replay": tuple(REPLAYS),
    "flagged": ("without",),
}
DAYS = ("since", "until")
Pair = tuple[int, int]  # the numbers of an agent and a task

# The columns of a cell, in the order of CellFacts.
FACTS = (
    *("agent_id", "task_id", "task__repository__slug", "attempts", "resolved", "infrastructure_failed"),
    *("test_rate_sum", "tokens", "cost_usd", "seconds", "tested", "timed", "odd", "test_rate_squares"),
    *("task__scenario", "task__origin", "judged", "corrected"),
)


@dataclass(frozen=True, slots=True)
class _Filter:
    """Fields from the query string, each a slug or a database value; '' means all."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """The fields from the query string. An unknown slug stays: it matches nothing, and the page says so.

        Raises BadParameter for a malformed value, and for one that is not in VALUES.
        """
        return cls(**{field.name: cls._read(query, field.name) for field in fields(cls)})

    @classmethod
    def _read(cls, query: Mapping[str, str], name: str) -> str:
        if name in VALUES:
            return parameters.choice(query, name, VALUES[name])
        if name in DAYS:
            day = parameters.day(query, name)
            return day.isoformat() if day else ""
        return parameters.text(query, name)

    @property
    def empty(self) -> bool:
        """Whether it filters nothing."""
        return self == type(self)()

    def query(self) -> str:
        """The filter as a query string, without empty fields."""
        return urlencode({name: value for name, value in asdict(self).items() if value})


@dataclass(frozen=True, slots=True)
class CellFilter(_Filter):
    """Which cells count. `weights` is open or closed: whether the model can be downloaded.

    `dataset` is the name of a board: a dataset, or one origin of its tasks, see `BoardName`.
    `origin` is here or imported: whether this site executed the runs. No cell has runs of both.
    """

    dataset: str = ""
    repository: str = ""
    stack: str = ""
    language: str = ""
    difficulty: str = ""
    category: str = ""
    kind: str = ""
    weights: str = ""
    origin: str = ""

    def on(self, dataset: str) -> Self:
        """The same on the board of this name."""
        return replace(self, dataset=dataset)

    @property
    def only_dataset(self) -> bool:
        """Whether it selects nothing but a dataset."""
        return replace(self, dataset="").empty

    def cells(self) -> QuerySet[Cell]:
        """The matching cells of open datasets."""
        return without_hidden(Cell.objects.filter(**self._lookups()))

    def runs(self) -> QuerySet[Run]:
        """The runs behind these cells, infrastructure failures included."""
        return without_hidden(counted_runs().filter(**self._lookups()))

    def _lookups(self) -> dict[str, object]:
        named: dict[str, object] = {
            "task__repository__slug": self.repository,
            "task__repository__stack": self.stack,
            "task__difficulty": self.difficulty,
            "task__category": self.category,
            "agent__kind": self.kind,
        }
        lookups = {name: value for name, value in named.items() if value}
        if self.dataset:
            lookups |= BoardName.of(self.dataset).lookups("task__")
        if self.weights:
            lookups["agent__model__open_weights"] = self.weights == "open"
        if self.origin:
            lookups["agent__origin" if self.origin == "here" else "agent__origin__gt"] = ""
        if self.language:
            lookups["task__repository__in"] = _written_in(self.language)
        return lookups


def _written_in(language: str) -> list[int]:
    """The ids of repositories. They are few, and not every database can search a list in JSON."""
    known = without_hidden(Repository.objects.all()).order_by().values_list("pk", "languages")
    return [pk for pk, languages in known if language in languages]


@dataclass(frozen=True, slots=True)
class BoardChoices:
    """The choices of the leaderboard's filters."""

    datasets: tuple[tuple[str, str], ...]
    repositories: tuple[tuple[str, str], ...]
    stacks: tuple[str, ...]
    languages: tuple[str, ...]
    kinds: tuple[str, ...]
    difficulties: tuple[str, ...] = tuple(Task.Difficulty.values)
    categories: tuple[str, ...] = tuple(Task.Category.values)
    weights: tuple[str, ...] = tuple(VALUES["weights"])
    origins: tuple[tuple[str, str], ...] = ORIGINS

    @property
    def all_repositories(self) -> str:
        """The text of the option that selects no repository."""
        return f"all {len(self.repositories)}"


def cell_facts(cells: QuerySet[Cell]) -> list[CellFacts]:
    """The cells in the form that analysis uses, in one query and without model instances."""
    return list(map(CellFacts._make, cells.order_by().values_list(*FACTS)))


def counted_runs(also: Evaluation | None = None) -> QuerySet[Run]:
    """The runs that count on the leaderboard, infrastructure failures included; `also` as if it was published.

    Runs of people who had help, or had seen what others did, are shown with that mark and count nowhere. Nor do
    imported trajectories whose outcome no one knows.
    """
    listed = Q(evaluation__listed=True) if also is None else Q(evaluation__listed=True) | Q(evaluation=also)
    finished = Run.objects.filter(listed, state=Run.State.FINISHED, outcome__in=Run.Outcome.values)
    return finished.exclude(pk__in=marked_runs())


def marked_runs() -> QuerySet[PlaySession, Any]:
    """The numbers of the runs of people that do not count: not blind, or with the help of a model or a person."""
    marked = Q(not_blind=True) | Q(used_assistant=True)
    return PlaySession.objects.filter(marked).order_by().values("run")


def attempted(chosen: CellFilter) -> int:
    """How many attempts the cells of a filter have, infrastructure failures included."""
    sums = chosen.cells().aggregate(attempts=Sum("attempts"), lost=Sum("infrastructure_failed"))
    return (sums["attempts"] or 0) + (sums["lost"] or 0)


def leaderboard_choices(dataset: str) -> BoardChoices:
    """The open datasets, the choices within one of them, and the kinds of agents: one query, and that of all agents."""
    everywhere = _OPEN_REPOSITORIES.rows()
    repositories = [row for row in everywhere if row[4] == BoardName.of(dataset).dataset]
    return BoardChoices(
        datasets=tuple(sorted({(slug, title) for *_, slug, title in everywhere})),
        repositories=tuple((slug, title) for slug, title, *_ in repositories),
        stacks=tuple(sorted({stack for _, _, stack, *_ in repositories})),
        languages=tuple(sorted({language for row in repositories for language in json.loads(row[3])})),
        kinds=tuple(sorted({row.kind for row in agent_rows() if row.is_open})),
    )


_OPEN_REPOSITORIES = CompiledQuery(
    lambda: (
        without_hidden(Repository.objects.all())
        .order_by("title")
        .annotate(languages_text=Cast("languages", TextField()))
        .values_list("slug", "title", "stack", "languages_text", "dataset__slug", "dataset__title")
    )
)


def agents_by_id(ids: Iterable[int]) -> dict[int, Agent]:
    """Agents with their models, in one query."""
    return {agent.pk: agent for agent in Agent.objects.select_related("model").filter(pk__in=list(ids))}


def is_due() -> Q:
    """Queued runs that may be tried now. All hosts use the database's clock."""
    return Q(not_before=None) | Q(not_before__lte=Now())


def waits_for_worker() -> Q:
    """Runs that a worker would start now. Those of people wait for the person, others perhaps for an account."""
    return Q(state=Run.State.QUEUED, not_before=None, play=None, agent__model__paused_at=None)


def visible_runs(reader: Reader) -> QuerySet[Run]:
    """Runs of all states that this reader may see, newest first, with the related objects that a list shows."""
    return visible(_named_runs(), reader)


def visible_replays(reader: Reader) -> QuerySet[Run]:
    """Runs whose pages this reader may open by their number: visible ones, and those of the fault catalogue."""
    return _named_runs() if sees_hidden(reader) else with_fault_catalogue(_named_runs())


def replay_or_404(reader: Reader, pk: int) -> Run:
    """The run of a page about one run. Raises Http404, and HiddenWhilePlaying while the reader plays its task."""
    run = get_object_or_404(visible_replays(reader).select_related("task__repository__dataset"), pk=pk)
    refuse_while_playing(reader, [run])
    return run


def _named_runs() -> QuerySet[Run]:
    return Run.objects.select_related(
        "agent", "agent__model", "task", "task__repository", "evaluation", "grading"
    ).order_by("-pk")


@dataclass(frozen=True, slots=True)
class RunFilter(_Filter):
    """Which runs a list shows. `task` is `repository/task`; `outcome`, `ending` and `state` are database values.

    `origin` is here or imported: whether this site executed the runs.
    `listed` is yes or no: whether runs of their evaluation count in public numbers, or it is a trial.
    `replay` is one of REPLAYS: where they can be replayed.
    `since` and `until` are days in UTC, both included, on which runs finished.
    """

    evaluation: str = ""
    agent: str = ""
    task: str = ""
    repository: str = ""
    dataset: str = ""
    outcome: str = ""
    ending: str = ""
    state: str = ""
    since: str = ""
    until: str = ""
    origin: str = ""
    listed: str = ""
    replay: str = ""

    def of(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        """The matching runs among these. Those of the fault catalogue only if its evaluation is chosen."""
        repository, slash, task = self.task.partition("/")
        if self.task and not (slash and repository and task):
            return runs.none()
        lookups = {
            "evaluation__slug": self.evaluation,
            "agent__slug": self.agent,
            "task__repository__slug": repository,
            "task__slug": task,
            "outcome": self.outcome,
            "ending": self.ending,
            "state": self.state,
        }
        runs = runs.filter(**{name: value for name, value in lookups.items() if value})
        if not self.evaluation:
            catalogue = Evaluation.objects.filter(origin=FAULT_CATALOGUE)
            runs = runs.exclude(evaluation__in=catalogue.values("pk"))
        if self.repository:
            runs = runs.filter(task__repository__slug=self.repository)
        if self.dataset:
            runs = runs.filter(**BoardName.of(self.dataset).lookups("task__"))
        if self.origin:
            # By a set of evaluations, which is small.
            imported = Evaluation.objects.exclude(origin="").values("pk")
            chosen = Q(evaluation__in=imported)
            runs = runs.filter(~chosen if self.origin == "here" else chosen)
        if self.listed:
            trials = Q(evaluation__in=Evaluation.objects.filter(listed=False).values("pk"))
            runs = runs.filter(~trials if self.listed == "yes" else trials)
        if self.replay:
            runs = with_replay(runs, self.replay)
        return runs.filter(finished_within(self.since, self.until))


def finished_within(since: str, until: str) -> Q:
    """Runs that finished from the day `since` to the day `until`, both included, in UTC; '' sets no bound."""
    within = Q()
    if since:
        within &= Q(finished_at__gte=_midnight(since))
    if until and until != date.max.isoformat():  # no day comes after the last one
        within &= Q(finished_at__lt=_midnight(until) + timedelta(days=1))
    return within


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time.min, UTC)


def repositories_with_counts(reader: Reader) -> QuerySet[Repository]:
    """Repositories that this reader may see, with their datasets and, as `task_count`, how many tasks they have."""
    return visible_repositories(reader).annotate(task_count=Count("tasks")).order_by("dataset__slug", "title")
