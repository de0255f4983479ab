"""Operators see what others claim and what this site found, and decide."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from runs.models import Submission
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.intake.submissions.made_submissions import found_grade, grade_here, stage, submission_row
from tests.runs.tiny import Tiny

pytestmark = pytest.mark.django_db
PAGE = "/submissions/"


def text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_submissions_are_listed_with_what_they_claim(admin_client: Client) -> None:
    assert "None yet." in text(admin_client, PAGE)
    cast = Cast()
    submission = submission_row(cast.dataset, cast.add_tasks(1)[0])
    page = text(admin_client, PAGE)
    assert f'href="/submissions/{submission.pk}/"' in page
    assert "waits for a decision" in page


def test_one_press_grades_every_run_and_then_it_can_be_accepted(admin_client: Client, tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    submission = stage(tiny.task, tmp_path, passed=8)
    address = submission.get_absolute_url()
    assert "Grade 1 run again" in text(admin_client, address)
    assert "Accept and publish" not in text(admin_client, address)

    admin_client.post(address, {"act": "grade"})
    page = text(admin_client, address, X_Partial="submission")
    assert "data-live" in page
    assert "<html" not in page
    assert submission.submitted.get().state == "queued"

    submission.submitted.update(state="waiting")
    grade_here(submission, found_grade(tiny.task, 3))
    page = text(admin_client, address)
    assert "<b>1 of 1 gradings differ from what is claimed.</b>" in page
    assert "unresolved, 3 of 8 tests" in page
    assert "5 of 8 expected tests did not pass" in page
    admin_client.post(address, {"act": "accept"})
    assert Submission.objects.get().state == "accepting"
    assert "is imported" in text(admin_client, address)


def test_rejecting_ends_it(admin_client: Client) -> None:
    cast = Cast()
    submission = submission_row(cast.dataset, cast.add_tasks(1)[0])
    address = submission.get_absolute_url()
    admin_client.post(address, {"act": "reject"})
    page = text(admin_client, address)
    assert "It is rejected. Its files are removed." in page
    assert "Graded here</th>" not in page
    assert 'name="act"' not in page
    admin_client.post(address, {"act": "accept"})
    assert "are not graded here yet" in text(admin_client, address)


def test_an_unknown_act_is_refused(admin_client: Client) -> None:
    cast = Cast()
    submission = submission_row(cast.dataset, cast.add_tasks(1)[0])
    assert admin_client.post(submission.get_absolute_url(), {"act": "publish"}).status_code == 400


def test_markup_in_what_was_sent_stays_text(admin_client: Client) -> None:
    evil = "<script>window.owned=1</script>\x1b[2J\u202e"
    cast = Cast()
    run = {
        "agent_name": evil,
        "model": evil,
        "message": evil,
        "reason": evil,
        "outcome": "resolved",
        "tests_passed": 8,
    }
    submission = submission_row(cast.dataset, cast.add_tasks(1)[0], sender=evil, message=evil, run=run)
    for address in (PAGE, submission.get_absolute_url()):
        page = text(admin_client, address)
        assert "<script>window" not in page
        assert "&lt;script&gt;window.owned=1" in page
        assert "\x1b" not in page
        assert "\u202e" not in page
