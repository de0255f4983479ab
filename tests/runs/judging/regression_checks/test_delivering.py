"""Messages: once for each schedule, due time and channel; tried again with growing pauses, and then given up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from runs.judging.regression_checks import delivering
from runs.judging.regression_checks.delivering import MAX_TRIES, deliver, deliver_due
from runs.judging.regression_checks.finishing import close
from runs.judging.regression_checks.webhook import WebhookFailed
from runs.models import Delivery, RegressionCheck
from tests.runs.judging.regression_checks.nights import FIRST, Nights

pytestmark = pytest.mark.django_db
State = Delivery.State


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was posted."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setenv("HOOK_SECRET", "key")
    monkeypatch.setattr(delivering, "post", lambda *given: found.append(given))
    return found


def announce(**more: Any) -> Delivery:
    """The message about a regression."""
    schedule = Nights().add_schedule("Watch", webhook_secret_variable="HOOK_SECRET", **more)
    check = RegressionCheck.objects.create(schedule=schedule, due_at=FIRST)
    close(check, RegressionCheck.Verdict.REGRESSION, "Worse.")
    return Delivery.objects.get()


def webhook() -> Delivery:
    return announce(webhook_url="https://hook.example/x")


def test_a_mail_goes_to_all_recipients_once() -> None:
    delivery = announce(recipients="olga@example.org\nada@example.org")
    assert deliver_due() == 1
    assert deliver_due() == 0
    (message,) = mail.outbox
    assert message.to == ["olga@example.org", "ada@example.org"]
    assert message.subject == "[BenchBench] Watch: regression"
    assert str(delivery.pk) in message.extra_headers["Message-ID"]
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, delivery.sent_at is not None) == (State.SENT, 1, True)


def test_a_webhook_is_posted_once(sent: list[tuple[Any, ...]]) -> None:
    delivery = webhook()
    assert deliver(delivery)
    assert not deliver(Delivery.objects.get())
    ((url, secret, payload),) = sent
    assert (url, secret, payload["verdict"]) == ("https://hook.example/x", "key", "regression")


def test_of_two_processes_one_sends(sent: list[tuple[Any, ...]]) -> None:
    webhook()
    one, other = Delivery.objects.get(), Delivery.objects.get()
    assert deliver(one)
    assert not deliver(other)
    assert len(sent) == 1


def test_it_is_tried_again_with_growing_pauses_and_then_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise WebhookFailed("The server answered with status 500.")

    monkeypatch.setenv("HOOK_SECRET", "key")
    monkeypatch.setattr(delivering, "post", fails)
    webhook()
    pauses = []
    for _ in range(MAX_TRIES):
        assert deliver_due() == 0
        assert deliver_due() == 0, "not before the pause is over"
        found = Delivery.objects.get()
        assert found.not_before is not None
        pauses.append(round((found.not_before - timezone.now()) / timedelta(minutes=1)))
        Delivery.objects.update(not_before=None)
    assert pauses == [1, 4, 16, 64, 256, 1024]
    found = Delivery.objects.get()
    assert (found.state, found.tries, found.reason) == (
        State.FAILED,
        6,
        "The server answered with status 500.",
    )


def test_a_message_that_cannot_be_sent_does_not_hold_up_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise LookupError("no such codec")

    monkeypatch.setenv("HOOK_SECRET", "key")
    monkeypatch.setattr(delivering, "post", fails)
    found = announce(webhook_url="https://hook.example/x")
    other = Delivery.objects.create(
        schedule=found.schedule, due_at=found.due_at, channel=Delivery.Channel.EMAIL, check_of=found.check_of
    )
    found.schedule.recipients = "olga@example.org"
    found.schedule.save()
    assert deliver_due() == 1
    found.refresh_from_db()
    other.refresh_from_db()
    assert (found.state, found.reason) == (State.WAITING, "LookupError: no such codec")
    assert other.state == State.SENT


def test_a_process_that_dies_while_it_sends_has_used_up_a_try(
    monkeypatch: pytest.MonkeyPatch, sent: list[tuple[Any, ...]]
) -> None:
    def dies(*_: object) -> None:
        raise SystemExit

    webhook()
    with monkeypatch.context() as patched:
        patched.setattr(delivering, "post", dies)
        for _ in range(MAX_TRIES):
            with pytest.raises(SystemExit):
                deliver_due()
            Delivery.objects.update(not_before=None)
    assert deliver_due() == 0
    assert (Delivery.objects.get().state, sent) == (State.FAILED, [])


def test_without_its_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    webhook()
    monkeypatch.delenv("HOOK_SECRET", raising=False)
    assert deliver_due() == 0
    assert "no variable 'HOOK_SECRET'" in Delivery.objects.get().reason


def test_the_database_refuses_a_second_message_of_a_channel_for_a_due_time() -> None:
    found = webhook()
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.create(
            schedule=found.schedule, due_at=found.due_at, channel=found.channel, check_of=found.check_of
        )
