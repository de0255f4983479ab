"""Publishing an evaluation by hand, and taking it off: what is shown first, who may do it, and what is recorded."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from runs.models import AuditEntry, Cell, Evaluation, Run, Snapshot
from runs.rankings.leaderboard.snapshots import content_of
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(cast: Cast) -> Evaluation:
    """Alice has resolved a task, nowhere else."""
    trial = cast.add_evaluation("neap", "Neap", listed=False)
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=trial)
    return trial


def address_of(evaluation: Evaluation) -> str:
    """Where it is published."""
    return reverse("evaluation_publish", args=[evaluation.pk])


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode())


def test_the_page_shows_the_new_rows_and_changes_nothing(admin_client: Client, trial: Evaluation) -> None:
    page = body(admin_client, address_of(trial))

    assert "Publish this evaluation?" in page
    assert "It is finished: 1 of 1 run has finished." in page
    assert "<h3>Ports</h3>" in page
    assert '<th scope="col" class="num">Rank then</th>' in page
    assert "now</th>" not in page  # the board is empty
    assert 'Alice <span class="chip good">new row</span>' in page
    assert "1 of 1" in page
    assert not Cell.objects.exists()


def test_an_operator_publishes_and_takes_off_and_both_are_recorded(
    admin_client: Client,
    trial: Evaluation,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = admin_client.post(address_of(trial), {"publish": "yes"}, follow=True)
    assert [cell.attempts for cell in content_of(Snapshot.objects.get()).cells] == [1]
    assert "Neap: its runs count on the leaderboard." in response.content.decode()
    assert Cell.objects.get().attempts == 1
    off = body(admin_client, address_of(trial))
    assert "Take this evaluation off the leaderboard?" in off
    assert '<span class="chip bad">row removed</span>' in off

    admin_client.post(address_of(trial), {"publish": "no"})
    assert not Cell.objects.exists()

    entries = AuditEntry.objects.filter(act="changed", kind="evaluation").order_by("pk")
    assert [(entry.account, entry.before, entry.after) for entry in entries] == [
        ("admin", {"listed": False}, {"listed": True}),
        ("admin", {"listed": True}, {"listed": False}),
    ]


def test_a_running_evaluation_is_published_later(admin_client: Client, trial: Evaluation) -> None:
    Evaluation.objects.filter(pk=trial.pk).update(state=Evaluation.State.RUNNING)
    assert "Publish this evaluation when it finishes?" in body(admin_client, address_of(trial))

    admin_client.post(address_of(trial), {"publish": "yes"})

    assert "will be published when finished" in body(admin_client, trial.get_absolute_url())
    assert not Cell.objects.exists()
    assert "Make this evaluation a trial?" in body(admin_client, address_of(trial))


def test_a_cancelled_evaluation_is_published_after_a_warning(admin_client: Client, trial: Evaluation) -> None:
    Evaluation.objects.filter(pk=trial.pk).update(state=Evaluation.State.CANCELLED)

    assert "<b>It was cancelled:</b>" in body(admin_client, address_of(trial))


def test_without_finished_runs_nothing_would_change(admin_client: Client, trial: Evaluation) -> None:
    trial.runs.update(state=Run.State.CANCELLED, outcome="")

    assert "Nothing would change" in body(admin_client, address_of(trial))


def test_only_operators_publish(client: Client, admin_client: Client, trial: Evaluation) -> None:
    assert address_of(trial) in body(admin_client, trial.get_absolute_url())
    assert address_of(trial) not in body(client, trial.get_absolute_url())
    assert client.post(address_of(trial), {"publish": "yes"}).status_code == 302
    client.force_login(User.objects.create_user("reader"))
    assert client.post(address_of(trial), {"publish": "yes"}).status_code == 403
    assert not Cell.objects.exists()


@pytest.mark.parametrize("values", [{}, {"publish": "perhaps"}])
def test_an_answer_is_yes_or_no(admin_client: Client, trial: Evaluation, values: dict[str, str]) -> None:
    assert admin_client.post(address_of(trial), values).status_code == 400
