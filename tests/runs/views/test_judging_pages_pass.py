"""The page of a judging pass."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from runs.models import JudgeReview, JudgingPass, Panel, PanelJudge
from runs.views import judging_pages
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
State = JudgeReview.State


@pytest.fixture
def started(cast: Cast) -> JudgingPass:
    """One review is done, one failed, one waits."""
    judge = add_panel(cast.add_model("Bench"))
    found = add_pass(judge, state=JudgingPass.State.RUNNING, budget_usd=5.0)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    add_evidence(add_review(found, judge, run, spent_usd=0.25))
    add_review(found, judge, run, "tool_calls", state=State.FAILED, score=None, reason="the provider is down")
    add_review(found, judge, run, "end_result", state=State.QUEUED, score=None)
    return found


def page_of(client: Client, started: JudgingPass, query: str = "", **headers: str) -> str:
    response = client.get(started.get_absolute_url() + query, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_it_shows_progress_cost_and_why_a_review_has_no_score(client: Client, started: JudgingPass) -> None:
    page = page_of(client, started)

    assert "<b>1</b> of 3 reviews done" in page
    assert "1 open, 1 ended without a score." in page
    assert "$0.25" in page
    assert "0 <small>of 1 struck</small>" in page
    assert "failed: the provider is down" in page
    assert "data-live" in page


def test_names_cannot_turn_the_text_of_the_page(client: Client, started: JudgingPass) -> None:
    turned = "\u202e<b>retam</b>"
    JudgingPass.objects.update(title=turned, reason=turned)
    Panel.objects.update(title=turned)
    PanelJudge.objects.update(name=turned)
    page = page_of(client, started)
    assert "\u202e" not in page
    assert "<b>retam" not in page
    assert page.count("⟨U+202E⟩&lt;b&gt;retam") > 5


def test_reviews_are_filtered_by_state(client: Client, started: JudgingPass) -> None:
    page = page_of(client, started, "?state=failed")
    assert "the provider is down" in page
    assert page.count("attempt 1</a>") == 1
    assert ">Score</th>" not in page
    assert ">Score</th>" in page_of(client, started)
    assert client.get(f"{started.get_absolute_url()}?state=lost").status_code == 400


def test_another_state_keeps_the_dimension(client: Client, started: JudgingPass) -> None:
    page = page_of(client, started, "?state=failed&dimension=tool_calls")
    assert '<a class="chip" href="?dimension=tool_calls">all</a>' in page
    assert 'href="?state=queued&amp;dimension=tool_calls"' in page


def test_the_addresses_of_pages_do_not_grow(
    client: Client, started: JudgingPass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_pages, "PAGE", 1)
    page = page_of(client, started, "?page=3&page=2")
    assert 'href="?page=3"' in page
    assert 'href="?page=1"' in page
    assert 'rel="next"' not in page_of(client, started, "?state=failed&page=1")


def test_reviews_are_sorted_by_their_numbers_alone(client: Client, started: JudgingPass) -> None:
    with CaptureQueriesContext(connection) as queries:
        page_of(client, started)
    ordered = [query["sql"] for query in queries if '"shown_share"' in query["sql"]]
    assert [sql for sql in ordered if "LIMIT" in sql] == []
    assert len(ordered) == 1


def test_a_script_gets_the_part_that_changes(client: Client, started: JudgingPass) -> None:
    part = page_of(client, started, **{"X-Partial": "pass"})
    assert "<html" not in part
    assert 'data-part="pass"' in part


def test_operators_cancel_and_queue_again(admin_client: Client, started: JudgingPass) -> None:
    change = started.get_absolute_url()

    admin_client.post(change, {"act": "cancel"})
    started.refresh_from_db()
    assert started.state == JudgingPass.State.CANCELLED
    assert started.reviews.filter(state=State.CANCELLED).count() == 1

    admin_client.post(change, {"act": "retry"})
    assert started.reviews.filter(state=State.QUEUED).count() == 2
    assert admin_client.post(change, {"act": "burn"}).status_code == 400


def test_readers_change_nothing(client: Client, started: JudgingPass) -> None:
    change = started.get_absolute_url()
    assert client.post(change, {"act": "cancel"}).status_code == 302
    assert "Cancel" not in page_of(client, started)
    started.refresh_from_db()
    assert started.state == JudgingPass.State.RUNNING


def test_a_pass_over_hidden_runs_is_not_found(client: Client, cast: Cast) -> None:
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    add_review(started, judge, cast.add_run(cast.alice(), cast.add_hidden_task()))
    assert client.get(started.get_absolute_url()).status_code == 404
