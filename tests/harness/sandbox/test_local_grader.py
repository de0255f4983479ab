"""Hidden tests run in a clean directory of this host, over the files that an agent left."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

import pytest

from harness.dataset import Repository, Tree
from harness.errors import AgentError, HarnessError, RunCancelled
from harness.patches import FileState
from harness.sandbox import local_grader, waiting
from harness.sandbox.base import CommandResult, ContainerUse, Interrupt, Owner, never
from harness.sandbox.local_grader import LocalGrader
from harness.sandbox.temp_dirs import temp_dirs_of
from tests.harness.worlds import tiny_dataset, write_tree

INSTANCE = f"local-grader-{uuid4().hex[:8]}"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return tiny_dataset(tmp_path).repository("calc")


def grade(
    repository: Repository,
    script: str,
    *files: FileState,
    tests: Mapping[str, str] | None = None,
    timeout: float = 30.0,
    interrupt: Interrupt = never,
) -> tuple[CommandResult, Mapping[str, bytes]]:
    root = repository.directory
    write_tree(root, {"script.sh": f"{script}\n"})
    (root / "hidden").mkdir(exist_ok=True)
    write_tree(root / "hidden", tests or {})
    grader = LocalGrader(repository, ContainerUse(Owner(INSTANCE, "run-1"), interrupt=interrupt))
    try:
        return grader.run(
            files=files,
            tests=list(Tree(root / "hidden").files()),
            script=root / "script.sh",
            task="a task",
            timeout=timeout,
        )
    finally:
        assert temp_dirs_of(INSTANCE) == []


def test_the_script_gets_its_task_and_gives_its_results(repository: Repository) -> None:
    script = (
        'echo "$1"; ls; git status --porcelain; mkdir $RESULTS_DIR/sub; cp README.md $RESULTS_DIR/sub; exit 3'
    )
    result, results = grade(repository, script)
    assert (result.exit_code, result.output, result.tampered) == (3, "a task\nREADME.md\ncalc\ntests\n", ())
    assert results == {"sub/README.md": (repository.source.root / "README.md").read_bytes()}


def test_deletions_come_first_and_hidden_tests_last(repository: Repository) -> None:
    # README.md becomes a directory.
    left = [
        FileState("README.md/a", b"file"),
        FileState("README.md", None),
        FileState("same.txt", b"agent's"),
    ]
    result, _ = grade(repository, "cat README.md/a same.txt", *left, tests={"same.txt": "ours"})
    assert result.output == "fileours"


def test_no_key_of_this_process_reaches_the_script(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "not-for-tests")
    result, _ = grade(repository, "env")
    assert "not-for-tests" not in result.output
    assert "PYTHONSAFEPATH=1\n" in result.output


def test_links_are_no_results(repository: Repository) -> None:
    _, results = grade(repository, "cd $RESULTS_DIR; ln -s /etc/passwd a; ln -s / b; echo 1 > c")
    assert results == {"c": b"1\n"}


def test_the_script_ends_the_run_even_if_what_it_started_goes_on(repository: Repository) -> None:
    began = time.monotonic()
    result, _ = grade(repository, "echo begun; sleep 60 & setsid sleep 60 &")
    assert (result.exit_code, result.output) == (0, "begun\n")
    assert time.monotonic() - began < 20


def test_a_script_past_its_time_has_no_exit_code_but_results(repository: Repository) -> None:
    result, results = grade(repository, "echo 1 > $RESULTS_DIR/a; echo begun; sleep 60", timeout=1.0)
    assert (result.exit_code, result.output, results) == (None, "begun\n", {"a": b"1\n"})


def test_an_interrupt_ends_it_and_nothing_is_left(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.05)

    def cancel() -> None:
        raise RunCancelled("stop")

    with pytest.raises(RunCancelled, match="stop"):
        grade(repository, "sleep 60", interrupt=cancel)


def test_too_big_results_are_the_agents_fault(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_grader, "MAX_RESULT_BYTES", 1 << 20)
    _, results = grade(repository, "head -c 1048576 /dev/zero > $RESULTS_DIR/a")
    assert len(results["a"]) == 1 << 20
    with pytest.raises(AgentError, match=r"^the tests left more than 1 MB of results$"):
        grade(repository, "head -c 1048577 /dev/zero > $RESULTS_DIR/a")


def test_a_path_that_leads_out_of_the_workspace_is_refused(repository: Repository) -> None:
    with pytest.raises(HarnessError, match=r"^'../x' leads out of the workspace$"):
        grade(repository, "true", FileState("../x", b""))
