"""Requests that are refused before anything runs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import GenerationRequest, Plan
from tests.tasks.generation.small import write_calc


@pytest.fixture
def request_of_calc(tmp_path: Path) -> GenerationRequest:
    return GenerationRequest(write_calc(tmp_path), "calc", tmp_path / "out", Plan((Kind.REMOVE,), seed=1))


@pytest.mark.parametrize(
    ("kind", "said"), [(Kind.MULTI, "multi needs a map"), (Kind.ADVERSARIAL, "adversarial needs a model")]
)
def test_a_kind_without_what_it_needs_is_refused(
    request_of_calc: GenerationRequest, kind: Kind, said: str
) -> None:
    with pytest.raises(ConfigurationError, match=said):
        replace(request_of_calc, plan=Plan((kind,), seed=1)).check()


def test_a_repository_without_shared_tests_is_refused(request_of_calc: GenerationRequest) -> None:
    (request_of_calc.dataset / "calc/tests").rename(request_of_calc.dataset.parent / "elsewhere")
    with pytest.raises(ConfigurationError, match=re.escape("tiny/calc/tests is missing")):
        request_of_calc.check()


def test_candidates_lie_below_the_name_of_the_output(request_of_calc: GenerationRequest) -> None:
    assert request_of_calc.candidates == request_of_calc.output / "candidates/calc"
    named = replace(request_of_calc, slug="calc-more")
    assert named.candidates == request_of_calc.output / "candidates/calc-more"
