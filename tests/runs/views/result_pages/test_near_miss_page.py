"""Near misses: who is there, in which order, and what is told of them."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from harness.records import FileEdit
from runs.models import Run
from runs.queries.near_miss_query import MOST_ATTEMPTS, attempts_of, near_miss_cells
from runs.views.replay_pages.last_edit import MOST_LINES, last_edit
from runs.views.result_pages import near_miss_page
from tests.runs.cast import Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/near-misses/{query}", headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


def test_cells_that_were_never_resolved_come_with_the_fewest_missing_tests_first(cast: Cast) -> None:
    near, far, done, untested = cast.add_tasks(4)
    alice = cast.alice()
    cast.add_cell(alice, far, [3, 3])
    cast.add_cell(alice, near, [1, 4])
    cast.add_cell(alice, done, [4, 5])
    cast.add_run(alice, untested, passed=0, tests_total=0)
    cast.settle()

    def tasks(threshold: float, by: str = "best") -> list[str]:
        return [cell.task.slug for cell in near_miss_cells(threshold, by=by)]

    assert tasks(0.6) == [near.slug, far.slug]
    assert tasks(0.8) == [near.slug]
    assert tasks(0.81) == []
    # means: (1/5 + 4/5) / 2 = 0.5 and (3/5 + 3/5) / 2 = 0.6
    assert tasks(0.6, "mean") == [far.slug]
    assert tasks(0.5, "mean") == [near.slug, far.slug]


def test_agent_repository_and_task_narrow_the_list(cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    elsewhere = cast.add_tasks(1, cast.add_repository("canal", "Canal"))[0]
    alice, bob = cast.alice(), cast.bob()
    for agent, where in ((alice, task), (bob, task), (bob, elsewhere)):
        cast.add_cell(agent, where, [4])
    cast.settle()

    def found(**chosen: str) -> list[tuple[str, str]]:
        return [(cell.agent.slug, str(cell.task)) for cell in near_miss_cells(0.8, **chosen)]

    assert found(agent="alice") == [("alice", "harbour/tide-1")]
    assert found(repository="canal") == [("bob", "canal/tide-1")]
    assert found(task="harbour/tide-1", agent="bob") == [("bob", "harbour/tide-1")]
    assert found(task="no slash") == []


def test_the_failed_tests_have_their_messages_and_one_test_away_comes_first(
    client: Client, cast: Cast
) -> None:
    near, far = cast.add_tasks(2)
    alice = cast.alice()
    for run in (*cast.add_cell(alice, far, [3]), *cast.add_cell(alice, near, [2, 4])):
        record(run, messages={"tests/test_tide.py::test_neap": "the neap tide came at noon\n<b>again</b>"})
    cast.settle()

    page = body(client, "?threshold=50")

    assert page.index("one test away") < page.index("2 tests away")
    assert "<b>2</b> pairs of agent and task" in page
    assert "<b>1</b> of them is one test short" in page
    assert "the neap tide came at noon\n&lt;b&gt;again&lt;/b&gt;</pre>" in page
    assert "2 tests away" not in body(client)  # 60 % is below the default of 80


def test_the_strip_shows_every_attempt_and_marks_the_best(client: Client, cast: Cast) -> None:
    runs = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [2, 4, 0])
    cast.settle()

    page = body(client)

    strip = page.split('<ol class="strip"')[1].split("</ol>")[0]
    assert [part.split("</a>")[0] for part in strip.split("</span>")[1:]] == ["40", "80", "0"]
    assert f'class="h4 best" href="/runs/{runs[1].pk}/"' in strip


def test_the_last_edit_before_the_end_leads_to_its_step(client: Client, cast: Cast) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    record(run)
    cast.settle()

    page = body(client)

    assert f'<a href="/runs/{run.pk}/#step-5">step 5</a> <span class="mono path">tide.py</span>' in page
    assert '<tr class="added"><td class="n"></td><td class="n">2</td>' in page


def test_a_missing_run_directory_is_said(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    cast.settle()

    assert "The report of that attempt is not on this machine." in body(client)


@pytest.mark.parametrize("agents", [1, 7])
def test_a_page_costs_the_same_queries_for_any_number_of_near_misses(
    client: Client, cast: Cast, agents: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in cast.repository.tasks.all() or cast.add_tasks(4):
            cast.add_cell(agent, task, [4, 3])
    cast.settle()

    # how many, how many one test away, a page of cells, their attempts; agents, repositories, tasks to choose
    with django_assert_num_queries(7):
        assert "one test away" in body(client)
    with django_assert_num_queries(4):
        body(client, **{"X-Partial": "near-misses"})


def test_pages_are_cut_in_the_database(client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_miss_page, "PAGE", 2)
    alice = cast.alice()
    for task in cast.add_tasks(3):
        cast.add_cell(alice, task, [4])
    cast.settle()

    assert body(client).count('class="card miss"') == 2
    second = body(client, "?page=2&agent=alice&threshold=70")
    assert second.count('class="card miss"') == 1
    assert '<ol class="misses" start="3">' in second
    assert "?threshold=70&amp;agent=alice&amp;page=1" in second


def test_many_attempts_are_a_short_strip_and_a_link(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4] * (MOST_ATTEMPTS + 3))
    cast.settle()

    (theirs,) = attempts_of(list(near_miss_cells(0.8))).values()

    assert [run.attempt for run in theirs] == list(range(1, MOST_ATTEMPTS + 1))
    assert ">3 more</a>" in body(client)


@pytest.mark.parametrize("query", ["?threshold=0", "?threshold=101", "?by=worst", "?page=0", "?agent=%00"])
def test_what_cannot_be_asked_is_refused(client: Client, query: str) -> None:
    assert client.get(f"/near-misses/{query}").status_code == 400


def test_an_agent_that_nobody_knows_leaves_nothing_and_says_how_to_go_on(client: Client, cast: Cast) -> None:
    page = body(client, "?agent=nobody&threshold=70")

    assert "No near miss at 70 %" in page
    assert 'href="/near-misses/?threshold=70">All agents and tasks' in page


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


def test_what_a_compiler_left_is_no_edit(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "src/b.c", "build/b.o", "gone.c")
    patched(run, "src/a.c", "src/b.c")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.others) == (2, "src/b.c", 1)


def test_of_the_files_of_a_step_the_one_in_the_patch_is_named(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "build/a.o")
    patched(run, "other.py")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.added) == (2, "other.py", 2)


def test_where_no_change_of_the_patched_files_is_recorded_the_last_edit_is_the_last_of_all(
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


def test_the_last_edit_outlives_lines_that_are_none(cast: Cast) -> None:
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
    monkeypatch.setattr("runs.views.replay_pages.last_edit.MOST_BYTES", 6_000)
    long = "@@ -1 +1 @@\n" + "+line\n" * (MOST_LINES + 20)
    run = record_edits(cast, *["a.py"] * 30, "b.py", diff=long)

    found = last_edit(run.path)

    assert found is not None
    assert (found.path, len(found.diff.rows), found.diff.is_cut) == ("b.py", MOST_LINES, True)


def test_a_run_without_a_record_has_no_last_edit(cast: Cast) -> None:
    assert last_edit(cast.add_run(cast.alice(), cast.add_tasks(1)[0]).path) is None
