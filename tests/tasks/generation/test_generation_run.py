"""What is refused before anything is made. What a whole run makes is tested with `generate_tasks`."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from harness.sandbox.local import LocalEngine
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import GenerationRequest, Plan, Progress
from tasks.generation.generation_run import generate
from tests.tasks.generation.small import write_calc


def test_tests_of_unknown_code_run_in_containers_only(tmp_path: Path) -> None:
    request = GenerationRequest(write_calc(tmp_path), "calc", tmp_path / "out", Plan((Kind.REMOVE,), seed=1))
    with pytest.raises(ConfigurationError, match="in containers"):
        generate(LocalEngine(), request, Progress(), instance="none")
    assert not request.output.exists()
