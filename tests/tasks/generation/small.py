"""A small repository for tests of the generator, and its hidden tests, which run in this process."""

from __future__ import annotations

import shutil
import textwrap
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from harness.dataset import Tree
from harness.patches import FileState
from harness.records import TestResult, TestStatus
from tasks.generation.corrupting.source_tree import Place, SourceTree
from tasks.generation.suite.hidden_suite import SuiteRun
from tests.harness.worlds import HIDDEN_TESTS, SOLUTION, SOURCE, write_tiny_dataset, write_tree

MODULE = "stock/shelf.py"
FILES = {
    MODULE: '''
        """Shelves and what lies on them."""


        class Shelf:
            """A shelf with so many places."""

            def __init__(self, places):
                self.places = places
                self.boxes = []

            def add(self, box):
                """Puts a box on the shelf; whether there was a place."""
                if len(self.boxes) < self.places:
                    self.boxes.append(box)
                    return True
                return False

            def free(self):
                return self.places - len(self.boxes)

            def abstract(self):
                raise NotImplementedError


        def fill(shelf, boxes):
            """How many boxes fit."""
            number = 0
            for box in boxes:
                if not shelf.add(box):
                    break
                number += 1
            return number


        def heaviest(boxes, default=None):
            if not boxes:
                return default
            return max(boxes)


        def unused(first, second):
            return first < second
    ''',
    "stock/__init__.py": "",
    "stock/notes.txt": "weight",
    "tests/test_shelf.py": "def helper(a):\n    return a + 1\n",
    "run.sh": "echo\n",
}
Check = Callable[[ModuleType], bool]
CHECKS: Mapping[str, Check] = {
    "fits::one": lambda m: m.Shelf(1).add(5),
    "fits::two": lambda m: m.fill(m.Shelf(2), [1, 2]) == 2,
    "full::zero": lambda m: not m.Shelf(0).add(5),
    "full::three": lambda m: m.fill(m.Shelf(2), [1, 2, 3]) == 2,
    "free::all": lambda m: m.Shelf(3).free() == 3,
    "free::some": lambda m: (shelf := m.Shelf(3), m.fill(shelf, [1]))[0].free() == 2,
    "heaviest::none": lambda m: m.heaviest([]) is None,
    "heaviest::default": lambda m: m.heaviest([], 7) == 7,
    "heaviest::two": lambda m: m.heaviest([4, 9]) == 9,
}


def source_in(directory: Path, files: Mapping[str, str] = FILES) -> Tree:
    """The repository on disk."""
    for path, text in files.items():
        place = directory / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return Tree(directory)


def tree_of(source: Tree) -> SourceTree:
    """The repository as the generator reads it, without hidden tests."""
    return SourceTree.read(source, Tree(source.root, only=frozenset({"nothing"})))


def place_of(tree: SourceTree, name: str) -> Place:
    """A function of the module."""
    (found,) = [one for one in tree.places if one.function.name == name]
    return found


class Suite:
    """Runs the checks on the changed module. `runs`: the files of each run."""

    def __init__(self, source: Tree) -> None:
        self.source = source
        self.runs: list[Sequence[FileState]] = []

    def __call__(self, changed: Sequence[FileState], timeout: float) -> SuiteRun:
        """The result of each check, with the traceback of a failed one as pytest reports it."""
        self.runs.append(changed)
        content = next((file.content for file in changed if file.path == MODULE), None)
        before = self.source.read(MODULE)
        assert before is not None
        text = (content or before.content or b"").decode()
        return SuiteRun(tuple(_result(name, check, text) for name, check in CHECKS.items()), 0.5, 0.25)


def _result(name: str, check: Check, text: str) -> TestResult:
    module = ModuleType("shelf")
    try:
        exec(compile(text, f"/app/{MODULE}", "exec"), module.__dict__)
        assert check(module)
    except Exception as error:
        message = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
        return TestResult(name, TestStatus.FAILED, message=message)
    return TestResult(name, TestStatus.PASSED)


def write_calc(root: Path) -> Path:
    """The dataset `tiny` as one to generate tasks for: its repository `calc` is right, and has no task yet.

    Its eight hidden tests pass, and are shared by the tasks to come.
    """
    dataset = write_tiny_dataset(root)
    shutil.rmtree(dataset / "calc/tasks")
    more = {"README.md": SOURCE["README.md"] + "\n`largest` gives the max of the numbers, not the min.\n"}
    write_tree(dataset / "calc/source", {**SOLUTION, **more})
    write_tree(dataset / "calc/environment", {"packages.txt": "none\n"})  # so all tasks share one image
    write_tree(dataset / "calc/tests", {"hidden/test_negatives.py": HIDDEN_TESTS})
    return dataset
