"""The content of a replay: steps, profile, tokens and states of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from harness.records import Metrics, RunRecorder
from runs.models import Run
from tests.markup import compact
from tests.runs.cast import Cast, act, add_try, identity_of, record, recorder_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def test_by_default_the_first_call_is_shown(client: Client, run: Run) -> None:
    shown = page(client, run.get_absolute_url())

    assert 'data-step-pane="3"' in shown
    assert "4 of 5 tests" in shown
    assert shown.count('aria-current="step"') == 1


def test_a_step_shows_message_reasoning_arguments_result_and_edit(client: Client, run: Run) -> None:
    shown = page(client, f"{run.get_absolute_url()}?step=5")

    assert "Step 5" in shown
    assert "To see." in shown
    assert "operations[0].content" in shown
    assert (
        '<tr class="removed"><td class="n">2</td><td class="n"></td><td><span class="sign">−</span>' in shown
    )
    assert '<tr class="added"><td class="n"></td><td class="n">2</td><td><span class="sign">+</span>' in shown


class TestTheProfile:
    def shown(self, client: Client, run: Run, effective: dict[str, object]) -> str:
        RunRecorder(run.path, replace(identity_of(run), effective=effective)).step("agent", "Hello.")
        return page(client, run.get_absolute_url())

    def test_is_that_of_the_run_with_differences_in_the_summary(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        effective = {"profile": "ide-bench", "temperature": 0.7, "retries": 5, "iterations": 30}
        shown = self.shown(client, run, {**effective, "input_window": 124000, "input_window_is": "assumed"})
        assert "<summary>Profile ide-bench, <b>temperature 0.7</b>, <b>iterations 30</b></summary>" in shown
        assert '<dt>input window is</dt><dd><span class="mono">assumed</span></dd>' in shown

    def test_is_unchanged_without_differences(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        shown = self.shown(client, run, {"profile": "ide-bench", "temperature": 0.1, "iterations": 100})
        assert "<summary>Profile ide-bench, unchanged</summary>" in shown

    def test_of_an_old_run_is_that_of_its_agent(self, client: Client, run: Run) -> None:
        assert "<summary>Profile ide-bench, unchanged</summary>" in page(client, run.get_absolute_url())

    def test_is_escaped(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        shown = self.shown(client, run, {"profile": "ide-bench", "<i>x</i>": "<script>1</script>"})
        assert "<script>1" not in shown
        assert "<i>x" not in shown

    def test_is_not_mentioned_for_an_agent_without_settings(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.idler(), cast.add_tasks(1)[0])
        record(run)
        assert "Profile" not in page(client, run.get_absolute_url())


def test_a_partial_has_the_same_html_as_the_page(client: Client, run: Run) -> None:
    fragment = page(client, f"/runs/{run.pk}/steps/5/").strip()

    assert fragment in page(client, f"{run.get_absolute_url()}?step=5")
    assert client.get(f"/runs/{run.pk}/steps/99/").status_code == 404


def test_terminal_colours_of_results_are_classes(client: Client, run: Run) -> None:
    shown = page(client, f"{run.get_absolute_url()}?step=7")

    assert '<span class="ansi-2">5 passed</span> in 0.1 s' in shown
    assert "\x1b" not in shown


def test_failed_tests_come_first_for_operators_with_their_message(
    client: Client, admin_client: Client, run: Run
) -> None:
    shown = page(client, run.get_absolute_url())
    assert shown.index("test_neap") < shown.index("4 passed")
    assert "AssertionError" not in shown

    shown = page(admin_client, run.get_absolute_url())
    assert shown.index("AssertionError: 0 != 7") < shown.index("4 passed")


def test_diagrams_and_notebook_cells_are_shown_as_source(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    recorder = recorder_of(run)
    act(recorder, "create_diagram", {"diagram": "flowchart LR\n  A --> B<script>\n"}, "flowchart: valid")
    act(recorder, "edit_notebook", {"path": "n.ipynb", "action": "replace", "index": 3, "content": "x = 1"})

    shown = page(client, f"{run.get_absolute_url()}?step=1")
    assert '<em class="other">create_diagram</em> flowchart LR</span>' in shown
    assert '<pre class="text">flowchart LR\n  A --&gt; B&lt;script&gt;\n</pre>' in shown

    shown = page(client, f"{run.get_absolute_url()}?step=2")
    assert '<em class="edit">edit_notebook</em> n.ipynb · cell 3</span>' in shown
    assert '<dt>content</dt><dd><pre class="text">x = 1</pre>' in shown
    assert '<dt>index</dt><dd><span class="text">3</span>' in shown


def test_a_run_without_a_directory_says_so(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])

    assert "not on this machine" in page(client, run.get_absolute_url())


def test_a_queued_run_waits(client: Client, cast: Cast) -> None:
    run = cast.add_run(
        cast.alice(),
        cast.add_tasks(1)[0],
        state=Run.State.QUEUED,
        outcome="",
        ending="",
        directory="",
        tries=0,
    )

    shown = page(client, run.get_absolute_url())

    assert "waits for a worker" in shown
    assert "live.js" in shown


class TestReasoningTokens:
    def test_are_shown_in_the_head_and_for_each_response(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        recorder_of(run).step("agent", "Hm.", metrics=Metrics(900, 700, reasoning_tokens=512))
        Run.objects.filter(pk=run.pk).update(reasoning_tokens=0)
        shown = page(client, run.get_absolute_url())
        assert ", 0 for reasoning</span>" in shown
        assert "900 in, 700 out (512 for reasoning)" in shown

    def test_are_not_mentioned_if_not_reported(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        recorder_of(run).step("agent", "Hm.", metrics=Metrics(900, 700))
        shown = page(client, run.get_absolute_url())
        assert "900 in, 700 out" in shown
        assert "for reasoning" not in shown


class TestThePatchBesideTheReference:
    def test_is_described_in_words(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        record(run)
        Run.objects.filter(pk=run.pk).update(
            similarity={
                "lines": 0.42,
                "file_precision": None,
                "file_recall": 0.5,
                "file_f1": 0.25,
                "tokens": 0.61,
            }
        )
        shown = page(client, run.get_absolute_url())
        assert "Changed lines in common with the reference patch</dt><dd>42\u00a0%" in shown
        assert "Its files that the reference patch changes too</dt><dd>–" in shown
        assert "Files of the reference patch that it changes too</dt><dd>50\u00a0%" in shown
        assert "Tokens of changed lines in common (Dice coefficient)</dt><dd>61\u00a0%" in shown
        assert "Both together (F1)</dt><dd>25\u00a0%" in shown
        assert "How similar the two are, not whether this one works" in shown

    def test_is_not_mentioned_without_a_comparison(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        record(run)
        assert "reference patch" not in page(client, run.get_absolute_url())


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


def test_lost_tries_are_shown_with_their_reason(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], tries=2)
    add_try(run, 1, "lost", "the worker stopped responding")
    add_try(run, 2, "settled")

    assert "the worker stopped responding" in body(client, run.get_absolute_url())


def test_the_one_reason_of_all_tries_is_said_once(client: Client, cast: Cast) -> None:
    reason = "The container engine does not respond."
    lost: dict[str, Any] = {
        "outcome": Run.Outcome.INFRASTRUCTURE_FAILED,
        "failure": "engine",
        "detail": reason,
        "tests_total": None,
        "tests_passed": None,
        "directory": "",
    }
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], tries=2, **lost)
    add_try(run, 1, "failed", reason)
    add_try(run, 2, "failed", reason)

    page = body(client, run.get_absolute_url())

    assert page.count(reason) == 1
    assert f"2 tries failed (engine): {reason}" in page
    assert "This run has neither test results nor a patch." in page
