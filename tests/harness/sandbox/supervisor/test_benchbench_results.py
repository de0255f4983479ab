"""pytest's results reach the supervisor one by one, as pytest has them."""

from __future__ import annotations

import ast
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import load_dataset
from harness.sandbox.base import Owner
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine.image_recipes import SUPERVISOR_SOURCE
from harness.sandbox.supervisor import benchbench_results
from tests.harness.sandbox.clean import Clean
from tests.harness.worlds import BASE_IMAGE

STARTER = Path(__file__).parents[4] / "datasets" / "starter"
TESTS = """
import os, pytest, resource, subprocess
from benchbench_code import run

pytest_plugins = []


@pytest.fixture
def broken():
    raise OSError


@pytest.fixture
def broken_at_the_end():
    yield
    raise OSError


def test_passes(): pass
def test_fails(): assert False
def test_skips(): pytest.skip("no")
@pytest.mark.skip
def test_is_skipped(): pass
def test_error_in_setup(broken): pass
def test_error_in_teardown(broken_at_the_end): pass
def test_fails_and_more(broken_at_the_end): assert False
@pytest.mark.xfail
def test_is_expected_to_fail(): assert False
@pytest.mark.xfail
def test_is_not_expected_to_pass(): pass
@pytest.mark.xfail(strict=True)
def test_must_not_pass(): pass
@pytest.mark.parametrize("value", ["a::b", "[x]", "/", "a b", "ü"])
def test_parametrised(value): pass


class TestGroup:
    class TestInner:
        def test_method(self): pass


def test_a_child_of_the_runner_reports_nothing(capfd):
    pid = os.fork()
    if pid == 0:
        try:
            pytest.fail("in the child")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def test_the_program_under_test_reports_nothing():
    forge = "import socket; socket.socket(socket.AF_UNIX).connect('/benchbench/channel')"
    done = run(["python3", "-c", forge], capture_output=True, text=True)
    assert "PermissionError" in done.stderr


def test_no_program_reads_the_runner():
    for start in (run, subprocess.run):
        command = "cd /proc/%d; cat mem environ" % os.getpid()
        done = start(["sh", "-c", command], capture_output=True, text=True)
        assert done.stdout == "" and done.stderr.count("Permission denied") == 2
"""
RUN = "python3 -I -m pytest -q -p no:cacheprovider --import-mode=importlib"


def test_it_is_python_3_7() -> None:
    ast.parse((SUPERVISOR_SOURCE / "benchbench_results.py").read_text("utf-8"), feature_version=(3, 7))


def test_outside_of_a_grading_container_it_does_nothing(pytestconfig: pytest.Config) -> None:
    assert not Path(benchbench_results.CHANNEL).exists()
    benchbench_results.pytest_configure(pytestconfig)
    assert not pytestconfig.pluginmanager.has_plugin("benchbench_reporter")


@pytest.mark.engine
def test_results_are_those_of_pytest(owner: Owner, tmp_path: Path) -> None:
    again = "def pytest_runtest_logreport(report): report.outcome = 'rerun'"
    tests = {
        "tests/hidden/test_a.py": TESTS,
        "tests/hidden/test_broken.py": "import nothing_of_that_name",
        "tests/again/conftest.py": again,
        "tests/again/test_again.py": "def test_again(): pass",
    }
    script = f"""
{RUN} -x tests/hidden/test_a.py  # every test is run, also after a failure
{RUN} tests/hidden/test_broken.py
{RUN} tests/again | tail -n 1
exit 4
"""
    with closing(DockerEngine(replacements={"ubuntu:24.04": BASE_IMAGE})) as engine:
        clean = Clean(engine, owner, tmp_path, load_dataset(STARTER).repository("netflow"))
        result, _ = clean.run(script, tests=tests)
    assert result.exit_code == 4
    assert "INTERNALERROR" not in result.output
    assert result.reported == (
        ("test_passes", "passed"),
        ("test_fails", "failed"),
        ("test_skips", "skipped"),
        ("test_is_skipped", "skipped"),
        ("test_error_in_setup", "error"),
        ("test_error_in_teardown", "passed"),
        ("test_error_in_teardown", "error"),
        ("test_fails_and_more", "failed"),
        ("test_fails_and_more", "error"),
        ("test_is_expected_to_fail", "skipped"),
        ("test_is_not_expected_to_pass", "passed"),
        ("test_must_not_pass", "failed"),
        ("test_parametrised[a::b]", "passed"),
        ("test_parametrised[[x]]", "passed"),
        ("test_parametrised[/]", "passed"),
        ("test_parametrised[a b]", "passed"),
        ("test_parametrised[\\xfc]", "passed"),
        ("test_method", "passed"),
        ("test_a_child_of_the_runner_reports_nothing", "passed"),
        ("test_the_program_under_test_reports_nothing", "passed"),
        ("test_no_program_reads_the_runner", "passed"),
    )


@pytest.mark.engine
@pytest.mark.parametrize(
    ("script", "reported"), [(f"{RUN} tests/stops.py", ()), ("python3 tests/stops.py", None)]
)
def test_a_runner_that_is_stopped_before_its_first_result_has_reported_none(
    owner: Owner, tmp_path: Path, script: str, reported: tuple[()] | None
) -> None:
    with closing(DockerEngine(replacements={"ubuntu:24.04": BASE_IMAGE})) as engine:
        clean = Clean(engine, owner, tmp_path, load_dataset(STARTER).repository("netflow"))
        result, _ = clean.run(script, tests={"tests/stops.py": "import os; os._exit(0)"})
    assert (result.exit_code, result.reported) == (0, reported)
