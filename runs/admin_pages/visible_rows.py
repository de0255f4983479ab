"""Base classes of the admin's lists of runs and datasets, without the rows that are hidden from the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import ForeignKey, Model, QuerySet
from django.http import HttpRequest

from runs.data.queries.visibility import visible
from runs.models.open_rows import RULED

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin = admin.ModelAdmin  # has no parameters at run time
    AnyInline = admin.TabularInline


class VisibleRelated(admin.RelatedFieldListFilter):
    """A filter of a list that offers visible rows only."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: AnyAdmin) -> list[tuple[str, Any]]:
        """As Django does, of the rows that the reader may see."""
        rows = visible(field.remote_field.model._default_manager.all(), request.user)
        ordered = rows.order_by(*self.field_admin_ordering(field, request, model_admin) or ("pk",))
        return [(row.pk, str(row)) for row in ordered]


class VisibleChoices:
    """Fields of a page, or of rows in it, that offer the rows that the reader may see."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **more: Any
    ) -> Any:
        """Offers visible rows."""
        related: type[Model] = db_field.remote_field.model
        if related in RULED:
            more.setdefault("queryset", visible(related._default_manager.all(), request.user))
        return super().formfield_for_foreignkey(db_field, request, **more)  # type: ignore[misc]


class VisibleRows(VisibleChoices, AnyAdmin):
    """Lists, pages, histories, counts, searches and completions of the rows that the reader may see."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All that Django does with a request starts from here."""
        return visible(super().get_queryset(request), request.user)

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        """The page of the row itself. Django's own address for it redirects to rows that are hidden, too."""
        return obj.get_absolute_url() if hasattr(obj, "get_absolute_url") else None


class ReadOnlyAdmin(AnyAdmin):
    """A read-only admin for the rows that commands and workers write."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """No: load a dataset or start an evaluation instead."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No: change the files and load them again."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No: other rows depend on it."""
        return False


class ReadOnlyRows(ReadOnlyAdmin, VisibleRows):
    """Visible rows, read-only."""
