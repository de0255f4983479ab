"""The page that shows how reliable judges are, and the button that loads the runs for measuring them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from harness.judges.dimensions import dimensions
from harness.judges.faults.catalogue import decoys, faults
from runs.data.cache.digests import text_digest
from runs.data.queries.visibility import is_operator
from runs.judging.reviews.fault_runs import FaultRunsRefused, fault_evaluation, load_fault_runs
from runs.judging.reviews.judge_reliability import judge_reliability
from runs.judging.reviews.measured_reviews import reviews_version
from runs.models import Run
from runs.models.open_rows import with_fault_catalogue
from runs.views.operator_pages.operators_only import operators_only


@require_safe
def judges(request: HttpRequest) -> HttpResponse:
    """Every judge with a review: the verdict, the meters, and the cases in which it was wrong. The same for all."""
    injected = sum(one.injected for one in decoys())
    context = {
        "section": "judges",
        "found": judge_reliability(),
        "titles": {name: each.title for name, each in dimensions().items()},
        "replays": _replays(),
        "operator": is_operator(request.user),
        "catalogue": fault_evaluation(),
        "faults": len(faults()),
        "decoys": len(decoys()) - injected,
        "injections": injected,
    }
    return render(request, "runs/judging/judges.html", context)


def judges_version() -> str:
    """Changes with everything that the page shows."""
    return text_digest(reviews_version(), repr(_replays()))


@require_POST
@operators_only
def load_faults(request: HttpRequest) -> HttpResponse:
    """Loads the runs of the fault catalogue; then the page of judges. For operators."""
    try:
        loaded = load_fault_runs()
    except FaultRunsRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"The fault catalogue is loaded: {loaded.new} runs are new.")
    return HttpResponseRedirect(reverse("judges"))


def _replays() -> dict[str, str]:
    """The replays of the catalogue's runs by their keys."""
    catalogue = fault_evaluation()
    if catalogue is None:
        return {}
    runs = with_fault_catalogue(Run.objects.filter(evaluation=catalogue)).only("pk", "key")
    return {run.key: run.get_absolute_url() for run in runs.order_by("pk")}
