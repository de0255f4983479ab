"""Evaluations are started from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.models import Evaluation
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


def test_an_unknown_agent_or_task_starts_nothing(tmp_path: Path, redis: RedisServer) -> None:
    Tiny(tmp_path)
    with pytest.raises(CommandError, match="no agent nobody; there are: null, oracle"):
        call_command("start_evaluation", "Title", "--agents", "nobody")
    with pytest.raises(CommandError, match=r"no admitted task calc/none; there are: calc/add-negatives"):
        call_command("start_evaluation", "Title", "--agents", "oracle", "--tasks", "calc/none")
    assert not Evaluation.objects.exists()


def test_a_title_that_is_refused_names_the_reason_and_stores_nothing(
    tmp_path: Path, redis: RedisServer
) -> None:
    Tiny(tmp_path)
    with pytest.raises(CommandError, match="attempts"):
        call_command("start_evaluation", "Title", "--agents", "oracle", "--attempts", "0")
    assert not Evaluation.objects.exists()


@pytest.mark.engine
def test_the_slug_is_printed_and_tasks_are_chosen_by_repository(tmp_path: Path, redis: RedisServer) -> None:
    Tiny(tmp_path)
    said = StringIO()
    call_command(
        "start_evaluation",
        "From a shell",
        "--agents",
        "oracle",
        "--tasks",
        "calc",
        "--attempts",
        "2",
        stdout=said,
    )
    evaluation = Evaluation.objects.get()
    assert said.getvalue() == f"{evaluation.slug}\n"
    assert evaluation.publication == "trial"
    assert [(run.agent.slug, str(run.task), run.attempt) for run in evaluation.runs.order_by("attempt")] == [
        ("oracle", "calc/add-negatives", 1),
        ("oracle", "calc/add-negatives", 2),
    ]


@pytest.mark.engine
def test_the_option_publish_lets_it_count_when_it_has_finished(tmp_path: Path, redis: RedisServer) -> None:
    Tiny(tmp_path)
    call_command("start_evaluation", "Shown", "--agents", "oracle", "--publish", stdout=StringIO())
    assert Evaluation.objects.get().publication == "will be published when finished"
