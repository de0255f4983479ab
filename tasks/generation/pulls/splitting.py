"""Splits the patch of a merged change into its source, its tests, and the rest: documents, changelogs, workflows.

A published "gold patch" often contains the tests. The reference patch of a task is the source part alone, and the test
part goes into the hidden tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from harness.dataset.globs import matches
from harness.patches import FilePatch, LineCounts, count_lines, split_files


class Part(StrEnum):
    """What a file of a change is for."""

    SOURCE = "source"
    TESTS = "tests"
    REST = "rest"


# Directories, at any depth, that hold tests and their data.
_TEST_DIRECTORIES = frozenset({"test", "tests", "__tests__", "spec", "specs", "testdata", "test_data"})
# Test files by suffix, wherever they are. `testing` is no such directory: packages offer helpers under that name.
_TEST_NAMES: Mapping[str, tuple[str, ...]] = {
    ".py": ("test_*", "*_test", "*_tests", "tests", "conftest"),
    ".go": ("*_test",),
    ".rb": ("*_test", "*_spec", "test_*"),
    ".php": ("*Test",),
    ".java": ("*Test", "*Tests", "*IT", "Test*"),
    ".kt": ("*Test", "*Tests"),
    ".cs": ("*Test", "*Tests"),
    **dict.fromkeys((".c", ".cc", ".cpp", ".rs"), ("test_*", "*_test", "*_tests")),
    **dict.fromkeys((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs"), ("*.test", "*.spec", "*_test", "*-test")),
    ".snap": ("*",),
}
_REST_DIRECTORIES = frozenset(
    {"doc", "docs", "documentation", "changelog.d", "changes", "news", "newsfragments", "releasenotes"}
    | {"whats_new", ".github", ".gitlab", ".circleci", "debian"}
)
_REST_NAMES = (
    *("changes*", "changelog*", "history*", "news*", "authors*", "contributors*", "readme*", "licen[cs]e*"),
    *("copying*", "notice*", "release_notes*", "thanks*", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml"),
    *(".pre-commit-config.yaml", "pkg-info"),
)
_DOCUMENTS = frozenset({".md", ".rst", ".adoc"})
# Files beside the tests that decide how they run.
_CONFIGURATION = frozenset({"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"})


@dataclass(frozen=True, slots=True)
class SplitPatch:
    """The three parts of a patch; each is a patch, empty if it changes no file. Order is that of the whole."""

    source: bytes
    tests: bytes
    rest: bytes
    paths: Mapping[Part, tuple[str, ...]]

    @property
    def size(self) -> LineCounts:
        """Files and lines of all three parts together."""
        return count_lines(self.source + self.tests + self.rest)


def part_of(path: str, overrides: Mapping[str, Part] | None = None) -> Part:
    """What the file at `path` is for.

    `overrides` maps globs (`harness.dataset.globs`) to parts; the first glob that matches decides. Without one, tests
    come before documents (a test in `docs/` is a test), and what is neither is source.
    """
    for glob, part in (overrides or {}).items():
        if matches(path, [glob]):
            return part
    place = PurePosixPath(path)
    directories = {name.lower() for name in place.parts[:-1]}
    if any(name.endswith(".egg-info") for name in directories):
        return Part.REST  # made when a release is packed
    if directories & _TEST_DIRECTORIES or any(
        fnmatchcase(place.stem, pattern) for pattern in _TEST_NAMES.get(place.suffix, ())
    ):
        return Part.TESTS
    documents = place.suffix.lower() in _DOCUMENTS or directories & _REST_DIRECTORIES
    if documents or any(fnmatchcase(place.name.lower(), pattern) for pattern in _loose_names(place)):
        return Part.REST
    return Part.SOURCE


def split_patch(diff: bytes, overrides: Mapping[str, Part] | None = None) -> SplitPatch:
    """The parts of `diff`. A renamed file belongs to the part of its new name. Raises PatchError if it is damaged."""
    files = [(part_of(file.path, overrides), file) for file in split_files(diff)]
    return SplitPatch(
        source=b"".join(_texts(files, Part.SOURCE)),
        tests=b"".join(_texts(files, Part.TESTS)),
        rest=b"".join(_texts(files, Part.REST)),
        paths={
            part: tuple(dict.fromkeys(file.path for found, file in files if found is part)) for part in Part
        },
    )


def suite_of(paths: Iterable[str], overrides: Mapping[str, Part] | None = None) -> list[str]:
    """The files of a tree that run its tests: the tests themselves, and configuration in the directories above them."""
    names = list(paths)
    tests = [name for name in names if part_of(name, overrides) is Part.TESTS]
    above = Counter(str(parent) for name in tests for parent in PurePosixPath(name).parents)
    return [
        name
        for name in names
        if part_of(name, overrides) is Part.TESTS
        or (PurePosixPath(name).name in _CONFIGURATION and above[str(PurePosixPath(name).parent)])
    ]


def _texts(files: Iterable[tuple[Part, FilePatch]], part: Part) -> Iterator[bytes]:
    for found, file in files:
        if found is part:
            yield file.text if file.text.endswith(b"\n") else file.text + b"\n"


def _loose_names(place: PurePosixPath) -> tuple[str, ...]:
    """Names of documents, for files that are no code: `news.py` is source."""
    return () if place.suffix in {*_TEST_NAMES, ".pyi", ".h", ".hpp", ".swift", ".scala"} else _REST_NAMES
