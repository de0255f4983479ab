"""Tasks on which agents can be compared one to one."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from runs.analysis.method import Method

FEWEST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class CommonTasks:
    """Agents and tasks such that each of these agents attempted each of these tasks; and who and what is not among
    them.
    """

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    agents_left_out: tuple[str, ...]
    tasks_left_out: tuple[str, ...]


def common_ground(attempted: Mapping[str, Set[str]]) -> CommonTasks:
    """Where agents meet: so that no agent looks better for having skipped what is hard.

    Formula: agents that attempted fewer than half of all tasks are left out, lest a newcomer take everybody's tasks
    away; then the tasks that not all the others attempted. Both are named.

    Source: ours; in the papers every agent attempts every task.

    Units: `attempted` maps each agent to the tasks that it has a graded attempt at.

    Small n: no agent, or none that attempted a task, leaves everything empty.
    """
    everything = frozenset[str]().union(*attempted.values())
    agents = sorted(
        agent for agent, tasks in attempted.items() if tasks and len(tasks) >= FEWEST_SHARE * len(everything)
    )
    common = (
        frozenset.intersection(*(frozenset(attempted[agent]) for agent in agents)) if agents else frozenset()
    )
    return CommonTasks(
        tuple(agents),
        tuple(sorted(common)),
        tuple(sorted(attempted.keys() - set(agents))),
        tuple(sorted(everything - common)),
    )


METHODS = (Method("common-ground", "Agents and tasks compared one to one", common_ground),)
