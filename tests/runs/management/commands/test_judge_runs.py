"""A judging pass is started from a shell."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import JudgingPass
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def judge(*arguments: str) -> str:
    out = StringIO()
    call_command("judge_runs", *arguments, stdout=out)
    return out.getvalue()


def test_it_starts_a_pass_and_prints_its_address() -> None:
    cast = Cast()
    model = cast.add_model("Bench", input_price=3.0, output_price=15.0)
    create_panel(slug="p", title="P", dimensions=["pitfalls"], judges=[NewJudge("Portia", model)])
    with pytest.raises(CommandError, match="No run can be judged"):
        judge("spring-tide", "--panel", "p")
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], directory="a/try-1")

    said = judge("spring-tide", "--panel", "p", "--budget", "2")

    started = JudgingPass.objects.get()
    assert said == f"1 reviews: {started.get_absolute_url()}\n"
    assert (started.budget_usd, started.title) == (2.0, "Reviews of Spring tide")


def test_unknown_names_are_refused_with_those_that_exist() -> None:
    Cast()
    with pytest.raises(CommandError, match="no evaluation 'x'; there are: spring-tide"):
        judge("x", "--panel", "p")
    with pytest.raises(CommandError, match="no panel 'p'; there are: none"):
        judge("spring-tide", "--panel", "p")
