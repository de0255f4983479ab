"""What a reference patch says about how hard its task is."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulation import simulate
from harness.patches import FileState, make_patch
from runs.analysis.difficulty.measures import PATCH_MEASURES, patch_measures
from runs.analysis.everything import Options, difficulty, everything


def patch(before: dict[str, bytes], after: dict[str, bytes]) -> bytes:
    return make_patch(*([FileState(path, text) for path, text in tree.items()] for tree in (before, after)))


def test_two_files_by_hand() -> None:
    # a: line 2 is replaced (+1 −1), line 4 goes (−1): two places, though one hunk shows both. b is new, two lines (+2).
    found = patch_measures(patch({"a": b"1\n2\n3\n4\n5\n"}, {"a": b"1\ntwo\n3\n5\n", "b": b"x\ny\n"}))
    assert found == {
        "lines added": 3,
        "lines removed": 2,
        "lines changed": 5,
        "files": 2,
        "places": 3,
    }
    assert tuple(found) == PATCH_MEASURES


def test_nothing_binary_and_nonsense() -> None:
    assert set(patch_measures(b"").values()) == {0}
    binary = patch_measures(patch({"a": b"\0\1"}, {"a": b"\0\2"}))
    assert (binary["files"], binary["lines changed"], binary["places"]) == (1, 0, 0)
    for nonsense in (b"no patch at all\n", b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n-a\n"):
        assert set(patch_measures(nonsense).values()) == {None}


@settings(max_examples=15)
@given(*[st.lists(st.sampled_from("abc"), max_size=8)] * 2)
def test_the_way_back_is_as_long(before: list[str], after: list[str]) -> None:
    trees = [{"f": "".join(f"{line}\n" for line in lines).encode()} for lines in (before, after)]
    there, back = patch_measures(patch(*trees)), patch_measures(patch(*reversed(trees)))
    assert (there["lines added"] or 0) - (there["lines removed"] or 0) == len(after) - len(before)
    assert back["files"] == there["files"]
    assert (there["places"] or 0) <= (there["lines changed"] or 0)


def test_results_about_difficulty_need_measures() -> None:
    runs = simulate(2, 12, 2, steps=3)
    assert difficulty(runs, Options()) == {}
    measures = {task: {"lines": float(i)} for i, task in enumerate(sorted({run.task for run in runs}))}
    found: Any = everything(runs, Options(measures=measures))["difficulty"]
    assert [curve.measure for curve in found["success_curves"]] == ["lines"]
    assert [(model.n, model.tasks, model.clustered) for model in found["success_models"]] == [(48, 12, True)]
    assert found["difficulty_correlations"].names == ("lines", "success rate")
    assert difficulty([], Options(measures={"a/b": {}})) == {}
    assert difficulty([], Options(measures=measures))
