"""Two runs of one task beside each other."""

from __future__ import annotations

import json
import time

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from harness.records import FileEdit
from runs.models import JudgeReview, Run, RunComparison
from tests.markup import compact
from tests.runs.cast import TESTS, Cast, act, record, recorder_of
from tests.runs.panels import add_comparison, add_evidence, add_order, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db

EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x"


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def runs(cast: Cast) -> tuple[Run, Run]:
    """Alice passes four of five tests; Bob reads another file first, and passes three."""
    (task,) = cast.add_tasks(1)
    one, two = cast.add_run(cast.alice(), task, passed=4), cast.add_run(cast.bob(), task, passed=3)
    record(one)
    recorder = recorder_of(two)
    recorder.step("system", "You work on a repository.")
    recorder.step("user", "Mend the tide.")
    act(recorder, "read_file", {"path": "sun.py"}, "text")
    act(recorder, "read_file", {"path": "/app/tide.py"}, "text")
    edit = FileEdit("tide.py", "modified", 1, 1, diff="@@ -1 +1 @@\n-a\n+b\n")
    act(recorder, "edit_file", {"path": "tide.py"}, edits=[edit])
    recorder.patch(b"diff --git a/other.py b/other.py\n--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n-a\n+b\n")
    from tests.runs.cast import grade_of

    recorder.grade(grade_of(two, {}))
    return one, two


def page(client: Client, query: str, status: int = 200) -> str:
    response = client.get(f"/compare/runs/?{query}")
    assert response.status_code == status, response.content.decode()[:1500]
    return compact(response.content.decode())


def both(client: Client, runs: tuple[Run, Run], more: str = "") -> str:
    return page(client, f"a={runs[0].pk}&b={runs[1].pk}{more}")


def test_the_same_file_stands_in_the_same_line(client: Client, runs: tuple[Run, Run]) -> None:
    shown = both(client, runs)
    rows = shown.split("<tbody>")[2].split("</tbody>")[0].split("</tr>")

    assert "tide.py" in rows[3]
    assert 'class="alike"' in rows[3]
    assert "?step=3" in rows[3]
    assert "?step=4" in rows[3]


def test_where_the_runs_part_is_marked(client: Client, runs: tuple[Run, Run]) -> None:
    shown = both(client, runs)

    assert 'They first differ at <a href="#parting">line 3</a>' in shown
    assert shown.count('id="parting"') == 1
    assert "sun.py" in shown.split('id="parting"')[1].split("</tr>")[0]


def test_tests_that_differ_come_first(client: Client, runs: tuple[Run, Run]) -> None:
    shown = both(client, runs)

    assert "1 differs, 1 passes in neither, 3 pass in both." in shown
    assert shown.index(TESTS[3]) < shown.index(TESTS[4]) < shown.index(TESTS[0])


def test_patches_stand_beside_each_other_file_by_file(client: Client, runs: tuple[Run, Run]) -> None:
    shown = both(client, runs)

    assert "B does not change it." in shown
    assert "A does not change it." in shown
    assert '<span class="chip near">A alone</span>' in shown
    assert '<span class="chip">the same in both</span>' in page(client, both_alike(runs))


def both_alike(runs: tuple[Run, Run]) -> str:
    """Gives the second run the patch of the first."""
    (runs[1].path / "patch.diff").write_bytes((runs[0].path / "patch.diff").read_bytes())
    return f"a={runs[0].pk}&b={runs[1].pk}"


def test_heads_say_what_came_of_both(client: Client, runs: tuple[Run, Run]) -> None:
    shown = both(client, runs)

    assert "4 of 5" in shown
    assert "3 of 5" in shown
    assert "$0.25" in shown
    assert "unknown" in shown


def test_one_run_alone_offers_the_others_of_its_task(
    client: Client, cast: Cast, runs: tuple[Run, Run]
) -> None:
    other = cast.add_run(cast.oracle(), cast.add_tasks(1, start=2)[0])
    shown = page(client, f"a={runs[0].pk}")

    assert f'href="?a={runs[0].pk}&amp;b={runs[1].pk}"' in shown
    assert f"b={other.pk}" not in shown
    assert "No other run of this task" in page(client, f"a={other.pk}")
    assert 'name="a"' in page(client, "")
    assert f'href="/compare/runs/?a={runs[0].pk}"' in client.get(runs[0].get_absolute_url()).content.decode()


def test_an_impossible_comparison_is_refused_with_the_reason(
    client: Client, cast: Cast, runs: tuple[Run, Run]
) -> None:
    other = cast.add_run(cast.oracle(), cast.add_tasks(1, start=2)[0])
    one = runs[0].pk

    assert f"a run of the same task as run {one}: Tide 1" in page(client, f"a={one}&b={other.pk}", 400)
    assert "another run than a" in page(client, f"a={one}&b={one}", 400)
    assert "a whole number from 1 to 1" in page(client, f"a={one}&b={runs[1].pk}&page=2", 400)
    for query in ["a=x", "a=0", "b=-1", f"a={'9' * 30}", f"a={one}&page=0"]:
        page(client, query, 400)
    page(client, f"a={one}&b={other.pk + 999}", 404)


def test_runs_of_hidden_datasets_are_for_operators_alone(
    client: Client, admin_client: Client, runs: tuple[Run, Run]
) -> None:
    dataset = runs[0].task.repository.dataset
    dataset.hidden = True
    dataset.save()

    page(client, f"a={runs[0].pk}&b={runs[1].pk}", 404)
    page(client, f"a={runs[0].pk}", 404)
    both(admin_client, runs)


def test_long_runs_come_in_pages_of_two_hundred_lines(
    client: Client, cast: Cast, runs: tuple[Run, Run]
) -> None:
    for run, name in zip(runs, "xy", strict=True):
        lines = ['{"schema_version": "ATIF-v1.8"}']
        for n in range(1, 1001):
            call = {
                "tool_call_id": "c",
                "function_name": "read_file",
                "arguments": {"path": f"{n}{name if n % 2 else ''}"},
            }
            lines.append(json.dumps({"step_id": n, "source": "agent", "message": "", "tool_calls": [call]}))
        (run.path / "trajectory.jsonl").write_text("\n".join(lines) + "\n")

    shown = both(client, runs)
    assert shown.count('class="how-alike"') == 200
    assert "500 of 1,000 lines are alike" in shown
    assert "&amp;page=2#steps" in shown
    assert "line 1</a>" in shown
    assert ">1000<" in both(client, runs, "&page=5")
    began = time.monotonic()
    both(client, runs, "&page=3")
    assert time.monotonic() - began < 2


def test_runs_take_one_query_reviews_one_each_and_comparisons_one(
    client: Client, runs: tuple[Run, Run], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        both(client, runs)


def test_runs_without_a_directory_are_compared_by_what_is_known(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    one, two = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)

    shown = both(client, (one, two))
    assert "Neither run has a step on this machine." in shown
    assert "Neither run has a report on this machine." in shown


def test_markup_of_models_stays_text(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    pair = cast.add_run(cast.alice(), task, passed=4), cast.add_run(cast.bob(), task, passed=4)
    for run in pair:
        edit = FileEdit(f"{EVIL}.py", "modified", 1, 1, diff=f"@@ -1 +1 @@\n-{EVIL}\n+{EVIL}x\n")
        act(recorder_of(run), EVIL, {"path": EVIL}, EVIL, message=EVIL, edits=[edit])
        (run.path / "patch.diff").write_text(f"diff --git {EVIL}\n@@ -1 +1 @@\n-{EVIL}\n+y\n")
        tests = [{"id": f"{EVIL}{run.pk}", "status": "failed", "seconds": 0, "message": EVIL}]
        (run.path / "tests.json").write_text(json.dumps({"tests": tests}))

    shown = both(client, pair)
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "' onmouseover='" not in shown
    assert "&lt;script&gt;" in shown


def test_reviews_stand_side_by_side_and_quotes_open_their_steps(
    client: Client, cast: Cast, runs: tuple[Run, Run]
) -> None:
    one, two = runs
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    first = add_review(started, judge, one, "pitfalls", score=1.0, burden=3)
    add_evidence(first, quote="hour % 12", found_step=3)
    add_evidence(first, 2, quote="never written", status="unverified", found_step=None)
    add_review(started, judge, two, "pitfalls", score=0.0, burden=14)
    refused = {"state": JudgeReview.State.REFUSED, "score": None, "reason": "content filter"}
    add_review(started, judge, two, "end_result", **refused)

    page = compact(both(client, runs))
    assert "points of pitfalls: 3 and 14, A is better by 3 of 5" in page
    assert f'href="{one.get_absolute_url()}?step=3"' in page
    assert "struck: not found" in page
    assert "content filter" in page
    assert page.count("No review of this dimension.") == 1


def test_comparisons_by_judges_have_both_orders_and_quotes_that_open_the_step_of_their_run(
    client: Client, cast: Cast, runs: tuple[Run, Run]
) -> None:
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    flip = add_comparison(started, judge, runs, score=0, flipped=True)
    add_order(flip, 1, -3)
    lines = add_order(flip, 2, 3, text=EVIL).lines
    lines.update(aspect=EVIL, found_step=5)
    struck = add_order(add_comparison(started, judge, runs, "tool_calls"), 1, -3).lines
    struck.update(status="unverified", found_step=None, quote=EVIL)
    missing = {"state": RunComparison.State.NO_REVIEW, "score": None}
    add_comparison(started, judge, runs, "pleasantness", reason="There is no review of run 2.", **missing)
    computed = add_comparison(started, judge, runs, "pitfalls", score=2, computed=True)

    shown = both(client, runs)

    assert "flip: a tie" in shown
    assert "<h3>A shown first</h3>" in shown
    assert "<h3>B shown first</h3>" in shown
    assert f'href="{runs[0].get_absolute_url()}?step=7#quote=pytest%20-q"' in shown
    assert f'href="{runs[1].get_absolute_url()}?step=5#quote=pytest%20-q"' in shown
    assert "struck: not found in A" in shown
    assert "B better, 2 of 5" in shown
    assert f'id="comparison-{computed.pk}"' in shown
    assert "no score: missing review" in shown
    assert "<script>alert" not in shown
