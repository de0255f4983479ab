"""The budget of a judging pass: what its reviews may spend together."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import Q

from harness.session import Control
from runs.execution.budget import Account, DatabaseLedger, SharedBudget, account_of_rows
from runs.models import JudgeReview, JudgingPass
from runs.reviews.judging_passes import finish_pass, stop_queued

_WITHOUT_SCORE = ~Q(state__in=[*JudgeReview.OPEN, JudgeReview.State.DONE])


def account_of_pass(pass_id: int) -> Account:
    """The account of all reviews of a pass. `failed`: what reviews without a score cost. One query."""
    reviews = JudgeReview.objects.filter(judging_pass=pass_id)
    return account_of_rows(reviews, live=JudgeReview.State.RUNNING, failed=_WITHOUT_SCORE)


def ledger_of_review(review: JudgeReview, control: Control) -> DatabaseLedger:
    """The ledger of one claimed review: the budget of its pass."""
    budget = SharedBudget(
        payer=review.judging_pass,
        payers=JudgingPass.objects.all(),
        live=JudgeReview.State.RUNNING,
        account=partial(account_of_pass, review.judging_pass_id),
        stop=partial(stop_paying, review.judging_pass_id),
    )
    return DatabaseLedger(budget, JudgeReview.objects.filter(pk=review.pk, tries=review.tries), control)


def stop_paying(pass_id: int, reason: str) -> None:
    """Ends the queued reviews of a pass as unpaid. They have no score, and can be queued again."""
    with transaction.atomic():
        started = JudgingPass.objects.select_for_update().get(pk=pass_id)
        stop_queued(pass_id, JudgeReview.State.UNPAID, reason)
        started.reason = reason
        started.save(update_fields=["reason"])
        finish_pass(pass_id)


def pass_over_budget(started: JudgingPass) -> bool:
    """Whether the budget of the pass is used up. If so, its queued reviews end as unpaid."""
    if started.budget_usd is None:
        return False
    account = account_of_pass(started.pk)
    if account.unknown:
        reason = "The cost of a review of this pass is unknown, so its budget cannot be enforced."
    elif account.used >= started.budget_usd:
        reason = f"The budget of ${started.budget_usd:.2f} is used up: {account.sentence(2)}."
    else:
        return False
    stop_paying(started.pk, reason)
    return True
