"""Our order beside published tables."""

from __future__ import annotations

import pytest

from runs.reporting.topics.published_topic import sections
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import AgentName
from tests.runs.reporting.topics.made import column, pictures, table, tried


def played(models: dict[str, str]) -> TopicData:
    """Agents a, b, …, each better than the next at five tasks, with the models given."""
    marks = {agent: "+" * (5 - place) + "-" * place for place, agent in enumerate("abcdef")}
    runs = tried({agent: dict(zip("vwxyz", marks[agent], strict=True)) for agent in models})
    agents = {agent: AgentName(agent.upper(), False, model) for agent, model in models.items()}
    return TopicData(runs, agents, {}).compared()


def test_agents_are_matched_by_model_however_it_is_spelt() -> None:
    models = (
        "openai/gpt-5.2",
        "Claude Haiku 4.5",
        "Qwen3 Max",
        "xAI Grok 4.1 Fast",
        "DeepSeek R1 0528",
        "another",
    )
    data = played(dict(zip("abcdef", models, strict=True)))

    short, found = sections(data)

    # Printed pass@1: 85.0, 78.75, 65.0, 35.0, 20.0: the same order.
    assert short.startswith("Rank correlations with our order are from ")
    assert short.endswith(
        " to 1.00 (95 % interval −0.17 to 1.00, n 5), of IDE-Bench (arXiv), table 1: pass@1 and IDE-Bench (arXiv), "
        "table 1: pass@5."
    )
    ours = table(found, "ours")
    assert column(ours, "rho")[0] == pytest.approx(1)
    assert column(ours, "common")[0] == 5
    assert column(ours, "who")[0] == "A, B, C, D and E"
    assert pictures(found) == ["agreement-chart", "ours-chart"]


def test_too_few_common_models_are_reported() -> None:
    few = sections(played({"a": "GPT 5.2", "b": "mine", "c": "yours"}))[0]
    none = sections(played({"a": "mine", "b": "yours"}))[0]

    assert (
        few
        == "Unknown: our agents and a published table share 1 model at most, and a rank correlation needs 5."
    )
    assert none == "Unknown: none of our agents runs a model that a published table names."


def test_measures_of_one_paper_are_correlated() -> None:
    theirs = table(sections(played({"a": "mine"}))[1], "theirs")

    values = dict(zip((row[0] for row in theirs.rows), column(theirs, "pass@1"), strict=True))
    assert values["pass@1"] is None
    assert values["pass@5"] == pytest.approx(0.97230, abs=1e-5)  # as SciPy has it
    assert values["σ over attempts"] < -0.9
