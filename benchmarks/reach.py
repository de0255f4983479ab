"""How often intervals can hold the truth at all, where outcomes are so few that not every share of them can be had.

An interval holds a given truth for some outcomes of an evaluation and not for others, so it covers as often as those
outcomes come. Where no choice of outcomes comes in 93 to 97 % of evaluations, no interval can cover that often.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.special import gammaln, xlogy

from benchmarks.simulation import Floats

LEAST, MOST = 0.93, 0.97
Bound = tuple[float, float]
_DUST = 1e-9
_OFTEN = np.linspace(0.02, 0.6, 30)


def of_estimates(estimates: Floats, least: float = LEAST, most: float = MOST) -> Bound:
    """What an interval around such estimates can cover: the two bounds where some range of estimates lies between them.

    Otherwise the shares of the likeliest range below the lower one, and of the least likely above the upper one.
    """
    _, counts = np.unique(estimates.round(9), return_counts=True)
    reached = np.concatenate([[0.0], counts.cumsum() / counts.sum()])
    ends = np.searchsorted(reached, reached + least - _DUST)
    inside = np.flatnonzero(ends < len(reached))
    enough = float((reached[ends[inside]] - reached[inside]).min())
    if enough <= most + _DUST:
        return least, most
    short = float((reached[np.minimum(ends, len(reached)) - 1] - reached).max())
    return short, enough


def of_equal_agents(tasks: int, differ: float, least: float = LEAST) -> float:
    """How seldom an interval can cover no difference, when equal agents differ on this share of so many tasks.

    One attempt each. It shall cover that in at least `least` of evaluations also where agents differ more or less often
    (up to 60 % of tasks); it shall treat both agents alike; and what speaks more clearly for an agent than an outcome
    that excludes equality shall exclude it, too. No interval with these properties covers less often: outcomes to
    exclude are chosen by integer programming, and its lower bound is what comes back.
    """
    outcomes = [
        (gains, losses) for gains in range(tasks + 1) for losses in range(min(gains, tasks - gains) + 1)
    ]
    place = {outcome: number for number, outcome in enumerate(outcomes)}
    clearer = [
        (place[outcome], place[beyond])
        for outcome, (more, fewer) in product(outcomes, ((1, 0), (0, -1)))
        if (beyond := (outcome[0] + more, outcome[1] + fewer)) in place
    ]
    count = len(clearer)
    order = csr_array(
        (
            np.tile([1.0, -1.0], count),
            (np.arange(count).repeat(2), np.array([[b, a] for a, b in clearer]).ravel()),
        ),
        shape=(count, len(outcomes)),
    )
    often = np.array([_chances(outcomes, tasks, share) for share in (*_OFTEN, differ)])
    found = milp(
        -often[-1],
        integrality=np.ones(len(outcomes), dtype=np.int64),
        bounds=Bounds(0, [float(gains != losses) for gains, losses in outcomes]),
        constraints=[LinearConstraint(order, 0, np.inf), LinearConstraint(often, 0, 1 - least)],
    )
    assert found.mip_dual_bound is not None, found.message
    return 1 + found.mip_dual_bound


def _chances(outcomes: list[tuple[int, int]], tasks: int, differ: float) -> Floats:
    """The chance of each outcome or its mirror image: so many tasks gained, so many lost, the rest alike."""
    gains, losses = np.array(outcomes).T
    alike = tasks - gains - losses
    ways = gammaln(tasks + 1) - gammaln(gains + 1) - gammaln(losses + 1) - gammaln(alike + 1)
    each = np.exp(ways + (gains + losses) * np.log(differ / 2) + xlogy(alike, 1 - differ))
    return np.asarray(np.where(gains == losses, each, 2 * each), dtype=float)
