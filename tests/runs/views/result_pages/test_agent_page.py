"""The page of an agent: figures, strengths, failures, tools and durations."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.intake.reported.storing import store
from runs.models import Agent, Run
from runs.views.result_pages import agent_page
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.data.run_facts.counted import count
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db

ALICE = "/agents/alice/"


def body(client: Client, address: str = ALICE) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def row(page: str, head: str) -> str:
    """The table row whose head holds this text."""
    (found,) = [part for part in page.split("<tr>") if f"{head}</a></th>" in part or f"{head}</th>" in part]
    return found


def test_headline_figures_have_intervals_and_n(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    for task in cast.add_tasks(6):
        cast.add_cell(alice, task, [5])
    cast.settle()

    page = body(client)

    assert (
        "<b>100.0 %</b> <small>61 % to 100 % on tasks of these repositories, n 6 tasks</small>" in page
    )  # Wilson: 6 of 6
    assert "<dt>Rank<" in page
    assert "<b>6</b> <small>of 6</small>" in page
    assert "<b>$0.25</b><small>per attempt</small>" in page
    assert 'href="/compare/?a=alice&amp;b="' in page


def test_parts_weigh_tasks_equally_and_are_compared_with_others(client: Client, cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, first, [5])
    cast.add_cell(alice, second, [5, 0, 0, 0])
    cast.add_cell(cast.bob(), first, [5, 0])
    cast.add_cell(cast.oracle(), second, [5])
    cast.settle()

    found = row(body(client), "Harbour master")

    # (1/1 + 1/4) / 2 of attempts and of tests, over two tasks; Bob ½ on the first, the oracle does not compete
    assert found.count("62.5 %") == 2
    assert '<td class="num" data-name="Others">50.0 %</td>' in found
    assert 'title="2 of 5 attempts resolved">2 <span class="faint">/ 5</span>' in found
    assert '<line class="others"' in found


def test_results_come_by_what_differs_between_tasks(client: Client, cast: Cast) -> None:
    canal = cast.add_repository("canal", "Canal")
    canal.languages, canal.stack = ["C", "Make"], "C11"
    canal.save()
    alice = cast.alice()
    cast.add_cell(alice, cast.add_tasks(1, difficulty="hard")[0], [5])
    cast.add_cell(alice, cast.add_tasks(1, canal)[0], [0])
    cast.settle()

    page = body(client)

    parts = re.findall(r'aria-label="By (\w+)">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    labels = {title: re.findall(r'<th scope="row">(?:<a[^>]*>)?([^<]+)', rows) for title, rows in parts}
    assert labels == {
        "repository": ["Canal", "Harbour master"],
        "difficulty": ["easy", "hard"],
        "stack": ["C11", "Python 3.11"],
        "language": ["C", "Make", "Python"],
    }
    assert "<small>same tasks</small>" not in page  # no other competing agent tried any of these tasks


def test_the_most_different_tasks_are_named(client: Client, cast: Cast) -> None:
    good, bad, same = cast.add_tasks(3)
    alice, bob = cast.alice(), cast.bob()
    for task, ours, theirs in ((good, 5, 0), (bad, 0, 5), (same, 5, 5)):
        cast.add_cell(alice, task, [ours])
        cast.add_cell(bob, task, [theirs])
    cast.settle()

    section = body(client).split("Where does it differ from the others?")[1]
    ahead, behind = (
        section.split("Furthest behind</h3>")[0],
        section.split("Furthest behind</h3>")[1].split("</section>")[0],
    )

    assert re.findall(r"/tasks/harbour/(tide-\d)/", ahead) == ["tide-1"]
    assert re.findall(r"/tasks/harbour/(tide-\d)/", behind) == ["tide-2"]
    assert ">1 of 1</a>" in ahead
    assert '0 % <span class="faint">n 1</span>' in ahead


def test_failed_runs_show_signs_with_shares_and_examples(client: Client, cast: Cast) -> None:
    one, other, done = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 4, 5])
    count(one, "read_file", signs={"thrashing": (1,)})
    count(other, "read_file")
    count(done, "read_file", signs={"thrashing": (1,)})
    cast.settle()

    page = body(client)

    assert "Signs of trouble in its 2 counted failed runs; 50 % of them show at least one" in page
    (sign,) = re.findall(r"<tr><th[^>]*><span[^>]*>Thrashing, backtracking.*?</tr>", page, re.DOTALL)
    assert "<b>50.0 %</b>" in sign
    assert '100 % <span class="faint">n 1</span>' in sign
    assert f'<a href="/runs/{one.pk}/#step-1">#{one.pk}</a>' in sign


def test_shares_link_to_their_runs(client: Client, cast: Cast) -> None:
    for run in cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4] * 5):
        count(run, "read_file", signs={"thrashing": (1,)})
    cast.settle()

    assert '/runs/?agent=alice&amp;outcome=unresolved&amp;sign=thrashing">all 5</a>' in body(client)


def test_tools_are_shares_of_calls(client: Client, cast: Cast) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    count(run, "read_file", "edit_file", "read_file", "read_file")
    cast.settle()

    page = body(client)

    assert "4 calls in 1 run" in page
    tools = page.split("Which tools does it use?")[1].split("</section>")[0]
    assert re.findall(r'<th scope="row" class="mono tool">(\w+)</th>', tools) == ["read_file", "edit_file"]
    assert '<rect class="part" width="75.0"' in tools
    assert "75 %" in tools


def test_runs_without_counted_steps_have_no_empty_section(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 4])
    cast.settle()

    page = body(client)

    assert "How do its runs fail?" not in page
    assert "Which tools does it use?" not in page


def test_durations_and_near_misses(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    runs = [cast.add_run(alice, task, n, passed=4, act_seconds=60.0 * n) for n in (1, 2, 3)]
    cast.settle()

    page = body(client)

    assert '<b>2:00</b></td><td class="num">1:30 to 2:30</td><td class="num">1:00 to 3:00</td>' in page
    near = page.split("What did it almost resolve?")[1].split("</section>")[0]
    assert f'<td class="num">1</td><td class="num">80 %</td><td><a href="/runs/{runs[0].pk}/">' in near
    assert 'href="/near-misses/?agent=alice"' in page


def test_a_chart_compares_it_with_all_agents(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    cast.settle()
    assert "Time against pass rate" not in body(client)  # one point is no comparison

    cast.add_cell(cast.bob(), task, [5])
    cast.settle()
    page = body(client)

    assert "Time against pass rate" in page
    assert page.count(">Alice</text>") == 2  # wide and narrow


def test_what_a_source_does_not_say_takes_one_line_and_no_table_column_or_chart(
    client: Client, cast: Cast
) -> None:
    store(reported(two_agents()))

    page = compact(client.get("/agents/lab-bench-ada/").content.decode())

    assert (
        "Unknown here: tests passed (no attempt has a test pass rate); time (the time is known for no attempt)."
        in page
    )
    assert [
        title for title in ("Repository", "Stack", "Language") if f'<th scope="col">{title}</th>' in page
    ] == ["Repository"]
    assert "not stated" not in page
    assert "Time against pass rate" not in page
    assert ">Tests<" not in page


def test_its_newest_runs_that_are_over_are_listed_though_newer_ones_wait(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_page, "LATEST", 2)
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5] * 6)
    cast.settle()
    numbers = list(Run.objects.order_by("pk").values_list("pk", flat=True))
    Run.objects.filter(pk__in=numbers[-2:]).update(state=Run.State.QUEUED, outcome="")

    listed = re.findall(r'href="/runs/(\d+)/"[^>]*>#', body(client))

    assert [int(number) for number in listed] == [numbers[3], numbers[2]]


def test_an_agent_without_runs_has_a_note_and_no_source(client: Client, cast: Cast) -> None:
    cast.alice()
    store(reported(two_agents()))  # the first board is that of a source

    page = body(client)

    assert "No graded attempt yet" in page
    assert "<dt>Profile</dt>" in page
    assert "Reported by The Lab" not in page


@pytest.mark.parametrize("many", [1, 5])
def test_an_agent_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tasks = cast.add_tasks(many)
    agents = [cast.alice(), *(cast.add_agent(f"Agent-{number}") for number in range(many))]
    for agent in agents:
        for task in tasks:
            cast.add_cell(agent, task, [4] * many)
    cast.settle()

    # agent, cells, calibrating agents, tasks, their repositories, standings, agents, near misses twice, runs to look
    # at, these with their counts, agents with the same model, the panel's groups and runs, latest runs, frozen boards
    # and older versions of the source
    with django_assert_num_queries(31):
        body(client)


def test_agents_with_the_same_model_are_listed_with_what_differs(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    quick = cast.add_agent("Quick", "ide", alice.model)
    quick.settings = {"iterations": 10}
    quick.save()
    for task in cast.add_tasks(6):
        cast.add_cell(alice, task, [5])
        cast.add_cell(quick, task, [0])
    cast.settle()

    section = body(client).partition('<h2 id="variants">')[2].partition("</section>")[0]
    found = row(section, "Quick")

    assert "iterations: not set / 10" in found
    assert "+100.0" in found
    assert "/compare/?a=alice&amp;b=quick" in found


def test_hidden_datasets_do_not_count(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    cast.add_run(alice, cast.add_tasks(1)[0], state=Run.State.QUEUED, outcome="", finished_at=None)
    cast.add_cell(alice, cast.add_hidden_task(), [4])
    cast.settle()

    page = body(client)

    assert "No graded attempt yet" in page
    assert "Tide 7" not in page
    assert "What does an attempt take?" not in page


def test_an_agent_that_ran_at_hidden_tasks_only_has_no_page(
    client: Client, admin_client: Client, cast: Cast
) -> None:
    cast.add_run(cast.alice(), cast.add_hidden_task())

    assert client.get("/agents/alice/").status_code == 404
    assert admin_client.get("/agents/alice/").status_code == 200


def test_every_setting_in_effect_is_shown_with_its_differences(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    page = body(client, "/agents/alice/")
    assert "<dt>Profile</dt><dd>ide-bench, unchanged</dd>" in page
    assert '<dt>max output tokens</dt><dd><span class="mono">4000</span></dd>' in page
    assert '<dt>share of window</dt><dd><span class="mono">0.8</span></dd>' in page

    Agent.objects.filter(pk=alice.pk).update(settings={"temperature": None, "retries": 5})
    page = body(client, "/agents/alice/")
    assert "<dt>Profile</dt><dd>ide-bench</dd>" in page
    changed = '<dt>temperature</dt><dd><b class="mono">not set</b> <span class="chip">not the profile\'s</span></dd>'
    assert changed in page
    assert page.count("not the profile") == 1


def test_settings_of_another_version_are_shown_unchanged(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    Agent.objects.filter(pk=alice.pk).update(settings={"charm": "<b>7</b>"})
    page = body(client, "/agents/alice/")
    assert '<dt>charm</dt><dd><span class="mono">&lt;b&gt;7&lt;/b&gt;</span></dd>' in page
    assert "ide-bench" not in page
