"""Single files of a run: screenshots, the patch and the test log. Sent only as text or as pictures."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from harness.pictures import picture_type
from harness.records import RunRecord
from runs.data.queries.filters import replay_or_404
from runs.data.queries.visibility import is_operator, sees_grading_output, visible
from runs.models import TrajectorySource
from runs.presentation.formatting.text import clean
from runs.transfer.run_archive import is_plain, opened

NOSNIFF = {"X-Content-Type-Options": "nosniff"}


@require_safe
def artifact(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A picture in the result of a tool. What is sent is a picture by its content, and named as such."""
    content = _record(request, pk).artifact(name)
    if content is None:
        raise Http404(f"run {pk} has no such picture")
    return HttpResponse(
        content,
        content_type=picture_type(content),
        headers={
            **NOSNIFF,
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )


@require_safe
def patch(request: HttpRequest, pk: int) -> HttpResponse:
    """The final patch, byte for byte, as plain text."""
    return inline_text(_record(request, pk).patch())


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """The output of the hidden tests, for operators: a patch can make it quote the tests. 404 for other readers."""
    found = _record(request, pk)
    if not sees_grading_output(request.user):
        raise Http404("the output of a grading is for operators")
    return inline_text(clean(found.grading_log()))


@require_safe
def original(request: HttpRequest, pk: int) -> FileResponse:
    """The file of another tool from which the trajectory was read, as it came, or a zip file of several.

    For operators: it may hold secrets.
    """
    found = replay_or_404(request.user, pk)
    source = visible(TrajectorySource.objects.filter(run=found), request.user).first()
    if source is None or not is_operator(request.user) or not is_plain(source.path):
        raise Http404(f"run {pk} has no such file")
    response = FileResponse(opened(source.path), as_attachment=True, filename=source.download_name)
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def inline_text(text: str | bytes, kind: str = "plain") -> HttpResponse:
    """Text of the media type text/`kind`, which browsers must not interpret as anything else."""
    return HttpResponse(
        text,
        content_type=f"text/{kind}; charset=utf-8",
        headers={**NOSNIFF, "Content-Disposition": "inline"},
    )


def _record(request: HttpRequest, pk: int) -> RunRecord:
    return RunRecord(replay_or_404(request.user, pk).path)
