"""Points of pitfalls, and the score of two runs that follows from them without a model.

Source: AgentLens, section 3.4 and appendix C.2.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.judges.review_file import Evidence

POINTS = {"none": 0, "low": 1, "medium": 3, "high": 7}
TIMES = {None: 1, "once": 1, "repeated": 2}
# The smallest difference of two burdens for each score from 1 to 5.
THRESHOLDS = (4, 7, 11, 16, 23)


def burden(evidence: Iterable[Evidence]) -> int:
    """Points of all pitfalls: severity (low 1, medium 3, high 7) times frequency (once 1, repeated 2), added up.

    All lines count, whether their quotes were found or not: it is the judge's claim. 0 without pitfalls.
    """
    return sum(POINTS[line.severity] * TIMES[line.frequency] for line in evidence)


def burden_score(first: int, second: int) -> int:
    """The score of two runs from −5 to 5, negative if the first is better; swapping them changes only the sign.

    The difference second − first gives 0 up to 3 points, 1 from 4, 2 from 7, 3 from 11, 4 from 16, 5 from 23.
    """
    difference = second - first
    size = sum(abs(difference) >= threshold for threshold in THRESHOLDS)
    return -size if difference > 0 else size
