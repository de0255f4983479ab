"""Near misses: tasks that an agent never resolves although nearly all tests pass, and the failing tests."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TESTS, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.digits import leading

THRESHOLD = 0.9
SLACK = 1e-9  # so that 9 of 10 tests reach 90 % despite rounding


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A test that failed in `failed` of `attempts`, the attempts whose failed tests are known."""

    test: str
    failed: int
    attempts: int


@dataclass(frozen=True, slots=True)
class NearMissTask:
    """One agent at one task: no attempt resolved it, but the mean test pass rate reaches the threshold.

    `best`: the highest rate of an attempt. `attempts` counts graded attempts, `unread` those
    without known failed tests. `between`: the failed tests, most frequent first.
    """

    agent: str
    task: str
    attempts: int
    rate: Estimate
    best: float
    between: tuple[Obstacle, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class TaskObstacles:
    """The failed tests of one task, over all attempts of its near misses."""

    task: str
    agents: tuple[str, ...]
    between: tuple[Obstacle, ...]


@dataclass(frozen=True, slots=True)
class NearMisses:
    """Near misses, highest rate first, then by agent and task. `cells`: the number of examined pairs of both."""

    misses: tuple[NearMissTask, ...]
    obstacles: tuple[TaskObstacles, ...]
    cells: int
    threshold: float
    excluded: tuple[Exclusion, ...]


@method(
    "near-misses",
    "Near misses, and the tests that failed",
    Section.TASKS,
    11,
    short="Near miss: nearly all hidden tests pass, and still no attempt resolves the task.",
    example="29 of 30 tests passed in the best of three attempts.",
)
def near_misses(
    runs: Sequence[RunFacts], failed_tests: Mapping[int, Collection[str]], threshold: float = THRESHOLD
) -> NearMisses:
    """Pairs of agent and task where nearly all tests pass but no attempt resolves the task, and the failed tests.

    `failed_tests` maps run → the names of the tests that failed or did not run; runs without an entry are unknown.

    Formula: none of the graded attempts of the agent at the task resolved it, and the mean over attempts of passed ÷
    expected tests, 0 without a test result, is at least the threshold. For each test: in how many of those attempts it
    failed. This is the rule of reports. On pages the rate of the best attempt must reach the threshold, unless the
    mean is selected, and cells whose best attempt failed the fewest tests come first.

    Source: IDE-Bench, 4.2 and table 2. The paper sets no threshold; 0.9 is the lowest rate that its table prints.
    Nor does it define the rate of five attempts: here it is the mean, because the paper says that its
    examples are repeated failures.

    Units: rates 0 to 1.

    Small n: one attempt is enough; a task without a graded attempt that has tests is not a near miss. ValueError for a
    threshold outside 0 to 1.
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"a threshold of {threshold}: expected 0 to 1")
    graded = sift(runs)
    cells: dict[tuple[str, str], list[RunFacts]] = defaultdict(list)
    for run in graded.usable:
        cells[run.agent, run.task].append(run)
    every = (_near_miss(made, failed_tests, threshold) for made in cells.values())
    misses = sorted(filter(None, every), key=lambda miss: (-leading(miss.rate.value), miss.agent, miss.task))
    return NearMisses(
        misses=tuple(misses),
        obstacles=_obstacles(misses),
        cells=len(cells),
        threshold=threshold,
        excluded=graded.excluded + sift(graded.usable, TESTS).excluded,
    )


def _near_miss(
    made: Sequence[RunFacts], failed_tests: Mapping[int, Collection[str]], threshold: float
) -> NearMissTask | None:
    if any(run.resolved for run in made):
        return None
    rates = [run.test_rate for run in made if TESTS.holds(run)]
    rate = math.fsum(rates) / len(made)  # without a test result: 0, because none resolved the task
    if not rates or rate < threshold - SLACK:
        return None
    known = [set(failed_tests[run.run]) for run in made if run.run in failed_tests]
    failures = Counter(test for failed in known for test in failed)
    return NearMissTask(
        agent=made[0].agent,
        task=made[0].task,
        attempts=len(made),
        rate=Estimate(rate, len(made)),
        best=max(rates),
        between=_most_frequent(failures, len(known)),
        unread=len(made) - len(known),
    )


def _obstacles(misses: Sequence[NearMissTask]) -> tuple[TaskObstacles, ...]:
    by_task: dict[str, list[NearMissTask]] = defaultdict(list)
    for miss in misses:
        by_task[miss.task].append(miss)
    obstacles = []
    for task, near in sorted(by_task.items()):
        failures = Counter[str]()
        for miss in near:
            failures.update({between.test: between.failed for between in miss.between})
        attempts = sum(miss.attempts - miss.unread for miss in near)
        agents = tuple(sorted(miss.agent for miss in near))
        obstacles.append(TaskObstacles(task, agents, _most_frequent(failures, attempts)))
    return tuple(obstacles)


def _most_frequent(failures: Mapping[str, int], attempts: int) -> tuple[Obstacle, ...]:
    order = sorted(failures.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Obstacle(test, failed, attempts) for test, failed in order)
