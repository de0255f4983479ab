"""Runs whose numbers are drawn at random, valid and invalid ones."""

from __future__ import annotations

import random

from runs.models import Run
from tests.runs.cast import Cast

ODD = ("tests_total", "tests_passed", "act_seconds", "prompt_tokens", "cost_usd", "similarity")
OUTCOMES = (Run.Outcome.RESOLVED, Run.Outcome.UNRESOLVED, Run.Outcome.INFRASTRUCTURE_FAILED)


def add_random_runs(chance: random.Random, count: int = 60) -> None:
    """Finished runs of two agents at three tasks."""
    cast = Cast()
    agents, tasks = (cast.alice(), cast.bob()), cast.add_tasks(3)
    for attempt in range(1, count + 1):
        cast.add_run(
            chance.choice(agents),
            chance.choice(tasks),
            attempt,
            outcome=chance.choice(OUTCOMES),
            tests_total=chance.choice([0, 3, 7]),
            tests_passed=chance.randrange(9),
            act_seconds=chance.uniform(0, 100),
            prompt_tokens=chance.randrange(1000),
            cost_usd=chance.choice([None, 0.25, 1.5, 0.1, 0.7]) if chance.random() < 0.2 else 0.3,
            odd=" ".join(chance.sample(ODD, chance.choice([0, 0, 0, 1, 2]))),
        )
