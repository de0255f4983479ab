"""Globs that select files."""

from __future__ import annotations

import pytest

from harness.tools.inside.tree import Globs


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a/b/c.py", True),
        ("a/*.py", "a/b/c.py", False),
        ("a/**/*.py", "a/c.py", True),
        ("a/**", "a/b/c.py", True),
        ("./a/b/", "a/b/c.py", True),
        ("b", "a/b/c.py", True),
        ("[!a-b].py", "c.py", True),
        ("[!a-b].py", "a.py", False),
        ("[.py", "[.py", True),
        ("{a,b}.{py,c}", "b.c", True),
        ("{a", "{a", True),
        ("a?c", "a/c", False),
        ("x.py", "xapy", False),
    ],
)
def test_globs_mean_what_shells_mean(pattern: str, path: str, matches: bool) -> None:
    assert Globs([pattern]).match(path) is matches
