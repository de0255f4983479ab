"""Stores the end of a check, its findings and the messages that are to be sent, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from runs.models import Delivery, RegressionCheck, RegressionFinding

Verdict = RegressionCheck.Verdict


def close(
    check: RegressionCheck,
    verdict: RegressionCheck.Verdict,
    reason: str,
    findings: Sequence[RegressionFinding] = (),
    result: Mapping[str, Any] | None = None,
) -> bool:
    """Ends the check. False, and nothing is changed, if it has ended, or another process took its next step."""
    with transaction.atomic():
        locked = RegressionCheck.objects.select_for_update().get(pk=check.pk)
        if locked.state != check.state or locked.state == RegressionCheck.State.FINISHED:
            return False
        check.state = RegressionCheck.State.FINISHED
        check.verdict, check.reason = verdict, reason
        check.result = dict(result or {})
        check.finished_at = timezone.now()
        check.save()
        for place, finding in enumerate(findings, 1):
            finding.check_of, finding.place = check, place
        RegressionFinding.objects.bulk_create(findings)
        if check.schedule.report_all or (verdict != Verdict.NONE and not check.is_first):
            _announce(check)
    return True


def _announce(check: RegressionCheck) -> None:
    schedule = check.schedule
    channels = [
        *([Delivery.Channel.EMAIL] if schedule.addresses else []),
        *([Delivery.Channel.WEBHOOK] if schedule.webhook_url else []),
    ]
    Delivery.objects.bulk_create(
        (
            Delivery(schedule=schedule, due_at=check.due_at, channel=channel, check_of=check)
            for channel in channels
        ),
        ignore_conflicts=True,
    )
