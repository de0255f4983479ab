"""Globs for paths of a workspace."""

from __future__ import annotations

import time

import pytest

from harness.dataset.globs import MAX_GLOB, glob_problem, matches, matches_everything


@pytest.mark.parametrize(
    ("glob", "inside", "outside"),
    [
        ("a.py", ["a.py"], ["src/a.py", "a.pyc", "a.py/b"]),
        ("**/a.py", ["a.py", "src/a.py", "src/deep/a.py"], ["src/b.py"]),
        ("src/*.py", ["src/a.py"], ["src/deep/a.py", "a.py"]),
        ("src/**", ["src/a.py", "src/deep/a.py", "src"], ["srca/a.py"]),
        ("src/", ["src/a.py", "src/deep/a.py"], ["other/a.py"]),
        ("src/**/test_?.py", ["src/test_a.py", "src/x/y/test_b.py"], ["src/test_ab.py"]),
        ("[ab].py", ["a.py", "b.py"], ["c.py"]),
        ("a b (1).py", ["a b (1).py"], ["a b 1.py"]),
    ],
)
def test_a_glob_matches_whole_paths_from_the_top(glob: str, inside: list[str], outside: list[str]) -> None:
    assert [path for path in [*inside, *outside] if matches(path, [glob])] == inside


@pytest.mark.parametrize(
    "glob", ["/a", "../a", "a/./b", "a//b", "**a", "", "x" * (MAX_GLOB + 1), "/".join("a" * 50)]
)
def test_a_wrong_glob_is_explained(glob: str) -> None:
    assert glob_problem(glob)


@pytest.mark.parametrize(
    ("glob", "everything"), [("**", True), ("**/*", True), ("*", False), ("**/*/*", False), ("a/**", False)]
)
def test_a_glob_for_every_path_is_recognized(glob: str, everything: bool) -> None:
    assert matches_everything(glob) is everything


def test_many_stars_and_a_long_path_take_no_time() -> None:
    path, glob = "/".join(["a" * 200] * 20), "/".join(["**", "*a" * 3 + "b"] * 15)
    before = time.perf_counter()
    assert not matches(path, [glob, "*a" * 100 + "b"])
    assert time.perf_counter() - before < 1
