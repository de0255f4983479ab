"""The list of models: one line for all spellings, prices with their sources, and scores by version."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from harness.llm.price_map import MapEntry
from runs.data.cells.boards import all_boards
from runs.data.lists import model_list
from runs.data.lists.agent_list import agent_lines
from runs.data.lists.model_list import (
    ModelLine,
    ModelListQuery,
    ModelPrice,
    addresses_of_slugs,
    model_lines,
    versions_of,
)
from runs.intake.reported.reported_result import ReportedAgent
from runs.intake.reported.storing import store
from runs.models import LanguageModel
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db
READER = AnonymousUser()


def lines(**query: str) -> list[ModelLine]:
    """The models of a list, in its order."""
    every = model_lines(READER, agent_lines(READER, all_boards()))
    return ModelListQuery.from_query(query).of(every)


@pytest.fixture(autouse=True)
def price_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map that knows one model."""
    known = MapEntry("deep-1.5", "own", 2.0, 8.0, None, 64_000)
    monkeypatch.setattr(
        model_list, "entry_by_name", lambda name, maker: known if name.casefold() == "deep-1.5" else None
    )
    monkeypatch.setattr(model_list, "entry_by_id", lambda _id: None)
    monkeypatch.setattr(model_list, "map_version", lambda: "9.9")


def add_spelling(slug: str, name: str, **more: object) -> LanguageModel:
    """A model that is known from reported results."""
    return LanguageModel.objects.create(slug=slug, name=name, provider="Own", **more)


def test_all_spellings_of_a_model_are_one_line(cast: Cast) -> None:
    add_spelling("a-deep", "Deep-1.5", open_weights=True)
    add_spelling("b-deep", "deep-1-5", open_weights=None)
    add_spelling("c-deep", "deep-1-5-preview")

    preview, deep = lines(sort="model")

    assert (deep.address, deep.name, deep.names) == ("deep-1-5", "Deep-1.5", ("Deep-1.5", "deep-1-5"))
    assert (deep.weights, preview.address) == ("open", "deep-1-5-preview")
    assert addresses_of_slugs(READER) == {
        "a-deep": "deep-1-5",
        "b-deep": "deep-1-5",
        "c-deep": "deep-1-5-preview",
    }
    LanguageModel.objects.filter(slug="b-deep").update(open_weights=False)
    assert lines(sort="model")[1].weights == "unknown"  # two sources contradict each other


def test_a_price_of_this_site_comes_before_one_of_the_map_and_each_says_its_source(cast: Cast) -> None:
    add_spelling("a", "deep-1.5")
    listed = ModelPrice(2.0, 8.0, None, "LiteLLM 9.9", "deep-1.5")
    (line,) = lines()
    assert (line.prices, line.window and line.window.tokens) == ((listed,), 64_000)

    add_spelling("b", "Deep 1.5", input_price=1.0, output_price=0.0, context_window=32_000)

    (line,) = lines()
    assert line.prices == (ModelPrice(1.0, 0.0, None, "this site"), listed)
    assert [window.tokens for window in line.windows] == [32_000, 64_000]
    add_spelling("c", "Shallow", input_price=1.0)  # without a price for output
    add_spelling("d", "deep-1.5 own", api_base="https://own.example/v1")
    assert [each.name for each in lines(price="unknown", sort="model")] == ["deep-1.5 own", "Shallow"]


def test_a_model_has_its_agents_and_the_best_of_its_first_board(cast: Cast) -> None:
    one, two = cast.add_tasks(2)
    alice = cast.alice()
    other = cast.add_agent("Zoe", "command", alice.model)
    cast.add_cell(alice, one, [5])
    cast.add_cell(alice, two, [1])
    cast.add_cell(other, one, [5])
    cast.add_cell(cast.add_agent("Idle", model=cast.add_model("Untried")), one, [0])
    cast.settle()

    best, worse = lines()

    assert best.best is not None
    assert (best.name, best.best[0].slug, best.best[1].rate.value) == ("Analytical", "zoe", 1.0)
    assert [agent.slug for agent in best.agents] == ["alice", "zoe"]
    assert (best.harnesses, best.boards, worse.name) == (("BenchBench",), {"ports": "Ports"}, "Untried")
    assert [line.name for line in lines(sort="-agents")] == ["Analytical", "Untried"]
    assert [line.name for line in lines(sort="price")] == ["Analytical", "Untried"]
    assert lines(dataset="nowhere") == lines(provider="Nobody") == lines(q="zoe") == []
    assert [line.name for line in lines(q="ada anal", weights="closed")] == ["Analytical"]


def test_models_of_hidden_agents_and_unknown_models_are_not_listed(cast: Cast) -> None:
    stranger = cast.add_agent("Stranger", model=cast.add_model("Secret"))
    cast.add_run(stranger, cast.add_hidden_task())
    add_spelling("x", "unknown model")
    cast.settle()

    assert lines() == []
    assert addresses_of_slugs(READER) == {}


def test_scores_are_shown_by_version_once_a_board_has_two(cast: Cast) -> None:
    agents = (ReportedAgent("Ada", model="Deep-1.5", provider="Own"),)
    store(reported(two_agents(4), agents))
    (line,) = lines(q="deep")
    assert versions_of(line.agents, READER) == []

    results = [*two_agents(4)[:3], *two_agents(4)[4:]]
    store(reported(results, agents, version="a2"))

    (line,) = lines(q="deep")
    newest, oldest = versions_of(line.agents, READER)
    assert (newest.version, newest.listed, oldest.version, oldest.listed) == ("a2", True, "a1", False)
    assert [(each.agent.slug, each.resolved, each.attempts) for each in newest.scores] == [
        (line.agents[0].slug, 3, 3)
    ]
    assert [each.attempts for each in oldest.scores] == [4]
