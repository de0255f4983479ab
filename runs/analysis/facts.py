"""The input of analysis: the facts of one run, and which runs a result can use.

Records may come from other harnesses, crashed workers or old versions. An invalid value is stored unchanged; each
result lists the runs that it excludes and why (`sift`).
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
    """One tool in one run: its calls, how many of them failed, and their seconds in total.

    `unanswered`: calls without a result because the run ended; they are part of `calls` only. `timed`: calls with a
    valid duration; a call that was refused before it started has none. `unjudged`: calls with a result of which the
    record of another harness does not say whether they failed. ValueError for inconsistent counts.
    """

    calls: int
    failed: int
    seconds: float
    unanswered: int = 0
    timed: int = 0
    unjudged: int = 0

    @property
    def judged(self) -> int:
        """Calls of which the record says whether they failed."""
        return self.calls - self.unanswered - self.unjudged

    def __post_init__(self) -> None:
        possible = (
            0 < self.calls >= self.timed >= 0
            and 0 <= self.failed <= self.judged <= self.calls - self.unanswered <= self.calls
            and 0 <= self.seconds < math.inf
        )
        if not possible:
            raise ValueError(f"inconsistent counts: {self}")


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How one run used its tools.

    `bigrams` and `trigrams` count consecutive calls of the whole run, across steps. `before_first_edit`: calls before
    the first one of kind "edit"; `before_first_change`: before the first one of phase "implementation", which includes
    a shell command that changed the workspace. None if there was none. `parallel`: number of calls in a step → number
    of such steps, steps without a call excluded. `phases`: phase → number of calls. `opening`: a letter for each of the
    first calls (`use.opening`).
    """

    totals: Mapping[str, ToolTotals] = field(default_factory=dict)
    bigrams: Mapping[tuple[str, str], int] = field(default_factory=dict)
    trigrams: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    before_first_edit: int | None = None
    before_first_change: int | None = None
    parallel: Mapping[int, int] = field(default_factory=dict)
    phases: Mapping[str, int] = field(default_factory=dict)
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs of failure modes in one run: failure mode → ids of the steps that show it, in order.

    `undecided`: failure mode → why it could not be checked. A mode in neither map was checked and not found.
    """

    found: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    undecided: Mapping[str, str] = field(default_factory=dict)


class Exploit(NamedTuple):
    """One pattern of exploits in a run: its strength (`exploit_patterns.STRENGTHS`), and the steps that show it."""

    strength: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The stored counts of one trajectory, computed once when the run settles.

    `labels` has one letter for each iteration: p productive, e exploration, n non-productive (`shares.label_of`).
    `features` maps each name of `features.MEASURES` to its value; None if it is undefined.
    `faults` lists errors of the record itself ("step 7 is missing").
    `responses`: (seconds, dollars) of what the agent did after each message of the user; None is unknown.
    `patch_sketch`: see `patch_sketch.sketch_similarity`; "" for an empty or unreadable patch.
    `exploits`: patterns of exploits of the benchmark that the run shows.
    """

    labels: str = ""
    tools: ToolUse = field(default_factory=ToolUse)
    signs: Signs = field(default_factory=Signs)
    features: Mapping[str, float | None] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    responses: tuple[tuple[float | None, float | None], ...] = ()
    patch_sketch: str = ""
    exploits: Mapping[str, Exploit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One finished run: the values of its record, unchanged, even if they are invalid.

    `run` is its number, for links; `task` is "repository/task". `planned`: how many attempts by this agent at this task
    were planned. `behaviour` None: the trajectory was not counted, or could not be read. `scenario`:
    "repository/scenario" of a workflow task, whose personas are not independent; '' for others.

    `origin`: how its task was made ("removed", "corrupted", ...); '' if this is unknown. Of a task that was made by
    changing functions: `targets_found`, whether the run changed every one of them, None if this is unknown or it is no
    such task; `solved_elsewhere`, whether the tests pass but the run is not resolved, because other functions were
    changed or the targets' new bodies alone do not pass. `submissions`: how often the agent submitted code to the
    hidden tests, None if it cannot; `solved_at_submission`: the first of them that passed, from 1; None if none did.

    Formula: an iteration is one response of the agent. Tokens and cost are sums over all its model calls, tool calls
    over all its responses; `seconds` is the wall time in which the agent acted, without image build and grading.

    Source: ours; the harness writes the record during the run.

    Units: tokens as the provider counts them, `cached_tokens` being part of the prompt's; US dollars; seconds; tests of
    the hidden suite; `similarity` of the lines of patch and reference patch, 0 to 1.

    Small n: a run without a response has zeros. `cost_usd` is None if the cost of any call is unknown.
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
    scenario: str = ""
    origin: str = ""
    targets_found: bool | None = None
    solved_elsewhere: bool = False
    submissions: int | None = None
    solved_at_submission: int | None = None

    @property
    def resolved(self) -> bool:
        """Whether the run resolved its task."""
        return self.outcome == RESOLVED

    @property
    def cluster(self) -> str:
        """What is independent of other runs: the scenario, whose personas are not; of other tasks the task."""
        return self.scenario or self.task

    @property
    def tokens(self) -> float:
        """Prompt and completion tokens together; cached ones are part of the prompt's."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def test_rate(self) -> float:
        """Passed ÷ expected tests, 0 to 1. ZeroDivisionError without tests."""
        return self.tests_passed / self.tests_total


class Need(NamedTuple):
    """A requirement of a result on a run, and the reason given for runs that do not meet it."""

    reason: str
    holds: Callable[[RunFacts], bool]


# Floats represent every integer up to this one exactly. A larger amount is an error, and sums would be inexact.
MAX_AMOUNT = 2.0**53


def _of_a_step(fault: str) -> bool:
    return fault.startswith("step ")


def sensible(*values: float | None) -> bool:
    """Whether all values are valid amounts of one run: known, not NaN, not negative, at most MAX_AMOUNT."""
    # A loop takes half the time of all(), and each result checks every run. NaN is in no range.
    for value in values:  # noqa: SIM110
        if value is None or not 0 <= value <= MAX_AMOUNT:
            return False
    return True


def known_counts(run: RunFacts, names: Sequence[str]) -> list[float]:
    """The counts of a run's trajectory with these names of `features.MEASURES`, without unknown and invalid ones."""
    counts = [run.behaviour.features.get(name) for name in names] if run.behaviour else []
    return [count for count in counts if count is not None and sensible(count)]


def has_test_rate(total: int, passed: int) -> bool:
    """Whether passed ÷ total is a test rate: there are tests, and no more passed than there are."""
    return sensible(total, passed) and 0 < total >= passed


GRADED = Need("the infrastructure failed", lambda run: run.outcome != INFRASTRUCTURE_FAILED)
VERDICT = Need("the outcome is unknown", lambda run: run.outcome in VERDICTS)
TESTS = Need(
    "no tests, or more passed than there are",
    lambda run: has_test_rate(run.tests_total, run.tests_passed),
)
TOKENS = Need(
    "the tokens are unknown or invalid",
    lambda run: sensible(run.prompt_tokens, run.completion_tokens),
)
COST = Need("the cost is unknown or invalid", lambda run: sensible(run.cost_usd))
SECONDS = Need("the duration is unknown or invalid", lambda run: sensible(run.seconds))
BEHAVIOUR = Need(
    "the trajectory was not counted, or could not be read", lambda run: run.behaviour is not None
)
UNBROKEN = Need(
    "steps are missing from the trajectory, or repeated",
    # Faults start with "step" if a step is missing or repeated; an invalid duration does not affect the order.
    lambda run: run.behaviour is not None and not any(map(_of_a_step, run.behaviour.faults)),
)
COUNTED = Need(
    "the trajectory has another number of iterations than the run reports",
    lambda run: run.behaviour is not None and len(run.behaviour.labels) == run.iterations,
)
TRAJECTORY = (BEHAVIOUR, UNBROKEN, COUNTED)
"""The requirements of results that use complete trajectories."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """The runs that a result can use, in the given order, and the excluded ones by reason."""

    usable: tuple[RunFacts, ...]
    excluded: tuple[Exclusion, ...]


def sift(runs: Iterable[RunFacts], *needs: Need) -> Sifted:
    """Separates usable runs from the others. Every run must be graded and have a known outcome, and meet `needs`.

    A run is excluded once, for the first need that it does not meet, in the order GRADED, VERDICT, then as given.
    """
    usable: list[RunFacts] = []
    lacking: dict[str, list[int]] = {}
    wanted = (GRADED, VERDICT, *needs)
    # Speed: a run with a verdict is also graded.
    checks = [need.holds for need in (VERDICT, *needs)]
    for run in runs:
        for holds in checks:
            if not holds(run):
                reason = next(need.reason for need in wanted if not need.holds(run))
                lacking.setdefault(reason, []).append(run.run)
                break
        else:
            usable.append(run)
    order = [need.reason for need in wanted if need.reason in lacking]
    return Sifted(tuple(usable), tuple(Exclusion(reason, tuple(sorted(lacking[reason]))) for reason in order))


@dataclass(frozen=True, slots=True)
class Shortage:
    """An agent with fewer graded attempts at a task than were planned."""

    agent: str
    task: str
    attempts: int
    planned: int


_ATTEMPT = attrgetter("agent", "task", "planned", "outcome")


def shortages(runs: Iterable[RunFacts]) -> tuple[Shortage, ...]:
    """Missing attempts by agent and task. Infrastructure failures do not count as attempts.

    An agent without a graded attempt at a task that others tried is listed with 0.
    """
    planned: dict[tuple[str, str], int] = defaultdict(int)
    attempts: dict[tuple[str, str], int] = defaultdict(int)
    usual: dict[str, int] = defaultdict(int)
    # Equal runs are counted first, which takes a fraction of the time.
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
    agents: dict[str, list[RunFacts]] = defaultdict(list)
    for run in runs:
        agents[run.agent].append(run)
    return dict(sorted(agents.items()))


def scenarios_of(runs: Iterable[RunFacts]) -> dict[str, str]:
    """Task → its scenario, '' for a task without one."""
    return {run.task: run.scenario for run in runs}


def test_rates(runs: Sequence[RunFacts], *, by_outcome: bool) -> dict[str, dict[str, list[float]]]:
    """Agent → task → the test pass rate of each attempt, 0 to 1.

    `by_outcome`: a run without a test result counts as 1 if it resolved its task, else as 0; otherwise it is left out.
    """
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if TESTS.holds(run):
            rates[run.agent][run.task].append(run.test_rate)
        elif by_outcome:
            rates[run.agent][run.task].append(float(run.resolved))
    return {agent: dict(tasks) for agent, tasks in rates.items()}
