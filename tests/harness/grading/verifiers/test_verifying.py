"""All verifiers of a task on the result of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from harness.dataset.verifier_kinds import (
    BuildTask,
    ChatOrToolRegexp,
    ChatRegexp,
    Coverage,
    ExactFiles,
    FilePair,
    NewFileRegexp,
    NoChanges,
    NoFileErrors,
    Occurrences,
    RunTests,
    SourceRegexp,
    Tool,
    Verifier,
    YesChanges,
)
from harness.errors import InfrastructureError
from harness.grading.results import MAX_MESSAGE
from harness.grading.verifiers.verifying import Verification, verify
from harness.records import Step, TestStatus, ToolCall
from harness.sandbox.base import ContainerUse, Interrupt, Owner, never
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE
from tests.harness.grading.verifiers.conftest import Run
from tests.harness.worlds import SOLUTION, reference_diff

STEPS = (Step(1, "", "agent", "It is finished.", calls=(ToolCall("1", "bash", {"command": "pytest"}),)),)
# Measures which lines of calc ran, with the standard library, and writes them as Cobertura does.
MEASURE = """python3 - <<'PY'
import os, sys, trace
sys.path.append(os.getcwd())
tracer = trace.Trace(count=1, trace=0)
tracer.runfunc(lambda: __import__("calc.sums").sums.add("1 + -2"))
lines = [(file, line) for file, line in tracer.results().counts if "/calc/" in file]
executable = trace._find_executable_linenos("calc/digits.py")
hits = {line for file, line in lines if file.endswith("digits.py")}
with open(os.environ["RESULTS_DIR"] + "/coverage.xml", "w") as report:
    report.write('<coverage><packages><package name="calc"><classes><class name="digits.py" filename="calc/digits.py">')
    report.write("<lines>")
    for line in sorted(executable):
        report.write('<line number="%d" hits="%d"/>' % (line, line in hits))
    report.write("</lines></class></classes></package></packages></coverage>")
PY"""
VERIFIERS: tuple[Verifier, ...] = (
    NoChanges("the documents stay", forbidden=("README.md",)),
    YesChanges("digits change", ("calc/digits.py",)),
    ExactFiles("sums are right", (FilePair("calc/sums.py", "expected/sums.py"),), others_unchanged=False),
    ChatRegexp("says that it is finished", Occurrences("finished")),
    ChatOrToolRegexp("runs the tests", Occurrences("pytest")),
    SourceRegexp("negatives are read", "calc/digits.py", Occurrences("startswith"), uncommented_only=True),
    NewFileRegexp("a new test", r"tests/test_.+\.py"),
    RunTests("the tests pass"),
    Coverage("numbers are covered", MEASURE, 60.0),
    BuildTask("it runs", "PYTHONPATH=. python3 -m calc '1 + -2'", Occurrences("^-1$")),
    NoFileErrors("no errors", ("calc/*.py",), Tool.SARIF, (), "python3 -m py_compile \"$@\" && "
        "echo '{\"runs\": [{\"tool\": {\"driver\": {}}, \"results\": []}]}' > $RESULTS_DIR/a.sarif"),
)  # fmt: skip


def verified(
    run: Run,
    patch: bytes,
    verifiers: tuple[Verifier, ...] = VERIFIERS,
    *,
    seconds: float = 60.0,
    interrupt: Interrupt = never,
) -> Verification:
    return verify(
        run.engine,
        run.repository,
        run.task,
        verifiers,
        patch,
        steps=STEPS,
        use=ContainerUse(run.owner, interrupt=interrupt),
        seconds=seconds,
    )


def solved(run: Run) -> tuple[Run, bytes]:
    """The run with the references among its hidden files, and the patch that passes every verifier."""
    tests = {path: (run.task.tests.root / path).read_text() for path in run.task.tests.names()}
    run = run.with_tests({**tests, "expected/sums.py": SOLUTION["calc/sums.py"]})
    return run, run.patch_of({**SOLUTION, "tests/test_new.py": "# a test\n"})


def statuses(found: Verification) -> dict[str, TestStatus]:
    return {result.id: result.status for result in found.results}


class TestOnThisHost:
    def test_every_kind_passes_with_the_solution(self, run: Run) -> None:
        found = verified(*solved(run))
        assert [
            (result.id, result.message) for result in found.results if result.status is not TestStatus.PASSED
        ] == []
        assert list(statuses(found)) == [verifier.name for verifier in VERIFIERS]
        assert "[build_task: it runs]\n-1\n" in found.log
        assert found.seconds == sum(result.seconds for result in found.results) > 0
        assert found.flags == ()

    def test_every_kind_that_asks_for_something_fails_without_changes(self, run: Run) -> None:
        found = verified(solved(run)[0], b"")
        passed = [name for name, status in statuses(found).items() if status is TestStatus.PASSED]
        assert passed == ["the documents stay", "says that it is finished", "runs the tests", "no errors"]

    def test_flags_of_the_hidden_tests_are_passed_on(self, run: Run) -> None:
        found = verified(run, run.patch_of({"conftest.py": "x\n"}), (RunTests("tests"),))
        assert [(flag.kind, flag.path) for flag in found.flags] == [("protected", "conftest.py")]

    def test_a_message_is_never_too_long(self, run: Run) -> None:
        command = "python3 -c \"print('x' * 5000)\"; exit 1"
        verifiers = (
            BuildTask("long", command),
            YesChanges("many", tuple(f"{'a' * 280}{number}" for number in range(100))),
        )
        found = verified(run, b"", verifiers)
        assert all(0 < len(result.message) <= MAX_MESSAGE for result in found.results)

    def test_a_patch_that_does_not_apply_is_an_infrastructure_error(self, run: Run) -> None:
        other = reference_diff().replace("value = 0", "value = 7").encode()
        with pytest.raises(
            InfrastructureError, match=r"^the patch does not apply to the original files: calc"
        ):
            verified(run, other)

    def test_an_interrupt_is_passed_on(self, run: Run) -> None:
        def interrupt() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            verified(run, b"", interrupt=interrupt)


@pytest.mark.engine
class TestInContainers:
    @pytest.fixture
    def contained(self, run: Run) -> Iterator[Run]:
        with closing(DockerEngine()) as engine:
            yield Run(run.repository, run.task, engine, Owner(INSTANCE, "verifying"))

    def test_every_kind_passes_with_the_solution(self, contained: Run) -> None:
        found = verified(*solved(contained))
        assert [
            (result.id, result.message) for result in found.results if result.status is not TestStatus.PASSED
        ] == []

    def test_what_hangs_or_breaks_its_container_has_failed(self, contained: Run) -> None:
        verifiers = (
            BuildTask("hangs", "sleep 60"),
            BuildTask("ignores signals", "trap '' TERM INT; while :; do sleep 1; done"),
            RunTests("tests hang", "sleep 60", "tap"),
            BuildTask("kills everything", "kill -9 -1; exit 1"),
            BuildTask("fills memory", "python3 -c \"x = ' ' * (8 << 30)\""),
            BuildTask("is an ordinary user", "id -u", Occurrences("^[1-9]")),
            BuildTask(
                "has no network",
                "! python3 -c \"import socket; socket.create_connection(('1.1.1.1', 53), 2)\"",
            ),
        )
        found = verified(contained, b"", verifiers, seconds=3.0)
        passed = [name for name, status in statuses(found).items() if status is TestStatus.PASSED]
        assert passed == ["is an ordinary user", "has no network"]
        messages = {result.id: result.message for result in found.results}
        assert messages["hangs"] == "the command was stopped after 3 s"
        assert messages["tests hang"] == "the tests gave no verdict: the tests were stopped after 3 s"
