"""What a message about a check says: an e-mail's text, and the JSON of a webhook."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from runs.formatting.text import one_line
from runs.models import Delivery, RegressionCheck, RegressionFinding

MOST_TITLE = 150
SCHEMA_VERSION = 1


def subject(check: RegressionCheck) -> str:
    """The subject: one line."""
    return one_line(f"[BenchBench] {check.schedule.title}: {check.get_verdict_display()}", MOST_TITLE)


def body(check: RegressionCheck) -> str:
    """The text of an e-mail."""
    lines = [
        f"{check.schedule.title}, due {check.due_at:%Y-%m-%d %H:%M} UTC: {check.get_verdict_display()}.",
        check.reason,
        "",
        *(finding_in_words(finding) for finding in check.findings.filter(causes_alarm=True, outcome="worse")),
        "",
        address_of(check),
    ]
    return "\n".join(one_line(line, 1000) for line in lines) + "\n"


def finding_in_words(finding: RegressionFinding) -> str:
    """One finding with effect, interval, n and p."""
    ends = (
        ""
        if finding.low is None or finding.high is None
        else f" (95 % {finding.low:+.3g} to {finding.high:+.3g})"
    )
    if finding.effect is None:
        return f"{finding.title}: {finding.outcome}. {finding.reason}"
    kind = "difference" if finding.scale == "share" else "ratio"
    p = "" if finding.p_worse is None else f", corrected p {finding.p_worse:.2g}"
    return f"{finding.title}: {finding.outcome}, {kind} {finding.effect:.3g}{ends}, {finding.scenarios} scenarios{p}"


def payload(delivery: Delivery) -> dict[str, Any]:
    """The JSON of a webhook. `delivery` is the same for each try, so a receiver can drop repetitions."""
    check = delivery.check_of
    return {
        "schema_version": SCHEMA_VERSION,
        "delivery": f"{settings.INSTANCE}-{delivery.pk}",
        "schedule": check.schedule.title,
        "agent": check.schedule.agent.slug,
        "due_at": check.due_at.isoformat(),
        "verdict": check.verdict,
        "reason": check.reason,
        "address": address_of(check),
        "candidate": check.candidate.slug if check.candidate else None,
        "anchor": check.anchor.slug if check.anchor else None,
        "findings": [
            {
                "quantity": finding.quantity,
                "outcome": finding.outcome,
                "scale": finding.scale,
                "effect": finding.effect,
                "interval": None if finding.low is None else [finding.low, finding.high],
                "scenarios": finding.scenarios,
                "p_worse": finding.p_worse,
                "reason": finding.reason,
            }
            for finding in check.findings.filter(causes_alarm=True)
        ],
    }


def address_of(check: RegressionCheck) -> str:
    """The address of the check's page; a path alone if the site's address is not set."""
    return f"{settings.SITE_ADDRESS.rstrip('/')}{check.get_absolute_url()}"
