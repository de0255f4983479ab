"""A pass that compares is started from a shell."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import JudgingPass
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def compare(*arguments: str) -> str:
    out = StringIO()
    call_command("compare_runs", *arguments, "--panel", "p", stdout=out)
    return out.getvalue()


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    model = cast.add_model("Bench", input_price=3.0, output_price=15.0)
    create_panel(slug="p", title="P", dimensions=["pitfalls"], judges=[NewJudge("Portia", model)])
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(2):
        cast.add_run(alice, task)
        cast.add_run(bob, task)
    return cast


def test_two_agents_are_compared_on_their_common_tasks(cast: Cast) -> None:
    said = compare("alice", "bob", "--budget", "2")

    started = JudgingPass.objects.get()
    assert said == f"4 reviews, 2 comparisons: {started.get_absolute_url()}\n"
    assert (started.budget_usd, started.title, started.kind) == (2.0, "Alice against Bob", "comparisons")


def test_two_evaluations_are_compared(cast: Cast) -> None:
    later = cast.add_evaluation("neap-tide", "Neap tide")
    run = cast.evaluation.runs.filter(agent__slug="alice").first()
    assert run is not None
    cast.add_run(run.agent, run.task, evaluation=later)

    assert compare("spring-tide", "neap-tide", "--evaluations").startswith("2 reviews, 1 comparisons: ")


def test_unknown_names_and_no_common_task_are_refused(cast: Cast) -> None:
    cast.idler()
    with pytest.raises(CommandError, match="no agent 'x'; there are: alice, bob, idler"):
        compare("x", "bob")
    with pytest.raises(CommandError, match="no task in common"):
        compare("alice", "idler")
