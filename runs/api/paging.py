"""Cursor pagination: a cursor names the last item of a page, so pages do not shift when rows are added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from runs.api.api_parameters import Paging

_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The requested part of a list: at most `limit` items after the one with the number `after`."""

    request: HttpRequest
    response: HttpResponse
    limit: int
    after: int | None

    @classmethod
    def of(cls, request: HttpRequest, response: HttpResponse, query: Paging) -> PageQuery:
        """Reads the parameters."""
        return cls(request, response, query.limit, int(query.cursor, 16) if query.cursor else None)

    def keyset(self, rows: QuerySet[_Row], *, newest_first: bool = False) -> tuple[list[_Row], int | None]:
        """The rows of the page by primary key, and the last key if more rows follow."""
        ordered = rows.order_by("-pk" if newest_first else "pk")
        if self.after is not None:
            ordered = ordered.filter(**{"pk__lt" if newest_first else "pk__gt": self.after})
        found = list(ordered[: self.limit + 1])
        more = len(found) > self.limit
        found = found[: self.limit]
        return found, found[-1].pk if more else None

    @property
    def begin(self) -> int:
        """The position of the first item, in a list that is paged by position."""
        return self.after or 0

    def window(self, items: Sequence[Any], total: int) -> dict[str, Any]:
        """The page of a list that is paged by position and has `total` items."""
        end = self.begin + len(items)
        return self.page(items, end if end < total else None)

    def page(self, items: Sequence[Any], last: int | None) -> dict[str, Any]:
        """The page, with the link to the next one in body and header. `last`: the cursor of the next page, if any."""
        following = None if last is None else self._address(last)
        if following:
            self.response.headers["Link"] = f'<{following}>; rel="next"'
        return {"items": items, "next": following}

    def _address(self, last: int) -> str:
        query = self.request.GET.copy()
        query["cursor"] = f"{last:016x}"
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
