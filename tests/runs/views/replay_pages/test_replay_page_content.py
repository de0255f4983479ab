"""The replay: one step at a time, while the run goes on and after."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from harness.records import Metrics, RunRecorder, ToolCall, ToolResult
from runs.models import Run
from tests.harness.worlds import png
from tests.runs.cast import Cast, act, identity_of, record, recorder_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_without_a_wish_the_first_call_is_shown(client: Client, run: Run) -> None:
    shown = page(client, run.get_absolute_url())

    assert 'data-step-pane="3"' in shown
    assert "4 of 5 tests" in shown
    assert shown.count('aria-current="step"') == 1


def test_a_step_shows_words_reasons_arguments_result_and_change(client: Client, run: Run) -> None:
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

    def test_is_that_of_the_run_with_what_differs_in_the_summary(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        effective = {"profile": "ide-bench", "temperature": 0.7, "retries": 5, "iterations": 30}
        shown = self.shown(client, run, {**effective, "input_window": 124000, "input_window_is": "assumed"})
        assert "<summary>Profile ide-bench, <b>temperature 0.7</b>, <b>iterations 30</b></summary>" in shown
        assert '<dt>input window is</dt><dd><span class="mono">assumed</span></dd>' in shown

    def test_is_unchanged_where_nothing_differs(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        shown = self.shown(client, run, {"profile": "ide-bench", "temperature": 0.1, "iterations": 100})
        assert "<summary>Profile ide-bench, unchanged</summary>" in shown

    def test_of_a_run_from_before_it_was_written_down_is_its_agents(self, client: Client, run: Run) -> None:
        assert "<summary>Profile ide-bench, unchanged</summary>" in page(client, run.get_absolute_url())

    def test_is_escaped_like_everything_in_a_run_directory(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        shown = self.shown(client, run, {"profile": "ide-bench", "<i>x</i>": "<script>1</script>"})
        assert "<script>1" not in shown
        assert "<i>x" not in shown

    def test_of_an_agent_without_settings_is_not_mentioned(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.idler(), cast.add_tasks(1)[0])
        record(run)
        assert "Profile" not in page(client, run.get_absolute_url())


def test_a_fragment_is_the_same_markup_as_on_the_page(client: Client, run: Run) -> None:
    fragment = page(client, f"/runs/{run.pk}/steps/5/").strip()

    assert fragment in page(client, f"{run.get_absolute_url()}?step=5")
    assert client.get(f"/runs/{run.pk}/steps/99/").status_code == 404


def test_terminal_colours_of_results_are_classes(client: Client, run: Run) -> None:
    shown = page(client, f"{run.get_absolute_url()}?step=7")

    assert '<span class="ansi-2">5 passed</span> in 0.1 s' in shown
    assert "\x1b" not in shown


def test_failed_tests_come_first_with_their_message(client: Client, run: Run) -> None:
    shown = page(client, run.get_absolute_url())

    assert shown.index("AssertionError: 0 != 7") < shown.index("4 passed")


def test_the_patch_and_the_log_are_plain_text(client: Client, run: Run) -> None:
    for part, text in [("patch", b"+    return hour % 12"), ("log", b"collected 5 items")]:
        response = client.get(f"/runs/{run.pk}/{part}/")
        assert text in response.content
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert response["X-Content-Type-Options"] == "nosniff"


def test_a_diagram_and_a_cell_are_shown_as_the_source_that_they_are(client: Client, cast: Cast) -> None:
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


def test_screenshots_stand_below_the_result_of_their_call(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorder = recorder_of(run)
    shot = recorder.artifact(png())
    hostile = ('x" onerror=alert(1)', "../../../etc/passwd", "/runs/1/log/")
    recorder.step(
        "agent",
        "I look.",
        calls=[ToolCall("c", "ui_test", {"actions": [{"action": "click"}, {"action": "screenshot"}, 7]})],
        results=[ToolResult("c", "picture 1", True, 1.0, (shot, *hostile))],
    )
    shown = page(client, f"{run.get_absolute_url()}?step=1")
    address = f"/runs/{run.pk}/artifacts/{shot}"
    assert '<em class="run">ui_test</em> click, screenshot' in shown
    assert shown.count("<img") == 1
    assert f'<a href="{address}"><img src="{address}" alt="Screenshot 1 of ui_test"' in shown
    assert "taken by <span" in shown

    response = client.get(address)
    assert response.content == png()
    assert response["Content-Type"] == "image/png"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


@pytest.mark.parametrize(
    "name", ["nope.png", "..%2ftrajectory.jsonl", "%2e%2e/trajectory.jsonl", "page.png", "link.png"]
)
def test_nothing_but_a_picture_of_the_run_is_served(client: Client, run: Run, name: str) -> None:
    artifacts = run.path / "artifacts"
    artifacts.mkdir()
    (artifacts / "page.png").write_bytes(b"<script>alert(1)</script>")
    (run.path / "outside.png").write_bytes(png())
    (artifacts / "link.png").symlink_to(run.path / "outside.png")
    assert client.get(f"/runs/{run.pk}/artifacts/{name}").status_code == 404


class TestReasoningTokens:
    def test_are_told_apart_in_the_head_and_beside_each_answer(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        recorder_of(run).step("agent", "Hm.", metrics=Metrics(900, 700, reasoning_tokens=512))
        Run.objects.filter(pk=run.pk).update(reasoning_tokens=0)
        shown = page(client, run.get_absolute_url())
        assert ", 0 for reasoning</span>" in shown
        assert "900 in, 700 out (512 for reasoning)" in shown

    def test_are_not_mentioned_where_the_provider_says_nothing(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        recorder_of(run).step("agent", "Hm.", metrics=Metrics(900, 700))
        shown = page(client, run.get_absolute_url())
        assert "900 in, 700 out" in shown
        assert "for reasoning" not in shown


class TestThePatchBesideTheReference:
    def test_is_told_in_plain_words(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        record(run)
        Run.objects.filter(pk=run.pk).update(
            similarity={"lines": 0.42, "file_precision": None, "file_recall": 0.5, "file_f1": 0.25}
        )
        shown = page(client, run.get_absolute_url())
        assert "Changed lines in common with the reference patch</dt><dd>42\u00a0%" in shown
        assert "Its files that the reference patch changes too</dt><dd>–" in shown
        assert "Files of the reference patch that it changes too</dt><dd>50\u00a0%" in shown
        assert "Both together (F1)</dt><dd>25\u00a0%" in shown
        assert "How alike the two are, not whether this one works" in shown

    def test_is_not_mentioned_where_nobody_compared_it(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        record(run)
        assert "reference patch" not in page(client, run.get_absolute_url())
