"""The Atom feed of checks that have ended."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join

from runs.data.queries.visibility import ANONYMOUS, visible
from runs.judging.regression_checks.check_message import finding_in_words
from runs.models import RegressionCheck, RegressionFinding
from runs.views.site_pages.feed import MAX_ENTRIES, feed_id, feed_text


def regression_feed(request: HttpRequest) -> HttpResponse:
    """The newest checks first, each with what became worse."""
    ended = visible(RegressionCheck.objects.filter(state=RegressionCheck.State.FINISHED), ANONYMOUS)
    checks = list(ended.select_related("schedule").order_by("-finished_at", "-pk")[:MAX_ENTRIES])
    atom = Atom1Feed(
        title="BenchBench: regressions",
        subtitle="Scheduled evaluations that were compared with an earlier one",
        link=request.build_absolute_uri(reverse("regressions")),
        feed_url=request.build_absolute_uri(reverse("regression_feed")),
        description="",
        language="en",
        author_name="BenchBench",
        feed_guid=feed_id("regressions"),
    )
    for check in checks:
        findings = visible(RegressionFinding.objects.filter(check_of=check, causes_alarm=True), ANONYMOUS)
        words = [(feed_text(finding_in_words(finding)),) for finding in findings.filter(outcome="worse")]
        listed = format_html_join("", "<li>{}</li>", words)
        atom.add_item(
            title=f"{feed_text(str(check.schedule))}: {check.get_verdict_display()}",
            link=request.build_absolute_uri(check.get_absolute_url()),
            description=format_html("<p>{}</p><ul>{}</ul>", feed_text(check.reason), listed),
            unique_id=feed_id(f"regressions/{check.pk}"),
            pubdate=check.finished_at,
            updateddate=check.finished_at,
        )
    if not checks:
        atom.latest_post_date = lambda: datetime(2026, 1, 1, tzinfo=UTC)  # type: ignore[method-assign]
    return HttpResponse(atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")
