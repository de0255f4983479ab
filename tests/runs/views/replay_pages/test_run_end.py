"""The end of a run, and its signs of trouble."""

from __future__ import annotations

import json
import re
import time
from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from harness.records import FileEdit, Submission
from runs.analysis import behaviour
from runs.models import Counts, Run
from runs.views.replay_pages.run_end import MAX_LINES, ComparedValues, compared, last_edit
from tasks.models import Dataset
from tests.markup import compact
from tests.runs.cast import TESTS, Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db

EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x"


@pytest.fixture
def run() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run, messages={TESTS[4]: "AssertionError: assert 3 == 4"})
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def count(run: Run, **more: object) -> None:
    """Stores counts in which two modes show, one of them without a step, and one is undecided."""
    stored: dict[str, object] = {
        "labels": "", "totals": {}, "bigrams": {}, "trigrams": {}, "before_first_edit": {},
        "before_first_change": {}, "parallel": {}, "phases": {}, "opening": "", "faults": [], "responses": [],
        "patch_sketch": "", "exploits": {},
        "features": {"first_correct_edit": 3.0},
        "found": {"thrashing": list(range(3, 18)), "misunderstood_issue": []},
        "undecided": {"wrong_location": "the reference patch is not known"},
    }  # fmt: skip
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps({**stored, **more}))


class TestSigns:
    def test_lead_to_the_steps_that_show_them(self, client: Client, run: Run) -> None:
        count(run)
        shown = page(client, run.get_absolute_url())

        assert "Thrashing, backtracking · 15 steps" in shown
        assert "More than 4 edits changed the same file." in shown
        assert '<a href="?step=3" data-step="3">step 3</a>, <a href="?step=4"' in shown
        assert "and 3 more." in shown
        assert "no single step shows it" in shown

    def test_that_are_undecided_are_not_absent(self, client: Client, run: Run) -> None:
        count(run)
        shown = page(client, run.get_absolute_url())

        assert "2 found, 18 checked and not found, 1 undecided." in shown
        assert "<dt>Wrong location</dt><dd>the reference patch is not known</dd>" in shown

    def test_name_the_first_step_that_changed_a_right_file(self, client: Client, run: Run) -> None:
        count(run)

        # The third step of the agent: two words came before.
        assert 'first changed in <a href="?step=5" data-step="5">' in page(client, run.get_absolute_url())

    def test_are_shown_as_uncounted(self, client: Client, run: Run) -> None:
        assert "not counted: its trajectory has not been counted yet" in page(client, run.get_absolute_url())

        Counts.objects.create(run=run, version=behaviour.VERSION, behaviour="", reason=EVIL)
        shown = page(client, run.get_absolute_url())
        assert "not counted: &lt;script&gt;" in shown
        assert "<script>alert" not in shown

    def test_counted_later_change_the_etag(self, client: Client, run: Run) -> None:
        tag = client.get(run.get_absolute_url())["ETag"]
        assert client.get(run.get_absolute_url(), headers={"if-none-match": tag}).status_code == 304

        count(run)
        assert client.get(run.get_absolute_url(), headers={"if-none-match": tag}).status_code == 200

    def test_are_not_mentioned_without_a_verdict(self, client: Client, run: Run) -> None:
        Run.objects.filter(pk=run.pk).update(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)

        assert "Signs of trouble" not in page(client, run.get_absolute_url())


class TestTheEnd:
    def test_names_the_last_change_before_the_tests(self, client: Client, run: Run) -> None:
        shown = page(client, f"/runs/{run.pk}/end/")

        assert 'The last change before them: <a href="/runs/' in shown
        assert '/?step=5" data-end-step>step 5</a>' in shown

    def test_names_the_step_that_changed_each_file_of_the_patch_first(self, client: Client, run: Run) -> None:
        patch = page(client, f"/runs/{run.pk}/end/").split('id="patch-title"')[1]

        assert f'First changed in <a href="/runs/{run.pk}/?step=' in patch

    def test_is_a_part_of_the_replay_on_a_partial_request(self, client: Client, run: Run) -> None:
        part = compact(client.get(f"/runs/{run.pk}/end/", headers={"X-Partial": "diffs"}).content.decode())

        assert part.startswith('<div class="block" data-end>')
        assert "What the run left behind" in page(client, f"/runs/{run.pk}/end/")

    def test_shows_compared_values_apart_from_the_message(self, admin_client: Client, run: Run) -> None:
        shown = page(admin_client, f"/runs/{run.pk}/end/")

        assert "<dt>left</dt><dd>3</dd>" in shown
        assert "<dt>right</dt><dd>4</dd>" in shown
        assert "assert 3 == 4</pre>" in shown

    def test_keeps_what_the_tests_wrote_from_readers(self, client: Client, run: Run) -> None:
        shown = page(client, f"/runs/{run.pk}/end/")

        assert f"failed</span> {TESTS[4]}</span>" in shown
        assert "3 == 4" not in shown
        assert "<dt>left</dt>" not in shown
        assert f"/runs/{run.pk}/log/" not in shown
        assert "What the tests printed is for operators" in shown

    def test_shows_messages_to_everybody_where_the_dataset_publishes_its_tests(
        self, client: Client, run: Run
    ) -> None:
        address = f"/runs/{run.pk}/end/"
        before = client.get(address)["ETag"]
        Dataset.objects.update(public_messages=True)
        shown = page(client, address)

        assert "<dt>left</dt><dd>3</dd>" in shown
        assert "The raw output of the test run is for operators" in shown
        assert client.get(f"/runs/{run.pk}/log/").status_code == 404
        assert client.get(address, headers={"if-none-match": before}).status_code == 200

    def test_can_show_the_patch_side_by_side(self, client: Client, run: Run) -> None:
        assert '<table class="diff split">' in page(client, f"/runs/{run.pk}/end/?diff=split")
        assert client.get(f"/runs/{run.pk}/end/?diff=x").status_code == 400

    def test_limits_the_listed_tests(self, client: Client, run: Run) -> None:
        tests = json.loads((run.path / "tests.json").read_text())
        passed, failed = tests["tests"][0], tests["tests"][4]
        tests["tests"] = [{**passed, "id": f"p{n}"} for n in range(1500)]
        tests["tests"] += [{**failed, "id": f"f{n}"} for n in range(300)]
        (run.path / "tests.json").write_text(json.dumps(tests))

        shown = page(client, f"/runs/{run.pk}/end/")
        assert shown.count("data-test>") == 1200
        assert "300 did not pass; these are the first 200." in shown
        assert "1500 passed" in shown

    def test_folds_the_messages_of_all_but_the_first_failed_tests(
        self, admin_client: Client, run: Run
    ) -> None:
        tests = json.loads((run.path / "tests.json").read_text())
        failed = tests["tests"][4]
        tests["tests"] = [
            {**failed, "id": f"f{n}", "message": f"boom {n}\n" + "x" * 2_000} for n in range(50)
        ]
        (run.path / "tests.json").write_text(json.dumps(tests))

        shown = page(admin_client, f"/runs/{run.pk}/end/")
        assert shown.count("x" * 1_500) == 5
        assert '<details><summary class="message-line">boom 49 xxx' in shown
        assert '<summary class="message-line">boom 4 ' not in shown
        assert len(shown) < 80_000

    def test_shows_a_message_once_for_many_tests(self, admin_client: Client, run: Run) -> None:
        tests = json.loads((run.path / "tests.json").read_text())
        failed = tests["tests"][4]
        texts = ["no such header", "boom", "no such header", "", "", *["no such header"] * 7]
        # What differs from test to test alone makes no other message.
        tests["tests"] = [
            {**failed, "id": f"f{n}", "message": text and f"{text} in '/tmp/t/t_{n}' at 0x7fe{n:03}"}
            for n, text in enumerate(texts)
        ]
        (run.path / "tests.json").write_text(json.dumps(tests))

        shown = page(admin_client, f"/runs/{run.pk}/end/")
        assert shown.count("no such header") == 1
        assert "<summary>8 more tests with the same message</summary>" in shown
        assert shown.count('<li class="card" data-test>') == 4  # one for each message, and those without
        assert re.findall(r"</span> f(\d+)<", shown) == ["0", "2", *"56789", "10", "11", "1", "3", "4"]

    def test_takes_no_more_queries_for_a_longer_run(
        self, client: Client, run: Run, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(1):
            page(client, f"/runs/{run.pk}/end/")


def test_submissions_are_listed_and_what_tests_wrote_is_for_operators(
    client: Client, admin_client: Client, run: Run
) -> None:
    assert "Submissions during the run" not in page(client, f"/runs/{run.pk}/end/")
    made = [
        Submission(1, 3, "submit_attempt", 5, 3, f"wrote {EVIL}", False, 1.5, "a.py", "f"),
        Submission(2, 5, "submit_patch"),
    ]
    (run.path / "submissions.jsonl").write_text("".join(json.dumps(asdict(one)) + "\n" for one in made))

    readers, operators = (page(each, f"/runs/{run.pk}/end/") for each in (client, admin_client))
    for shown in (readers, operators):
        assert 'Submissions during the run <span class="chip">2</span>' in shown
        assert (
            f'1. <a href="/runs/{run.pk}/?step=3" data-end-step>step 3</a>, <span class="mono">a.py: f</span>'
            in shown
        )
        assert '<span class="chip bad">5 of 8</span> in 1.5 s' in shown
        assert "the whole patch: tested by the grade" in shown
        assert "<img src=x" not in shown
    assert "wrote" not in readers
    assert "wrote &lt;script&gt;" in operators


def test_markup_in_messages_and_values_stays_text(admin_client: Client, run: Run) -> None:
    record_again = json.loads((run.path / "tests.json").read_text())
    record_again["tests"][4].update(id=EVIL, message=f"AssertionError: {EVIL} != {EVIL}")
    (run.path / "tests.json").write_text(json.dumps(record_again))

    shown = page(admin_client, f"/runs/{run.pk}/end/")

    assert "&lt;script&gt;alert" in shown
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "' onmouseover='" not in shown


def test_a_cancelled_run_shows_the_reason_once(client: Client) -> None:
    cast = Cast()
    gone: dict[str, Any] = {
        "state": Run.State.CANCELLED,
        "ending": "cancelled",
        "outcome": "",
        "started_at": None,
    }
    run = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], detail="an operator cancelled it.", directory="", tries=0, **gone
    )

    page = compact(client.get(run.get_absolute_url()).content.decode())

    assert page.partition("<h1>")[2].partition("</h1>")[0].count("cancelled") == 1
    assert page.count("an operator cancelled it") == 1
    assert "This run has neither test results nor a patch.</p>" in page
    end = compact(client.get(f"{run.get_absolute_url()}end/").content.decode())
    assert "This run has neither test results nor a patch: an operator cancelled it.</p>" in end


def test_a_run_without_tests_and_patch_can_be_downloaded(client: Client) -> None:
    cast = Cast()
    run = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], outcome="", tests_total=None, tests_passed=None, steps=2
    )
    recorder = recorder_of(run)
    recorder.step("user", "Mend it.")
    recorder.step("agent", "Done.")

    page = compact(client.get(f"/runs/{run.pk}/end/").content.decode())

    assert "This run has neither test results nor a patch" in page
    assert f'<a href="/runs/{run.pk}/trajectory.atif.json">as ATIF</a>' in page
    assert f'<a href="/runs/{run.pk}/inspect.eval">as a log of Inspect</a>' in page
    assert "as a zip" not in page  # without a summary, its directory is not complete
    (run.path / "run_summary.json").write_text("{}")
    page = compact(client.get(run.get_absolute_url()).content.decode())
    assert f'Download the run <a href="/runs/{run.pk}/export.zip">as a zip</a>, <a' in page


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("expect(x).toBe(y)\n\nExpected: 4\nReceived: 3", ComparedValues("expected", "4", "got", "3")),
        ("java.lang.AssertionError: expected:<4> but was:<3>", ComparedValues("expected", "4", "got", "3")),
        ("Assert.Equal() Failure\nExpected: 4\nActual:   3", ComparedValues("expected", "4", "got", "3")),
        ("  expected: 4\n       got: 3", ComparedValues("expected", "4", "got", "3")),
        ("Error: Not equal:\n  expected: 4\n  actual  : 3", ComparedValues("expected", "4", "got", "3")),
        ("sum_test.go:9: got 3, want 4", ComparedValues("got", "3", "expected", "4")),
        ("assertion failed\n  left: 3\n right: 4", ComparedValues("left", "3", "right", "4")),
        ("E   assert 3 == 4\nE    +  where", ComparedValues("left", "3", "right", "4")),
        ("AssertionError: 0 != 7", ComparedValues("left", "0", "right", "7")),
        ("KeyError: 'x'", None),
        ("", None),
    ],
)
def test_compared_values_have_the_labels_of_the_report(message: str, found: ComparedValues | None) -> None:
    assert compared(message) == found


def test_crafted_messages_are_not_slow() -> None:
    began = time.monotonic()
    for text in [
        "Expected: x\n" * 9_999,
        "assert " * 9_999,
        "got " * 9_999,
        "expected: <" * 9_999,
        " " * 99_999,
        "\n" * 99_999,
    ]:
        compared(text)
        compared(f"AssertionError: {text}")

    assert time.monotonic() - began < 2


def record_edits(cast: Cast, *paths: str, diff: str = "@@ -1 +1 @@\n-a\n+b\n") -> Run:
    """A run with one step for each path, which changes it; '' changes nothing."""
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    recorder = recorder_of(run)
    for path in paths:
        edits = (
            [FileEdit(path, "modified", 1, 1, diff=diff), FileEdit("other.py", "added", 2, 0)] if path else []
        )
        act(recorder, "edit_file", {"path": path}, edits=edits)
    return run


def test_the_last_edit_is_the_last_step_that_changed_something(cast: Cast) -> None:
    found = last_edit(record_edits(cast, "a.py", "b\u202epy", "").path)

    assert found is not None
    assert (found.step, found.path, found.others, found.added) == (2, "b⟨U+202E⟩py", 1, 1)
    assert [row.kind for row in found.diff.rows] == ["heading", "removed", "added"]


def test_compiler_output_is_not_an_edit(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "src/b.c", "build/b.o", "gone.c")
    patched(run, "src/a.c", "src/b.c")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.others) == (2, "src/b.c", 1)


def test_the_file_in_the_patch_is_named(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "build/a.o")
    patched(run, "other.py")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.added) == (2, "other.py", 2)


def test_without_recorded_edits_of_patched_files_the_last_edit_is_used(
    cast: Cast,
) -> None:
    run = record_edits(cast, "a.py", "b.py")
    patched(run, "c.py")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path) == (2, "b.py")


def patched(run: Run, *paths: str) -> None:
    """Gives a run a final patch of these files."""
    parts = (f"diff --git a/{p} b/{p}\n--- a/{p}\n+++ b/{p}\n@@ -1 +1 @@\n-a\n+b\n" for p in paths)
    (run.path / "patch.diff").write_text("".join(parts))


def test_invalid_lines_are_ignored(cast: Cast) -> None:
    run = record_edits(cast, "a.py")
    good = json.dumps(
        {"step_id": 9, "files": [{"path": "z.py", "change": "added", "added": 1, "removed": 0}]}
    )
    with (run.path / "edits.jsonl").open("a") as file:
        file.write(
            f'{good}\n[]\n{{"step_id": 1}}\nnot json\n{{"step_id": 10, "files": [{{"path": 7}}]}}\n{good[:20]}'
        )

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.diff.rows) == (9, "z.py", ())


def test_a_long_record_is_read_from_its_end_and_a_long_diff_cut(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runs.views.replay_pages.run_end.MAX_BYTES", 6_000)
    long = "@@ -1 +1 @@\n" + "+line\n" * (MAX_LINES + 20)
    run = record_edits(cast, *["a.py"] * 30, "b.py", diff=long)

    found = last_edit(run.path)

    assert found is not None
    assert (found.path, len(found.diff.rows), found.diff.is_cut) == ("b.py", MAX_LINES, True)


def test_a_run_without_a_record_has_no_last_edit(cast: Cast) -> None:
    assert last_edit(cast.add_run(cast.alice(), cast.add_tasks(1)[0]).path) is None
