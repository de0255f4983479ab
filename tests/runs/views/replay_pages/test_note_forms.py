"""Notes on steps, from the replay and back to it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from runs.models import Run, StepNote
from tasks.loading import hide
from tests.runs.cast import Cast, record
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


@pytest.fixture
def ada() -> Client:
    """Signed in, without any role."""
    return signed_in(User.objects.create_user("ada", is_staff=True))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, run: Run, step: int = 3) -> str:
    response = client.get(f"{run.get_absolute_url()}?step={step}")
    assert response.status_code == 200
    return response.content.decode()


def test_a_note_is_written_read_changed_and_deleted(run: Run, ada: Client) -> None:
    assert 'id="notes"' not in page(Client(), run)
    response = ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Why <b>this</b> file?\n\nOdd."})
    assert (response.status_code, response.headers["Location"]) == (302, f"/runs/{run.pk}/?step=3#notes")
    shown = page(Client(), run)
    assert "Why &lt;b&gt;this&lt;/b&gt; file?\n\nOdd.</div>" in shown
    assert "<form" not in shown.partition('id="notes"')[2].partition("</section>")[0]
    assert 'href="?step=3#notes"' in page(Client(), run, 5)

    note = StepNote.objects.get()
    address = f"/runs/{run.pk}/notes/{note.pk}/"
    assert f'action="{address}"' in page(ada, run)
    assert ada.post(address, {"act": "save", "text": "Right after all."}).status_code == 302
    shown = page(Client(), run)
    assert "Right after all." in shown
    assert " changed <time" in shown
    assert ada.post(address, {"act": "delete"}).status_code == 302
    assert 'id="notes"' not in page(Client(), run)


def test_a_step_fetched_by_a_script_has_its_notes(run: Run, ada: Client) -> None:
    ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Here."})
    address = f"/runs/{run.pk}/steps/3/"
    first = Client().get(address)
    assert "Here." in first.content.decode()
    ada.post(f"/runs/{run.pk}/steps/5/notes/", {"text": "There."})
    again = Client().get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, "#notes" in again.content.decode()) == (200, True)


def test_who_is_not_signed_in_is_sent_to_sign_in_and_then_back_to_the_step(run: Run) -> None:
    address = f"/runs/{run.pk}/steps/3/notes/"
    response = Client().post(address, {"text": "Hello."})
    assert response.headers["Location"] == f"/admin/login/?next={address}"
    assert Client().get(address).headers["Location"] == f"/runs/{run.pk}/?step=3#notes"
    assert not StepNote.objects.exists()


def test_others_change_nothing_and_operators_only_delete(run: Run, ada: Client) -> None:
    ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Mine."})
    address = f"/runs/{run.pk}/notes/{StepNote.objects.get().pk}/"
    bob = signed_in(User.objects.create_user("bob", is_staff=True))
    olga = signed_in(member("olga", OPERATORS))
    assert [bob.post(address, {"act": act, "text": "x"}).status_code for act in ("save", "delete")] == [
        403,
        403,
    ]
    assert olga.post(address, {"act": "save", "text": "x"}).status_code == 403
    assert "Delete this note" in page(olga, run)
    assert StepNote.objects.get().text == "Mine."
    assert olga.post(address, {"act": "delete"}).status_code == 302
    assert not StepNote.objects.exists()


@pytest.mark.parametrize(
    ("place", "sent", "status"),
    [
        ("steps/3/notes/", {"text": " "}, 400),
        ("steps/3/notes/", {"text": "x" * 2_001}, 400),
        ("steps/99/notes/", {"text": "x"}, 404),
        ("notes/{note}/", {"act": "burn"}, 400),
        ("notes/{note}/", {"text": "x"}, 400),
        ("notes/999/", {"act": "delete"}, 404),
    ],
)
def test_wrong_requests_are_refused(
    run: Run, ada: Client, place: str, sent: dict[str, str], status: int
) -> None:
    ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Here."})
    note = StepNote.objects.get()
    assert ada.post(f"/runs/{run.pk}/{place.format(note=note.pk)}", sent).status_code == status
    assert [each.text for each in StepNote.objects.all()] == ["Here."]


def test_a_refused_note_is_a_mistake_in_the_form_and_not_in_the_address(run: Run, ada: Client) -> None:
    refused = ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "x" * 2_001}).content.decode()
    assert "The form says" in refused
    assert f'href="/runs/{run.pk}/steps/3/notes/">Back to the page</a>' in refused


def test_a_note_is_addressed_through_its_own_run(run: Run, ada: Client, cast: Cast) -> None:
    ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Here."})
    other = cast.add_run(cast.bob(), run.task)
    assert (
        ada.post(f"/runs/{other.pk}/notes/{StepNote.objects.get().pk}/", {"act": "delete"}).status_code == 404
    )


def test_runs_of_a_hidden_dataset_have_no_forms_for_readers(run: Run, ada: Client, cast: Cast) -> None:
    ada.post(f"/runs/{run.pk}/steps/3/notes/", {"text": "Here."})
    note = StepNote.objects.get()
    hide(cast.dataset, hidden=True)
    for client in (ada, Client()):
        for place in ("steps/3/notes/", f"notes/{note.pk}/"):
            assert client.get(f"/runs/{run.pk}/{place}").status_code == 404
            assert client.post(f"/runs/{run.pk}/{place}", {"text": "x"}).status_code == 404
