"""The analysis pages: headings, summaries, tables, and rows as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, Signs
from runs.models import Counts
from runs.reporting.topics.registry import TOPICS
from tasks.loading import hide
from tasks.models import Task
from tests.markup import compact
from tests.runs.analysis.made_runs import use_of
from tests.runs.cast import Cast
from tests.runs.views.boxes import without_boxes

pytestmark = pytest.mark.django_db
SLUGS = [topic.slug for topic in TOPICS]
EVIL = "</script><script>alert(1)</script>=cmd|'/C calc'!A0"


@pytest.fixture
def cast() -> Cast:
    """Alice and Bob on two tasks, two attempts each, the oracle beside them; trajectories are counted."""
    cast = Cast(attempts=2)
    first, second = cast.add_tasks(2)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    cast.add_cell(alice, first, [5, 5])
    cast.add_cell(alice, second, [5, 3])
    cast.add_cell(bob, first, [0, 5])
    cast.add_cell(bob, second, [1, 1])
    cast.add_cell(oracle, first, [5, 5])
    cast.settle()
    cast.evaluation.runs.update(iterations=3, tool_calls=4)
    Task.objects.update(origin="removed", measures={"code_lines": 12.0, "harmonic": 2.5})
    counted = behaviour.to_json(
        Behaviour(
            labels="eep",
            tools=use_of("read_file", "grep_search", "edit_file", "read_file"),
            signs=Signs({"premature_editing": (1,), "stuck_in_loop": (2, 3)}),
        )
    )
    Counts.objects.bulk_create(
        Counts(run=run, version=behaviour.VERSION, behaviour=json.dumps(counted))
        for run in cast.evaluation.runs.all()
    )
    return cast


def body(client: Client, path: str, **headers: Any) -> str:
    """The page, which must be there."""
    response = client.get(path, headers=headers)
    assert response.status_code == 200, path
    return compact(response.content.decode()).replace("\u00a0", " ")


def downloads(page: str) -> list[str]:
    """The addresses of all tables of a page."""
    return [part.partition('"')[0] for part in page.split('href="')[1:] if ".csv" in part.partition('"')[0]]


@pytest.mark.parametrize("topic", TOPICS, ids=SLUGS)
def test_a_page_has_its_heading_its_summary_and_its_tables(client: Client, cast: Cast, topic: Any) -> None:
    page = body(client, f"/analysis/{topic.slug}/")

    assert f"<h1>{topic.heading}</h1>" in page
    assert 'class="conclusion"' in page
    assert page.count("<table") == len(downloads(page)) > 0
    assert "data-live" not in page


def test_topics_without_an_answer_on_a_board_are_listed_below_the_others(client: Client, cast: Cast) -> None:
    Task.objects.update(origin="")
    Counts.objects.all().delete()
    cast.evaluation.runs.update(iterations=None, tool_calls=None)

    cards, _, below = body(client, "/analysis/").partition("Not answered with a chart on this board:")

    without = {topic.slug for topic in TOPICS if topic.heading not in cards}
    assert without == {"harness", "iterations", "tools", "failures", "generated", "scoring", "published"}
    links = re.findall(r"<b>(needs [^<]+)</b>:(.*?)(?:·|</p>)", below, re.DOTALL)
    needs = {need: re.findall(r">([^<]+)</a>", topics) for need, topics in links}
    assert needs["needs trajectories"] == ["Iterations", "Tools", "Failure modes"]
    assert needs["needs generated tasks"] == ["Generated tasks"]
    assert 'title="No tool was called, or no trajectory was counted.">Tools</a>' in below


def test_a_page_leads_with_its_chart_and_shows_it_once(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/consistency/")

    answer, _, rest = page.partition('<h2 id="sigma">')
    assert '<figure class="chart" id="lead-sigma-chart"' in answer
    assert 'id="sigma-chart"' not in rest
    assert '<a href="#attempts">Gain and risk of more attempts</a>' in answer


def test_parts_without_data_are_one_line_each_at_the_end(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/tasks/")
    page, _, below = page.partition('<h2 id="without">Without data here</h2>')

    assert (
        '<b id="by-repository">Success by repository</b>: <span class="muted">All tasks are of one' in below
    )
    assert '<h2 id="by-repository">' not in page


def test_columns_without_any_value_are_named_below_their_table(client: Client, cast: Cast) -> None:
    cast.evaluation.runs.update(act_seconds=None)

    page = body(client, "/analysis/efficiency/")

    assert "Not known for any row: " in page
    assert "Time a task" in page.partition("Not known for any row: ")[2].partition("</p>")[0]
    assert ">Time a task</th>" not in page
    assert "seconds" in body(client, "/analysis/efficiency/fronts.csv")


def test_of_alternative_tables_the_first_is_chosen_before_a_reader_chooses(
    client: Client, cast: Cast
) -> None:
    page = body(client, "/analysis/failures/")

    found = re.findall(r'<input type="radio" name="modes-choice"( checked)?> ?(.*?)</label>', page)
    assert found == [(" checked", "All sources"), ("", "IDE-Bench"), ("", "Evaluation Framework")]


def test_repositories_and_methods_are_links_with_their_titles(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/time/")

    assert '<a class="plain" href="/repositories/harbour/">Harbour master</a>' in page
    assert (
        'How it is computed: <a href="/methods/cost-and-effort/#durations">How long runs take</a>, <a href='
        in page
    )
    assert '<a href="/methods/cost-and-effort/#quantiles">Means, medians and quartiles</a>' in page


def test_a_number_that_names_a_row_is_left_aligned(client: Client, cast: Cast) -> None:
    table = body(client, "/analysis/portfolios/").split(">Best choice by number of agents<")[1]

    assert (
        '<th scope="col">Agents</th><th scope="col">Who</th><th scope="col" class="num">Tasks solved' in table
    )
    assert '<th scope="row">1</th>' in table


def test_negative_values_have_a_minus_sign_and_a_unit(client: Client, cast: Cast) -> None:
    table = body(client, "/analysis/portfolios/").split(">Every ordered pair<")[1]

    assert ">+50.0</td>" in table
    assert re.search(r'>−250</td><td class="num" data-name="Time saved a task(, n \d+)?">−15 s</td>', table)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_table_is_available_as_csv_and_json(client: Client, cast: Cast, slug: str) -> None:
    for address in downloads(body(client, f"/analysis/{slug}/")):
        rows = list(csv.reader(io.StringIO(body(client, address))))
        response = client.get(address.replace(".csv", ".json")).json()

        assert len(rows) == 1 + len(response["rows"])
        assert response["data_version"]
        assert {column["name"] for column in response["columns"]} <= set(rows[0])


def test_csv_and_json_use_column_names_and_the_page_uses_titles(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/scoring/")
    assert "<th" in page
    rows = list(csv.reader(io.StringIO(body(client, "/analysis/scoring/agreement.csv"))))
    response = client.get("/analysis/scoring/metrics.json").json()

    assert [row[0] for row in rows[1:]] == [name for name in rows[0] if f"{name}_low" in rows[0]]
    assert [row["metric"] for row in response["rows"]] == [each["name"] for each in response["columns"][1:]]


def test_negative_correlations_have_another_hue_and_a_legend(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/published/")

    assert '<span class="cell less5"' in page or '<span class="cell less4"' in page
    assert '<span class="cell h4"' in page
    assert "below 0: more of one goes with less of the other" in page
    assert not re.search(r'class="cell h\d"[^>]*>−', page)


@pytest.mark.parametrize("slug", ["", *SLUGS])
def test_without_runs_a_page_has_a_note(client: Client, slug: str) -> None:
    assert "No run has finished yet" in body(client, f"/analysis/{slug}/" if slug else "/analysis/")


@pytest.mark.parametrize("slug", ["", *SLUGS])
def test_a_filter_without_matches_has_a_note(client: Client, cast: Cast, slug: str) -> None:
    page = body(client, f"/analysis/{slug + '/' if slug else ''}?repository=nowhere")

    assert "atches" in page
    assert "these filters" in page


@pytest.mark.parametrize("slug", SLUGS)
def test_a_single_run_is_enough_for_every_page(client: Client, slug: str) -> None:
    cast = Cast(attempts=1)
    cast.add_cell(cast.bob(), cast.add_tasks(1)[0], [3])
    cast.settle()

    page = body(client, f"/analysis/{slug}/")

    assert 'class="conclusion"' in page
    assert "None" not in page


def test_the_list_has_every_topic_with_its_summary(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/")

    for topic in TOPICS:
        assert topic.heading in page or f">{topic.title}</a>" in page
        assert f"/analysis/{topic.slug}/" in page
    assert "Alice is the most consistent" in page
    assert page.count('<div class="chart mini"><svg') == page.count('<li class="card topic">') >= 8
    for tab in (
        "/analysis/heatmap/?dataset=ports",
        "/near-misses/?dataset=ports",
        "/compare/",
        "/regressions/",
    ):
        assert f'<a href="{tab}">' in page


def test_a_filter_is_in_every_link_and_works_on_the_page(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/consistency/?difficulty=easy")
    part = body(client, "/analysis/consistency/?difficulty=easy", **{"X-Partial": "analysis"})

    assert all(address.endswith("?dataset=ports&amp;difficulty=easy") for address in downloads(page))
    assert "2 tasks, only difficulty <b>easy</b>." in page
    assert part.lstrip().startswith('<div class="block" data-part="analysis"')
    assert without_boxes(part).strip() in page


def test_calibration_agents_are_left_out_with_a_note(client: Client, cast: Cast) -> None:
    page = body(client, "/analysis/consistency/")

    assert "Calibration agents, who know the reference patch, are left out" in page
    assert "Oracle" not in page


def test_calibration_agents_are_shown_only_if_a_reader_asks_for_them(client: Client, cast: Cast) -> None:
    cast.evaluation.runs.filter(agent__slug="bob").delete()
    cast.settle()

    assert "Oracle" not in body(client, "/analysis/consistency/")
    assert "Oracle" in body(client, "/analysis/consistency/?kind=oracle")
    assert "Only calibration agents are included: they know the reference patch." in body(
        client, "/analysis/failures/?kind=oracle"
    )


def test_invalid_parameters_are_refused(client: Client, cast: Cast) -> None:
    assert client.get("/analysis/consistency/?difficulty=trivial").status_code == 400
    assert client.get("/analysis/luck/").status_code == 404
    assert client.get("/analysis/consistency/luck.csv").status_code == 404
    assert client.post("/analysis/consistency/").status_code == 405


def test_hidden_datasets_are_in_no_analysis(client: Client, cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    for slug in SLUGS:
        assert "No run has finished yet" in body(client, f"/analysis/{slug}/")


@pytest.mark.parametrize("slug", SLUGS)
def test_hostile_names_stay_text(client: Client, cast: Cast, slug: str) -> None:
    for run in cast.evaluation.runs.select_related("agent"):
        run.agent.name = EVIL
        run.agent.save()

    page = body(client, f"/analysis/{slug}/")

    assert "<script>alert" not in page
    assert "alert(1)" in page or slug == "published"  # as text, or it would prove nothing


def test_cells_of_csv_are_no_formulas(client: Client, cast: Cast) -> None:
    agent = cast.evaluation.runs.first().agent  # type: ignore[union-attr]
    agent.slug = "=1+1"
    agent.save()

    rows = list(csv.reader(io.StringIO(body(client, "/analysis/consistency/sigma.csv"))))

    assert "'=1+1" in {row[0] for row in rows}


@pytest.mark.parametrize("slug", ["", *SLUGS])
def test_a_page_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, slug: str, django_assert_max_num_queries: Any
) -> None:
    cast.add_cell(cast.add_agent("Carol"), cast.add_tasks(1, start=3)[0], [5, 0, 5])
    cast.settle()

    with django_assert_max_num_queries(21 if slug else 20 + len(TOPICS)):
        body(client, f"/analysis/{slug}/" if slug else "/analysis/")
