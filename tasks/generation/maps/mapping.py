"""Makes the map of a repository: reads its source, runs its tests, and joins what both say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from uuid import uuid4

from harness.dataset import Repository, Tree
from harness.patches import FileState
from harness.sandbox.base import ContainerUse, Engine, Owner
from tasks.generation.maps.code_map import CodeMap, build
from tasks.generation.maps.program_files import is_program
from tasks.generation.maps.static_calls import analyse
from tasks.generation.maps.traced_calls import PytestCommand, trace

_STATIC_ONLY = "The tests were not traced: only calls that static analysis finds are known."
_NO_CALLS = "Calls in languages other than Python are not known."


def map_repository(
    repository: Repository,
    engine: Engine | None,
    *,
    command: PytestCommand | None = None,
    instance: str = "shell",
    notify: Callable[[str], object] = lambda _: None,
) -> CodeMap:
    """The map of a repository's source. `engine`: where its tests run; None: they do not, and no traced call is known.

    `command`: how pytest runs; by default with the directories that hold the hidden tests. `notify` gets a sentence for
    each stage. Raises AnalysisFailed, TraceFailed, GraphTooLarge and InfrastructureError.
    """
    files = {
        file.path: file.content
        for file in repository.source.files()
        if file.content is not None and not file.link and is_program(file.path)
    }
    found = analyse(files)
    notify(
        f"{len(found.nodes)} functions and classes in {len(files)} files; "
        f"{found.resolved} of {found.sites} calls lead to one of them, by static analysis"
    )
    python = [node for node in found.nodes if node.path.endswith(".py")]
    notes = [*found.notes, *([_NO_CALLS] if len(python) < len(found.nodes) else [])]
    if engine is None or not python:
        notes.append(_STATIC_ONLY)
        return build(repository.slug, repository.digest, found.nodes, static=found.calls, notes=notes)
    tests = hidden_tests(repository)
    traced = trace(
        engine,
        repository,
        found.nodes,
        tests,
        use=ContainerUse(Owner(instance, f"map-{uuid4().hex}")),
        command=command or PytestCommand(arguments=tuple(places_of(tests))),
    )
    suite = traced.suite
    notify(
        f"{len(suite.tests)} tests ran, {len(suite.failed)} failed, in {suite.cpu_seconds:.1f} s of CPU time; "
        f"they execute {len(traced.calls)} calls"
    )
    return build(
        repository.slug,
        repository.digest,
        found.nodes,
        static=found.calls,
        traced=traced.calls,
        suite=suite,
        notes=notes,
    )


def hidden_tests(repository: Repository) -> list[FileState]:
    """The hidden tests: those that tasks share, else those of all tasks, the last one's where names are equal."""
    shared = Tree(repository.directory / "tests")
    if shared.root.is_dir():
        return list(shared.files())
    trees = [Tree(place) for place in sorted(repository.directory.glob("tasks/*/tests"))]
    trees = trees or [task.tests for task in repository.tasks]
    return list({file.path: file for tree in trees for file in tree.files()}.values())


def places_of(tests: Sequence[FileState]) -> list[str]:
    """The outermost directories with tests, and test files at the top: what pytest is called with."""
    top = {file.path.partition("/")[0] for file in tests}
    nested = {file.path.partition("/")[0] for file in tests if "/" in file.path}
    return sorted(name for name in top if name in nested or re.match(r"test_.*\.py$|.*_test\.py$", name))
