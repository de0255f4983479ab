"""The sign-flip test of differences between independent clusters, in either direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.method import Section, method
from runs.analysis.statistics.patterns import DRAWS, Floats, How, drawn_sums

EXACT_CLUSTERS = 17
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class FlipShares:
    """The shares of sign patterns whose sum is at least as extreme as the observed one, and how they were computed.

    `above`: at least the observed sum; `below`: at most; `either`: at least as far from 0.
    """

    above: float
    below: float
    either: float
    how: How


@method("sign-flips", "The sign-flip test of clusters", Section.TWO_AGENTS, 3)
def sign_flips(differences: Sequence[float], *, seed: int = 0) -> FlipShares:
    """How often chance alone gives a sum of differences as large, as small, or as far from 0 as the observed one.

    Each difference belongs to one cluster, such as a scenario with all its personas: runs of one scenario share what
    is hard about it, so their signs are flipped together. If nothing changed, each cluster's difference could have had
    the other sign with the same probability, whatever the distribution. ValueError for a difference that is not finite.

    Formula: with dᵢ of cluster i, the shares of all 2ⁿ sign patterns whose sum `Σ ±dᵢ` is at least the observed Σ dᵢ
    (above), at most that (below), and at least as far from 0 (either). Differences of 0 are left out, which changes
    nothing. All patterns are counted up to 17 clusters; for more, 20,000 are drawn with the seed, and a share is `(1 +
    those at least as extreme) ÷ 20,001`.

    Source: Fisher 1935, The Design of Experiments, section 21. AgentLens, appendix B, flips the sign of each
    conversation.

    Units: any for the differences; the shares are probabilities.

    Small n: without a difference other than 0 all shares are 1; one gives 0.5 and 1. n clusters give no share below
    2⁻ⁿ in one direction, and none below 2¹⁻ⁿ in either.
    """
    if not all(map(math.isfinite, differences)):
        raise ValueError(f"a difference of {next(d for d in differences if not math.isfinite(d))}")
    given = np.array([difference for difference in differences if difference], dtype=float)
    if not given.size:
        return FlipShares(1.0, 1.0, 1.0, "exact")
    steps = np.sort(np.abs(given))  # so that the order does not affect rounding
    # Equal sums may differ by rounding.
    spare = _ROUNDING * math.fsum(steps.tolist())
    observed = math.fsum(given.tolist())
    exact = given.size <= EXACT_CLUSTERS
    above = below = either = 0 if exact else 1
    for sums in [_all_sums(steps)] if exact else drawn_sums(steps, seed):
        above += int((sums >= observed - spare).sum())
        below += int((sums <= observed + spare).sum())
        either += int((np.abs(sums) >= abs(observed) - spare).sum())
    patterns = 2**given.size if exact else DRAWS + 1
    return FlipShares(above / patterns, below / patterns, either / patterns, "exact" if exact else "drawn")


def _all_sums(steps: Floats) -> Floats:
    """The sums of all sign patterns."""
    sums = np.zeros(1)
    for step in steps.tolist():
        sums = np.concatenate([sums - step, sums + step])
    return sums
