"""Tasks are collected from merged changes from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from harness.dataset import load_dataset
from tests.harness.worlds import (
    FAIL_UNTOUCHED,
    HIDDEN_TESTS,
    PASS_UNTOUCHED,
    SOLUTION,
    SOURCE,
    write_tiny_dataset,
)
from tests.tasks.generation.pulls.sources.test_git_clone import History

TESTS = HIDDEN_TESTS.split("\n", 1)[1]  # without the canary


def printed(*arguments: object) -> list[str]:
    """The lines that the command prints."""
    said = StringIO()
    call_command("collect_pulls", *map(str, arguments), stdout=said)
    return said.getvalue().splitlines()


@pytest.fixture
def arguments(tmp_path: Path) -> list[object]:
    """A clone with one change that is a task and others that are none, and an empty repository."""
    history = History(tmp_path / "clone")
    first = history.commit("First", SOURCE)
    broken = history.commit(
        "Add a test (#4)\n\nFixes #2", {**SOURCE, "hidden/test_none.py": "import none\n" * 9}, first
    )
    fixed = {**SOURCE, **SOLUTION, "hidden/test_negatives.py": TESTS}
    second = history.commit("Understand negatives (#5)\n\nFixes #3", fixed, broken)
    history.commit("Say more (#6)", {**fixed, "README.md": "More.\n"}, second)
    dataset = write_tiny_dataset(tmp_path)
    for name in ("source", "tasks"):
        (dataset / "calc" / name).rename(tmp_path / name)
    return [tmp_path / "clone", "--dataset", dataset, "--repository", "calc"]


@pytest.mark.engine
def test_changes_become_tasks_that_can_be_loaded(arguments: list[object], tmp_path: Path) -> None:
    lines = printed(*arguments, "--repeats", 1)
    assert [line.split(": ", 1)[1] for line in lines[:4]] == [
        "refused, no linked issue: its message closes no issue, as with 'Fixes #1'",
        f"task pr-5, F2P {len(FAIL_UNTOUCHED)}, P2P {len(PASS_UNTOUCHED)}",
        "refused, no source changed: it changes tests, documents and the like only",
        "refused, not readable: the clone does not hold what precedes it",
    ]
    assert lines[4:] == [
        *("1 of 4: tasks", "1 of 4: no linked issue", "1 of 4: no source changed", "1 of 4: not readable")
    ]
    ((_, task),) = load_dataset(tmp_path / "tiny").tasks()
    assert (task.slug, task.title, task.admitted) == ("pr-5", "Understand negatives", True)
    assert task.description == "Understand negatives\n\nFixes #3\n"
    assert printed(*arguments, "--repeats", 1)[1].endswith("(measured earlier)")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--part", "docs/=papers"], "--part docs/=papers: write GLOB=source, GLOB=tests or GLOB=rest"),
        (["--part", "/x=rest"], "--part /x=rest: must be a path or a glob from the top of the workspace"),
        (["--without", "/docs"], "--without /docs: must be a path or a glob from the top of the workspace"),
        (["--description", "pr-5"], "--description pr-5: write CHANGE=FILE; the file has a title and a text"),
        (["--description", "pr-5=none"], "--description pr-5=none: [Errno 2] No such file"),
        (["--github", "calc"], "--github needs OWNER/NAME, and --answers the directory of recorded answers"),
        (
            ["--github", "a/b", "--answers", "none", "--token-variable", "NO_SUCH_VARIABLE"],
            "--token-variable NO_SUCH_VARIABLE: the environment has no such variable, or it is empty",
        ),
        (
            ["--github", "a/b", "--answers", "none"],
            "none holds no recorded answers: record them with a token first",
        ),
        (["--start", "HEAD~3"], "the clone has no commit 'HEAD~3': name all 40 digits, or fetch it"),
    ],
)
def test_wrong_options_are_refused(more: list[str], message: str, arguments: list[object]) -> None:
    with pytest.raises(CommandError) as refused:
        printed(*arguments, *more)
    assert message in str(refused.value)


def test_tests_of_others_never_run_on_the_host(
    arguments: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    with pytest.raises(CommandError, match="tests of others run in containers only: unset BENCHBENCH_ENGINE"):
        printed(*arguments)


def test_a_repository_without_its_files_is_refused(arguments: list[object], tmp_path: Path) -> None:
    (tmp_path / "tiny/calc/run_tests.sh").unlink()
    with pytest.raises(CommandError, match=r"write .*/calc/run_tests.sh first"):
        printed(*arguments)
