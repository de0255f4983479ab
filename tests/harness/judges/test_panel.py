"""Panels and how their judges are called."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import ConfigurationError
from harness.judges.panel import JudgeParameters, JudgeSpec, Panel
from harness.llm.spec import CallSettings, ModelSpec

JUDGE = JudgeSpec("A", ModelSpec("X", "openai/x"))


def test_parameters_become_the_settings_of_the_client() -> None:
    parameters = JudgeParameters(temperature=None, max_output_tokens=900, reasoning_effort="low", seed=7)
    assert parameters.call_settings() == CallSettings(
        temperature=None, max_output_tokens=900, reasoning_effort="low", seed=7, refusal_retries=0
    )


def test_parameters_are_stored_whole() -> None:
    assert JudgeParameters().to_json() == {
        "temperature": 0.0,
        "max_output_tokens": 4000,
        "reasoning_effort": None,
        "seed": None,
        "most_characters": 400_000,
        "force_call": True,
    }


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"dimensions": ()}, "at least one dimension"),
        ({"judges": ()}, "at least one judge"),
        ({"dimensions": ("pitfalls", "pitfalls")}, "dimension 'pitfalls' is there twice"),
        ({"judges": (JUDGE, JUDGE)}, "judge 'A' is there twice"),
        ({"dimensions": ("speed",)}, "no dimension is called 'speed'"),
        ({"samples": 0}, "samples must be 1 to 20"),
        ({"samples": 21}, "samples must be 1 to 20"),
    ],
)
def test_a_panel_that_cannot_be_used_is_refused(values: dict[str, Any], reason: str) -> None:
    chosen: dict[str, Any] = {"dimensions": ("pitfalls",), "judges": (JUDGE,), **values}
    with pytest.raises(ConfigurationError) as caught:
        Panel("nightly", **chosen)
    assert reason in str(caught.value)


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="most_characters must be at least 20,000"):
        JudgeParameters(most_characters=19_999)
    with pytest.raises(ConfigurationError, match="max_output_tokens must be at least 1"):
        JudgeParameters(max_output_tokens=0)


def test_the_digest_depends_on_the_dimensions_and_not_on_their_order() -> None:
    digests = {
        Panel("a", names, (JUDGE,)).prompt_digest
        for names in [("pitfalls", "pleasantness"), ("pleasantness", "pitfalls"), ("pitfalls",)]
    }
    assert len(digests) == 2
