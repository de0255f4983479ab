"""Tests run programs under test as another user, as they would with `subprocess.run`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.sandbox.engine.image_recipes import SUPERVISOR_SOURCE
from tests.harness.sandbox.clean import Clean

CALLS = Path(__file__).with_name("calls.py")


def test_it_is_python_3_7() -> None:
    ast.parse((SUPERVISOR_SOURCE / "benchbench_code.py").read_text("utf-8"), feature_version=(3, 7))


@pytest.mark.engine
def test_every_call_gives_what_subprocess_gives(clean: Clean) -> None:
    script = "PYTHONPATH=/opt/benchbench/supervisor python3 tests/calls.py"
    result, _ = clean.run(script, tests={"tests/calls.py": CALLS.read_text("utf-8")})
    assert (result.exit_code, result.output) == (0, "compared 54\n")
