"""Decides which of the agent's files enter the grading container, and flags the others.

Files that could take over the test run are left out, unless the reference patch changes them too. Files that are
normal work but could influence the test run are carried over and flagged.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from harness.dataset import Tree
from harness.grading.build_files import any_of, steers
from harness.grading.java_packages import declared_package
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
MODULE_ROOTS = ("", "src")
MODULE_SUFFIXES = {".py", ".so", ".pyd"}
SHADOWED_PACKAGES = (
    "org/junit",
    "org/opentest4j",
    "org/testng",
    "org/hamcrest",
    "org/assertj",
    "org/apache/maven/surefire",
    "junit/framework",
)
SHADOWED = sys.stdlib_module_names | {"pytest", "_pytest", "pluggy", "iniconfig", "xdist", "hypothesis"}
# The kinds of flags on files that are left out.
NOT_CARRIED = frozenset({"hidden_tests", "protected", "shadows_module"})

_PROTECTED_NAME = any_of(PROTECTED_NAMES)
_PROTECTED_DIRECTORY = any_of(PROTECTED_DIRECTORIES)
_SUSPICIOUS = re.compile(
    r"""\b_pytest\b | \bpytest_[a-z]\w+ | \bunittest\.(?:case|result|runner|suite|loader|main)\b
      | \bTest(?:Case|Result|Suite|Loader|Program)\.\w+\s*= | \bsetattr\(\s*(?:unittest|pytest)
      | \bRESULTS_DIR\b | \bjunit | \b_exit\s*\( | \bquick_exit\b | \batexit\b | __attribute__\s*\(\(\s*constructor
      | \bsys\.(?:settrace|setprofile|addaudithook|meta_path|path_hooks|modules\s*\[|exit\s*=) | /benchbench\b
      | \bf_(?:back|globals|locals)\b | \bgc\.get_(?:objects|referrers)\b | \bgetppid\b | \bPYTEST_[A-Z]
      | \bLD_PRELOAD\b | \bptrace\b | \bprocess_vm_writev\b | /proc/\S{0,40}/mem\b | \bld\.so\.preload\b | \btest_\*
      | \bglobal(?:This)?\.(?:expect|it|test|describe)\s*= | \.halt\(\s*0
      | \b__(?:eq|ne)__\s{0,9}=\s{0,9}lambda\b[^:\n]{0,99}:\s{0,9}(?:True|False)\b
      | \bdef[ ]__eq__\([^)\n]{0,99}\)[^:\n]{0,99}:\s{0,99}return[ ]True\b""",
    re.VERBOSE | re.IGNORECASE,
)
# 'at' + 'exit' is 'atexit'.
_CONCATENATION = re.compile(r"""['"][ \t]*\+[ \t]*['"]""")
_WORD = re.compile(r"\w+")
# ELF, Windows, Mach-O, and Java's classes (which share their first bytes with Mach-O's fat files).
_COMPILED = (b"\x7fELF", b"MZ\x90\0", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_TEST_FILE = re.compile(
    r"(^|/)((\w+[-_])?tests?|\w+Test|testing|spec|__tests__)/|(^|/)test_[^/]*$|[._](tests?|spec)\.[^/]*$"
    r"|(Tests?|IT|Spec)\.(java|kt|groovy|scala)$"
)
# No code that runs in a grading.
_PROSE = re.compile(r"\.(md|markdown|rst|adoc)$|^\.github/|(^|/)LICEN[CS]E[^/]*$", re.IGNORECASE)


# The files that enter the grading container, and the flags of left out or suspicious files.
Carried = tuple[tuple[FileState, ...], tuple[Flag, ...]]


class Policy:
    """The rules for one task.

    `reference`: the paths that the reference patch changes. `sealed`: directories from which only these are carried
    over.
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
        self._hidden_homes = {path.parent for path in hidden if path.parent.name}

    def decide(self, changed: Sequence[FileState], added: Mapping[str, Sequence[str]]) -> Carried:
        """Applies the rules to the changed files. `added` holds the added lines of each text file."""
        files: list[FileState] = []
        flags: list[Flag] = []
        named = {
            word
            for path, lines in added.items()
            if not _TEST_FILE.search(path)
            for line in lines
            for word in _WORD.findall(line)
        }
        for state in changed:
            lines = added.get(state.path, ())
            if refusal := self._refusal(state, lines):
                flags.append(refusal)
                continue
            files.append(state)
            if warning := self._warning(state, lines, named):
                flags.append(warning)
        return tuple(files), tuple(flags)

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
        return None if state.path in self._reference else self._takeover(path, state.content or b"", added)

    def _takeover(self, path: PurePosixPath, content: bytes, added: Sequence[str]) -> Flag | None:
        if _is_protected(path):
            return Flag("protected", str(path), "not carried over: it could take over the test run")
        if path.name in PYTEST_SECTIONS and any("pytest" in line for line in added):
            return Flag("protected", str(path), "not carried over: it configures pytest")
        if module := self._shadows(path) or self._declares_shadowed(path, content):
            return Flag(
                "shadows_module", str(path), f"not carried over: it would replace the module {module}"
            )
        return None

    def _warning(self, state: FileState, added: Sequence[str], named: Collection[str]) -> Flag | None:
        """`named`: the words that the patch adds to files other than tests."""
        path = PurePosixPath(state.path)
        if state.path not in self._reference and steers(
            path, lambda: self._before(state.path), state.content or b""
        ):
            return Flag("build_file", state.path, "carried over: it could influence the test process")
        if (state.content or b"").startswith(_COMPILED):
            return Flag("compiled", state.path, "carried over: it is compiled, so its code is not readable")
        if _PROSE.search(state.path) or (_TEST_FILE.search(state.path) and not _is_named(path, named)):
            return None
        if match := _SUSPICIOUS.search(_CONCATENATION.sub("", "\n".join(added))):
            return Flag(
                "test_process", state.path, f"carried over: {match[0]!r} could influence the test process"
            )
        return None

    def _before(self, path: str) -> bytes:
        original = self._source.read(path)
        return (original.content if original else None) or b""

    def _meets_hidden_tests(self, path: PurePosixPath) -> bool:
        """Whether `path` is the path of a hidden test, blocks one, or would be imported instead of one.

        Python prefers a package or an extension module `test_x` to `test_x.py`. Directories that only hidden tests
        lie in are theirs alone; beside such a directory, others may add files: `tests/x.sh` beside `tests/hidden`.
        """
        if path in self._hidden_parents:
            return True
        if any(part in self._hidden or _stem(part) in self._hidden_modules for part in _prefixes(path)):
            return True
        return any(
            parent in self._hidden_homes and not self._source.is_dir(str(parent)) for parent in path.parents
        )

    def _shadows(self, path: PurePosixPath) -> str | None:
        """The module, or the package of a test framework in Java, that a new file would replace, or None."""
        roots = {PurePosixPath(root) for root in MODULE_ROOTS} | self._hidden_parents
        for first in _prefixes(path):
            if first.parent not in roots or self._source.exists(str(first)):
                continue
            name = first.name.partition(".")[0]
            is_module = first == path and path.suffix in MODULE_SUFFIXES
            if name in SHADOWED and (is_module or first != path):
                return name
        for package in SHADOWED_PACKAGES:
            root, found, _ = f"/{path.parent}/".partition(f"/{package}/")
            if found and not self._source.is_dir(f"{root}/{package}".lstrip("/")):
                return package.replace("/", ".")
        return None

    def _declares_shadowed(self, path: PurePosixPath, content: bytes) -> str | None:
        """The package of a test framework that a file in another directory newly declares as its own, or None."""
        if path.suffix != ".java":
            return None
        declared = declared_package(content)
        directory = declared.replace(".", "/")
        shadowed = any(f"{directory}/".startswith(f"{package}/") for package in SHADOWED_PACKAGES)
        if not shadowed or f"/{path.parent}/".endswith(f"/{directory}/"):
            return None
        return None if declared_package(self._before(str(path))) == declared else declared


def _is_protected(path: PurePosixPath) -> bool:
    return bool(_PROTECTED_NAME.match(path.name.lower())) or any(
        _PROTECTED_DIRECTORY.match(part.lower()) for part in path.parts
    )


def _prefixes(path: PurePosixPath) -> list[PurePosixPath]:
    """`a/b/c` → a, a/b, a/b/c."""
    return [*reversed([parent for parent in path.parents if parent.name]), path]


def _is_named(path: PurePosixPath, words: Collection[str]) -> bool:
    """Whether the words contain this file's module name. If so, code other than tests may import it."""
    name = path.parent.name if path.stem == "__init__" else _stem(path).name
    return all(word in words for word in _WORD.findall(name))


def _stem(path: PurePosixPath) -> PurePosixPath:
    """The path up to the first dot in its name, as in an import statement."""
    return path.with_name(path.name.partition(".")[0] or path.name)
