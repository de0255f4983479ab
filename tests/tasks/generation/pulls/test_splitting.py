from __future__ import annotations

import pytest

from harness.patches import FileState, make_patch
from tasks.generation.pulls.splitting import Part, part_of, split_patch, suite_of

PLACES = {
    Part.SOURCE: (
        *("src/jinja2/filters.py", "numpy/testing/utils.py", "src/news.py", "CMakeLists.txt", "setup.cfg"),
        *("src/main/java/Latest.java", "lib/contest.js", "docs.py", "specification/reader.go"),
    ),
    Part.TESTS: (
        *(
            "tests/test_filters.py",
            "pkg/conftest.py",
            "sklearn/metrics/tests/data/x.csv",
            "docs/test_links.py",
        ),
        *("store_test.go", "src/a.test.tsx", "app/__tests__/a.js", "spec/models/user_spec.rb"),
        *("src/main/java/SumTest.java", "tests/README.md", "a/__snapshots__/b.snap", "test_units.c"),
    ),
    Part.REST: (
        *(
            "CHANGES.rst",
            "docs/api.py",
            "CHANGELOG.d/1.txt",
            "README",
            "README.md",
            ".github/workflows/ci.yml",
        ),
        *("doc/whats_new/1.fix.rst", "LICENSE", "debian/control", "AUTHORS.txt", "PKG-INFO"),
        "src/a.egg-info/SOURCES.txt",
    ),
}


@pytest.mark.parametrize(("path", "part"), [(path, part) for part, paths in PLACES.items() for path in paths])
def test_the_path_decides_what_a_file_is_for(path: str, part: Part) -> None:
    assert part_of(path) is part


def test_the_first_override_that_matches_decides() -> None:
    overrides = {"tests/helpers/": Part.SOURCE, "**/*.md": Part.TESTS}
    assert part_of("tests/helpers/run.py", overrides) is Part.SOURCE
    assert part_of("tests/helpers/a.md", overrides) is Part.SOURCE
    assert part_of("README.md", overrides) is Part.TESTS
    assert part_of("tests/run.py", overrides) is Part.TESTS


def test_the_parts_of_a_patch_are_the_whole_patch() -> None:
    names = ("CHANGES.rst", "src/a.py", "tests/test_a.py", "z.py")
    diff = make_patch([], [FileState(name, b"1\n2\n") for name in names])
    parts = split_patch(b"Subject: a change\n\n" + diff)
    assert parts.paths == {
        Part.SOURCE: ("src/a.py", "z.py"),
        Part.TESTS: ("tests/test_a.py",),
        Part.REST: ("CHANGES.rst",),
    }
    assert parts.size == (4, 8, 0)
    assert sorted((parts.source + parts.tests + parts.rest).splitlines()) == sorted(diff.splitlines())


def test_a_renamed_file_belongs_to_the_part_of_its_new_name() -> None:
    diff = b"diff --git a/a.py b/tests/a.py\nsimilarity index 100%\nrename from a.py\nrename to tests/a.py\n"
    assert split_patch(diff).tests == diff


def test_a_patch_without_a_last_line_end_can_be_joined() -> None:
    diff = make_patch([], [FileState("a.py", b"1\n"), FileState("tests/a.py", b"1\n")]).rstrip(b"\n")
    parts = split_patch(diff)
    assert split_patch(parts.tests + parts.source).size == (2, 2, 0)


def test_a_suite_is_the_tests_and_the_configuration_above_them() -> None:
    names = [
        "pyproject.toml",
        "src/a.py",
        "src/setup.cfg",
        "lib/tests/test_a.py",
        "lib/tox.ini",
        "conftest.py",
    ]
    assert suite_of(names) == ["pyproject.toml", "lib/tests/test_a.py", "lib/tox.ini", "conftest.py"]
