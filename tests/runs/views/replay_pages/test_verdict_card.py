"""What the page of a run says first."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from harness.records import TestStatus
from runs.models import ReportedTests, Run, Try
from runs.views.replay_pages.verdict_card import MAX_MESSAGE_LENGTH, NO_NAMES, NOT_RECORDED, WITHHELD
from tasks.models import Dataset
from tests.markup import compact
from tests.runs.cast import TESTS, Cast, add_try, record

pytestmark = pytest.mark.django_db


def card(client: Client, run: Run) -> str:
    """The verdict and the clues below it."""
    shown = compact(client.get(run.get_absolute_url()).content.decode())
    found = re.search(
        r'<section class="verdict.*?</section>.*?data-clues>.*?</div> ?</div>', shown, re.DOTALL
    )
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("values", "headline"),
    [
        ({}, "Resolved: all 5 tests passed."),
        ({"passed": 2}, "Unresolved: 3 of 5 tests did not pass."),
        ({"outcome": "unresolved"}, "Unresolved, although all 5 tests passed."),
        (
            {"passed": 2, "tests_total": None, "tests_passed": None},
            "Unresolved. How many tests failed is not known.",
        ),
        ({"outcome": "infrastructure_failed"}, "Not counted: infrastructure."),
        ({"outcome": "", "state": "cancelled"}, "Cancelled, so it has no verdict."),
        ({"outcome": "", "state": "queued"}, "Waiting for a worker."),
        ({"outcome": "", "state": "grading"}, "In progress: grading."),
        ({"outcome": ""}, "Outcome unknown: its source does not say it."),
    ],
)
def test_the_outcome_is_one_sentence(
    client: Client, cast: Cast, values: dict[str, Any], headline: str
) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **values)
    assert f'<h2 id="verdict-title">{headline}</h2>' in card(client, run)


class TestAFailedRun:
    @pytest.fixture
    def run(self, cast: Cast) -> Run:
        ended: dict[str, Any] = {"ending": "iteration_limit", "detail": "6 iterations used"}
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=3, **ended)
        record(run, messages={TESTS[3]: "boom", TESTS[4]: "AssertionError: assert 3 == 4"})
        return run

    def test_shows_the_test_whose_message_compares_values(self, client: Client, run: Run) -> None:
        Dataset.objects.update(public_messages=True)
        shown = card(client, run)

        assert "It stopped at its limit of iterations: 6 iterations used." in shown
        assert '<span class="faint">tests/test_tide.py::</span>test_neap</span>' in shown
        assert "<dt>left</dt><dd>3</dd>" in shown
        assert "<dt>right</dt><dd>4</dd>" in shown
        assert '<a href="#tests">1 more failed test</a>' in shown

    def test_shows_the_first_line_of_another_message_cut_and_escaped(
        self, client: Client, cast: Cast
    ) -> None:
        Dataset.objects.update(public_messages=True)
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
        record(run, messages={TESTS[4]: "\n \n\x1b[31m<script>" + "x" * 5_000 + "\nsecond"})
        shown = card(client, run)

        assert '<p class="message-line">&lt;script&gt;xxx' in shown
        assert "…</p>" in shown
        assert shown.count("x") < MAX_MESSAGE_LENGTH + 1_000
        assert "second" not in shown

    def test_keeps_messages_that_the_dataset_does_not_publish(self, client: Client, run: Run) -> None:
        shown = card(client, run)

        assert "test_spring</span>" in shown
        assert WITHHELD in shown
        assert "boom" not in shown
        assert "<dt>left</dt>" not in shown

    def test_shows_the_last_edit_and_links_to_its_step(self, client: Client, run: Run) -> None:
        shown = card(client, run)

        assert f'Last edit: <a href="/runs/{run.pk}/?step=5" data-step="5">step 5</a>' in shown
        assert 'return <span class="changed">hour % 12</span>' in shown

    def test_leads_to_the_closest_resolved_run_of_its_task(
        self, client: Client, cast: Cast, run: Run
    ) -> None:
        tag = client.get(run.get_absolute_url())["ETag"]
        assert "No other run here has resolved this task." in card(client, run)

        other = cast.add_run(run.agent, run.task, 2)
        shown = card(client, run)
        assert f'href="/compare/runs/?a={run.pk}&amp;b={other.pk}"' in shown
        assert "Alice, attempt 2: the same agent" in shown
        assert "No other run" not in shown
        assert client.get(run.get_absolute_url(), headers={"if-none-match": tag}).status_code == 200


def test_a_run_without_names_of_tests_says_so(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.add_agent("Far", "reported"), cast.add_tasks(1)[0], passed=3, directory="")
    assert NO_NAMES in card(client, run)

    ReportedTests.objects.create(run=run, failed=["suite::ebbs"])
    shown = card(client, run)
    assert '<span class="faint">suite::</span>ebbs' in shown
    assert NOT_RECORDED in shown
    assert f"✕ {TestStatus.FAILED.value}" in shown


def test_a_lost_run_says_what_the_infrastructure_did(client: Client, cast: Cast) -> None:
    lost: dict[str, Any] = {
        "outcome": Run.Outcome.INFRASTRUCTURE_FAILED,
        "failure": "image",
        "detail": "no space left",
    }
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **lost)
    assert "It failed (image): no space left." in card(client, run)

    add_try(run, 1, Try.State.LOST, "the worker died")
    add_try(run, 2, Try.State.FAILED, "unexpected OSError: secret")
    shown = card(client, run)
    assert "2 tries failed (image); the last one: unexpected OSError." in shown
    assert "secret" not in shown


def test_a_reported_run_says_what_its_source_says_and_nothing_of_files(client: Client, cast: Cast) -> None:
    far = cast.add_agent("Far", "reported")
    said: dict[str, Any] = {
        "ending": "time_limit",
        "detail": "agent_timeout",
        "directory": "",
        "files_changed": None,
    }
    shown = card(client, cast.add_run(far, cast.add_tasks(1)[0], passed=3, **said))

    assert "<p>It stopped at its limit of time.</p><p>Its source says: agent timeout.</p>" in shown
    assert "changed no file" not in shown
