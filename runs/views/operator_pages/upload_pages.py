"""Pages for operators who send files: the form with all uploads, what one holds and became, and tokens of programs."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_datasets
from runs.intake.uploads.check_table import shown_check
from runs.intake.uploads.permits import PERMIT, form_permit
from runs.intake.uploads.receiving import UploadRefused, sent_files, store_upload
from runs.intake.uploads.token_form import TokenForm
from runs.intake.uploads.upload_form import UploadForm, named_values
from runs.intake.uploads.upload_jobs import import_checked, may_import, read_again, remove_upload
from runs.intake.uploads.upload_tokens import create_token, revoke_token
from runs.jobs import queue
from runs.models import Upload, UploadPurpose, UploadToken
from runs.views.operator_pages.operators_only import operators_only

PAGE = 50
EVERY_SECONDS = 2
ACTS = ("import", "again", "remove")


@operators_only
def uploads(request: HttpRequest) -> HttpResponse:
    """GET: the form and all uploads. POST stores files and redirects to their page; refused ones have a reason."""
    if request.method != "POST":
        return _list(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list(request, form)
    try:
        upload = store_upload(
            sent_files(form.cleaned_data["file"]),
            UploadPurpose.TRAJECTORIES,
            form.given(),
            user=request.user,
            check_first=True,
        )
    except UploadRefused as refused:
        form.add_error("file", str(refused))
        return _list(request, form, status=refused.status)
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(upload.get_absolute_url())


def _list(request: HttpRequest, form: UploadForm, status: int = 200) -> HttpResponse:
    found = visible(Upload.objects.select_related("created_by", "token", "submission"), request.user)
    context = {
        "section": "operate",
        "form": form,
        "action": f"{reverse('uploads')}?{PERMIT}={form_permit()}",
        "most_mb": settings.UPLOAD_BYTES >> 20,
        "page": parameters.page_of(request, found, PAGE),
        "queue_problem": queue.problem(),
    }
    return render(request, "runs/uploads/list.html", context, status=status)


@operators_only
@vary_on_headers("X-Partial")
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """One upload; with an X-Partial header, only what changes. POST with `act` imports it as checked, reads it again or
    removes it.
    """
    rows = visible(Upload.objects.all(), request.user)
    rows = rows.select_related("created_by", "token", "submission", "report__evaluation", "report__dataset")
    found = get_object_or_404(rows, pk=pk)
    if request.method == "POST":
        return _change(request, found)
    context = {
        "section": "operate",
        "upload": found,
        "given": named_values(found.given),
        "every": EVERY_SECONDS,
        "check": shown_check(found.check_result) if found.kept_until and found.check_result else None,
        "may_import": may_import(found, request.user),
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "page.html"
    return render(request, f"runs/uploads/{template}", context)


def _change(request: HttpRequest, found: Upload) -> HttpResponse:
    act = parameters.required(request.POST, "act", ACTS, ", ".join(ACTS))
    if act == "import":
        if not may_import(found, request.user):
            raise PermissionDenied
        if import_checked(found):
            messages.success(request, "It is imported now.")
        else:
            messages.error(request, "It is imported already, or does not wait for a decision.")
        return HttpResponseRedirect(found.get_absolute_url())
    if act == "again":
        if read_again(found):
            messages.success(request, "It is read again.")
        else:
            messages.error(request, "It was imported, or it is read just now.")
        return HttpResponseRedirect(found.get_absolute_url())
    if not remove_upload(found):
        messages.error(request, "It is read just now: wait for the end.")
        return HttpResponseRedirect(found.get_absolute_url())
    messages.success(request, f"The upload {found} is removed. What was imported from it stays.")
    return HttpResponseRedirect(reverse("uploads"))


@operators_only
def tokens(request: HttpRequest) -> HttpResponse:
    """GET: all tokens. POST with `revoke` revokes one; else it makes one, and this response alone shows its text."""
    if request.method != "POST":
        return _token_list(request, TokenForm())
    if "revoke" in request.POST:
        pk = parameters.whole(request.POST, "revoke", 0, least=0, most=2**62)
        token = get_object_or_404(visible(UploadToken.objects.all(), request.user), pk=pk)
        if revoke_token(token):
            messages.success(request, f"The token of {token.name} is revoked.")
        return HttpResponseRedirect(reverse("upload_tokens"))
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _token_list(request, form)
    token, text = create_token(**form.cleaned_data, user=request.user)
    return _token_list(request, TokenForm(), made=token, text=text)


def _token_list(
    request: HttpRequest,
    form: TokenForm,
    *,
    made: UploadToken | None = None,
    text: str = "",
) -> HttpResponse:
    found = visible(UploadToken.objects.select_related("created_by"), request.user)
    context = {
        "section": "operate",
        "form": form,
        "tokens": found[:500],
        "datasets": visible_datasets(request.user),
        "made": made,
        "text": text,
    }
    return render(request, "runs/uploads/tokens.html", context)
