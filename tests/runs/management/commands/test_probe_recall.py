"""A model is probed from a shell, over real HTTP."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from harness.llm.scripted_server import ModelServer
from runs.models import LanguageModel, RecallProbe
from tasks.loading import load
from tasks.models import Dataset, Task
from tests.harness.worlds import write_target, write_tiny_dataset

pytestmark = pytest.mark.django_db
ANSWER = {
    "calls": [{"name": "write_function", "arguments": {"source": "def add(text):\n    return spell(0)"}}],
    "usage": {"prompt": 1000, "completion": 100},
}


def probe(*arguments: str) -> str:
    out = StringIO()
    call_command("probe_recall", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def slug(tmp_path: Path) -> str:
    """The tiny dataset with a target."""
    directory = write_tiny_dataset(tmp_path)
    write_target(directory)
    return load(directory).slug


def model(url: str) -> LanguageModel:
    return LanguageModel.objects.create(
        slug="m", name="M", litellm_id="openai/scripted", api_base=url, input_price=2.0, output_price=10.0
    )


def test_it_prints_each_answer_and_the_cost_and_asks_nothing_twice(slug: str) -> None:
    with ModelServer([ANSWER]) as server:
        model(server.url)
        said = probe("m", slug, "--budget", "1", "--repository", "calc", "--task", "add-negatives")
        again = probe("m", slug)
        assert len(server.requests) == 1
    found = RecallProbe.objects.get()
    assert (found.similarity, found.tokens) == (2 * 4 / 16, 11)
    assert said == "calc/add-negatives: 0.500 (11 tokens)\n1 tasks asked, 1 answers, $0.0030\n"
    assert again == "0 tasks asked, 0 answers, $0.0000\n"


def test_it_stops_before_the_budget_is_exceeded(slug: str) -> None:
    model("http://127.0.0.1:9")
    with pytest.raises(CommandError, match=r"^the budget ended: .*; the same command goes on$"):
        probe("m", slug, "--budget", "0.0001")
    assert not RecallProbe.objects.exists()


def test_wrong_names_and_models_that_cannot_be_asked_are_refused(slug: str) -> None:
    LanguageModel.objects.create(slug="r", name="R")
    with pytest.raises(CommandError, match="no language model 'x'; there are: r"):
        probe("x", slug)
    with pytest.raises(CommandError, match=f"no dataset 'x'; there are: {slug}"):
        probe("r", "x")
    with pytest.raises(CommandError, match="r cannot be asked: it has no LiteLLM id"):
        probe("r", slug)
    LanguageModel.objects.update(litellm_id="openai/x")
    with pytest.raises(CommandError, match="has no such task"):
        probe("r", slug, "--task", "x")
    Dataset.objects.update(directory="", reported_by="Others")
    with pytest.raises(CommandError, match=f"{slug} has no files: others reported its results"):
        probe("r", slug)


def test_a_task_that_changed_on_disk_is_an_error(slug: str) -> None:
    LanguageModel.objects.create(slug="r", name="R", litellm_id="openai/x")
    Task.objects.update(digest="0" * 64)
    with pytest.raises(CommandError, match="start a new evaluation"):
        probe("r", slug)
