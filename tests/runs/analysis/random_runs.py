"""Small worlds made up for tests: every agent's attempts at every task, with trajectories, and what can be wrong."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from runs.analysis.facts import (
    INFRASTRUCTURE_FAILED,
    RESOLVED,
    UNRESOLVED,
    Behaviour,
    RunFacts,
    Signs,
    ToolTotals,
    ToolUse,
)
from runs.analysis.failures.modes import MODES
from runs.analysis.features import MEASURES
from runs.analysis.tools.use import OPENING, OPENING_LETTERS
from runs.analysis.trajectories.kinds import kind_of, phase_of

_TOOLS = (
    "read_file",
    "grep_search",
    "edit_file",
    "run_terminal_cmd",
    "mcp__x__ask",
    "str_replace_editor view",
)
_STACKS = (("python", ("Python",)), ("java", ("Java", "HTML")), ("", ()))
_SHARES = {
    "trajectory_efficiency",
    "exploration_efficiency",
    "reasoning_quality_score",
    "patch_similarity",
    "final_similarity",
}

WRONG: Mapping[str, tuple[dict[str, Any], ...]] = {
    "outcome": ({"outcome": ""}, {"outcome": "unknown"}),
    "tests": (
        {"tests_total": 0, "tests_passed": 0},
        {"tests_total": 4, "tests_passed": 5},
        {"tests_total": -1, "tests_passed": -1},
        {"tests_total": 4, "tests_passed": -1},
        {"tests_total": math.nan, "tests_passed": math.nan},
    ),
    "tokens": tuple({"prompt_tokens": value} for value in (math.nan, -1, math.inf, 1e308))
    + tuple({"completion_tokens": value} for value in (math.nan, -1, -math.inf)),
    "cached": tuple({"cached_tokens": value} for value in (math.nan, -1, math.inf)),
    "cost": tuple({"cost_usd": value} for value in (None, math.nan, -0.5, math.inf, 1e308)),
    "seconds": tuple({"seconds": value} for value in (math.nan, -5.0, math.inf, -math.inf, 1e308)),
    "iterations": tuple({"iterations": value} for value in (-1, math.nan, math.inf, 1000, 1e308)),
    "behaviour": ({"behaviour": None},),
    "similarity": tuple({"similarity": value} for value in (math.nan, -0.5, 1.5, math.inf, None)),
}
"""What can be wrong with a record, by what it is about: fields and invalid values."""

BROKEN: tuple[dict[str, Any], ...] = (
    {"features": {measure.name: math.nan for measure in MEASURES}},
    {"features": {measure.name: math.inf for measure in MEASURES}},
    {"features": {measure.name: -1.0 for measure in MEASURES}},
    {"features": {measure.name: 1e308 for measure in MEASURES}},
    {"features": {}},
    {"labels": "?!"},
    {"tools": ToolUse()},
    {"signs": Signs()},
    {"signs": Signs({"a mode that unknown": (1,)}, {"another": "why not"})},
)
"""What can be wrong with what was counted of a trajectory, in a database that others wrote to."""
FAULTS = ("step 3 is missing", "step 2 comes again", "a call in step 4 took nan seconds")


def behaviour(dice: random.Random, labels: str, faults: tuple[str, ...] = ()) -> Behaviour:
    """What an agent may have done in so many iterations: one call in each."""
    calls = [dice.choice(_TOOLS) for _ in labels]
    kinds = [kind_of(call) for call in calls]
    phases = [phase_of(kind, "acts", edited=False) for kind in kinds]
    first = kinds.index("edit") if "edit" in kinds else None
    modes = dice.sample([mode.slug for mode in MODES], 3)
    return Behaviour(
        labels=labels,
        tools=ToolUse(
            totals={
                tool: ToolTotals(n, dice.randrange(n + 1), float(n), 0, n)
                for tool, n in Counter(calls).items()
            },
            bigrams=Counter(pairwise(calls)),
            trigrams=Counter(zip(calls, calls[1:], calls[2:], strict=False)),
            before_first_edit=first,
            before_first_change=first,
            parallel={1: len(calls)} if calls else {},
            phases=Counter(phases),
            opening="".join(OPENING_LETTERS[kind] for kind in kinds[:OPENING]),
        ),
        signs=Signs(dict.fromkeys(modes[:2], (1,)), {modes[2]: "undecided"}),
        features={measure.name: _feature(dice, measure.name) for measure in MEASURES},
        faults=faults,
        patch_sketch="".join(f"{line:08x}" for line in sorted(dice.sample(range(6), 3))),
    )


def run(dice: random.Random, number: int, agent: str, task: str, attempt: int) -> RunFacts:
    """One run without a fault, the only one that was planned."""
    labels = "".join(dice.choices("epn", k=dice.choice((0, 1, 4, 9))))
    total = dice.randint(1, 8)
    won = dice.random() < 0.5
    place = int(task.rpartition("-")[2])
    stack, languages = _STACKS[place % len(_STACKS)]
    prompt = dice.randrange(10_000)
    return RunFacts(
        run=number,
        agent=agent,
        task=task,
        repository=task.partition("/")[0],
        attempt=attempt,
        outcome=RESOLVED if won else UNRESOLVED,
        ending=dice.choice(("completed", "iteration_limit", "agent_error")),
        stack=stack,
        languages=languages,
        category=("bug", "feature", "")[place % 3],
        difficulty=("easy", "hard", "")[place % 3],
        tests_total=total,
        tests_passed=total if won else dice.randrange(total),
        iterations=len(labels),
        tool_calls=len(labels),
        prompt_tokens=prompt,
        completion_tokens=dice.randrange(1000),
        cached_tokens=dice.randrange(prompt + 1),
        cost_usd=dice.choice((0.0, round(dice.random(), 3))),
        seconds=round(dice.random() * 100, 2),
        similarity=dice.choice((None, round(dice.random(), 2))),
        behaviour=behaviour(dice, labels),
    )


def world(dice: random.Random, agents: int, tasks: int, attempts: int) -> list[RunFacts]:
    """Every attempt of every agent at every task; two tasks make a repository."""
    places = [
        (f"agent-{agent}", f"repository-{task // 2}/task-{task}", attempt + 1)
        for agent in range(agents)
        for task in range(tasks)
        for attempt in range(attempts)
    ]
    return [replace(run(dice, number, *place), planned=attempts) for number, place in enumerate(places, 1)]


def spoilt(dice: random.Random, runs: Sequence[RunFacts]) -> list[RunFacts]:
    """The same with about every third record wrong, some missing, some there twice, some failed by infrastructure."""
    found = []
    for each in runs:
        fate = dice.random()
        change: dict[str, Any] = {}
        if fate < 0.3:
            change = dice.choice(WRONG[dice.choice(sorted(WRONG))])
        elif fate < 0.38:
            change = {"outcome": INFRASTRUCTURE_FAILED}
        elif fate < 0.46 and each.behaviour:
            change = {"behaviour": replace(each.behaviour, faults=(dice.choice(FAULTS),))}
        elif fate < 0.48 and each.behaviour:
            change = {"behaviour": replace(each.behaviour, **dice.choice(BROKEN))}
        elif fate < 0.5:
            change = {dice.choice(("stack", "category", "difficulty", "ending", "repository")): ""}
        elif fate < 0.54:
            continue
        found.append(replace(each, **change))
        if 0.54 <= fate < 0.6:
            found.append(replace(each, run=each.run + 10_000))
    return found


class World(list[RunFacts]):
    """Runs that are shown by how they were made: a failing test would else print pages of them."""

    def __init__(self, runs: Iterable[RunFacts], made: str) -> None:
        super().__init__(runs)
        self.made = made

    def __repr__(self) -> str:
        return self.made


@st.composite
def worlds(draw: st.DrawFn, *, bad: bool = False) -> World:
    """Worlds of up to four agents, four tasks and three attempts; `bad`: with invalid records."""
    seed = draw(st.integers(0, 2**32))
    sizes = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)))
    alike = draw(st.sampled_from((None, None, None, RESOLVED, UNRESOLVED, INFRASTRUCTURE_FAILED)))
    return made(seed, sizes, alike, bad=bad)


def made(seed: int, sizes: tuple[int, int, int], alike: str | None = None, *, bad: bool = False) -> World:
    """So many agents, tasks and attempts; `alike`: what came of all runs."""
    dice = random.Random(seed)
    runs = world(dice, *sizes)
    runs = spoilt(dice, runs) if bad else runs
    runs = [replace(each, outcome=alike) for each in runs] if alike else runs
    return World(runs, f"made({seed}, {sizes}, {alike!r}, bad={bad})")


def _feature(dice: random.Random, name: str) -> float | None:
    if dice.random() < 0.1:
        return None
    return round(dice.random(), 2) if name in _SHARES else float(dice.randrange(6))
