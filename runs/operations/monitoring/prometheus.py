"""The state of the site in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.cache import cache
from django.db.models import Count, Min, Sum
from django.utils import timezone

from runs.data.queries.filters import waits_for_worker
from runs.jobs.disk_space import free_bytes
from runs.models import Run, Try
from runs.operations.monitoring.health import problems
from runs.operations.monitoring.live_workers import worker_status

CACHE_SECONDS = 5


def gauges() -> str:
    """All gauges, cached for a few seconds. Unknown values have no line."""
    found: str | None = cache.get("gauges")
    if found is None:
        found = "".join(f"{line}\n" for line in _lines())
        cache.set("gauges", found, CACHE_SECONDS)
    return found


def _lines() -> Iterable[str]:
    counts = Run.objects.order_by().values_list("state").annotate(n=Count("pk"))
    states = {**dict.fromkeys(Run.State.values, 0), **dict(counts)}
    yield from _gauge("runs", "Runs by state.", {f'state="{state}"': n for state, n in states.items()})
    spent = Try.objects.aggregate(total=Sum("spent_usd"))["total"] or 0.0
    yield from _gauge(
        "spent_dollars", "US dollars that all tries were billed, as far as they are known.", {"": spent}
    )
    oldest = Run.objects.filter(waits_for_worker()).aggregate(oldest=Min("queued_at"))["oldest"]
    waited = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    yield from _gauge("oldest_wait_seconds", "How long the oldest queued run has waited.", {"": waited})
    yield from _gauge("troubles", "How many parts of the site are down.", {"": len(problems())})
    free = free_bytes()
    if free is not None:
        yield from _gauge("disk_free_bytes", "Free space for run directories.", {"": free})
    workers = worker_status()
    if workers is not None:
        by_state = {'state="busy"': workers.busy, 'state="idle"': workers.count - workers.busy}
        yield from _gauge("workers", "Workers that are alive.", by_state)
        yield from _gauge("queue_jobs", "Jobs that wait for a worker.", {"": workers.jobs})


def _gauge(name: str, what: str, values: Mapping[str, float]) -> Iterable[str]:
    yield f"# HELP benchbench_{name} {what}"
    yield f"# TYPE benchbench_{name} gauge"
    for labels, value in values.items():
        number = f"{value:.0f}" if float(value).is_integer() else repr(float(value))
        yield f"benchbench_{name}{f'{{{labels}}}' if labels else ''} {number}"
