"""Lists in pages that stay where they are while rows are added: a cursor names the last item that was seen."""

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
    """Which part of a list is asked for: at most `limit` items behind the one at `after`."""

    request: HttpRequest
    response: HttpResponse
    limit: int
    after: int | None

    @classmethod
    def of(cls, request: HttpRequest, response: HttpResponse, query: Paging) -> PageQuery:
        """As the address says."""
        return cls(request, response, query.limit, int(query.cursor, 16) if query.cursor else None)

    def keyset(self, rows: QuerySet[_Row], *, newest_first: bool = False) -> tuple[list[_Row], int | None]:
        """Rows by number, and that of the last of them where there are more."""
        ordered = rows.order_by("-pk" if newest_first else "pk")
        if self.after is not None:
            ordered = ordered.filter(**{"pk__lt" if newest_first else "pk__gt": self.after})
        found = list(ordered[: self.limit + 1])
        more = len(found) > self.limit
        found = found[: self.limit]
        return found, found[-1].pk if more else None

    def page(self, items: Sequence[Any], last: int | None) -> dict[str, Any]:
        """The page with its link to the next one, in the body and as a header. `last`: where that begins, if any."""
        following = None if last is None else self._address(last)
        if following:
            self.response.headers["Link"] = f'<{following}>; rel="next"'
        return {"items": items, "next": following}

    def _address(self, last: int) -> str:
        query = self.request.GET.copy()
        query["cursor"] = f"{last:016x}"
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
