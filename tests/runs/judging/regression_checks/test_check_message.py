"""What a message says."""

from __future__ import annotations

from typing import Any

import pytest

from runs.judging.regression_checks.check_message import address_of, body, finding_in_words, payload, subject
from runs.judging.regression_checks.finishing import close
from runs.models import Delivery, RegressionCheck, RegressionFinding
from tasks.loading import hide
from tasks.models import Dataset
from tests.runs.judging.regression_checks.nights import FIRST, Nights

pytestmark = pytest.mark.django_db


@pytest.fixture
def check(settings: Any) -> RegressionCheck:
    settings.SITE_ADDRESS = "https://bench.example/"
    schedule = Nights().add_schedule("Night\nwatch", webhook_url="https://hook.example/x")
    made = RegressionCheck.objects.create(schedule=schedule, due_at=FIRST)
    worse = RegressionFinding(
        quantity="formal", title="Formal verification", scale="share", outcome="worse",
        effect=-0.25, low=-0.4, high=-0.1, p_worse=0.004, scenarios=16, pairs=32,
    )  # fmt: skip
    other = RegressionFinding(
        quantity="cost_usd", title="Cost", scale="amount", outcome="no difference shown"
    )
    close(made, RegressionCheck.Verdict.REGRESSION, "Became worse: Formal verification.", [worse, other])
    return made


def test_the_mail_has_verdict_reason_findings_and_address(check: RegressionCheck) -> None:
    assert subject(check) == "[BenchBench] Night watch: regression"
    assert body(check).splitlines() == [
        "Night watch, due 2026-03-01 02:00 UTC: regression.",
        "Became worse: Formal verification.",
        "",
        "Formal verification: worse, difference -0.25 (95 % -0.4 to -0.1), 16 scenarios, corrected p 0.004",
        "",
        f"https://bench.example/regressions/{check.pk}/",
    ]


def test_the_webhook_gets_all_quantities(check: RegressionCheck, settings: Any) -> None:
    found = payload(Delivery.objects.get())
    assert found["delivery"] == f"{settings.INSTANCE}-{Delivery.objects.get().pk}"
    assert (found["verdict"], found["agent"], found["due_at"]) == (
        "regression",
        "idler",
        "2026-03-01T02:00:00+00:00",
    )
    assert found["address"] == address_of(check)
    assert [(row["quantity"], row["effect"], row["interval"]) for row in found["findings"]] == [
        ("formal", -0.25, [-0.4, -0.1]),
        ("cost_usd", None, None),
    ]


def test_about_a_hidden_check_only_the_verdict_and_the_address_leave_the_site(check: RegressionCheck) -> None:
    hide(Dataset.objects.get(), hidden=True)
    assert subject(check) == "[BenchBench] A schedule of a hidden dataset: regression"
    assert body(check).splitlines() == [
        "A schedule of a hidden dataset, due 2026-03-01 02:00 UTC: regression.",
        "The page has the reason; sign in as an operator to see it.",
        "",
        "",
        f"https://bench.example/regressions/{check.pk}/",
    ]
    found = payload(Delivery.objects.get())
    assert (found["schedule"], found["agent"], found["candidate"], found["anchor"]) == (None,) * 4
    assert (found["verdict"], found["findings"]) == ("regression", [])
    assert "Formal" not in found["reason"]


def test_a_finding_without_an_effect_says_why() -> None:
    finding = RegressionFinding(title="Cost", outcome="not comparable", reason="no scenario has a cost")
    assert finding_in_words(finding) == "Cost: not comparable. no scenario has a cost"
