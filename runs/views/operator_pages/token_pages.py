"""The page on which operators make and revoke tokens for programs that send files."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from runs.data.queries import parameters
from runs.data.queries.visibility import visible
from runs.intake.uploads.token_form import TokenForm
from runs.intake.uploads.upload_tokens import create_token, revoke_token
from runs.models import UploadToken
from runs.views.operator_pages.operators_only import operators_only


@operators_only
def tokens(request: HttpRequest) -> HttpResponse:
    """GET: all tokens. POST with `revoke` revokes one; else it makes one, and this response alone shows its text."""
    if request.method != "POST":
        return _list(request, TokenForm())
    if "revoke" in request.POST:
        pk = parameters.whole(request.POST, "revoke", 0, least=0, most=2**62)
        token = get_object_or_404(visible(UploadToken.objects.all(), request.user), pk=pk)
        if revoke_token(token):
            messages.success(request, f"The token of {token.name} is revoked.")
        return HttpResponseRedirect(reverse("upload_tokens"))
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _list(request, form)
    token, text = create_token(**form.cleaned_data, user=request.user)
    return _list(request, TokenForm(), made=token, text=text)


def _list(
    request: HttpRequest,
    form: TokenForm,
    *,
    made: UploadToken | None = None,
    text: str = "",
) -> HttpResponse:
    found = visible(UploadToken.objects.select_related("created_by"), request.user)
    context = {"section": "evaluations", "form": form, "tokens": found[:500], "made": made, "text": text}
    return render(request, "runs/uploads/tokens.html", context)
