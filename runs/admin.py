"""The pages of the admin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from runs.admin_pages import account_admin, dataset_admin, panel_admin, schedule_admin  # noqa: F401 - they register their pages
from runs.admin_pages.visible_rows import AnyInline, ReadOnlyAdmin, ReadOnlyRows, VisibleRelated, VisibleRows
from runs.data.queries.visibility import is_operator, sees_grading_output, visible_related
from runs.models import Agent, Cell, Evaluation, LanguageModel, Run, Snapshot, Try
from runs.operations.agent_setup.agent_form import AgentForm
from runs.operations.agent_setup.model_form import LanguageModelForm
from runs.operations.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures

# Of runs and tries: texts that may quote what tests printed.
OUTPUT_FIELDS = ("grading_reason", "flags", "detail", "reason")

admin.site.site_header = "BenchBench"
admin.site.site_title = "BenchBench"
admin.site.index_title = "Operations"


@admin.register(LanguageModel)
class LanguageModelAdmin(VisibleRows):
    """Models and their prices."""

    form = LanguageModelForm
    list_display = ("name", "provider", "litellm_id", "context_window", "input_price", "output_price")
    list_filter = ("provider", "open_weights")
    search_fields = ("name", "litellm_id")
    prepopulated_fields = {"slug": ("name",)}


class ProtectedByRuns(VisibleRows):
    """Objects that have runs are not deleted. Others are deleted one by one, on their own page."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Django's rule for an object without runs; never for a whole list."""
        return obj is not None and super().has_delete_permission(request, obj) and not obj.runs.exists()


@admin.register(Agent)
class AgentAdmin(ProtectedByRuns):
    """Agents. The definition of an agent that has runs does not change: they would be runs of another agent."""

    form = AgentForm
    list_display = ("name", "kind", "model", "enabled")
    list_filter = ("kind", "enabled")
    list_select_related = ("model",)
    search_fields = ("name", "slug")
    frozen = ("slug", "kind", "model", "settings")

    def get_prepopulated_fields(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Agent | None = None,
    ) -> dict[str, Sequence[str]]:
        """The address follows the name, until the agent is stored."""
        return {"slug": ("name",)} if obj is None else {}

    def get_readonly_fields(self, request: HttpRequest, obj: Agent | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """The definition of an agent that has runs."""
        return self.frozen if obj is not None and obj.runs.exists() else ()


@admin.register(Evaluation)
class EvaluationAdmin(ProtectedByRuns):
    """Evaluations are started on a page of their own; here they are listed, cancelled and retried."""

    list_display = ("title", "state", "settled_of_all", "attempts", "budget_usd", "listed", "created_at")
    list_filter = ("state", "listed")
    search_fields = ("title", "slug")
    # Counts take away the order that the model has.
    ordering = ("-created_at", "-pk")
    fields = (
        "title",
        "listed",
        "publish_when_finished",
        "slug",
        "state",
        "attempts",
        "budget_usd",
        "limits",
        "created_at",
        "created_by",
        "finished_at",
    )
    readonly_fields = fields[1:]
    actions = ("cancel_selected", "retry_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evaluation]:
        """With the counts that the list shows, of visible runs."""
        found: QuerySet[Evaluation] = super().get_queryset(request)
        shown = visible_related("runs", Run.objects.all(), request.user)
        return found.annotate(
            run_count=Count("runs", filter=shown),
            settled_count=Count("runs", filter=shown & ~Q(runs__state__in=Run.OPEN)),
        )

    @admin.display(description="runs over")
    def settled_of_all(self, evaluation: Any) -> str:
        """The progress."""
        return f"{evaluation.settled_count} of {evaluation.run_count}"

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """False: evaluations are created on the start page."""
        return False

    def has_start_permission(self, request: HttpRequest) -> bool:
        """Users who may start evaluations may cancel and retry them."""
        return is_operator(request.user)

    def save_model(
        self,
        request: HttpRequest,  # noqa: ARG002
        obj: Any,
        form: Any,  # noqa: ARG002
        change: bool,  # noqa: ARG002
    ) -> None:
        """Saves only the title: workers change the rest, and a page of its own publishes."""
        obj.save(update_fields=["title"])

    def get_urls(self) -> list[URLPattern]:
        """Redirects the old address of the start page."""
        redirect = self.admin_site.admin_view(
            RedirectView.as_view(pattern_name="evaluation_start", query_string=True)
        )
        return [path("start/", redirect, name="runs_evaluation_start"), *super().get_urls()]

    @admin.action(description="Cancel what is still open", permissions=["start"])
    def cancel_selected(self, request: HttpRequest, evaluations: QuerySet[Evaluation]) -> None:
        """Cancels the selected evaluations."""
        for evaluation in evaluations:
            count = cancel_evaluation(evaluation)
            messages.success(request, f"{evaluation}: {count} open runs are cancelled or will stop soon.")

    @admin.action(description="Retry infrastructure failures", permissions=["start"])
    def retry_selected(self, request: HttpRequest, evaluations: QuerySet[Evaluation]) -> None:
        """Retries the infrastructure failures of the selected evaluations."""
        for evaluation in evaluations:
            count = retry_infrastructure_failures(evaluation)
            messages.success(request, f"{evaluation}: {count} runs are tried again.")


class WithoutOutput:
    """Leaves out the texts of a grading for staff who are no operators."""

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields that may quote what tests printed."""
        del obj
        return () if sees_grading_output(request.user) else OUTPUT_FIELDS

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields of a row."""
        return self._readable(request, super().get_fields(request, obj))  # type: ignore[misc]

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns of the list."""
        return self._readable(request, super().get_list_display(request))  # type: ignore[misc]

    def _readable(self, request: HttpRequest, names: Sequence[Any]) -> list[Any]:
        left_out = self.get_exclude(request)
        return [name for name in names if name not in left_out]


class TryInline(WithoutOutput, AnyInline):
    """The tries of a run."""

    model = Try
    extra = 0
    can_delete = False
    fields = readonly_fields = (
        "number",
        "state",
        "failure",
        "reason",
        "spent_usd",
        "worker",
        "started_at",
        "heartbeat_at",
        "ended_at",
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """False: workers create tries."""
        return False


@admin.register(Run)
class RunAdmin(WithoutOutput, ReadOnlyRows):
    """Runs, with their tries."""

    list_display = (
        "key",
        "state",
        "outcome",
        "ending",
        "failure",
        "tries",
        "not_before",
        "tests_passed",
        "tests_total",
        "finished_at",
    )
    list_filter = (
        *("state", "outcome", "ending", "failure"),
        ("agent", VisibleRelated),
        ("evaluation", VisibleRelated),
    )
    search_fields = ("key",)
    inlines = (TryInline,)


class OutOfIndex:
    """Leaves a list out of the admin's index. Its address and its permissions stay."""

    def has_module_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """False: the index has no line for it."""
        return False


@admin.register(Try)
class TryAdmin(OutOfIndex, WithoutOutput, ReadOnlyRows):
    """All tries, also lost ones. Not in the index: evaluations say what failed, and runs have their tries."""

    list_display = (
        "run",
        "number",
        "state",
        "failure",
        "spent_usd",
        "worker",
        "started_at",
        "ended_at",
        "reason",
    )
    list_filter = ("state", "failure")
    list_select_related = ("run",)


@admin.register(Cell)
class CellAdmin(OutOfIndex, ReadOnlyRows):
    """The cells that the leaderboard sums up. Not in the index: heatmaps show them."""

    list_display = (
        "agent",
        "task",
        "attempts",
        "resolved",
        "infrastructure_failed",
        "odd",
        "tokens",
        "cost_usd",
    )
    list_filter = (("agent", VisibleRelated), ("task__repository", VisibleRelated))
    list_select_related = ("agent", "task__repository")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """Frozen leaderboards."""

    list_display = ("digest", "created_at", "asked")
    list_filter = ("asked",)
    fields = ("digest", "created_at", "data_version", "asked")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allowed: the number of permanent links is limited."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)
