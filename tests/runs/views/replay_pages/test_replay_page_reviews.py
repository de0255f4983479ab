"""Reviews in the replay: beside the steps, with quotes that open and mark their step."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from runs.models import JudgeReview, PanelJudge, ReviewEvidence, Run
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
Status = ReviewEvidence.Status


@pytest.fixture
def run(cast: Cast) -> Run:
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(found)
    return found


@pytest.fixture
def judge(run: Run) -> PanelJudge:
    assert run.agent.model
    return add_panel(run.agent.model)


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_a_run_without_reviews_has_no_section_for_them(client: Client, run: Run) -> None:
    assert "Reviews by judges" not in page(client, run.get_absolute_url())


def test_a_verified_quote_opens_its_step_and_a_struck_one_opens_none(
    client: Client, run: Run, judge: PanelJudge
) -> None:
    review = add_review(add_pass(judge), judge, run, shown_share=0.5, burden=3)
    add_evidence(review, 1, quote="hour % 12", found_step=5)
    add_evidence(review, 2, quote="moon.py", step=2, found_step=6, status=Status.RELOCATED)
    add_evidence(review, 3, quote="never written", found_step=None, status=Status.UNVERIFIED)
    add_evidence(review, 4, quote="+    return", step=9, found_step=None, severity="none")

    shown = page(client, run.get_absolute_url())

    assert '<a href="?step=5" data-step="5" data-quote="hour % 12">“hour % 12”</a>' in shown
    assert "step 6; the judge named step 2" in shown
    assert ">never written</del>" in shown
    assert "4 quotes, 1 struck" in shown
    assert '<a href="#patch" data-quote="+ return">' in shown
    assert "Burden of pitfalls 3." in shown
    assert "The judge saw 50\u00a0% of the trajectory." in shown


def test_a_review_without_a_score_says_why(client: Client, run: Run, judge: PanelJudge) -> None:
    add_review(add_pass(judge), judge, run, state=JudgeReview.State.MALFORMED, score=None, reason="two calls")
    shown = page(client, run.get_absolute_url())
    assert "no score: malformed" in shown
    assert "two calls" in shown


def test_a_step_shows_who_quoted_it(client: Client, run: Run, judge: PanelJudge) -> None:
    add_evidence(add_review(add_pass(judge), judge, run), quote="hour % 12", found_step=5)

    quoted = page(client, f"{run.get_absolute_url()}steps/5/")
    assert "Quoted by judges" in quoted
    assert "<b>Pitfalls</b>, Portia: no verification <q data-quote-text>hour % 12</q>" in quoted
    assert "Quoted by judges" not in page(client, f"{run.get_absolute_url()}steps/4/")


def test_a_new_review_changes_the_page_and_its_step(client: Client, run: Run, judge: PanelJudge) -> None:
    addresses = [run.get_absolute_url(), f"{run.get_absolute_url()}steps/5/"]
    tags = [client.get(address).headers["ETag"] for address in addresses]
    for address, tag in zip(addresses, tags, strict=True):
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304

    review = add_review(add_pass(judge), judge, run, finished_at=timezone.now())

    for address, tag in zip(addresses, tags, strict=True):
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 200
    JudgeReview.objects.filter(pk=review.pk).update(text="Another text.", finished_at=timezone.now())
    assert "Another text." in page(client, addresses[0])


def test_what_judges_write_is_shown_as_text(client: Client, run: Run, judge: PanelJudge) -> None:
    review = add_review(add_pass(judge), judge, run, text="<script>alert(1)</script> Bad.")
    add_evidence(review, quote='"><img src=x onerror=alert(1)>', aspect="<b>bold</b>", found_step=5)
    shown = page(client, run.get_absolute_url())
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "<b>bold" not in shown
