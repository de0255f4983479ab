"""Detects changes that a test run made to its tests or to installed programs, as the engine reports them afterwards.

The tests and the code under test are users that cannot write to any of these files. If they have changed one all the
same, a layer of the sandbox has a hole, and the result does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from harness.patches import FileState
from harness.sandbox.engine.containers import Container

# The tests of a larger tree are read one by one, not as a whole.
MAX_TREE_BYTES = 16 << 20
_FEW = 3

# Fixtures may change in a test run (a database, a snapshot); code may not.
_CODE = re.compile(
    r"\.(?:bats|[ch](?:pp|xx|h)?|cc|cs|exs?|go|java|[cm]?jsx?|kt|lua|php|p[ly]|rb|rs|scala|sh|swift|t|[cm]?tsx?)"
)
_PROGRAMS = re.compile(r"/(?:usr/(?:local/)?)?(?:s?bin|lib(?:32|64|exec)?)/|/etc/(?:ld\.so\.|profile|bash)")
# New files are normal where packages are installed, unless they take precedence over existing ones.
_LOADED_FIRST = re.compile(
    r"/(?:site|user)customize\.py$|^/etc/ld\.so\.preload$"
    r"|^/(?:usr/(?:local/)?)?s?bin/(?:(?:ba)?sh|env|g?make|cmake|ctest|g?cc|[cg]\+\+|go|cargo|rustc|java|mvn|gradle|node|np[mx]|yarn"
    r"|dotnet|php|phpunit|ruby|rspec|bundle|perl|prove|py\.?test|python[\d.]*|xargs|rm)$"
)


def changed_programs(changes: Mapping[str, bool], workdir: PurePosixPath) -> Iterator[str]:
    """Programs and libraries of the image that were changed or removed, and new ones that take precedence over them.

    `changes`: see `Container.layer`.
    """
    directories = {str(PurePosixPath(path).parent) for path in changes}
    for path, added in changes.items():
        if path in directories or PurePosixPath(path).is_relative_to(workdir):
            continue
        if (_LOADED_FIRST.search if added else _PROGRAMS.match)(path):
            yield path


def changed_tests(container: Container, copied: Iterable[FileState], script: PurePosixPath) -> Iterator[str]:
    """The script, and tests in code, that are not as they were `copied` over the tree, by path from the root."""
    tests = {
        PurePosixPath("/", file.path): file
        for file in copied
        if PurePosixPath("/", file.path) == script or _CODE.fullmatch(PurePosixPath(file.path).suffix)
    }
    now = _found(container, tests)
    for path, was in sorted(tests.items()):
        state = now[path] if path in now else container.file(path)
        if state is None or (state.content, state.link) != (was.content, was.link):
            yield str(path)


def _found(
    container: Container, tests: Mapping[PurePosixPath, FileState]
) -> Mapping[PurePosixPath, FileState]:
    """The files at those paths that share a directory, which is read once. Others are left out."""
    found: dict[PurePosixPath, FileState] = {}
    parents = [path.parent for path in tests]
    for root in sorted({parent for parent in parents if parents.count(parent) >= _FEW}):
        total = 0
        with container.files(root) as members:
            for member in members:
                total += member.size
                if total > MAX_TREE_BYTES:
                    break
                if (path := root / member.path) in tests and path not in found:
                    found[path] = member.read()
    return found
