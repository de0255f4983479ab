"""Agents against each other: who wins where, is it more than chance, what does it cost?"""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from runs.analysis.behaviour import VERSION, to_json
from runs.analysis.facts import Behaviour, Signs
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import Agent, Counts, JudgingPass, Panel, PanelJudge, Run
from tasks.loading import hide
from tasks.models import Dataset
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.panels import add_comparison, add_order, add_panel, add_pass, add_review, add_summary

pytestmark = pytest.mark.django_db
PAIR = "?a=alice&b=bob"


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_two_agents_are_compared_with_interval_and_test(client: Client, cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for number, task in enumerate(cast.add_tasks(8)):
        cast.add_cell(alice, task, [5, 5])
        cast.add_cell(bob, task, [5, 0] if number == 0 else [0, 0])
    cast.settle()

    text = body(client, "/compare/?a=alice&b=bob")

    assert "Alice against Bob" in text
    # 8 tasks: 1 − 1/16
    assert "On the 8 tasks that both tried, Alice resolves 93.8 points more of its attempts" in text
    assert "For this pair alone the difference is significant (p = 0.008)" in text
    assert "Alice is significantly better" in text
    assert "Alice resolves a larger share of its attempts on 8 tasks, Bob on 0; 0 are equal." in text
    assert "$0.25 per attempt; per success $0.25" in text
    assert "unknown per attempt; per success unknown: the cost is known for" in text
    turned = body(client, "/compare/?a=bob&b=alice")
    assert "Alice resolves 93.8 points more" in turned


def test_what_is_known_of_neither_agent_is_said_once(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.bob(), task, [0])
    Run.objects.update(act_seconds=None)
    cast.settle()

    text = body(client, "/compare/?a=alice&b=bob")

    assert "Not known of either: time." in text
    assert "Tests passed" in text
    assert text.count("Interval and p are about tasks of these repositories.") == 1


def test_tasks_of_a_reported_board_are_chosen_by_what_its_source_states(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.bob(), task, [0])
    cast.settle()
    assert '<select name="difficulty"' in client.get(f"/compare/{PAIR}").content.decode()

    Dataset.objects.update(reported_by="The Lab")
    cast.settle()

    page = client.get(f"/compare/{PAIR}").content.decode()
    assert "Reported by The Lab" in page
    assert '<select name="repository"' in page
    assert '<select name="difficulty"' not in page
    assert '<select name="category"' not in page


def test_what_holds_for_one_pair_alone_is_no_contradiction_to_the_leaderboard(
    client: Client, cast: Cast
) -> None:
    alice, bob, idler, carol = cast.alice(), cast.bob(), cast.add_agent("Idler"), cast.add_agent("Carol")
    for number, task in enumerate(cast.add_tasks(6)):
        for agent, passed in ((alice, 5), (carol, 5), (bob, 0), (idler, 5 if number < 3 else 0)):
            cast.add_cell(agent, task, [passed])
    cast.settle()

    pair, board = body(client, "/compare/?a=alice&b=bob"), body(client, "/")

    assert "For this pair alone the difference is significant (p = 0.031)" in pair
    assert "tests all pairs together, the difference is not significant" in pair
    assert "6 tasks, Bob on 0; 0 are equal." in pair
    # six pairs: 6 · 2⁻⁷ < 0.05 < 6 · 2⁻⁶
    assert (
        "no two agents share 8 tasks or more, and fewer cannot show a significant difference when all"
        in board
    )
    assert "Two agents compared alone may still differ significantly." in board
    assert "3 tasks, Idler on 0; 3 are equal." in body(client, "/compare/?a=alice&b=idler")


def test_each_common_task_leads_to_the_runs_of_both(client: Client, cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    tasks = cast.add_tasks(4)
    for task, ours, theirs in zip(tasks, (5, 0, 5, 0), (0, 5, 5, 0), strict=True):
        cast.add_cell(alice, task, [ours])
        cast.add_cell(bob, task, [theirs])
    cast.settle()

    page = compact(client.get("/compare/?a=alice&b=bob").content.decode())

    assert '<a href="/runs/?agent=alice&amp;task=harbour%2Ftide-1">1 of 1' in page
    best = [run.pk for agent in (alice, bob) for run in agent.runs.filter(task=tasks[0])]
    assert f'href="/compare/runs/?a={best[0]}&amp;b={best[1]}">side by side' in page
    assert page.index("Only Alice") < page.index(">Tide 1<") < page.index("Only Bob") < page.index(">Tide 2<")
    assert page.index(">Both <") < page.index(">Tide 3<") < page.index(">Neither <") < page.index(">Tide 4<")
    assert "n too small" in page
    assert client.get("/runs/?agent=alice&task=harbour%2Ftide-1").content.decode().count("Replay run") == 1


def test_tasks_without_two_runs_to_compare_have_no_column_for_them(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    for agent in (cast.alice(), cast.bob()):
        cast.add_run(agent, task, tests_passed=None, tests_total=None)
    cast.settle()

    page = client.get("/compare/?a=alice&b=bob").content.decode()

    won = page.partition('id="where"')[2].partition("</section>")[0]
    assert "side by" not in compact(won)
    assert "Best runs" not in won


def test_filters_leave_some_of_the_common_tasks(client: Client, cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    easy, hard = cast.add_tasks(1)[0], cast.add_tasks(1, difficulty="hard", start=2)[0]
    for task in (easy, hard):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])
    cast.add_cell(alice, cast.add_tasks(1, start=3)[0], [5])
    cast.settle()

    text = body(client, "/compare/?a=alice&b=bob&difficulty=hard")
    assert "On the 1 task that both tried" in text
    assert "Tide 1" not in text
    whole = body(client, "/compare/?a=alice&b=bob")
    assert "Not included in these figures: 1 task that only Alice tried, 0 that only Bob tried." in whole
    none = body(client, "/compare/?a=alice&b=bob&repository=nowhere")
    assert "No task in common" in none
    assert "within these filters" in none


def test_signs_of_trouble_stand_side_by_side(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    seen = Behaviour(labels="p", signs=Signs({"premature_editing": (3,)}))
    for agent, behaviour in ((cast.alice(), seen), (cast.bob(), Behaviour(labels="p"))):
        run = cast.add_run(agent, task, passed=3, iterations=1)
        Counts.objects.create(run=run, version=VERSION, behaviour=json.dumps(to_json(behaviour)))
    cast.settle()

    text = body(client, "/compare/?a=alice&b=bob")
    assert "Premature editing 100 % 21 % to 100 %; n 1 0 % 0 % to 79 %; n 1" in text
    filtered = body(client, "/compare/?a=alice&b=bob&difficulty=easy")
    assert "Counted over all tasks only" in filtered


def test_without_agents_the_page_offers_them(client: Client, cast: Cast) -> None:
    assert "There are not yet two agents to compare" in body(client, "/compare/")
    (task,) = cast.add_tasks(1)
    for agent in (cast.alice(), cast.bob()):
        cast.add_cell(agent, task, [5])
    cast.settle()

    assert "Choose two agents" in body(client, "/compare/")
    assert "Choose two agents" in body(client, "/compare/?a=alice")
    twice = compact(client.get("/compare/?a=alice&b=alice").content.decode())
    assert "Both are the same agent" in twice
    assert "Choose two agents" not in twice
    assert twice.count('<option value="alice" selected>') == 2
    assert "No agent with graded attempts is called nobody ." in body(client, "/compare/?a=alice&b=nobody")


def test_boxes_of_the_leaderboard_lead_here(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    for agent in (cast.alice(), cast.bob(), cast.oracle()):
        cast.add_cell(agent, task, [5])
    cast.settle()

    response = client.get("/compare/?agent=alice&agent=bob")
    assert (response.status_code, response["Location"]) == (302, "/compare/?a=alice&b=bob")
    text = body(client, "/compare/?agent=alice&agent=bob&agent=oracle")
    assert "3 agents against each other" in text
    assert text.count("n 1") == 6
    assert (
        '<input type="checkbox" name="agent" value="alice" form="compare">'
        in client.get("/").content.decode()
    )


def test_a_matrix_shows_who_is_significantly_better(client: Client, cast: Cast) -> None:
    alice, bob, idler = cast.alice(), cast.bob(), cast.add_agent("Idler")
    for task in cast.add_tasks(9):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    page = compact(client.get("/compare/?agent=alice&agent=bob&agent=idler").content.decode())

    assert page.count('aria-label="better"') == page.count('aria-label="worse"') == 2
    assert 'href="/compare/?a=alice&amp;b=idler&amp;dataset=ports"' in page
    assert page.count("+100.0") == 2


def test_a_comparison_has_the_filters_of_the_leaderboard(client: Client, cast: Cast) -> None:
    agents = cast.alice(), cast.bob(), cast.oracle()
    for task in (*cast.add_tasks(1), *cast.add_tasks(2, cast.add_repository("quay", "Quay"), start=2)):
        for agent in agents:
            cast.add_cell(agent, task, [5])
    cast.settle()
    filters = "repository=quay&difficulty=easy"

    board = compact(
        client.get(f"/?{filters}&weights=closed", headers={"X-Partial": "leaderboard"}).content.decode()
    )
    (form,) = re.findall(r'<form id="compare".*?</form>', board)
    assert re.findall(r'name="(\w+)" value="(\w+)"', form) == [
        *(("dataset", "ports"), ("repository", "quay"), ("difficulty", "easy"))
    ]
    assert "applies every filter except" not in board
    stack = body(client, f"/?{filters}&stack=Python+3.11&language=Python")
    assert re.search("Compare chosen +applies every filter except stack, language[.]", stack)

    response = client.get(f"/compare/?{filters}&agent=alice&agent=bob")
    assert response["Location"] == f"/compare/?a=alice&b=bob&{filters}"  # of any dataset
    three = compact(client.get(f"/compare/?{filters}&agent=alice&agent=bob&agent=oracle").content.decode())
    assert three.count("; n 2") == 6
    assert "<b>dataset: Ports</b>, <b>repository: Quay</b>, <b>difficulty: easy</b>" in three
    assert (
        'href="/compare/?a=alice&amp;b=bob&amp;dataset=ports&amp;repository=quay&amp;difficulty=easy"'
        in three
    )
    assert 'href="?agent=alice&amp;agent=bob&amp;agent=oracle&amp;dataset=ports">All tasks' in three


def test_too_many_agents_are_refused(client: Client) -> None:
    response = client.get("/compare/?" + "&".join(f"agent=a{number}" for number in range(13)))

    assert response.status_code == 400
    assert "one of at most 12 agents" in response.content.decode()


@pytest.mark.parametrize("tasks", [2, 9])
def test_queries_do_not_depend_on_tasks(
    client: Client, cast: Cast, tasks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    agents: list[Agent] = [cast.alice(), cast.bob()]
    for task in cast.add_tasks(tasks):
        for agent in agents:
            cast.add_cell(agent, task, [5])
    cast.settle()

    # cells, agents, repositories, kinds; the two's cells, all cells again, their tasks and repositories, best, runs
    # boards and their reports, those of the two, calibration agents and printed numbers; the panel's groups and runs
    with django_assert_num_queries(24):
        client.get("/compare/?a=alice&b=bob")


def test_tasks_of_hidden_datasets_are_not_compared(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    for agent in (cast.alice(), cast.bob()):
        cast.add_cell(agent, task, [5])
    cast.settle()
    hide(cast.dataset, hidden=True)

    for address in ("/compare/?a=alice&b=bob", "/compare/?agent=alice&agent=bob&agent=oracle"):
        text = body(client, address)
        assert "Tide" not in text
        assert "100.0" not in text
        assert "harbour" not in text.lower()


def test_scores_of_judges_are_compared_over_shared_scenarios(client: Client, cast: Cast) -> None:
    alice, bob, tasks = cast.alice(), cast.bob(), cast.add_tasks(3)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    for task, scores in zip(tasks, ((1.0, 0.5), (1.0, 0.0), (0.0, None)), strict=True):
        for agent, score in zip((alice, bob), scores, strict=True):
            (run,) = cast.add_cell(agent, task, [5])
            if score is not None:
                add_review(started, judge, run, "pleasantness", score=score)
    cast.settle()

    page = compact(client.get("/compare/?a=alice&b=bob").content.decode())
    assert f'<a href="/judging/{started.pk}/">Harbour panel</a>' in page
    (line,) = [part for part in page.split("<tr>") if ">Pleasantness</th>" in part]
    assert "0.67" in line  # of Alice, over three scenarios
    assert "0.25" in line
    assert "+0.75" in line  # over the two that Bob has, too
    assert "n 2; p = 0.500" in line
    (missing,) = [part for part in page.split("<tr>") if ">Pitfalls</th>" in part]
    assert "no pair has both values" in missing


@pytest.fixture
def judge(cast: Cast) -> PanelJudge:
    model = cast.add_model("Bench", input_price=3.0, output_price=15.0)
    panel = create_panel(
        slug="one", title="One", dimensions=["end_result", "pitfalls"], judges=[NewJudge("Portia", model)]
    )
    return panel.judges.get()


@pytest.fixture
def pair(cast: Cast) -> tuple[Run, Run]:
    (task,) = cast.add_tasks(1)
    runs = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    for run in runs:
        record(run)
    return runs


def page(client: Client, query: str = PAIR, status: int = 200) -> str:
    response = client.get(reverse("judged_agents") + query)
    assert response.status_code == status
    return compact(response.content.decode())


def test_it_shows_dimensions_flips_use_and_setups(
    client: Client, judge: PanelJudge, pair: tuple[Run, Run]
) -> None:
    flip = add_comparison(add_pass(judge), judge, pair, score=0, flipped=True)
    add_order(flip, 1, -3)
    add_order(flip, 2, 3)

    shown = page(client)

    assert "1 of 1" in shown
    assert "A better (−3)" in shown
    assert "B better (3)" in shown
    assert "Analytical" in shown
    assert "Compare with a panel" not in shown
    assert f"/compare/runs/?a={pair[0].pk}&amp;b={pair[1].pk}#judged" in shown


def test_it_shows_a_judges_words_about_all_pairs_with_its_alert(
    client: Client, judge: PanelJudge, pair: tuple[Run, Run]
) -> None:
    started = add_pass(judge)
    add_comparison(started, judge, pair, score=-5)
    one, two = pair
    summary = add_summary(started, judge, [one], "end_result", others=[two], alert=True)
    summary.groups.update(claim="It claims <b>more</b>.")
    add_summary(started, judge, [one], "pitfalls", others=[two], state="refused", reason="no <i>")

    shown = page(client)

    for words in (
        "How they differ, in a judge's words",
        "<b>Unchecked claims</b> (1 of 1): It claims &lt;b&gt;more&lt;/b&gt;.",
        "First better in 1, second in 0",
        f'<a href="/compare/runs/?a={one.pk}&amp;b={two.pk}#judged">C{one.pk}–{two.pk}</a>',
        "judge: alert",
        "No summary. refused: no &lt;i&gt;",
    ):
        assert words in shown, words


def test_unknown_equal_and_missing_agents_are_refused(client: Client, pair: tuple[Run, Run]) -> None:
    page(client, "?a=alice", 404)
    page(client, "?a=alice&b=nobody", 404)
    page(client, "?a=alice&b=alice", 400)


def test_operators_start_a_pass_with_an_estimate_and_a_second_press_starts_none(
    admin_client: Client, judge: PanelJudge, pair: tuple[Run, Run]
) -> None:
    assert "Compare with a panel" in page(admin_client)
    address = reverse("start_comparing") + PAIR
    shown = compact(admin_client.get(address).content.decode())
    assert "on 1 pair of runs" in shown
    assert "<dt>Reviews</dt><dd>4</dd><dt>Comparisons</dt><dd>2, each in both orders" in shown
    assert "about <b>$0." in shown

    panel = Panel.objects.get().pk
    entered = {"title": "Match", "panel": panel, "budget_usd": "2", "mark": "0123abcd"}
    admin_client.post(address, {**entered, "estimate": "Estimate"})
    assert not JudgingPass.objects.exists()
    responses = [admin_client.post(address, {**entered, "start": "Start"}) for _ in range(2)]

    started = JudgingPass.objects.get()
    assert {each.headers["Location"] for each in responses} == {started.get_absolute_url()}
    assert (started.kind, started.budget_usd) == ("comparisons", 2.0)
    assert (started.reviews.count(), started.comparisons.count()) == (4, 2)


def test_without_a_common_task_nothing_can_be_started(
    admin_client: Client, cast: Cast, judge: PanelJudge
) -> None:
    cast.alice()
    cast.bob()
    address = reverse("start_comparing") + PAIR
    assert "no task in common" in admin_client.get(address).content.decode()
    entered = {"title": "Match", "panel": judge.panel.pk, "mark": "0123abcd", "start": "Start"}
    refused = admin_client.post(address, entered)
    assert refused.status_code == 409
    assert not JudgingPass.objects.exists()


def test_readers_start_nothing(client: Client, pair: tuple[Run, Run]) -> None:
    assert client.post(reverse("start_comparing") + PAIR).status_code == 302
