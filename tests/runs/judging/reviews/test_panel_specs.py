"""Panels of the database in the form that the harness uses."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import ConfigurationError
from runs.judging.reviews.panel_specs import NewJudge, create_panel, judge_spec, panel_spec, read_parameters
from runs.models import Panel
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def make(dimensions: list[str], parameters: dict[str, Any] | None = None) -> Panel:
    model = Cast().add_model("Bench", input_price=1.0)
    judge = NewJudge("Portia", model, "ada", parameters)
    return create_panel(slug="p", title="P", dimensions=dimensions, judges=[judge])


def test_a_panel_has_the_digest_of_its_prompts() -> None:
    panel = make(["pitfalls", "tool_calls"], {"seed": 7})

    spec = panel_spec(panel)
    assert (spec.dimensions, spec.samples) == (("pitfalls", "tool_calls"), 1)
    assert panel.digest == spec.prompt_digest
    judge = judge_spec(panel.judges.get())
    assert (judge.name, judge.family, judge.model.litellm_id) == ("Portia", "ada", "ada/Bench")
    assert judge.parameters.seed == 7


@pytest.mark.parametrize(
    ("dimensions", "parameters", "reason"),
    [
        (["charm"], {}, "no dimension is called 'charm'"),
        ([], {}, "choose at least one dimension"),
        (["pitfalls"], {"mood": 1}, "parameters: unknown mood; known are temperature"),
        (["pitfalls"], {"temperature": "hot"}, "parameters: temperature must be like 0.0, not 'hot'"),
        (["pitfalls"], {"max_output_tokens": True}, "parameters: max_output_tokens must be like"),
        (["pitfalls"], {"most_characters": 5}, "most_characters must be at least"),
        (["pitfalls"], {"temperature": -1}, "parameters: temperature must be like 0.0, not -1"),
    ],
)
def test_an_invalid_panel_is_not_stored(
    dimensions: list[str], parameters: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        make(dimensions, parameters)
    assert not Panel.objects.exists()


def test_parameters_may_be_left_out() -> None:
    assert read_parameters({}) == read_parameters({"temperature": 0.0, "force_call": True})
    assert read_parameters({"temperature": None}).temperature is None
