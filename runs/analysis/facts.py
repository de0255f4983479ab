"""What analysis knows of one run, and which runs a result can use.

Records come from many hands: other harnesses, crashed workers, old versions. A value that cannot be is kept as it came;
each result says which runs it had to leave out and why (`sift`), so that nothing is dropped in silence.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from runs.analysis.estimate import Exclusion

RESOLVED, UNRESOLVED, INFRASTRUCTURE_FAILED = "resolved", "unresolved", "infrastructure_failed"
VERDICTS = frozenset({RESOLVED, UNRESOLVED})


@dataclass(frozen=True, slots=True)
class ToolTotals:
    """One tool in one run: calls, how many of them were answered with a failure, seconds of all of them.

    `unanswered`: the run ended before their result came; they count among `calls` alone. `timed`: calls with a
    duration; one that was refused before it began has none, nor has one whose record holds no sensible one.
    ValueError for what no count can give.
    """

    calls: int
    failed: int
    seconds: float
    unanswered: int = 0
    timed: int = 0

    def __post_init__(self) -> None:
        possible = (
            0 < self.calls >= self.timed >= 0
            and 0 <= self.failed <= self.calls - self.unanswered <= self.calls
            and 0 <= self.seconds < math.inf
        )
        if not possible:
            raise ValueError(f"{self} cannot be counted")


@dataclass(frozen=True, slots=True)
class ToolUse:
    """In which order one run used its tools.

    `bigrams` and `trigrams` count neighbours in the run's one sequence of calls, across steps. `before_first_edit`:
    calls before the first one of kind "edit"; `before_first_change`: before the first one of phase "implementation",
    which a shell command is, too, that changed the workspace. None when there was none.
    `parallel`: how many steps made so many calls, of those that made any. `phases`: calls by what they contribute to.
    """

    totals: Mapping[str, ToolTotals] = field(default_factory=dict)
    bigrams: Mapping[tuple[str, str], int] = field(default_factory=dict)
    trigrams: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    before_first_edit: int | None = None
    before_first_change: int | None = None
    parallel: Mapping[int, int] = field(default_factory=dict)
    phases: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs of trouble in one run: failure mode → step ids that show it, in order.

    `undecided`: failure mode → why it could not be looked for. A mode in neither map was looked for and not found.
    """

    found: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    undecided: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What is kept of one trajectory: counted once, when the run settles.

    `labels` has one letter for each iteration: p productive, e exploration, n non-productive (`shares.label_of`).
    `features` maps each name of `features.MEASURES` to its value; None where it is undefined.
    `faults` names what was wrong with the record itself ("step 7 is missing").
    """

    labels: str = ""
    tools: ToolUse = field(default_factory=ToolUse)
    signs: Signs = field(default_factory=Signs)
    features: Mapping[str, float | None] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One finished run: what its record says, kept as it came, also where it cannot be.

    `run` is its number, for links; `task` is "repository/task". `planned`: how many attempts this agent was to make at
    this task. `behaviour` None: the trajectory was not counted, or could not be read.

    Formula: an iteration is one answer of the agent. Tokens and cost are sums over all its model calls, tool calls over
    all its answers; `seconds` is the wall time in which the agent acted, image build and grading apart.

    Source: ours; the harness writes it while the run goes on.

    Units: tokens as the provider counts them, `cached_tokens` being part of the prompt's; US dollars; seconds; tests of
    the hidden suite; `similarity` of the lines of patch and reference patch, 0 to 1.

    Small n: a run without an answer has zeros. `cost_usd` is None as soon as one call's cost is unknown.
    """

    run: int
    agent: str
    task: str
    repository: str
    attempt: int
    outcome: str
    ending: str = "completed"
    stack: str = ""
    languages: tuple[str, ...] = ()
    category: str = ""
    difficulty: str = ""
    planned: int = 1
    tests_total: int = 0
    tests_passed: int = 0
    iterations: int = 0
    tool_calls: int = 0
    failed_calls: int = 0
    prompt_tokens: float = 0
    completion_tokens: float = 0
    cached_tokens: float = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    similarity: float | None = None
    behaviour: Behaviour | None = None

    @property
    def resolved(self) -> bool:
        """Whether the run resolved its task."""
        return self.outcome == RESOLVED

    @property
    def tokens(self) -> float:
        """Prompt and completion tokens together; cached ones are part of the prompt's."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def test_rate(self) -> float:
        """Passed ÷ expected tests, 0 to 1. ZeroDivisionError without tests."""
        return self.tests_passed / self.tests_total


class Need(NamedTuple):
    """What a result asks of a run, and what is said of a run that does not have it."""

    reason: str
    holds: Callable[[RunFacts], bool]


# What a float still counts one by one, and records hold: an amount beyond it is a mistake, and sums are no numbers.
LARGEST = 2.0**53


def _of_a_step(fault: str) -> bool:
    return fault.startswith("step ")


def sensible(*values: float | None) -> bool:
    """Whether all are amounts of one run: known, numbers, not negative and not beyond all measure."""
    # A loop takes half the time of all(): each result asks this of every run. NaN is in no range.
    for value in values:  # noqa: SIM110
        if value is None or not 0 <= value <= LARGEST:
            return False
    return True


GRADED = Need("the infrastructure failed", lambda run: run.outcome != INFRASTRUCTURE_FAILED)
VERDICT = Need("the outcome is none that is known", lambda run: run.outcome in VERDICTS)
TESTS = Need(
    "no tests, or more passed than there are",
    lambda run: sensible(run.tests_total, run.tests_passed) and 0 < run.tests_total >= run.tests_passed,
)
TOKENS = Need(
    "tokens are unknown, negative or no number",
    lambda run: sensible(run.prompt_tokens, run.completion_tokens),
)
COST = Need("the cost is unknown, negative or no number", lambda run: sensible(run.cost_usd))
SECONDS = Need("the duration is negative or no number", lambda run: sensible(run.seconds))
BEHAVIOUR = Need(
    "the trajectory was not counted, or could not be read", lambda run: run.behaviour is not None
)
UNBROKEN = Need(
    "steps are missing from the trajectory, or come again",
    # Faults name a step first when it is missing or comes again; an impossible duration spoils no order.
    lambda run: run.behaviour is not None and not any(map(_of_a_step, run.behaviour.faults)),
)
COUNTED = Need(
    "the trajectory has another number of iterations than the run reports",
    lambda run: run.behaviour is not None and len(run.behaviour.labels) == run.iterations,
)
TRAJECTORY = (BEHAVIOUR, UNBROKEN, COUNTED)
"""What a result needs that rests on whole trajectories."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """The runs that a result can use, in the order given, and those it cannot, by reason."""

    kept: tuple[RunFacts, ...]
    excluded: tuple[Exclusion, ...]


def sift(runs: Iterable[RunFacts], *needs: Need) -> Sifted:
    """Parts usable runs from the others. Every run must have an outcome; `needs` are asked after that.

    A run is excluded once, for the first need that does not hold, in the order GRADED, VERDICT, then as given.
    """
    kept: list[RunFacts] = []
    lacking: dict[str, list[int]] = {}
    wanted = (GRADED, VERDICT, *needs)
    # Each result asks every run; one with a verdict was graded, too.
    asked = [need.holds for need in (VERDICT, *needs)]
    for run in runs:
        for holds in asked:
            if not holds(run):
                reason = next(need.reason for need in wanted if not need.holds(run))
                lacking.setdefault(reason, []).append(run.run)
                break
        else:
            kept.append(run)
    order = [need.reason for need in wanted if need.reason in lacking]
    return Sifted(tuple(kept), tuple(Exclusion(reason, tuple(sorted(lacking[reason]))) for reason in order))


@dataclass(frozen=True, slots=True)
class Shortage:
    """An agent with fewer graded attempts at a task than were planned."""

    agent: str
    task: str
    attempts: int
    planned: int


_ATTEMPT = attrgetter("agent", "task", "planned", "outcome")


def shortages(runs: Iterable[RunFacts]) -> tuple[Shortage, ...]:
    """Where attempts are missing, by agent and task. Infrastructure failures do not count as attempts.

    An agent that has no graded attempt at a task that others tried is named too, with 0.
    """
    planned: dict[tuple[str, str], int] = defaultdict(int)
    attempts: dict[tuple[str, str], int] = defaultdict(int)
    usual: dict[str, int] = defaultdict(int)
    # Equal runs are counted first, in a fraction of the time: several results ask for the same.
    for (agent, task, plan, outcome), count in Counter(map(_ATTEMPT, runs)).items():
        planned[agent, task] = max(planned[agent, task], plan)
        usual[task] = max(usual[task], plan)
        attempts[agent, task] += count if outcome in VERDICTS else 0
    agents = sorted({agent for agent, _ in planned})
    return tuple(
        Shortage(agent, task, made, wanted)
        for agent, task in product(agents, sorted(usual))
        if (made := attempts.get((agent, task), 0)) < (wanted := planned.get((agent, task), usual[task]))
    )


def by_agent(runs: Iterable[RunFacts]) -> dict[str, list[RunFacts]]:
    """Runs of each agent, agents in alphabetical order."""
    found: dict[str, list[RunFacts]] = defaultdict(list)
    for run in runs:
        found[run.agent].append(run)
    return dict(sorted(found.items()))


def test_rates(runs: Sequence[RunFacts]) -> dict[str, dict[str, list[float]]]:
    """Agent → task → the test pass rate of each attempt, 0 to 1. Every run must satisfy TESTS."""
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        rates[run.agent][run.task].append(run.test_rate)
    return {agent: dict(tasks) for agent, tasks in rates.items()}
