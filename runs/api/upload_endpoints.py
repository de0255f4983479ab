"""Programs send files here, with a token, and read what became of them. Everything else of the API is read-only.

A session does not count: the token alone says who sends. So no cross-site request can send anything.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from runs.api import rate_limiter
from runs.api.problems import problem
from runs.api.upload_document import (
    ACT,
    ACTS,
    AGENT,
    BOARD,
    CHECK,
    MAX_VALUE_LENGTH,
    SOURCE,
    YES,
    UploadShape,
)
from runs.intake.uploads.receiving import (
    BROKEN,
    CHUNK,
    SKIP,
    SentFile,
    UploadRefused,
    sent_files,
    store_upload,
)
from runs.intake.uploads.upload_jobs import discard_checked, import_checked
from runs.intake.uploads.upload_tokens import (
    TokenRefused,
    reporter_of,
    stored_bytes,
    token_of,
    upload_of,
    waiting_uploads,
)
from runs.models import Upload, UploadPurpose, UploadToken

log = logging.getLogger(__name__)

MAX_DIGITS = 18  # of a key that every database accepts
COST = 10  # requests of the limit, whether the token is valid or not
_View = Callable[..., HttpResponse]


def _with_token(*methods: str) -> Callable[[_View], _View]:
    """A view for requests of these methods with a valid token, which it gets. Errors are problem documents."""

    def decorate(view: _View) -> _View:
        @wraps(view)
        def guarded(request: HttpRequest, **names: Any) -> HttpResponse:
            if request.method not in methods:
                refused = problem(405, f"{request.method} is not allowed here.")
                refused.headers["Allow"] = ", ".join(methods)
                return refused
            verdict = rate_limiter.take(request, COST)
            if verdict is not None and not verdict.allowed:
                response = problem(429, f"Too many requests: try again in {max(1, verdict.wait)} s.")
            else:
                response = _response(request, view, names)
            for name, value in (verdict.headers() if verdict else {}).items():
                response.headers[name] = value
            response.headers["Cache-Control"] = "no-store"
            return response

        # There is no session that a page of another site could use: the token is in a header.
        return csrf_exempt(guarded)

    return decorate


def _response(request: HttpRequest, view: _View, names: dict[str, Any]) -> HttpResponse:
    try:
        return view(request, token_of(request.headers.get("Authorization", "")), **names)
    except TokenRefused as error:
        response = problem(401, str(error))
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    except UploadRefused as error:
        return problem(error.status, str(error))
    except (SuspiciousOperation, BadRequest, MultiPartParserError) as error:
        return problem(400, f"The request is no form with files: {error}")
    except Exception as error:
        log.exception("%s failed: %r", request.path, error)
        return problem(500, "An error on the server; the request was valid.")


@_with_token("POST")
def send(request: HttpRequest, token: UploadToken) -> HttpResponse:
    """Stores the files of a form, or the body as one file named by `name`. 202 with the state of the upload."""
    given = _given(request, token)
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    _check_waiting(token, length)
    # The request itself is on the disk, too, until it has been copied.
    if shutil.disk_usage(settings.DATA).free < length + (settings.MIN_FREE_MB << 20):
        raise UploadRefused("There is no space for so large an upload: try again later.", 507)
    check_first = CHECK in request.GET
    upload = store_upload(_files(request), token.purpose, given, token=token, check_first=check_first)
    response = JsonResponse(state_of(upload), status=202)
    response.headers["Location"] = reverse("api:upload", args=[upload.pk])
    return response


def _check_waiting(token: UploadToken, length: int) -> None:
    """Raises UploadRefused if the site stores too much that came with this token."""
    if waiting_uploads(token) >= settings.UPLOADS_WAITING:
        raise UploadRefused(
            f"{settings.UPLOADS_WAITING} uploads of this token are not read yet, or wait for an operator's decision.",
            429,
        )
    stored, most = stored_bytes(token), 2 * settings.UPLOAD_BYTES
    if stored and stored + length > most:
        raise UploadRefused(
            f"The site stores {stored >> 20} MB of uploads of this token that are not imported; at most {most >> 20} "
            "are allowed. Wait until they are read; operators can remove refused ones.",
            429,
        )


@_with_token("GET", "POST")
def state(request: HttpRequest, token: UploadToken, pk: str) -> HttpResponse:
    """What became of an upload of this token. POST decides on a checked one. A `pk` that is no number has none."""
    is_number = pk.isascii() and pk.isdigit() and len(pk) <= MAX_DIGITS
    found = upload_of(token, int(pk)) if is_number else None
    if found is None:
        return problem(404, "This token has no such upload.")
    if request.method == "POST":
        return _decide(request, found)
    if request.GET:
        raise UploadRefused("There are no parameters here.")
    return JsonResponse(state_of(found))


def _decide(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Imports or discards a checked upload, once. Raises UploadRefused."""
    values = request.GET.getlist(ACT)
    if len(values) != 1 or values[0] not in ACTS or len(request.GET) > 1:
        raise UploadRefused(f"Send {ACT}={' or '.join(ACTS)} and no other parameter.")
    shown = state_of(upload)
    if not (import_checked(upload) if values[0] == "import" else discard_checked(upload)):
        raise UploadRefused("The upload does not wait for a decision.", 409)
    if values[0] == "import":
        upload.refresh_from_db()
        shown = state_of(upload)
    return JsonResponse(shown)


def state_of(upload: Upload) -> dict[str, Any]:
    """An upload, for its sender."""
    return UploadShape(
        id=upload.pk,
        state=upload.get_state_display().lower(),
        message=upload.message,
        purpose=upload.purpose,
        dataset=upload.token.dataset if upload.token else None,
        files=upload.files,
        bytes=upload.size,
        sha256=upload.digest,
        read=upload.done,
        total=upload.total,
        new=upload.new,
        grown=upload.grown,
        known=upload.known,
        sent_at=upload.created_at,
        ended_at=upload.finished_at,
        kept_until=upload.kept_until,
        check=upload.check_result,
    ).model_dump(mode="json")


def _given(request: HttpRequest, token: UploadToken) -> dict[str, str]:
    """What the sender says of the source, in the address. Raises UploadRefused."""
    of_trajectories = (BROKEN, CHECK, *SOURCE, BOARD) if token.purpose == UploadPurpose.TRAJECTORIES else ()
    known = ("dataset", "name", *of_trajectories)
    for name, values in request.GET.lists():
        if name not in known:
            raise UploadRefused(f"The parameter {name[:40]!a} is unknown; known are {', '.join(known)}.")
        if len(values) > 1 or len(values[0]) > MAX_VALUE_LENGTH or not values[0].isprintable():
            raise UploadRefused(
                f"{name} must be one printable text of at most {MAX_VALUE_LENGTH} characters."
            )
    for dataset in (request.GET.get(name, token.dataset) for name in ("dataset", BOARD)):
        if dataset != token.dataset:
            raise UploadRefused(
                f"This token is for the dataset {token.dataset}, not for {dataset[:60]!a}.", 403
            )
    if request.GET.get(BROKEN, SKIP) != SKIP:
        raise UploadRefused(f"{BROKEN} must be {SKIP}, or not be there.")
    if request.GET.get(CHECK, YES) != YES:
        raise UploadRefused(f"{CHECK} must be {YES}, or not be there.")
    given = {name: request.GET[name] for name in (BROKEN, *SOURCE, BOARD) if request.GET.get(name)}
    if BOARD in given:
        if others := given.keys() - {BROKEN, BOARD, AGENT}:
            raise UploadRefused(f"A board keeps its own {', '.join(sorted(others))}: leave that out.")
    elif token.purpose == UploadPurpose.TRAJECTORIES:
        given |= {"slug": token.dataset, "reported_by": reporter_of(token)}
    return given


def _files(request: HttpRequest) -> Iterable[SentFile]:
    if request.content_type == "multipart/form-data":
        return sent_files(file for _, files in request.FILES.lists() for file in files)
    return [SentFile(request.GET.get("name", ""), iter(lambda: request.read(CHUNK), b""))]
