"""The report of an evaluation as page, Markdown and JSON: found from its page, with links into the replay."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from runs.models import Evaluation, Run
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review, add_summary
from tests.runs.reporting.reports.world import tides

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> [x](javascript:alert(1))"


@pytest.fixture
def evaluation() -> Evaluation:
    """Three judged runs or more, with summaries whose words are hostile."""
    cast = tides()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge, evaluation=cast.evaluation)
    runs = list(Run.objects.filter(agent__slug="alice").order_by("pk"))
    for run in runs:
        add_evidence(add_review(started, judge, run, "pitfalls"))
    summary = add_summary(started, judge, runs)
    summary.groups.update(title=HOSTILE[:80], claim=f"{HOSTILE} {'word ' * 60}end.", numbers=[1, 2])
    add_summary(started, judge, runs, "", text=f"It works. {HOSTILE}")
    return cast.evaluation


def test_the_page_of_the_evaluation_and_that_of_the_pass_link_to_it(
    client: Client, evaluation: Evaluation
) -> None:
    address = f"{evaluation.get_absolute_url()}report/"
    assert f'href="{address}"' in client.get(evaluation.get_absolute_url()).content.decode()
    started = evaluation.judging_passes.get()
    assert f'href="{address}"' in client.get(started.get_absolute_url()).content.decode()


def test_references_open_the_step_and_the_words_of_models_are_text(
    client: Client, evaluation: Evaluation
) -> None:
    first, second = Run.objects.filter(agent__slug="alice").order_by("pk")[:2]
    page = client.get(f"{evaluation.get_absolute_url()}report/").content.decode()
    assert (
        f'<span class="ref"><a href="/runs/{first.pk}/?step=2">R{first.pk} step 2</a>,</span> <span' in page
    )
    assert f"R{second.pk} step 2</a>" in page
    assert f"2 of {Run.objects.filter(agent__slug='alice').count()}" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    # A claim of several sentences is not cut.
    assert "word end." in page
    for part in ("Time, 80 %", "Calls in parallel", "Tokens per second", "Success of tools", "Spent on them"):
        assert part in page
    headings = re.findall(r"<(?:h\d|th scope=\"col\")[^>]*>\s*([^<]*)", page)
    assert [heading for heading in headings if heading[:1].islower()] == []
    assert [heading.strip() for heading in headings].count("In short") == 1


def test_markdown_and_json_have_the_same_parts(client: Client, evaluation: Evaluation) -> None:
    base = evaluation.get_absolute_url()
    first = Run.objects.filter(agent__slug="alice").order_by("pk")[0]
    text = client.get(f"{base}report.md").content.decode()
    assert "## What judges say" in text
    assert f"[R{first.pk} step 2](http://testserver/runs/{first.pk}/?step=2)" in text
    assert "<script>" not in text
    assert r"\[x\](javascript" in text
    assert "[x](javascript" not in text

    found = json.loads(client.get(f"{base}report.json").content)
    judged = next(each for each in found["chapters"] if each["name"] == "judges")
    tables = {table["name"]: table["rows"] for table in judged["tables"]}
    (group,) = tables["summary_pitfalls"]
    assert group[2] == f"2 of {Run.objects.filter(agent__slug='alice').count()}"
    assert group[4][0] == [first.pk, 2]
    assert tables["in_short"][0][1].startswith("It works.")


def test_an_evaluation_that_a_reader_may_not_see_has_none(client: Client, evaluation: Evaluation) -> None:
    for path in ("report/", "report.md", "report.json"):
        assert client.get(f"/evaluations/{evaluation.pk + 1}/{path}").status_code == 404
