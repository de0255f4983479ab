"""Success by stack and by language, with the range over repositories."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.facts import RunFacts, Shortage, shortages, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, checked_k, pass_rate, usual_k
from runs.analysis.outcomes.solved import scores_of
from runs.analysis.statistics.digits import leading


def stacks_of(run: RunFacts) -> tuple[str, ...]:
    """The stack of a run's task, if it is given."""
    return (run.stack,) if run.stack else ()


def languages_of(run: RunFacts) -> tuple[str, ...]:
    """Every language of a run's task, each once."""
    return tuple(dict.fromkeys(language for language in run.languages if language))


@dataclass(frozen=True, slots=True)
class BucketRate:
    """One rate in one stack or language, over its tasks and over its repositories.

    `over_tasks` weights tasks equally and has a 95 % interval; `over_repositories` weights repositories equally, as in
    the paper, and `range` is from the lowest to the highest repository: not a confidence interval, and None for a
    single repository.
    """

    over_tasks: Estimate
    over_repositories: Estimate
    range: Interval | None


@dataclass(frozen=True, slots=True)
class AgentInBucket:
    """One agent in one stack or language."""

    agent: str
    pass_1: BucketRate
    pass_k: BucketRate


@dataclass(frozen=True, slots=True)
class Bucket:
    """One stack or language with its repositories, the number of attempted tasks, and its agents, best first."""

    label: str
    repositories: tuple[str, ...]
    tasks: int
    agents: tuple[AgentInBucket, ...]


@dataclass(frozen=True, slots=True)
class StackTable:
    """All buckets, by name. A repository with several languages is in several buckets."""

    k: int
    buckets: tuple[Bucket, ...]
    shortages: tuple[Shortage, ...]
    excluded: tuple[Exclusion, ...]


@method("stack-table", "Success by stack and language", Section.TASKS, 12)
def stack_table(
    runs: Sequence[RunFacts],
    labels_of: Callable[[RunFacts], tuple[str, ...]] = stacks_of,
    k: int | None = None,
) -> StackTable:
    """Success by stack, or by language with `languages_of`: over tasks, over repositories, and their range.

    Formula: pass@1 and pass@k of each task; `over_tasks` is their mean; `over_repositories` is the mean
    over repositories of the mean over a repository's tasks, `range` the smallest and largest of these. Agents are
    ordered by mean pass@1 over repositories, then by name. `k` None: 5, or the largest number of attempts that
    some agent has at all its tasks, as in every other result.

    Source: IDE-Bench, 4.5 and table 4. The paper calls its numbers mean pass@5, but 79, 74 and 84 % are impossible
    as means of pass@5 over ten tasks, which have steps of ten percentage points; they have steps of two, as for 50
    attempts: the mean share of resolved attempts. So the table corresponds to `pass_1`; `pass_k` is the number that
    its caption names.

    Units: 0 to 1; `n` counts tasks or repositories.

    Small n: a bucket without a run is not listed, nor an agent without a run in it; one repository gives no range.
    pass@k is undefined if a task has fewer than k attempts. ValueError for k < 1.
    """
    sifted = sift(runs)
    made = scores_of(sifted.usable).values()
    k = checked_k(k) or usual_k(tasks.values() for tasks in made)
    by_label: dict[str, list[RunFacts]] = defaultdict(list)
    without: list[int] = []
    for run in sifted.usable:
        labels = labels_of(run)
        for label in labels:
            by_label[label].append(run)
        if not labels:
            without.append(run.run)
    unlabelled = (Exclusion("no stack or language is given", tuple(sorted(without))),) if without else ()
    buckets = tuple(_bucket(label, labelled, k) for label, labelled in sorted(by_label.items()))
    return StackTable(k, buckets, shortages(runs), sifted.excluded + unlabelled)


def _bucket(label: str, runs: Sequence[RunFacts], k: int) -> Bucket:
    repository = {run.task: run.repository for run in sorted(runs, key=lambda run: run.run)}
    agents = [
        AgentInBucket(agent, _rate(scores, repository, 1), _rate(scores, repository, k))
        for agent, scores in scores_of(runs).items()
    ]
    agents.sort(key=lambda row: (-leading(row.pass_1.over_repositories.value), row.agent))
    return Bucket(label, tuple(sorted(set(repository.values()))), len(repository), tuple(agents))


def _rate(scores: Mapping[str, TaskScore], repository: Mapping[str, str], k: int) -> BucketRate:
    by_repository: dict[str, list[TaskScore]] = defaultdict(list)
    for task, score in scores.items():
        by_repository[repository[task]].append(score)
    over_tasks = pass_rate(list(scores.values()), k)
    if over_tasks.reason:
        return BucketRate(over_tasks, Estimate.unknown(over_tasks.reason, len(by_repository)), None)
    means = [value for theirs in by_repository.values() if (value := pass_rate(theirs, k).value) is not None]
    spread = Interval(min(means), max(means)) if len(means) > 1 else None
    return BucketRate(over_tasks, Estimate(math.fsum(means) / len(means), len(means)), spread)
