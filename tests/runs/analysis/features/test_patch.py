"""The size of a run's patch."""

from __future__ import annotations

from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.features.made_features import REFERENCE, counted
from tests.runs.analysis.made_traces import (
    edit,
    read,
    say,
)


def test_the_size_of_the_patch() -> None:
    patch = b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,3 @@\n-x\n+1\n+2\n y\n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-z\n"
    run = counted(read("src/a.py"), edit("src/a.py"), say(), exercise=Exercise("", REFERENCE, patch))
    assert [run["lines_added"], run["lines_removed"], run["patch_too_large"]] == [2, 2, 0]
    assert run["correct_files_touched"] == 1
    assert run["steps_per_file"] == 3 / 2
    long = b"--- /dev/null\n+++ b/c\n@@ -0,0 +1,%d @@\n"
    for lines, large in ((500, 0), (501, 1)):
        exercise = Exercise("", None, long % lines + b"+x\n" * lines)
        assert counted(exercise=exercise)["patch_too_large"] == large
