"""Which of the agent's files may enter the grading container, and what a reader should know about the others.

What could take over the test run is left behind, unless the reference patch changes the same file. What is part of
honest work but could influence the test run is carried over and flagged.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from harness.dataset import Tree
from harness.patches import FileState
from harness.records import Flag

PROTECTED_NAMES = (
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    "*.pyc",
    "*.pyo",
    "*.egg-link",
    "run_tests.sh",
)
PROTECTED_DIRECTORIES = ("__pycache__", "*.dist-info", "*.egg-info")
PYTEST_SECTIONS = ("setup.cfg", "pyproject.toml")
BUILD_FILES = (
    "setup.cfg",
    "setup.py",
    "pyproject.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "*.mk",
    "CMakeLists.txt",
    "meson.build",
    "package.json",
    "jest.config.*",
    "vitest.config.*",
    "build.rs",
    "build.gradle",
    "pom.xml",
)
MODULE_ROOTS = ("", "src")
MODULE_SUFFIXES = {".py", ".so", ".pyd"}
SHADOWED = sys.stdlib_module_names | {"pytest", "_pytest", "pluggy", "iniconfig", "xdist", "hypothesis"}

_SUSPICIOUS = re.compile(
    r"""\b_pytest\b | \bpytest_[a-z]\w+ | \bunittest\.(?:case|result|runner|suite|loader|main)\b
      | \bTest(?:Case|Result|Suite|Loader|Program)\.\w+\s*= | \bsetattr\(\s*(?:unittest|pytest)
      | \bRESULTS_DIR\b | \bjunit | \b_exit\s*\( | \bquick_exit\b | \batexit\b | __attribute__\s*\(\(\s*constructor
      | \bsys\.(?:settrace|setprofile|addaudithook|meta_path|modules\s*\[) | /benchbench\b""",
    re.VERBOSE | re.IGNORECASE,
)
_TEST_FILE = re.compile(r"(^|/)(tests?|testing|spec|__tests__)/|(^|/)test_[^/]*$|[^/]*[._]tests?\.[^/]*$")


@dataclass(frozen=True, slots=True)
class Carried:
    """What enters the grading container, and the flags of what does not, or of what should be known."""

    files: tuple[FileState, ...]
    flags: tuple[Flag, ...]


class Policy:
    """The rules for one task.

    `reference`: paths that the reference patch touches. `sealed`: directories of which nothing else is carried over.
    """

    def __init__(
        self, *, source: Tree, tests: Tree, reference: Iterable[str], sealed: Iterable[str] = ()
    ) -> None:
        self._source = source
        self._reference = frozenset(reference)
        self._sealed = {PurePosixPath(name) for name in sealed}
        hidden = [PurePosixPath(name) for name in tests.names()]
        self._hidden = set(hidden)
        self._hidden_modules = {_stem(path) for path in hidden if path.suffix == ".py"}
        self._hidden_parents = {parent for path in hidden for parent in path.parents if parent.name}

    def decide(self, changed: Sequence[FileState], added: Mapping[str, Sequence[str]]) -> Carried:
        """Sorts changed files. `added` holds each file's added lines, where it is text."""
        files: list[FileState] = []
        flags: list[Flag] = []
        for state in changed:
            lines = added.get(state.path, ())
            if refusal := self._refusal(state, lines):
                flags.append(refusal)
                continue
            files.append(state)
            if warning := self._warning(state, lines):
                flags.append(warning)
        return Carried(tuple(files), tuple(flags))

    def _refusal(self, state: FileState, added: Sequence[str]) -> Flag | None:
        path = PurePosixPath(state.path)
        if self._meets_hidden_tests(path):
            return Flag("hidden_tests", state.path, "not carried over: it lies where the hidden tests go")
        if state.path not in self._reference and not self._sealed.isdisjoint(path.parents):
            return Flag(
                "hidden_tests", state.path, "not carried over: only the dataset's own tests run there"
            )
        if path.name == "run_tests.sh":
            return Flag("protected", state.path, "not carried over: the dataset's own script runs the tests")
        return None if state.path in self._reference else self._takeover(path, added)

    def _takeover(self, path: PurePosixPath, added: Sequence[str]) -> Flag | None:
        if _is_protected(path):
            return Flag("protected", str(path), "not carried over: it could take over the test run")
        if path.name in PYTEST_SECTIONS and any("pytest" in line for line in added):
            return Flag("protected", str(path), "not carried over: it configures pytest")
        if module := self._shadows(path):
            return Flag(
                "shadows_module", str(path), f"not carried over: it would replace the module {module}"
            )
        return None

    def _warning(self, state: FileState, added: Sequence[str]) -> Flag | None:
        path = PurePosixPath(state.path)
        if (
            any(fnmatchcase(path.name, pattern) for pattern in BUILD_FILES)
            and state.path not in self._reference
        ):
            return Flag("build_file", state.path, "carried over: it could influence the test process")
        if _TEST_FILE.search(state.path):
            return None
        found = next((match[0] for line in added if (match := _SUSPICIOUS.search(line))), None)
        if found is not None:
            return Flag(
                "test_process", state.path, f"carried over: {found!r} could influence the test process"
            )
        return None

    def _meets_hidden_tests(self, path: PurePosixPath) -> bool:
        """Whether `path` is a hidden test's, stands in its way, or would be imported in its place.

        A package or an extension module `test_x` goes before `test_x.py`. In a directory that only the hidden tests
        have, nobody else has any business.
        """
        if path in self._hidden_parents:
            return True
        if any(part in self._hidden or _stem(part) in self._hidden_modules for part in _prefixes(path)):
            return True
        return any(
            parent in self._hidden_parents and not self._source.is_dir(str(parent)) for parent in path.parents
        )

    def _shadows(self, path: PurePosixPath) -> str | None:
        """The module that a new file would replace for whoever imports it, if any."""
        roots = {PurePosixPath(root) for root in MODULE_ROOTS} | self._hidden_parents
        for first in _prefixes(path):
            if first.parent not in roots or self._source.exists(str(first)):
                continue
            name = first.name.partition(".")[0]
            is_module = first == path and path.suffix in MODULE_SUFFIXES
            if name in SHADOWED and (is_module or first != path):
                return name
        return None


def _is_protected(path: PurePosixPath) -> bool:
    return any(fnmatchcase(path.name.lower(), pattern) for pattern in PROTECTED_NAMES) or any(
        fnmatchcase(part.lower(), pattern) for part in path.parts for pattern in PROTECTED_DIRECTORIES
    )


def _prefixes(path: PurePosixPath) -> list[PurePosixPath]:
    """`a/b/c` → a, a/b, a/b/c."""
    return [*reversed([parent for parent in path.parents if parent.name]), path]


def _stem(path: PurePosixPath) -> PurePosixPath:
    """The path up to the first dot in its name: what an import statement would call it."""
    return path.with_name(path.name.partition(".")[0] or path.name)
