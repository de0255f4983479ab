"""The item–rest correlation of tasks: whether agents that are better elsewhere are better at a task."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.correlations import MIN_COUNT, correlations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Orders = NDArray[np.intp]

DRAWS = 9_999
EXACT_AGENTS = 7  # of so many agents all 5,040 orders are counted
_ROUNDING = 1e-12
_TASK, _REST = "the rate at the task", "the lead at other tasks"


class ItemRest(NamedTuple):
    """The correlation of one task, and its p; each n counts agents."""

    correlation: Estimate
    p: Estimate


@method(
    "item-rest",
    "Item–rest correlation of a task",
    Section.TASKS,
    5,
    short=(
        "Item–rest correlation: whether agents that are better at all other tasks are better at this "
        "one, too."
    ),
    example="Below 0, weaker agents solve the task more often: look at its tests.",
)
def item_rest(
    rates: Mapping[str, Mapping[str, float]], clusters: Mapping[str, str], *, seed: int = 0
) -> dict[str, ItemRest]:
    """Whether the agents that are better at all other tasks are better at this one: task → correlation and p.

    `rates`: agent → task → the share of attempts that resolved it. `clusters`: task → its scenario, or itself; tasks of
    the same scenario are no other tasks. Near 1 the task orders agents as the others do, near 0 it says nothing about
    them, and below 0 weaker agents solve it more often.

    Formula: Pearson's correlation over agents between rᵢ, the agent's rate at the task, and the mean over its other
    tasks j of `rⱼ − r̄ⱼ`, its lead over the mean of all agents there. If all agents tried the same tasks, this lead is
    their rate at the other tasks less a constant. The interval is that of `correlations`. p is the share of all orders
    of the rates at the task whose correlation is at least as far from 0: of all orders up to 7 agents, of more agents
    `(1 + those of 9,999 drawn ones) ÷ 10,000`.

    Source: item-total correlations without the item are usual in test theory: Henrysson 1963, Correction of item-total
    correlations in item analysis. Their use for tasks and the permutation test are ours. IDE-Bench, E.1, takes σ over
    agents, which with one attempt each follows from the mean rate of the task alone.

    Units: none, −1 to 1; p from 0 to 1; n counts agents with a rate at the task and at another one.

    Small n: undefined below 5 agents, of which no order is significant, and if all agents have the same rate.
    """
    agents, tasks = sorted(rates), sorted({task for theirs in rates.values() for task in theirs})
    table = np.array([[rates[agent].get(task, math.nan) for task in tasks] for agent in agents], dtype=float)
    table = table.reshape(len(agents), len(tasks))
    by_cluster: dict[str, list[int]] = {}
    for place, task in enumerate(tasks):
        by_cluster.setdefault(clusters[task], []).append(place)
    found: dict[str, ItemRest] = {}
    orders: dict[int, Orders] = {}
    for places, leads in _leads(table, by_cluster.values()):
        for place in places:
            both = np.isfinite(table[:, place]) & np.isfinite(leads)
            count = int(both.sum())
            if count >= MIN_COUNT and count not in orders:
                orders[count] = _orders(count, seed)
            found[tasks[place]] = _of_task(table[both, place], leads[both], orders.get(count))
    return found


def _leads(table: Floats, clusters: Collection[list[int]]) -> Iterator[tuple[list[int], Floats]]:
    """For each cluster of columns, the mean lead of each agent at all other columns; NaN without one."""
    known = np.isfinite(table)
    rates = np.where(known, table, 0.0)
    leads = np.where(known, rates - rates.sum(axis=0) / known.sum(axis=0), 0.0)
    total, tried = leads.sum(axis=1), known.sum(axis=1)
    for places in clusters:
        others = tried - known[:, places].sum(axis=1)
        rest = total - leads[:, places].sum(axis=1)
        yield places, np.where(others > 0, rest / np.maximum(others, 1), np.nan)


def _of_task(rates: Floats, leads: Floats, orders: Orders | None) -> ItemRest:
    if not rates.size or np.ptp(rates) == 0:
        same = Estimate.unknown("all agents have the same rate at it", len(rates))
        return ItemRest(same, same)
    r = correlations({_TASK: rates.tolist(), _REST: leads.tolist()}).of(_TASK, _REST)
    if r.value is None or orders is None:
        return ItemRest(r, r)
    return ItemRest(r, Estimate(_share_of_orders(rates, leads, orders), r.n))


def _share_of_orders(rates: Floats, leads: Floats, orders: Orders) -> float:
    """The share of orders of the rates whose correlation with the leads is at least as far from 0 as the given one."""
    centred = leads - leads.mean()
    observed = abs(float(rates @ centred))
    least = observed - _ROUNDING * float(np.abs(rates).sum() * np.abs(centred).max())
    extreme = int((np.abs(rates[orders] @ centred) >= least).sum())
    drawn = len(rates) > EXACT_AGENTS
    return (extreme + drawn) / (len(orders) + drawn)


def _orders(count: int, seed: int) -> Orders:
    """All orders of so many places, or drawn ones."""
    if count <= EXACT_AGENTS:
        return np.array(list(permutations(range(count))), dtype=np.intp)
    places = np.tile(np.arange(count, dtype=np.intp), (DRAWS, 1))
    drawn: Orders = np.random.default_rng(seed).permuted(places, axis=1)
    return drawn
