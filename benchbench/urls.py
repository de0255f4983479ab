"""The public pages are in runs/urls.py; the operator's are here."""

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.http import require_safe

from benchbench import job_pages


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Browsers request this where a page names no icon, as in the admin."""
    return redirect(static("img/icon.svg"))


@require_safe
def no_shortcut(_request: HttpRequest, **_names: str) -> HttpResponse:
    """In place of the admin's redirect to any row by its number, which would name hidden ones."""
    raise Http404


admin.autodiscover()  # here, so that processes without pages do not load it

urlpatterns = [
    path("favicon.ico", favicon),
    path("admin/r/<path:content_type_id>/<path:object_id>/", no_shortcut),
    path("admin/", admin.site.urls),
    path("django-rq/", include(job_pages.urlpatterns())),
    path("api/v1/", include("runs.api.urls")),
    path("", include("runs.urls")),
]
