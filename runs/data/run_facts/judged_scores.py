"""The scores that a panel of judges gave runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from django.db.models import F, Max, Q, QuerySet

from harness.judges.dimensions import dimensions
from runs.analysis.judging.review_scores import DIMENSIONS
from runs.analysis.scores.quality_index import JudgedRun, QualityIndex, quality_index
from runs.models import JudgeReview, Panel, Run
from runs.models.open_rows import without_hidden

NOT_REVIEWED = "not reviewed"
# Only reviews that are done have a score. A condition on the state would make SQLite begin with all that are done.
SCORED = Q(run_try=F("run__tries"), score__gte=0, score__lte=1)


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A counted run with a verdict. `task`: repository/task; `agent`: its number.

    `scenario`: what is independent of other runs: that of the task, with its repository, else the task.
    `scores`: dimension → mean over the judges and samples that gave one. `missing`: the panel's other dimensions, with
    the state of their reviews, or NOT_REVIEWED.
    """

    run: int
    agent: int
    task: str
    scenario: str
    resolved: bool
    scores: Mapping[str, float]
    missing: Mapping[str, str]

    def judged(self) -> JudgedRun:
        """The run as the quality index takes it."""
        known = {name: self.scores[name] for name in DIMENSIONS if name in self.scores}
        return JudgedRun(self.scenario, {"formal": float(self.resolved), **known})


def dimension_title(name: str) -> str:
    """The title of a dimension; of one that this version does not have, its name in words."""
    known = dimensions().get(name)
    return known.title if known else name.replace("_", " ").capitalize()


def graded(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those of these runs that can have scores: they have a verdict."""
    return runs.filter(outcome__in=Run.VERDICTS)


def scored_runs(runs: QuerySet[Run], panel: int) -> list[ScoredRun]:
    """The runs with a verdict, among these counted and open ones, of the agents that a panel reviewed; two queries.

    `panel`: its number. Nothing is said of missing scores.
    Only reviews of a run's present try count, and equal reviews of several passes (with one key) count once.
    """
    scores, agents = _scores(graded(runs), panel)
    return _runs(graded(runs).filter(agent__in=agents), [], scores, {})


def runs_with_reasons(runs: QuerySet[Run], panel: Panel, *, hidden: bool = False) -> list[ScoredRun]:
    """As `scored_runs`, of all agents, and with the states of reviews without a score; three queries.

    `hidden`: also the reviews of runs of hidden datasets.
    """
    scores, _ = _scores(graded(runs), panel.pk, hidden=hidden)
    return _runs(graded(runs), panel.dimensions, scores, _states(graded(runs), panel, hidden=hidden))


def quality_by_agent(runs: Iterable[ScoredRun]) -> dict[int, QualityIndex]:
    """The quality index of each agent that has a score."""
    groups: dict[int, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        groups[run.agent].append(run)
    return {
        agent: quality_index(run.judged() for run in group)
        for agent, group in groups.items()
        if any(run.scores for run in group)
    }


def _scores(
    runs: QuerySet[Run], panel: int, *, hidden: bool = False
) -> tuple[Mapping[int, Mapping[str, float]], set[int]]:
    """Run → dimension → mean score, and the agents of these runs."""
    # The panel is compared below: with a condition on it, SQLite begins with all of its reviews instead of the runs.
    rows = without_hidden(JudgeReview.objects.filter(SCORED, run__in=runs), unless=hidden).order_by()
    grouped = rows.values_list("judge__panel", "run", "run__agent", "dimension", "judge", "sample", "key")
    every: dict[int, dict[str, dict[object, float]]] = defaultdict(lambda: defaultdict(dict))
    agents = set()
    for by, run, agent, dimension, judge, sample, key, score in grouped.annotate(most=Max("score")):
        if by != panel:
            continue
        every[run][dimension][key or (judge, sample)] = score
        agents.add(agent)
    means = {
        run: {name: fmean(scores.values()) for name, scores in by_dimension.items()}
        for run, by_dimension in every.items()
    }
    return means, agents


def _states(runs: QuerySet[Run], panel: Panel, *, hidden: bool) -> Mapping[tuple[int, str], str]:
    """(run, dimension) → the state of its newest review without a score. Only ended reviews."""
    states = JudgeReview.State
    ended = [states.REFUSED, states.MALFORMED, states.TOO_LONG, states.UNPAID, states.FAILED]
    # A review that ended before it was asked has no try.
    rows = without_hidden(
        JudgeReview.objects.filter(run__in=runs, run_try__in=(0, F("run__tries"))), unless=hidden
    )
    named = rows.filter(judge__panel=panel, state__in=ended).order_by("pk")
    return {
        (run, dimension): str(states(state).label).lower()
        for run, dimension, state in named.values_list("run", "dimension", "state")
    }


def _runs(
    runs: QuerySet[Run],
    names: Sequence[str],
    scores: Mapping[int, Mapping[str, float]],
    states: Mapping[tuple[int, str], str],
) -> list[ScoredRun]:
    columns = ("pk", "agent_id", "task__repository__slug", "task__slug", "task__scenario", "outcome")
    return [
        ScoredRun(
            run,
            agent,
            f"{repository}/{task}",
            f"{repository}/{scenario or task}",
            outcome == Run.Outcome.RESOLVED,
            own := scores.get(run, {}),
            {name: states.get((run, name), NOT_REVIEWED) for name in names if name not in own},
        )
        for run, agent, repository, task, scenario, outcome in runs.order_by("pk").values_list(*columns)
    ]
