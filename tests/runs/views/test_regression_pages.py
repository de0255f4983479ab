"""The list of checks: readers see verdicts and what moved, operators start a check by hand."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client

from runs.judging.regression_checks import starting_checks
from runs.models import Delivery, RegressionCheck, RegressionFinding, Schedule
from runs.views import regression_pages
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.judging.regression_checks.nights import ENGINE, FIRST

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def check() -> RegressionCheck:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    later = cast.add_evaluation("neap-tide", "Neap tide")
    before = cast.add_run(alice, tasks[0])
    after = cast.add_run(alice, tasks[0], evaluation=later, passed=2)
    return add_regression(tasks, later, (after, before))


def test_readers_see_what_moved(client: Client, check: RegressionCheck) -> None:
    page = client.get("/regressions/").content.decode()
    assert check.get_absolute_url() in page
    assert "worse: Formal verification" in page
    assert "judge moved: Pitfalls" in page
    assert "better: Cost" in page
    assert "Run now" not in page


def test_it_is_filtered_by_verdict(client: Client, check: RegressionCheck) -> None:
    page = client.get("/regressions/?verdict=regression").content.decode()
    assert check.get_absolute_url() in page
    assert '<a href="?verdict=none">no regression shown</a>' in page
    assert '<a href="?verdict=infrastructure">infrastructure failed</a>' in page
    assert "No check with this verdict" in client.get("/regressions/?verdict=none").content.decode()
    assert client.get("/regressions/?verdict=perhaps").status_code == 400


def test_long_lists_have_pages_whose_addresses_do_not_grow(
    client: Client, admin_client: Client, check: RegressionCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression_pages, "PAGE", 1)
    for number in (1, 2):
        due = check.due_at + timedelta(days=number)
        RegressionCheck.objects.create(schedule=check.schedule, due_at=due, verdict=check.verdict)
        Schedule.objects.create(title=f"Watch {number}", agent=check.schedule.agent, enabled=False)
    page = client.get("/regressions/?verdict=regression&page=1&page=2").content.decode()
    assert 'href="?verdict=regression&amp;page=3"' in page
    page = compact(admin_client.get("/regressions/").content.decode())
    assert "2 more schedules</a>" in page
    assert page.count("Run now") == 1
    assert 'every day at 02:00 UTC <code class="faint">0 2 * * *</code>' in page


def test_checks_of_hidden_tasks_are_for_operators(
    client: Client, admin_client: Client, check: RegressionCheck
) -> None:
    hide(check.schedule.tasks.all()[0].repository.dataset, hidden=True)
    assert "Night watch" not in client.get("/regressions/").content.decode()
    assert client.get(check.get_absolute_url()).status_code == 404
    assert "Night watch" not in client.get("/regressions/feed.atom").content.decode()
    assert "Night watch" in admin_client.get("/regressions/").content.decode()


def test_an_operator_starts_a_check_now(
    admin_client: Client, check: RegressionCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting_checks, "engine_status", lambda: ENGINE)
    number = {"schedule": str(check.schedule_id)}
    response = admin_client.post("/regressions/", number)
    started = RegressionCheck.objects.exclude(pk=check.pk).get()
    assert response["Location"] == started.get_absolute_url()
    assert started.candidate is not None

    page = admin_client.post("/regressions/", number, follow=True).content.decode()
    assert "Night watch was not started: A check of this schedule is running." in page
    assert RegressionCheck.objects.count() == 2


def test_readers_start_nothing(client: Client, check: RegressionCheck) -> None:
    response = client.post("/regressions/", {"schedule": str(check.schedule_id)})
    assert response.status_code == 302
    assert "/login/" in response["Location"]
    assert RegressionCheck.objects.count() == 1


def test_an_unknown_schedule(admin_client: Client, check: RegressionCheck) -> None:
    assert admin_client.post("/regressions/", {"schedule": "999"}).status_code == 404
    assert admin_client.post("/regressions/", {"schedule": "x"}).status_code == 400


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
        '<th scope="row">Pitfalls</th>',
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


def test_an_unknown_value_is_a_dash_in_every_unit(client: Client, check: RegressionCheck) -> None:
    findings = RegressionFinding.objects.filter(check_of=check, scale="amount").order_by("place")
    amount = findings[0]
    for quantity in ("cost_usd", "seconds", "tokens"):
        RegressionFinding.objects.filter(pk=amount.pk).update(quantity=quantity, anchor_value=None)
        page = compact(client.get(check.get_absolute_url()).content.decode())
        row = page.split(f">{amount.title}</th>")[1].split("</tr>")[0]
        assert '<td class="num" data-name="Anchor"><span class="muted">–</span></td>' in row


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


def entries(client: Client) -> list[tuple[str, str]]:
    """Title and summary of each entry."""
    response = client.get("/regressions/feed.atom")
    assert response["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(response.content)
    own = [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own == ["http://testserver/regressions/feed.atom"]
    return [
        (entry.findtext(f"{ATOM}title") or "", entry.findtext(f"{ATOM}summary") or "")
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_each_ended_check_is_an_entry(client: Client) -> None:
    assert entries(client) == []
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    runs = cast.add_run(alice, tasks[0], 2), cast.add_run(alice, tasks[0])
    add_regression(tasks, cast.evaluation, runs, title="<b>Night\nwatch\ufffe")
    add_regression(tasks, cast.evaluation, runs, title="Open", state="judging", verdict="")
    ((title, summary),) = entries(client)
    assert title == "<b>Night watch\N{REPLACEMENT CHARACTER}: regression"
    assert "<p>Became worse: Formal verification.</p>" in summary
    assert "difference -0.25 (95 % -0.4 to -0.1), 8 scenarios, corrected p 0.004</li>" in summary
