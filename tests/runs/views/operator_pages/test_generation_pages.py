"""Operators start, watch, stop, continue and publish generations of tasks."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from runs.models import GenerationJob
from tasks.loading import load
from tasks.models import Dataset
from tests.harness.worlds import write_tiny_dataset
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.work.generation.made_jobs import COUNTS, add_generation
from tests.runs.work.generation.test_generation_form import ENTERED
from tests.tasks.generation.small import write_calc

pytestmark = pytest.mark.django_db
State = GenerationJob.State
PAGE = "/generation/"


def text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_start_stores_a_job_and_shows_it(admin_client: Client, tmp_path: Path) -> None:
    load(write_calc(tmp_path))
    assert ">tiny/calc</option>" in text(admin_client, PAGE)

    response = admin_client.post(PAGE, {**ENTERED, "place": "tiny/calc"})

    job = GenerationJob.objects.get()
    assert response.headers["Location"] == job.get_absolute_url()
    assert job.created_by == User.objects.get(username="admin")
    page = text(admin_client, job.get_absolute_url())
    assert "The generation for more/calc-more is started." in page
    assert "the unchanged tests run first" in page
    assert "data-live" in page

    again = admin_client.post(PAGE, {**ENTERED, "place": "tiny/calc"})
    assert again.status_code == 409
    assert "Another job generates tasks for more/calc-more" in again.content.decode()


def test_a_wrong_entry_starts_nothing(admin_client: Client, tmp_path: Path) -> None:
    load(write_calc(tmp_path))
    page = admin_client.post(PAGE, {**ENTERED, "place": "tiny/calc", "output": "A B"}).content.decode()
    assert "<b>Not started:</b>" in page
    assert '<a href="#id_output">Dataset</a>: Use lower-case letters' in compact(page)
    assert not GenerationJob.objects.exists()


def test_without_a_repository_with_hidden_tests_the_page_says_how_to_make_one(admin_client: Client) -> None:
    assert "manage.py add_repository" in text(admin_client, PAGE)


def test_the_page_of_a_job_has_its_yield_with_n(admin_client: Client, cast: Cast) -> None:
    job = add_generation(cast.dataset, "harbour")
    page = text(admin_client, job.get_absolute_url(), X_Partial="generation")
    assert "33.3" in page
    assert "n = 3" in page
    assert "Too few tests fail" in page
    assert "Not begun: multi." in page
    assert "<html" not in page


def test_operators_stop_and_continue(admin_client: Client, cast: Cast) -> None:
    job = add_generation(cast.dataset, "harbour")
    admin_client.post(job.get_absolute_url(), {"act": "stop"})
    assert "stops after its current step" in text(admin_client, job.get_absolute_url())

    GenerationJob.objects.update(state=State.FAILED, reason="The tests are flaky")
    assert "<b>Failed:</b> The tests are flaky" in text(admin_client, job.get_absolute_url())
    admin_client.post(job.get_absolute_url(), {"act": "continue"})
    job.refresh_from_db()
    assert (job.state, job.stop_requested, job.reason) == (State.QUEUED, False, "")
    assert admin_client.post(job.get_absolute_url(), {"act": "other"}).status_code == 400


def test_publishing_loads_the_output_and_links_its_tasks(
    admin_client: Client, client: Client, cast: Cast, data_directory: Path
) -> None:
    write_tiny_dataset(data_directory / "datasets")
    slug = next((data_directory / "datasets/tiny/calc/tasks").iterdir()).name
    job = add_generation(
        cast.dataset, "harbour", output="tiny", target="calc", state=State.FINISHED,
        counts={**COUNTS, "tasks": [{"slug": slug, "kind": "remove"}]},
    )  # fmt: skip
    before = text(admin_client, job.get_absolute_url())
    assert "is not loaded" in before
    assert "readers see nothing of it" in before

    admin_client.post(job.get_absolute_url(), {"act": "publish", "audience": "hidden"})

    assert Dataset.objects.get(slug="tiny").hidden
    page = text(admin_client, job.get_absolute_url())
    assert "The dataset tiny is loaded, hidden." in page
    task = reverse("task", args=["calc", slug])
    assert f'<a href="{task}">{slug}</a>' in page
    assert client.get(task).status_code == 404

    admin_client.post(job.get_absolute_url(), {"act": "publish", "audience": "open"})
    assert client.get(task).status_code == 200


def test_what_cannot_be_published_says_why(admin_client: Client, cast: Cast) -> None:
    job = add_generation(cast.dataset, "harbour", state=State.FINISHED)
    response = admin_client.post(job.get_absolute_url(), {"act": "publish", "audience": "open"}, follow=True)
    assert "The dataset cannot be loaded" in response.content.decode()


def test_other_users_have_no_page(client: Client, cast: Cast) -> None:
    job = add_generation(cast.dataset, "harbour")
    client.force_login(User.objects.create_user("reader"))
    for address in (PAGE, job.get_absolute_url()):
        assert client.get(address).status_code == 403
        assert client.post(address, {"act": "stop"}).status_code == 403
    job.refresh_from_db()
    assert not job.stop_requested
