"""The project's own tests, as they were, still pass: each module in a process of its own."""

import importlib.util
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(spec)
spec.loader.exec_module(support)
tmp_path = support.tmp_path

MODULES = {"test_capture": 6, "test_packets": 7, "test_flows": 8, "test_stats": 8, "test_cli": 7}


@pytest.mark.parametrize("module", MODULES)
def test_the_projects_own_tests_pass(module):
    done = support.run(
        [sys.executable, "-m", "unittest", f"tests.{module}"],
        capture_output=True,
        text=True,
        cwd=support.ROOT,
        env=support.environment(),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert f"Ran {MODULES[module]} tests" in done.stderr
