"""The hidden tests run with a patch, on this host; other tests of grading do so in containers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from harness.dataset import Repository, Task, Trap
from harness.errors import AgentError, ContainerSlow, InfrastructureError
from harness.grading.hidden_tests import TestRun, run_hidden_tests
from harness.grading.traps.choosing import candidates
from harness.patches import FileState, make_patch
from harness.records import TestStatus
from harness.sandbox.base import CommandResult, ContainerUse, Grader, Owner
from harness.sandbox.local import LocalEngine
from harness.sandbox.local_grader import LocalGrader
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, reference_diff, tiny_dataset


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Repository, Task]:
    return next(tiny_dataset(tmp_path).tasks())


def run(tiny: tuple[Repository, Task], patch: bytes, *traps: Trap) -> TestRun:
    repository, task = tiny
    return run_hidden_tests(
        LocalEngine(), repository, task, patch, use=ContainerUse(Owner("hidden-tests", "1")), traps=traps
    )


def names(found: TestRun, status: TestStatus) -> set[str]:
    return {result.id.rpartition("::")[2] for result in found.results if result.status is status}


def test_the_unchanged_tree_fails_some_tests_and_passes_others(tiny: tuple[Repository, Task]) -> None:
    found = run(tiny, b"")
    assert names(found, TestStatus.PASSED) == set(PASS_UNTOUCHED)
    assert not names(found, TestStatus.PASSED) & set(FAIL_UNTOUCHED)
    assert found.command.exit_code not in (0, None)
    assert (found.trouble, found.flags, found.traps) == ("", (), {})


def test_the_results_of_traps_are_apart_from_those_of_the_tests(tiny: tuple[Repository, Task]) -> None:
    reference = reference_diff().encode()
    solved = run(tiny, reference)
    assert solved.command.exit_code == 0
    tests = [result.id for result in solved.results]
    trap = candidates(tiny[1].tests.files(), tests)[0]

    found = run(tiny, reference, trap)

    assert sorted(result.id for result in found.results) == sorted(tests)
    assert {result.status for result in found.results} == {TestStatus.PASSED}
    ((name, results),) = found.traps.items()
    assert found.placed.traps == {name: trap}
    assert [result.status for result in results] == [TestStatus.FAILED]
    assert found.forged == ()


def test_a_file_that_is_left_out_has_a_flag(tiny: tuple[Repository, Task]) -> None:
    patch = make_patch([], [FileState("conftest.py", b"x\n")])
    found = run(tiny, patch)
    assert [(flag.kind, flag.path) for flag in found.flags] == [("protected", "conftest.py")]
    assert names(found, TestStatus.PASSED) == set(PASS_UNTOUCHED)


def test_a_patch_that_does_not_apply_is_an_infrastructure_error(tiny: tuple[Repository, Task]) -> None:
    patch = (
        b"diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-other\n+text\n"
    )
    with pytest.raises(
        InfrastructureError, match=r"^the patch does not apply to the original files: README\.md"
    ):
        run(tiny, patch)


class SlowAtFirst(LocalEngine):
    """An engine whose containers are too slow for the first test runs, as on a busy host."""

    def __init__(self, slow: int, error: type[AgentError] = ContainerSlow) -> None:
        super().__init__()
        self.slow, self.error, self.runs = slow, error, 0

    def grader(  # type: ignore[override]
        self, repository: Repository, use: ContainerUse
    ) -> AbstractContextManager[Grader]:
        self.runs += 1
        if self.runs <= self.slow:
            raise self.error("its processes did not end within 15 s")
        return super().grader(repository, use)


@pytest.mark.parametrize(
    ("engine", "runs", "trouble"),
    [
        pytest.param(SlowAtFirst(2), 3, "", id="slow twice"),
        pytest.param(SlowAtFirst(3), 3, "its processes did not end within 15 s", id="slow each time"),
        pytest.param(
            SlowAtFirst(1, AgentError), 1, "its processes did not end within 15 s", id="another failure"
        ),
    ],
)
def test_only_a_run_in_a_slow_container_is_tried_again(
    tiny: tuple[Repository, Task], engine: SlowAtFirst, runs: int, trouble: str
) -> None:
    repository, task = tiny
    found = run_hidden_tests(
        engine, repository, task, b"", use=ContainerUse(Owner("hidden-tests", "1")), trusted=True
    )
    assert (engine.runs, found.trouble) == (runs, trouble)
    assert bool(found.results) is not bool(trouble)


def test_programs_are_compared_with_the_image_after_the_run_of_an_agents_patch_alone(
    tiny: tuple[Repository, Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []
    real = LocalGrader.run

    def noted(self: LocalGrader, **options: Any) -> tuple[CommandResult, Mapping[str, bytes]]:
        compared.append(options["compare_programs"])
        return real(self, **options)

    monkeypatch.setattr(LocalGrader, "run", noted)
    for trusted in (False, True):
        run_hidden_tests(
            LocalEngine(), *tiny, b"", use=ContainerUse(Owner("hidden-tests", "1")), trusted=trusted
        )
    assert compared == [True, False]
