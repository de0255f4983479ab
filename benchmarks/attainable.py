"""The coverage that an interval can attain. With few possible outcomes, it may not be 93 to 97 %.

An interval contains a given true value for some outcomes of an evaluation and not for others, so its coverage is the
probability of those outcomes. If no set of outcomes has a probability of 93 to 97 %, no interval has that coverage.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.special import gammaln, xlogy

from benchmarks.simulation import Floats

MIN_COVERAGE, MAX_COVERAGE = 0.93, 0.97
Bound = tuple[float, float]
_TOLERANCE = 1e-9
_SHARES = np.linspace(0.02, 0.6, 30)


def range_of_estimates(estimates: Floats, least: float = MIN_COVERAGE, most: float = MAX_COVERAGE) -> Bound:
    """The attainable coverage of intervals around these estimates: `least` and `most` if a range of estimates has a
    share between them.

    Otherwise the largest share below `least` and the smallest one above `most`.
    """
    _, counts = np.unique(estimates.round(9), return_counts=True)
    reached = np.concatenate([[0.0], counts.cumsum() / counts.sum()])
    ends = np.searchsorted(reached, reached + least - _TOLERANCE)
    inside = np.flatnonzero(ends < len(reached))
    enough = float((reached[ends[inside]] - reached[inside]).min())
    if enough <= most + _TOLERANCE:
        return least, most
    short = float((reached[np.minimum(ends, len(reached)) - 1] - reached).max())
    return short, enough


def least_of_equal_agents(tasks: int, differ: float, least: float = MIN_COVERAGE) -> float:
    """The smallest attainable coverage of a difference of 0, for equal agents with one attempt at each task.

    `differ`: the share of tasks on which they differ. The interval must cover 0 in at least `least` of evaluations for
    any share up to 60 %; it must treat both agents alike; and if an outcome excludes 0, every outcome that is clearer
    for the same agent must exclude it, too. The outcomes to exclude are chosen by integer programming; the result is
    its lower bound, so that no interval with these properties has a smaller coverage.
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
    probabilities = np.array([_chances(outcomes, tasks, share) for share in (*_SHARES, differ)])
    found = milp(
        -probabilities[-1],
        integrality=np.ones(len(outcomes), dtype=np.int64),
        bounds=Bounds(0, [float(gains != losses) for gains, losses in outcomes]),
        constraints=[LinearConstraint(order, 0, np.inf), LinearConstraint(probabilities, 0, 1 - least)],
    )
    assert found.mip_dual_bound is not None, found.message
    return 1 + found.mip_dual_bound


def _chances(outcomes: list[tuple[int, int]], tasks: int, differ: float) -> Floats:
    """The probability of each outcome or its mirror image. `differ`: the share of tasks on which the agents differ."""
    gains, losses = np.array(outcomes).T
    alike = tasks - gains - losses
    ways = gammaln(tasks + 1) - gammaln(gains + 1) - gammaln(losses + 1) - gammaln(alike + 1)
    each = np.exp(ways + (gains + losses) * np.log(differ / 2) + xlogy(alike, 1 - differ))
    return np.asarray(np.where(gains == losses, each, 2 * each), dtype=float)
