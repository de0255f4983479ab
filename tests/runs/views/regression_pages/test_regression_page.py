"""One check: effect, interval, n, corrected p, evidence with links, drift, and the paper's flags beside ours."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.models import Delivery, RegressionCheck, Schedule
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.judging.regression_checks.nights import FIRST

pytestmark = pytest.mark.django_db


@pytest.fixture
def check() -> RegressionCheck:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    later = cast.add_evaluation("neap-tide", "Neap tide")
    before = cast.add_run(alice, tasks[0])
    after = cast.add_run(alice, tasks[0], evaluation=later, passed=2)
    return add_regression(tasks, later, (after, before))


def test_names_cannot_turn_the_text_of_the_page(client: Client, check: RegressionCheck) -> None:
    turned = "\u202eretam"
    Schedule.objects.update(title=turned)
    RegressionCheck.objects.update(reason=turned)
    check.findings.update(title=turned)
    for address in (check.get_absolute_url(), "/regressions/", "/regressions/feed.atom"):
        page = client.get(address).content.decode()
        assert "\u202e" not in page
        assert "⟨U+202E⟩retam" in page


def test_an_anchor_that_was_chosen_as_the_best_has_a_caveat(client: Client, check: RegressionCheck) -> None:
    caveat = "it is the best partly by chance"
    assert caveat not in compact(client.get(check.get_absolute_url()).content.decode())
    Schedule.objects.update(anchor=Schedule.Anchor.BEST)
    assert caveat in compact(client.get(check.get_absolute_url()).content.decode())


def test_the_page_has_all_of_the_check(client: Client, check: RegressionCheck) -> None:
    page = " ".join(client.get(check.get_absolute_url()).content.decode().split())
    pair = check.findings.get(quantity="formal").evidence[0]
    for words in (
        "Became worse: Formal verification.",
        "−25 points",
        "−40 points to −10 points",
        "0.004",
        "× 0.80",
        "× 0.70 to × 0.90",
        "8<small",
        "16, 0</small>",
        f'href="/runs/{pair["run"]}/"',
        f'href="/compare/runs/?a={pair["anchor_run"]}&amp;b={pair["run"]}"',
        "judges: moved",
        "its judges score fixed trajectories",
        "Drift of the judges",
        "The flags of the AgentLens paper",
        "<td>warning</td>",
        "harbour/tide-9 default",
        "Success of single tools",
    ):
        assert words in page, words


def test_a_check_without_findings_says_why(client: Client, check: RegressionCheck) -> None:
    found = RegressionCheck.objects.create(
        schedule=check.schedule,
        due_at=FIRST.replace(day=2),
        state="finished",
        verdict="infrastructure",
        reason="The evaluation was not started: it is late.",
    )
    page = client.get(found.get_absolute_url()).content.decode()
    assert "The evaluation was not started: it is late." in page
    assert "not started" in page
    assert "Findings" not in page


def test_the_papers_flags_of_dimensions_have_the_alert_of_the_judge(
    client: Client, check: RegressionCheck
) -> None:
    def page() -> str:
        return " ".join(client.get(check.get_absolute_url()).content.decode().split())

    assert "which this schedule does not make." in page()
    row = {
        **{"title": "End <result>", "pairs": 32, "value": -0.5, "p": 0.001, "score_alert": True},
        **{"judge_alert": True, "reason": "", "warning": True, "alert": True},
    }
    missing = {**row, "judge_alert": None, "reason": "malformed: <alert>", "alert": False}
    check.result = {**check.result, "paper_dimensions": [row, missing]}
    check.save()
    found = page()
    for words in (
        "End &lt;result&gt;",
        "−0.500",
        "<td>alert</td>",
        "malformed: &lt;alert&gt;",
        "calls all five",
    ):
        assert words in found, words


def test_operators_see_the_messages(client: Client, admin_client: Client, check: RegressionCheck) -> None:
    Delivery.objects.create(
        schedule=check.schedule,
        due_at=check.due_at,
        channel="webhook",
        check_of=check,
        tries=2,
        reason="status 500",
    )
    assert "status 500" in admin_client.get(check.get_absolute_url()).content.decode()
    assert "status 500" not in client.get(check.get_absolute_url()).content.decode()


def test_an_unknown_check(client: Client) -> None:
    assert client.get("/regressions/999/").status_code == 404
