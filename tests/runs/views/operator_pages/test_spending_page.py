"""The page of spending: totals, a chart by day and a table by model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Try
from runs.operations.monitoring.model_spending import spending
from runs.presentation.charts.time_columns import MAX_PARTS
from runs.views.operator_pages.spending_page import spending_chart
from tests.markup import compact
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db

PAGE = "/operate/spending/"


def test_known_and_unknown_costs_of_each_model_stand_apart(admin_client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    add_try(cast.add_run(cast.alice(), task), 1, Try.State.SETTLED, spent_usd=1.25)
    add_try(cast.add_run(cast.bob(), task), 1, Try.State.SETTLED, cost_unknown=True)

    page = compact(admin_client.get(PAGE).content.decode())

    assert "$1.25 since" in page
    assert "1 try or call had an unknown cost, which is in no sum." in page
    alice, bob = page.partition("By model</h2>")[2].split("</tr>")[1:3]
    assert "Analytical" in alice
    assert "<b>$1.25</b>" in alice
    assert "Babbage" in bob
    assert "<b>unknown</b>" in bob
    assert '<td class="num" data-name="Runs">unknown</td><td class="num" data-name="Judges">$0</td>' in bob
    assert '<td class="num" data-name="Unknown cost">1<small class="under">for runs</small></td>' in bob
    assert 'id="spending"' in page


def test_a_use_of_which_no_cost_is_known_has_no_column(admin_client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    add_try(cast.add_run(cast.bob(), task), 1, Try.State.SETTLED, cost_unknown=True)

    page = compact(admin_client.get(PAGE).content.decode()).partition("By model</h2>")[2]

    assert "Runs<small>" not in page
    assert "Judges<small>both months</small>" in page
    assert '<td class="num" data-name="Unknown cost">1<small class="under">for runs</small></td>' in page


def test_more_models_than_shades_share_the_last_part(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    for number in range(MAX_PARTS + 2):
        agent = cast.add_agent(
            f"A{number}", "ide", cast.add_model(f"M{number}", input_price=1.0, output_price=1.0)
        )
        made = add_try(cast.add_run(agent, task), 1, Try.State.SETTLED, spent_usd=float(number + 1))
        Try.objects.filter(pk=made.pk).update(started_at=now)

    chart = spending_chart(spending(ANONYMOUS, now))

    assert chart is not None
    assert chart.parts == ("M7", "M6", "M5", "M4", "M3", "3 others")
    assert chart.columns[-1].name == "2 Mar"
    assert chart.columns[-1].parts == (8.0, 7.0, 6.0, 5.0, 4.0, 6.0)


def test_an_empty_site_says_so_and_only_operators_see_it(client: Client, admin_client: Client) -> None:
    page = admin_client.get(PAGE).content.decode()
    assert "Nothing was spent since" in compact(page)
    assert "<table" not in page
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert client.get(PAGE).status_code == 403
