"""The page of a task: proof, agents, tests and failures."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, Signs
from runs.models import Agent, Counts, RecallProbe, Run
from tasks.generation.recall.question import prompt_version
from tasks.loading import hide
from tasks.models import Task
from tests.markup import compact
from tests.runs.cast import TESTS, Cast, record
from tests.runs.roles import OPERATORS, VIEWERS, member

pytestmark = pytest.mark.django_db


def body(client: Client, task: Task) -> str:
    response = client.get(task.get_absolute_url())
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def count(run: Run, signs: dict[str, tuple[int, ...]], **undecided: str) -> None:
    """Stores the counts of a trajectory."""
    Run.objects.filter(pk=run.pk).update(iterations=3)
    found = Behaviour(labels="ppp", signs=Signs(signs, undecided))
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps(behaviour.to_json(found)))


def test_a_task_shows_its_proof_and_each_test_of_each_attempt(client: Client, cast: Cast, task: Task) -> None:
    for run in cast.add_cell(cast.alice(), task, [5, 4]):
        record(run)
    cast.settle()

    page = body(client, task)

    assert "untouched, 2 of 5 tests pass" in page
    assert "3 times, and the same tests passed each time" in page
    assert "<code>tide.py</code>" in page
    assert page.count('class="mark passed"') == 9
    assert page.count('class="mark failed"') == 1


def test_a_task_shows_the_measured_strength_of_its_tests(client: Client, task: Task) -> None:
    assert "Strength" not in body(client, task)
    assert task.proof is not None
    strength = {
        "files": ["tide.py"],
        "vacuous": ["tests/test_tide.py::test_<b>", "tests/test_tide.py::test_two"],
        "static": None,
        "note": "static tests were not looked for: no inert form is known of tide.c",
    }
    task.store_proof({**task.proof, "strength": strength})

    page = body(client, task)

    assert (
        "2 of 5 tests are vacuous; static tests were not looked for: no inert form is known of tide.c" in page
    )
    assert "2 vacuous: they pass without the code that the task is about" in page
    assert "tests/test_tide.py::test_&lt;b&gt;" in page


def test_difficulty_is_stated_and_measured_by_agents_that_compete(
    client: Client, cast: Cast, task: Task
) -> None:
    assert "not yet: no competing agent has a graded attempt" in body(client, task)
    cast.add_cell(cast.alice(), task, [5, 5])
    cast.add_cell(cast.bob(), task, [4, 0])
    cast.add_cell(cast.oracle(), task, [5, 5])
    cast.settle()

    page = body(client, task)

    assert "stated <b>easy</b>" in page
    assert re.search(r"<b>50 %</b> resolved \(\d+ % to \d+ %\), n 2 agents", page)
    assert "resolved at least once by <b>1</b> of 2 competing agents" in page


def test_agents_are_ordered_best_first_with_their_attempts(client: Client, cast: Cast, task: Task) -> None:
    runs = cast.add_cell(cast.bob(), task, [4, 5])
    cast.add_cell(cast.alice(), task, [0, 2])
    cast.add_cell(cast.oracle(), task, [5])
    cast.settle()

    table = body(client, task).split("Who resolves it?")[1]

    assert re.findall(r'<b><a class="plain" href="/agents/(\w+)/"', table) == ["bob", "alice", "oracle"]
    assert "<b>50.0 %</b>" in table
    assert f'<a class="h4" href="/runs/{runs[0].pk}/" title="Attempt 1: 4 of 5 tests">' in table
    assert f'<a class="h5" href="/runs/{runs[1].pk}/" title="Attempt 2: resolved">' in table
    assert (
        '<td class="num" data-name="Tests passed">90.0 %</td><td class="num" data-name="Best">100 %</td>'
        '<td class="num" data-name="Time">1:00</td>'
    ) in table
    assert "Excluded" not in table


def test_the_table_has_no_column_of_which_nothing_is_known(client: Client, cast: Cast, task: Task) -> None:
    cast.add_cell(cast.alice(), task, [5, 5])
    Run.objects.update(act_seconds=None)
    cast.settle()

    table = body(client, task).split("Who resolves it?")[1].split("</table>")[0]

    assert "Tests passed" in table
    assert "per attempt" not in table


def test_marks_of_attempts_are_explained_as_far_as_they_appear(
    client: Client, cast: Cast, task: Task
) -> None:
    def heading() -> str:
        return body(client, task).split('<th scope="col">Attempts <small>')[1].partition("<")[0]

    cast.add_cell(cast.alice(), task, [5, 2])
    cast.settle()
    assert heading() == "✓, or % of tests passed"

    cast.add_run(cast.bob(), task, passed=0, tests_passed=None, tests_total=None)
    cast.settle()
    assert heading() == "✓, ✕ or % of tests passed"

    Run.objects.update(tests_passed=None, tests_total=None)
    cast.settle()
    assert heading() == "✓ or ✕"


def test_the_only_attempt_of_each_agent_is_shown_once(client: Client, cast: Cast, task: Task) -> None:
    (run,) = cast.add_cell(cast.alice(), task, [5])
    cast.settle()

    table = body(client, task).split("Who resolves it?")[1].split("</table>")[0]

    headings = re.findall(r'<th scope="col"[^>]*>([^<]*)', table)
    assert [heading.strip() for heading in headings] == ["Agent", "Attempt", "Time"]
    assert f'href="/runs/{run.pk}/" title="Attempt 1: resolved"' in table
    assert "/runs/?agent=alice" not in table


def test_attempts_that_count_nowhere_have_the_same_name_in_the_table_and_on_cards(
    client: Client, cast: Cast, task: Task
) -> None:
    alice = cast.alice()
    cast.add_run(alice, task)
    cast.add_run(alice, task, 2, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.settle()

    page = body(client, task)

    assert '<th scope="col" class="num">Not counted' in page
    assert '<td class="num" data-name="Not counted">1</td>' in page


def test_signs_of_failed_runs_are_shares_with_n_and_examples(client: Client, cast: Cast, task: Task) -> None:
    failed = cast.add_cell(cast.alice(), task, [3, 2, 1])
    idle = cast.add_run(cast.idler(), task, passed=0)
    count(failed[0], {"thrashing": (2,)})
    count(failed[1], {"thrashing": ()})
    count(failed[2], {})
    count(idle, {"thrashing": (1,)})
    cast.settle()

    page = body(client, task)

    assert "in the 3 counted failed runs of agents that compete" in page
    (row,) = re.findall(r"<tr><th[^>]*><span[^>]*>Thrashing, backtracking.*?</tr>", page, re.DOTALL)
    assert "<b>66.7 %</b>" in row
    assert '<td class="num">3</td>' in row
    assert f'<a href="/runs/{failed[0].pk}/#step-2">#{failed[0].pk}</a>' in row
    assert f'<a href="/runs/{failed[1].pk}/">#{failed[1].pk}</a>' in row
    assert str(idle.pk) not in re.findall(r"#(\d+)</a>", row)


def test_durations_and_tokens_are_medians_and_ranges(client: Client, cast: Cast, task: Task) -> None:
    alice = cast.alice()
    for attempt, seconds in enumerate((30.0, 60.0, 240.0), 1):
        cast.add_run(alice, task, attempt, act_seconds=seconds, prompt_tokens=1000 * attempt)
    cast.settle()

    table = body(client, task).split("What does an attempt take?")[1]

    assert '<b>1:00</b></td><td class="num">45 s to 2:30</td><td class="num">30 s to 4:00</td>' in table
    assert (
        '<b>2,100 tokens</b></td><td class="num">1,600 to 2,600 tokens</td>'
        '<td class="num">1,100 to 3,100 tokens</td>'
    ) in table


@pytest.mark.parametrize("many", [1, 4])
def test_a_task_takes_a_fixed_number_of_queries(
    client: Client,
    cast: Cast,
    task: Task,
    many: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(many):
        for run in cast.add_cell(cast.add_agent(f"Agent-{number}"), task, [4] * many):
            record(run)
    cast.settle()
    # task, proof, cells, their attempts, which agents have test results (2), the latest runs, these with their counts
    with django_assert_num_queries(13):
        body(client, task)


def test_a_hidden_task_is_for_operators_only(
    client: Client, admin_client: Client, cast: Cast, task: Task
) -> None:
    cast.add_cell(cast.alice(), task, [5])
    cast.settle()
    hide(cast.dataset, hidden=True)

    assert client.get(task.get_absolute_url()).status_code == 404
    page = body(admin_client, task)
    assert "hidden dataset" in page
    assert "Attempt 1: resolved" in page


def test_hostile_names_are_text(client: Client, cast: Cast, task: Task) -> None:
    for run in cast.add_cell(cast.alice(), task, [4]):
        record(run)
    cast.settle()
    hostile: dict[str, Any] = {"name": '"><script>x</script>'}
    Agent.objects.update(**hostile)

    assert "<script>x" not in body(client, task)


def test_a_workflow_shows_its_dialogue_and_links_the_other_persona(client: Client, cast: Cast) -> None:
    default, toxic = cast.add_workflow("default", "toxic")

    page = body(client, toxic)

    assert '<dt>Scenario</dt><dd class="mono">talk-tide</dd>' in page
    assert f'toxic; same scenario with <a href="{default.get_absolute_url()}">default</a>' in page
    assert "The neap tide is known." in page
    assert "Add the neap tide to <code>tide.py</code>." in page
    assert (
        "10 messages of the user, with the first one, 15:00 for each turn of the agent, "
        "20:00 for the whole dialogue, 5:00 for each verifier that runs a command"
    ) in page
    assert "<b>5</b> hidden verifiers" in page
    assert "3 verifiers must turn from failing to passing" in page
    assert TESTS[4] in page
    assert "test must" not in page


def test_a_workflow_that_was_loaded_by_an_older_version_says_what_to_do(client: Client, cast: Cast) -> None:
    (only,) = cast.add_workflow("default")
    Task.objects.filter(pk=only.pk).update(workflow={})

    page = body(client, only)

    assert "appear here when the dataset is loaded again" in page
    assert "same scenario with" not in page


@pytest.mark.parametrize("mode", [Task.Mode.REMOVE, Task.Mode.DISCOVERY])
def test_what_models_recall_is_shown_to_all_only_if_the_task_names_its_targets(
    cast: Cast, task: Task, mode: str
) -> None:
    Task.objects.update(mode=mode, origin=Task.Origin.REMOVED)
    place = {"task": task, "task_digest": task.digest, "prompt": prompt_version()}
    RecallProbe.objects.create(
        **place, model=cast.add_model("Analytical"), similarity=0.625, equal=False, tokens=12
    )
    RecallProbe.objects.create(**place, model=cast.add_model("Difference"), reason="malformed: <b>")
    RecallProbe.objects.create(
        **{**place, "prompt": "old"}, model=cast.add_model("Old"), similarity=1.0, equal=True
    )

    shown = {group: body(client_of(group), task) for group in ("", VIEWERS, OPERATORS)}

    for group, page in shown.items():
        named = mode == Task.Mode.REMOVE or group == OPERATORS
        assert ("What do models recall?" in page) == named
        assert ("0.63" in page) == named
        assert ("malformed: &lt;b&gt;" in page) == (group == OPERATORS)
        assert "Old" not in page


def client_of(group: str) -> Client:
    client = Client()
    if group:
        client.force_login(member(group, group))
    return client


@pytest.mark.parametrize(
    ("mode", "origin", "sentences"),
    [
        ("code", "hand-made", []),
        (
            "remove",
            "removed",
            ["Only the functions that the task names may change.", "origin <b>removed</b>"],
        ),
        ("discovery", "corrupted", ["has to find the functions that cause them", "origin <b>corrupted</b>"]),
        ("pull_request", "pull request", ["origin <b>pull request</b>"]),
    ],
)
def test_a_generated_task_says_where_it_comes_from_and_what_a_repair_is(
    client: Client, task: Task, mode: str, origin: str, sentences: list[str]
) -> None:
    Task.objects.filter(pk=task.pk).update(mode=mode, origin=origin)
    page = " ".join(body(client, task).split())
    shown = ["may change.", "cause them", "origin <b>"]
    assert [sentence for sentence in sentences if sentence not in page] == []
    assert any(part in page for part in shown) == bool(sentences)
