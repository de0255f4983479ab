"""Features of made trajectories, with a reference patch of one file that was there and one that was not."""

from __future__ import annotations

from runs.analysis.features import features
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.made_traces import Move, trace

REFERENCE = (
    b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+z\n"
)
EXERCISE = Exercise("", REFERENCE, b"", ("src/a.py", "src/b.py", "README.md"))


def counted(*moves: Move, exercise: Exercise = EXERCISE) -> dict[str, float | None]:
    """The features of these moves."""
    return dict(features(trace(*moves), exercise))
