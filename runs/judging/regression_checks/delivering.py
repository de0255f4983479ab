"""Sends the messages of checks: each until it is accepted, at most MAX_TRIES times, with growing pauses."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.core.mail import EmailMessage
from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone

from harness.redaction import Redactor
from runs.data.queries.filters import is_due
from runs.judging.regression_checks.check_message import body, payload, subject
from runs.judging.regression_checks.webhook import WebhookFailed, post, secret_named
from runs.models import Delivery

log = logging.getLogger(__name__)

MAX_TRIES = 6
FIRST_PAUSE = timedelta(minutes=1)  # four times longer after each further try


def deliver_due() -> int:
    """Sends every message that is due. Returns how many were accepted."""
    due = Delivery.objects.filter(is_due(), state=Delivery.State.WAITING).order_by("pk")
    return sum(deliver(one) for one in due.select_related("check_of__schedule__agent"))


def deliver(delivery: Delivery) -> bool:
    """One try. False if it failed, or if another process tries it now.

    The try is counted before it begins. If this process dies after the message was accepted and before that is stored,
    the message is sent again after the pause; it has the same number then.
    """
    if not _claim(delivery):
        return False
    try:
        _send(delivery)
    except DatabaseError:
        raise
    except Exception as error:
        # Whatever it is: the next message must not wait for this one.
        reason = (
            f"{error}" if isinstance(error, WebhookFailed | OSError) else f"{type(error).__name__}: {error}"
        )
        _failed(delivery, Redactor.from_environment().text(reason)[:1000])
        return False
    Delivery.objects.filter(pk=delivery.pk).update(
        state=Delivery.State.SENT, reason="", not_before=None, sent_at=timezone.now()
    )
    return True


def _claim(delivery: Delivery) -> bool:
    """Of concurrent calls, one returns True."""
    taken = Delivery.objects.filter(
        is_due(), pk=delivery.pk, tries=delivery.tries, state=Delivery.State.WAITING
    ).update(tries=F("tries") + 1, not_before=timezone.now() + FIRST_PAUSE * 4**delivery.tries)
    if taken and delivery.tries >= MAX_TRIES:  # the last one died
        _failed(delivery, "The process that sent it died.")
        return False
    delivery.tries += 1
    return bool(taken)


def _failed(delivery: Delivery, reason: str) -> None:
    ended = delivery.tries >= MAX_TRIES
    state = Delivery.State.FAILED if ended else Delivery.State.WAITING
    Delivery.objects.filter(pk=delivery.pk).update(state=state, reason=reason)
    log.warning("%s, try %d failed%s: %s", delivery, delivery.tries, " for good" if ended else "", reason)


def _send(delivery: Delivery) -> None:
    check = delivery.check_of
    if delivery.channel == Delivery.Channel.WEBHOOK:
        secret = secret_named(check.schedule.webhook_secret_variable)
        post(check.schedule.webhook_url, secret, payload(delivery))
        return
    number = payload(delivery)["delivery"]
    headers = {"Message-ID": f"<{number}@benchbench.invalid>", "Auto-Submitted": "auto-generated"}
    EmailMessage(subject(check), body(check), to=check.schedule.addresses, headers=headers).send()
