"""The page of datasets: what hiding takes away, hiding and showing, and loading again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.models import AuditEntry
from runs.rankings.leaderboard.snapshots import freeze
from tasks.models import Dataset
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.roles import OPERATORS, VIEWERS, member
from tests.runs.tiny import Tiny

pytestmark = pytest.mark.django_db

PAGE = "/operate/datasets/"


def body(client: Client) -> str:
    response = client.get(PAGE)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_the_consequences_stand_at_the_button_and_hiding_and_showing_are_audited(
    client: Client, cast: Cast
) -> None:
    alice, tasks = cast.alice(), cast.add_tasks(2)
    for task in tasks:
        cast.add_run(alice, task)
    cast.settle()
    freeze("ports")
    client.force_login(member("olga", OPERATORS))

    page = body(client)

    assert (
        "Hiding it takes off the public pages:</b> 1 board, 2 runs of 1 agent in 1 evaluation, and the rows of"
        in page
    )
    assert "1 permanent link." in page
    for act, hidden in (("hide", True), ("show", False)):
        assert client.post(PAGE, {"act": act, "dataset": cast.dataset.pk}).status_code == 302
        cast.dataset.refresh_from_db()
        assert cast.dataset.hidden is hidden
        newest = AuditEntry.objects.first()
        assert newest is not None
        assert (newest.account, newest.name, newest.after) == ("olga", "Ports 1.0", {"hidden": hidden})
    assert client.post(PAGE, {"act": "burn", "dataset": cast.dataset.pk}).status_code == 400


def test_the_number_of_queries_does_not_grow_with_datasets(
    admin_client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        Dataset.objects.create(slug=f"d{number}", title=f"D{number}", version="1", licence="MIT")
    with django_assert_num_queries(8):
        body(admin_client)


def test_a_dataset_is_loaded_again_from_its_files(admin_client: Client, tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    dataset = tiny.task.repository.dataset
    again = admin_client.post(PAGE, {"act": "load", "dataset": dataset.pk}, follow=True).content.decode()
    assert "is loaded: 1 of 1 tasks are admitted." in again
    (tmp_path / "dataset" / "dataset.toml").unlink(missing_ok=True)
    Dataset.objects.filter(pk=dataset.pk).update(directory=str(tmp_path / "gone"))
    wrong = admin_client.post(PAGE, {"act": "load", "dataset": dataset.pk}, follow=True).content.decode()
    assert "was not loaded" in wrong
    Dataset.objects.filter(pk=dataset.pk).update(directory="")
    reported = admin_client.post(PAGE, {"act": "load", "dataset": dataset.pk}, follow=True).content.decode()
    assert "has no files" in reported


def test_only_those_who_may_change_datasets_do(client: Client, cast: Cast) -> None:
    assert client.get(PAGE).headers["Location"] == f"/admin/login/?next={PAGE}"
    client.force_login(member("vera", VIEWERS))
    assert 'name="act"' not in body(client)
    assert client.post(PAGE, {"act": "hide", "dataset": cast.dataset.pk}).status_code == 403
    clerk = User.objects.create_user("clerk", is_staff=True)
    client.force_login(clerk)
    assert client.get(PAGE).status_code == 403
    clerk.user_permissions.set(Permission.objects.filter(codename="view_dataset"))
    cast.dataset.hidden = True
    cast.dataset.save()
    assert "Ports" not in body(client)
