"""Whose imported runs are, and where they came from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from runs.models import Agent, Evaluation, LanguageModel
from runs.transfer.import_owners import Origin, Owners
from runs.transfer.run_directories import CompleteRun, ImportRefused, find_runs
from tests.runs.transfer.made_records import PATCH, Elsewhere

pytestmark = pytest.mark.django_db

SITE = Elsewhere("0" * 64, tuple("abcdefgh"), PATCH)


@pytest.fixture
def found(tmp_path: Path) -> list[CompleteRun]:
    """One run."""
    SITE.write(tmp_path / "run")
    return list(find_runs(tmp_path, in_place=False))


def test_an_origin_is_plain_text_and_comes_back_from_its_directory(tmp_path: Path) -> None:
    assert Origin.new("a\u202e\n\x00 b" + "c" * 300).text == "a b" + "c" * 197
    assert Origin.new("\n").text == "unknown"
    group = tmp_path / "lab-imported-0a1b2c3d"
    group.mkdir()
    assert (Origin.stored(group).text, Origin.stored(group).slug) == ("unknown", group.name)
    (group / "origin.json").write_text('{"origin": "Lab", "imported_at": "2026-03-01T12:00:00+00:00"}')
    assert Origin.stored(group) == Origin("Lab", datetime(2026, 3, 1, 12, tzinfo=UTC), group.name)


def test_an_own_run_does_not_join_an_imported_evaluation_or_agent(found: list[CompleteRun]) -> None:
    Evaluation.objects.create(slug="elsewhere-0a1b2c3d", title="A", attempts=1, origin="Lab")
    with pytest.raises(
        ImportRefused, match="the evaluation 'elsewhere-0a1b2c3d' was imported from elsewhere"
    ):
        Owners(None).evaluations(found)
    Agent.objects.create(slug="visitor", name="Visitor", kind="ide", origin="Lab")
    with pytest.raises(ImportRefused, match="the agent 'visitor' exists here with another"):
        Owners(None).agents(found)


def test_an_agent_of_the_same_origin_and_settings_is_found_again(found: list[CompleteRun]) -> None:
    owners = Owners(Origin.new("Lab"))
    first = owners.agents(found)["visitor"]
    assert owners.agents(found)["visitor"] == first
    Agent.objects.update(settings={"temperature": 1})
    assert owners.agents(found)["visitor"].name == "Visitor (recorded 2)"


def test_a_model_of_another_site_gets_a_free_slug(found: list[CompleteRun]) -> None:
    LanguageModel.objects.create(slug="openai-some-model", name="Mine", provider="me", litellm_id="mine")
    agent = Owners(Origin.new("Lab")).agents(found)["visitor"]
    assert agent.model is not None
    assert (agent.model.slug, agent.model.litellm_id) == ("openai-some-model-2", "openai/some-model")


def test_one_agent_has_one_name_in_an_archive(tmp_path: Path) -> None:
    SITE.write(tmp_path / "a")
    SITE.write(tmp_path / "b", attempt=2, agent_name="Other")
    with pytest.raises(ImportRefused, match="the agent 'visitor' is another one than in"):
        Owners(Origin.new("Lab")).agents(list(find_runs(tmp_path, in_place=False)))


@pytest.mark.parametrize("known", ["some-model", "S0me-Model"])
def test_a_model_does_not_take_the_name_of_another_one(found: list[CompleteRun], known: str) -> None:
    LanguageModel.objects.create(slug="mine", name=known, provider="me", litellm_id="mine")
    agent = Owners(Origin.new("Lab")).agents(found)["visitor"]
    assert agent.model is not None
    assert agent.model.name == "openai/some-model"
