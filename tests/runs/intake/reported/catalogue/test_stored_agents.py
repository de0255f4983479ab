"""Agents of reported results, with their models."""

from __future__ import annotations

import pytest

from runs.intake.reported.reported_result import ReportedAgent, ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Agent, LanguageModel
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def test_an_agent_of_an_unknown_model_has_one_of_that_name() -> None:
    store(reported([result("Ada", "one")]))

    model = LanguageModel.objects.get()
    assert (model.name, model.provider, model.open_weights, model.litellm_id) == (
        *("unknown model", "", None, ""),
    )


def test_a_known_import_names_the_harness_of_its_agents() -> None:
    store(reported(two_agents(), (ReportedAgent("Ada", "ada-1"),)))
    agents = (ReportedAgent("Ada", "ada-1", harness="Codex"),)

    assert store(reported(two_agents(), agents)).new == 0
    assert list(Agent.objects.order_by("name").values_list("harness", flat=True)) == ["Codex", ""]

    store(reported(two_agents(), agents, version="a2"))
    assert Agent.objects.filter(harness="Codex").count() == 1


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["Ada", "Аda"], "looks like that of the agent"),  # noqa: RUF001
        (["Ada\u200b"], "a character that is not seen"),
    ],
)
def test_a_name_that_deceives_is_refused(names: list[str], problem: str) -> None:
    with pytest.raises(ResultsRefused, match=problem):
        store(reported([result(name, "one") for name in names]))

    assert not Agent.objects.exists()


def test_agents_whose_names_differ_in_punctuation_or_have_no_latin_letter_have_addresses() -> None:
    store(reported([result(name, "one") for name in ("Ada 1.5", "Ada 1-5", "智能", "代理")]))

    assert dict(Agent.objects.values_list("name", "slug")) == {
        "Ada 1-5 (reported)": "lab-bench-ada-1-5",
        "Ada 1.5 (reported)": "lab-bench-ada-1-5-bae9adb0",
        "代理 (reported)": "lab-bench",
        "智能 (reported)": "lab-bench-7a63c532",
    }
