"""Two runs of one task beside each other."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from harness.records import FileEdit, TestResult, TestStatus
from runs.models import JudgeReview, Run, RunComparison
from runs.views.compare_pages.compare_runs_page import (
    MAX_SHOWN,
    ComparedTests,
    aligned,
    compare_reviews,
    compare_tests,
    window,
)
from tests.markup import compact
from tests.runs.cast import TESTS, Cast, act, record, recorder_of
from tests.runs.data.replay.tapes import append, step, write
from tests.runs.panels import add_comparison, add_evidence, add_order, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db

EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x"
PASSED, FAILED, ERROR = TestStatus.PASSED, TestStatus.FAILED, TestStatus.ERROR


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
    shown = both(client, runs, "&patches=sides")

    assert "B does not change it." in shown
    assert "A does not change it." in shown
    assert '<span class="chip near">A alone</span>' in shown
    merged = both(client, runs)
    assert '<td class="n"><span class="side">A</span></td>' in merged
    assert "does not change it" not in merged
    page(client, f"a={runs[0].pk}&b={runs[1].pk}&patches=x", 400)
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
    resolved = cast.add_run(cast.add_agent("Zoe"), runs[0].task)
    shown = page(client, f"a={runs[0].pk}")
    links = re.findall(r"&amp;b=(\d+)", shown)
    assert links == [str(resolved.pk), str(runs[1].pk)]  # the closest resolved run comes first, and once
    assert shown.count("closest resolved run") == 1

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


def test_what_neither_run_has_is_said_in_one_sentence(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    one, two = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    Run.objects.filter(task=task).update(
        steps=None, tool_calls=None, prompt_tokens=None, cost_usd=None, act_seconds=None, files_changed=None
    )

    shown = both(client, (one, two))
    assert "Neither run has steps or a report of tests or a patch on this machine." in shown
    assert re.findall(r"<h2[^>]*>([A-Z][a-z ]+)", shown) == ["Results"]
    assert re.findall(r'<th scope="row">([^<]+)', shown) == ["Outcome", "Tests passed", "Ended because"]

    heads = page(client, f"a={one.pk}").split("<thead>")[1].split("</thead>")[0]
    assert re.findall(r">([A-Z]\w+)</th>", heads) == ["Run", "Agent", "Attempt", "Outcome"]


def test_where_one_report_alone_names_tests_they_have_no_column_for_the_other(
    client: Client, cast: Cast
) -> None:
    (task,) = cast.add_tasks(1)
    pair = cast.add_run(cast.alice(), task, passed=4), cast.add_run(cast.bob(), task)
    record(pair[0])

    shown = both(client, pair)
    assert "Only the report of A names tests." in shown
    assert "not named" not in shown
    assert compare_tests([], report(a=PASSED)).alone == "B"


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


def read(number: int, path: str) -> dict[str, Any]:
    return step(number, "read_file", {"path": path})


def run(number: int, command: str) -> dict[str, Any]:
    return step(number, "run_terminal_cmd", {"command": command})


def test_equal_acts_share_a_line(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [step(1), read(2, "a.py"), run(3, "make  all")])
    two = write(tmp_path / "two", [step(7), read(8, "moon.py"), read(9, "/app/a.py"), run(10, "make all")])

    found = aligned(one, two)
    pairs = window(one, two, found, 0, 99)

    assert [
        (pair.one and pair.one.number, pair.two and pair.two.number, pair.alike, pair.diverges)
        for pair in pairs
    ] == [
        (1, 7, True, False),
        (None, 8, False, True),
        (2, 9, True, False),
        (3, 10, True, False),
    ]


def test_a_window_has_only_its_lines(tmp_path: Path) -> None:
    paths = [f"{number}.py" for number in range(1, 6)]
    one = write(tmp_path / "one", [read(number, path) for number, path in enumerate(paths, 1)])
    two = write(tmp_path / "two", [read(number, path) for number, path in enumerate(paths[:3], 1)])
    found = aligned(one, two)
    (pair,) = window(one, two, found, 3, 1)
    assert pair.one is not None
    assert (pair.one.number, pair.two, pair.alike, pair.diverges) == (4, None, False, True)
    assert [pair.diverges for pair in window(one, two, found, 4, 9)] == [False]
    assert window(one, two, found, 5, 9) == ()


def test_a_growing_run_is_aligned_again(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [read(1, "a.py")])
    two = write(tmp_path / "two", [read(1, "a.py")])
    before = aligned(one, two)
    assert (before.parting, aligned(one, two) is before) == (None, True)
    append(two / "trajectory.jsonl", [read(2, "b.py")])
    assert aligned(one, two).parting == 1


def test_runs_without_steps_have_no_lines(tmp_path: Path) -> None:
    assert window(tmp_path, tmp_path, aligned(tmp_path, tmp_path), 0, 9) == ()


def report(**statuses: TestStatus) -> list[TestResult]:
    return [TestResult(name, status) for name, status in statuses.items()]


def test_differing_tests_are_apart_from_those_that_fail_or_pass_in_both() -> None:
    one = report(a=PASSED, b=PASSED, c=FAILED, d=FAILED)
    two = report(d=ERROR, c=FAILED, b=FAILED, a=PASSED)
    assert compare_tests(one, two) == ComparedTests(
        differing=(("b", "passed", "failed"), ("d", "failed", "error")),
        failing=(("c", "failed", "failed"),),
        passing=(("a", "passed", "passed"),),
        counts=(2, 1, 1),
        unshown=0,
    )


def test_a_test_of_only_one_report_differs_and_those_of_the_second_come_last() -> None:
    found = compare_tests(report(b=PASSED), report(a=PASSED))
    assert found.differing == (("b", "passed", ""), ("a", "", "passed"))


def test_without_reports_there_is_nothing() -> None:
    assert compare_tests([], []) == ComparedTests((), (), (), (0, 0, 0), 0)


def test_each_group_is_cut_and_all_are_counted() -> None:
    one = [TestResult(str(number), PASSED) for number in range(MAX_SHOWN + 2)]
    same, other = compare_tests(one, one), compare_tests(one, [])
    assert (len(same.passing), same.counts, same.unshown) == (500, (0, 0, 502), 2)
    assert (len(other.differing), other.counts, other.unshown) == (500, (502, 0, 0), 2)


def test_names_are_cut_and_cleaned() -> None:
    found = compare_tests([TestResult("x" * 400, PASSED), TestResult("a\x1b[31mb", PASSED)], [])
    assert [name for name, _, _ in found.differing] == ["x" * 300, "ab"]


def test_pairs_are_by_dimension_and_burdens_of_one_judge_are_compared() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    one, two = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    assert compare_reviews(one, two) == []

    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    for run, burden in ((one, 14), (two, 12)):
        add_review(started, judge, run, "pitfalls", score=0.5, burden=burden)
    add_review(started, judge, one, "pitfalls", score=1.0, sample=2)
    add_review(started, judge, two, "end_result", state=JudgeReview.State.FAILED, score=None)

    end_result, pitfalls = compare_reviews(one, two)
    assert [side.value for side in pitfalls.scores] == [0.75, 0.5]
    assert pitfalls.burdens == "points of pitfalls: 14 and 12, a tie"
    assert [(side.value, len(side.reviews)) for side in end_result.scores] == [(None, 0), (None, 1)]
    JudgeReview.objects.filter(run=one, sample=1).update(burden=40)
    assert compare_reviews(one, two)[1].burdens == "points of pitfalls: 40 and 12, B is better by 5 of 5"
