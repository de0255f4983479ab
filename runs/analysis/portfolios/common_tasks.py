"""The agents and tasks for a comparison in which every agent attempted every task."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from runs.analysis.method import Section, method

MIN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class CommonTasks:
    """Agents and tasks such that each of these agents attempted each of these tasks, and the excluded ones."""

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    agents_left_out: tuple[str, ...]
    tasks_left_out: tuple[str, ...]


@method("common-ground", "Common tasks of agents", Section.CASCADES_AND_ROUTING, 1)
def common_tasks(attempted: Mapping[str, Set[str]]) -> CommonTasks:
    """The common tasks of agents, so that no agent looks better because it skipped hard tasks.

    Formula: first, agents that attempted fewer than half of all tasks are excluded, because a new agent would remove
    most tasks for all; then the tasks that some remaining agent did not attempt. Both are listed.

    Source: ours; in the papers every agent attempts every task.

    Units: `attempted` maps each agent to the tasks with a graded attempt by it.

    Small n: without an agent that attempted a task everything is empty.
    """
    everything = frozenset[str]().union(*attempted.values())
    agents = sorted(
        agent for agent, tasks in attempted.items() if tasks and len(tasks) >= MIN_SHARE * len(everything)
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
