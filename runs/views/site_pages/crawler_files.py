"""What search engines read: which addresses they may fetch, and a list of the pages of open datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.sitemaps import Sitemap, views
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from runs.data.cells.boards import BoardEntry, all_boards
from runs.data.lists.model_list import addresses_of_slugs
from runs.data.queries.visibility import (
    ANONYMOUS,
    visible,
    visible_agents,
    visible_repositories,
    visible_tasks,
)
from runs.models import Agent, ResultReport, Run
from runs.presentation.documents.documents import DOCUMENTS, Document
from runs.reporting.topics.registry import TOPICS
from runs.views.site_pages.page_metadata import site_address
from tasks.models import Repository, Task

if TYPE_CHECKING:
    _AnySitemap = Sitemap[Any]
else:
    _AnySitemap = Sitemap  # no generic class while the program runs

MAX_ENTRIES = 5_000  # of one part; the protocol allows 50,000
# Pages for people who sign in, and files that cost much to make. No address with a query: some readers of this file
# take `/runs/?` for `/runs/`.
CLOSED = (
    *(
        "/admin/",
        "/django-rq/",
        "/account/",
        "/uploads/",
        "/submissions/",
        "/generation/",
        "/play/",
        "/rate/",
    ),
    *("/evaluations/start/", "/leaderboard/freeze/", "/exports/", "/search/", "/embed/", "/metrics"),
    "/api/v1/",
)
PAGES = (
    *(
        "leaderboard",
        "repositories",
        "tasks",
        "agents",
        "models",
        "near_misses",
        "runs",
        "analysis",
        "compare",
        "evaluations",
        "methods",
        "published",
    ),
    *("judges", "regressions", "api_reference", "docs", "evaluate", "changes"),
)


def version() -> str:
    """Changes with rows that no number is made of: runs without a verdict, tasks and repositories without a run."""
    newest = visible(Run.objects.all(), ANONYMOUS).order_by("-pk").values_list("pk", flat=True).first()
    return f"{newest} {visible_tasks(ANONYMOUS).count()} {visible_repositories(ANONYMOUS).count()}"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Which addresses programs may fetch, and where the list of pages is (RFC 9309)."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), ""]
    lines.append(f"Sitemap: {site_address(request)}{reverse('sitemap')}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


class _Part(_AnySitemap):
    """A part of the list, whose rows the index does not read."""

    limit = MAX_ENTRIES

    def get_latest_lastmod(self) -> datetime | None:
        """None: otherwise the index would read each row of each part."""
        return None


class _Pages(_Part):
    """Pages that every site has."""

    def items(self) -> Sequence[str]:
        return [reverse(name) for name in PAGES]

    def location(self, item: str) -> str:
        return item


class _Documents(_Part):
    """The documents of the project."""

    def items(self) -> Sequence[Document]:
        return list(DOCUMENTS.values())

    def location(self, item: Document) -> str:
        return item.address


class _Boards(_Part):
    """The board of each dataset. The first is the first page."""

    def items(self) -> Sequence[BoardEntry]:
        return all_boards().entries

    def location(self, item: BoardEntry) -> str:
        return f"{reverse('leaderboard')}?dataset={item.dataset}"


class _Topics(_Part):
    """The topics of the analysis."""

    def items(self) -> Sequence[str]:
        return [reverse("analysis_topic", args=[topic.slug]) for topic in TOPICS]

    def location(self, item: str) -> str:
        return item


class _Sources(_Part):
    """Where reported results come from."""

    def items(self) -> QuerySet[Any, Any]:
        reports = visible(ResultReport.objects.all(), ANONYMOUS)
        return reports.order_by("dataset__slug").values_list("dataset__slug", flat=True).distinct()

    def location(self, item: str) -> str:
        return reverse("source", args=[item])


class _Agents(_Part):
    """Agents with results in open datasets."""

    def items(self) -> QuerySet[Agent]:
        known = {slug for board in all_boards().entries for slug in board.agents}
        return visible_agents(ANONYMOUS).filter(slug__in=known).order_by("pk")

    def location(self, item: Agent) -> str:
        return item.get_absolute_url()


class _Models(_Part):
    """Models, by their names in addresses."""

    def items(self) -> Sequence[str]:
        return sorted(set(addresses_of_slugs(ANONYMOUS).values()))

    def location(self, item: str) -> str:
        return reverse("model", args=[item])


class _Repositories(_Part):
    """Repositories of open datasets."""

    def items(self) -> QuerySet[Repository]:
        return visible_repositories(ANONYMOUS).order_by("pk")

    def location(self, item: Repository) -> str:
        return item.get_absolute_url()


class _Tasks(_Part):
    """Tasks of open datasets."""

    def items(self) -> QuerySet[Task]:
        return visible_tasks(ANONYMOUS).order_by("pk")

    def location(self, item: Task) -> str:
        return item.get_absolute_url()


class _Runs(_Part):
    """Runs that have a replay here, the newest first."""

    def items(self) -> QuerySet[Any, Any]:
        replayed = visible(Run.objects.filter(state=Run.State.FINISHED), ANONYMOUS).exclude(directory="")
        return replayed.order_by("-pk").values_list("pk", "finished_at")

    def location(self, item: tuple[int, datetime | None]) -> str:
        return reverse("run", args=[item[0]])

    def lastmod(self, item: tuple[int, datetime | None]) -> datetime | None:
        return item[1]


PARTS: Mapping[str, type[_Part]] = {
    "pages": _Pages,
    "boards": _Boards,
    "topics": _Topics,
    "agents": _Agents,
    "models": _Models,
    "repositories": _Repositories,
    "tasks": _Tasks,
    "sources": _Sources,
    "runs": _Runs,
    "documents": _Documents,
}


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """The index of the list of pages: its parts with entries, as the protocol allows no empty ones."""
    parts: dict[str, Any] = {name: part for name, of in PARTS.items() if (part := of()).paginator.count}
    return views.index(request, parts, sitemap_url_name="sitemap_part").render()


@require_safe
def sitemap_part(request: HttpRequest, section: str) -> HttpResponse:
    """One part of the list; `?p=` is its page, if it has several."""
    return views.sitemap(request, dict[str, Any](PARTS), section=section).render()
