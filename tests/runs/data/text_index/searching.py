"""Runs whose texts tests search, and searches for them."""

from __future__ import annotations

from dataclasses import dataclass

from harness.records import FileEdit
from runs.data.queries.visibility import ANONYMOUS, Reader
from runs.data.text_index.indexing import index_some
from runs.data.text_index.text_query import TextQuery
from runs.data.text_index.text_search import TextResults, search_texts
from runs.models import Run
from tests.runs.cast import Cast, act, grade_of, recorder_of

DIFF = "--- a/src/port.py\n+++ b/src/port.py\n@@ -1 +1 @@\n-PIER = 1\n+PIER = 2  # anchored\n"


@dataclass
class Library:
    """Alice resolves Tide 1 and fails at Tide 2; Bob fails at both. All runs are indexed."""

    cast: Cast
    alice: list[Run]
    bob: list[Run]
    indexed: int


def write(run: Run, *outputs: str, message: str = "Next.") -> None:
    """A run with a command for each output, and one edit; its failed tests say `AssertionError`."""
    recorder = recorder_of(run)
    recorder.step("user", "Mend the tide.")
    for output in outputs:
        act(recorder, "run_terminal_cmd", {"command": "npm install left_pad"}, output, message=message)
    edit = FileEdit("src/port.py", "modified", 1, 1, syntax_ok=True, diff=DIFF)
    act(recorder, "edit_file", {"path": "src/port.py"}, "done", edits=[edit])
    recorder.grade(grade_of(run, {}))


def found(q: str, reader: Reader = ANONYMOUS) -> TextResults:
    """The results of a query."""
    return search_texts(TextQuery.parse(q), reader)


def steps(q: str, reader: Reader = ANONYMOUS) -> dict[int, tuple[int, ...]]:
    """The steps that match, by run."""
    return {each.run: each.steps for each in found(q, reader).runs}


def make_library() -> Library:
    """Four runs; the first lines of each say what is searched for."""
    cast = Cast()
    tasks = cast.add_tasks(2)
    agents = cast.alice(), cast.bob()
    alice, bob = (
        [cast.add_run(agent, task, passed=n) for task, n in zip(tasks, passed, strict=True)]
        for agent, passed in zip(agents, ((5, 4), (2, 2)), strict=True)
    )
    write(alice[0], "added 1 package", "connect OK")
    write(alice[1], "npm ERR! ECONNREFUSED 127.0.0.1:5432", message="The database refuses me.")
    write(bob[0], "Error: connect ECONNREFUSED", "retry\nconnection refused by peer")
    write(bob[1], "refused: no connection in foo_bar.baz")
    cast.settle()
    left = index_some(60)
    assert left == 0
    return Library(cast, alice, bob, 4)
