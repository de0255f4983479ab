"""Two agents by judges, their use and their setups; operators have a panel compare them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import JudgingPass, Panel, PanelJudge, Run
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.panels import add_comparison, add_order, add_pass, add_summary

pytestmark = pytest.mark.django_db
PAIR = "?a=alice&b=bob"


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
