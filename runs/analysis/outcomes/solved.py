"""The tasks that each agent solves within k attempts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import RESOLVED, RunFacts, scenarios_of, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, checked_k, usual_k
from runs.analysis.statistics.intervals import groups_of


@dataclass(frozen=True, slots=True)
class Solved:
    """For each agent the tasks that it solved within k attempts, and those that it did not.

    A task in neither set is undecided for that agent: it made fewer than k graded attempts and none succeeded. `tasks`
    are all attempted tasks, sorted by name, as are the agents. `scenarios`: that of each task; see `TaskScore`.
    """

    k: int
    tasks: tuple[str, ...]
    solved: Mapping[str, frozenset[str]]
    unsolved: Mapping[str, frozenset[str]]
    excluded: tuple[Exclusion, ...] = ()
    scenarios: Mapping[str, str] = field(default_factory=dict)

    @property
    def agents(self) -> tuple[str, ...]:
        """Every agent with a graded attempt, sorted by name."""
        return tuple(sorted(self.solved))

    def verdicts(self, agent: str, tasks: Sequence[str]) -> list[bool]:
        """For each of these tasks, whether the agent solved it. KeyError for an unknown agent, if there are tasks."""
        return [task in self.solved[agent] for task in tasks]

    def groups(self, tasks: Iterable[str]) -> tuple[Hashable, ...]:
        """The groups of these tasks, as in `clustered`."""
        return groups_of([self.scenarios.get(task, "") for task in tasks])

    def decided(self, agent: str) -> frozenset[str]:
        """The tasks that are not undecided for the agent; KeyError for an unknown agent."""
        return self.solved[agent] | self.unsolved[agent]


@method("solved-within-k", "Solved within k attempts", Section.SIMILARITY, 1)
def solved_within(runs: Sequence[RunFacts], k: int | None = None) -> Solved:
    """Which tasks each agent solved in its first k graded attempts.

    Formula: a task is solved if at least one of the first k attempts, by number, resolved it; unsolved if there were k
    and none did. Fewer than k attempts without a success leave it undecided, not unsolved. `k` None: 5, or the largest
    number of attempts that some agent has at all its tasks, as on the leaderboard.

    Source: IDE-Bench, A.5 ("solved under pass@5"), where each agent has five attempts, so that the first five
    are all.

    Units: sets of tasks.

    Small n: no graded attempt gives no agent, and k = 1 by default. ValueError for k < 1.
    """
    sifted = sift(runs)
    attempts: dict[str, dict[str, list[RunFacts]]] = defaultdict(lambda: defaultdict(list))
    for run in sifted.usable:
        attempts[run.agent][run.task].append(run)
    k = checked_k(k) or usual_k(tasks.values() for tasks in scores_of(sifted.usable).values())
    verdicts = {
        agent: {task: _first(made, k) for task, made in tasks.items()} for agent, tasks in attempts.items()
    }
    return _of(k, verdicts, sifted.excluded, scenarios_of(sifted.usable))


_VERDICT = attrgetter("agent", "task", "outcome", "scenario")


def scores_of(runs: Iterable[RunFacts]) -> dict[str, dict[str, TaskScore]]:
    """Agent → task → attempts and how many resolved it, for sifted runs. Sorted by name."""
    attempts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    scenarios: dict[str, str] = {}
    for (agent, task, outcome, scenarios[task]), count in Counter(map(_VERDICT, runs)).items():
        cell = attempts[agent][task]
        cell[0] += count
        cell[1] += count if outcome == RESOLVED else 0
    return {
        agent: {
            task: TaskScore(made, resolved, scenarios[task])
            for task, (made, resolved) in sorted(tasks.items())
        }
        for agent, tasks in sorted(attempts.items())
    }


def _first(made: Sequence[RunFacts], k: int) -> bool | None:
    first = made if len(made) <= k else sorted(made, key=lambda run: (run.attempt, run.run))[:k]
    if any(run.resolved for run in first):
        return True
    return False if len(first) == k else None


def _of(
    k: int,
    verdicts: Mapping[str, Mapping[str, bool | None]],
    excluded: tuple[Exclusion, ...],
    scenarios: Mapping[str, str],
) -> Solved:
    def those(wanted: bool) -> dict[str, frozenset[str]]:
        return {
            agent: frozenset(task for task, verdict in tasks.items() if verdict is wanted)
            for agent, tasks in sorted(verdicts.items())
        }

    tasks = sorted({task for theirs in verdicts.values() for task in theirs})
    return Solved(k, tuple(tasks), those(wanted=True), those(wanted=False), excluded, scenarios)
