"""The admin's pages of schedules, their checks and their messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import ForeignKey, ManyToManyField
from django.http import HttpRequest
from django.utils import timezone

from harness.limits import Limits
from runs.admin_pages.visible_rows import ReadOnlyRows, VisibleRows
from runs.data.queries.visibility import visible, visible_tasks
from runs.judging.regression_checks.anchors import is_anchor
from runs.judging.regression_checks.due_times import CronError, check_cron
from runs.judging.regression_checks.webhook import WebhookFailed, check_url
from runs.judging.reviews.judging_passes import PassRefused, check_budget, judges_of
from runs.models import Delivery, LanguageModel, RegressionCheck, Schedule
from runs.operations.evaluations.lifecycle import EvaluationRefused, check_start
from runs.presentation.formatting.cron_words import times_in_words

FROZEN = ("agent", "tasks", "attempts", "limits", "budget_usd", "user_model", "panel")
MAX_RECIPIENTS = 50


class ScheduleForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Refuses what could not be started or sent."""

    class Meta:
        model = Schedule
        fields = (
            *("title", "agent", "tasks", "attempts", "limits", "budget_usd", "user_model"),
            *("panel", "judging_budget_usd", "compares_pairs"),
            *("cron", "anchor", "anchor_evaluation", "enabled"),
            *("recipients", "webhook_url", "webhook_secret_variable", "report_all"),
        )

    def clean_cron(self) -> str:
        """Five fields, or nothing."""
        entered: str = self.cleaned_data["cron"].strip()
        if entered:
            try:
                check_cron(entered, timezone.now())
            except CronError as error:
                raise ValidationError(str(error)) from error
        return entered

    def clean_limits(self) -> dict[str, Any]:
        """Names and values of the harness's limits."""
        entered: dict[str, Any] = self.cleaned_data["limits"] or {}
        try:
            Limits(**entered)
        except (TypeError, ValueError) as error:
            known = ", ".join(Limits.__dataclass_fields__)
            raise ValidationError(f"Limits are {known}, each with a number: {error}.") from error
        return entered

    def clean_recipients(self) -> str:
        """One address a line."""
        entered: str = self.cleaned_data["recipients"]
        addresses = entered.split()
        if len(addresses) > MAX_RECIPIENTS:
            raise ValidationError(f"At most {MAX_RECIPIENTS} addresses.")
        for address in addresses:
            validate_email(address)
        return "\n".join(addresses)

    def clean_webhook_url(self) -> str:
        """An address of http or https. Where it leads to is checked when a message is sent."""
        entered: str = self.cleaned_data["webhook_url"].strip()
        if entered:
            try:
                check_url(entered)
            except WebhookFailed as error:
                raise ValidationError(str(error)) from error
        return entered

    def clean(self) -> dict[str, Any]:
        """Checks what depends on several fields, and what starting would refuse."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("anchor") == Schedule.Anchor.EXPLICIT and not values.get("anchor_evaluation"):
            self.add_error("anchor_evaluation", "Choose the evaluation, or another rule.")
        if values.get("compares_pairs") and "panel" in self.fields and not values.get("panel"):
            self.add_error("compares_pairs", "Choose a panel: its judges compare.")
        self._check_anchor(values)
        self._check_judging(values)
        if values.get("webhook_url") and not values.get("webhook_secret_variable"):
            self.add_error("webhook_secret_variable", "Name the variable: messages are signed.")
        if not self.errors and "tasks" in self.fields:
            try:
                check_start(
                    values["title"],
                    agents=[values["agent"]],
                    tasks=list(values["tasks"]),
                    attempts=values["attempts"],
                    budget_usd=values["budget_usd"],
                    limits=Limits(**values["limits"]),
                    user_model=values["user_model"],
                )
            except EvaluationRefused as refused:
                self.add_error(refused.field if refused.field in self.fields else None, str(refused))
        return values

    def _check_anchor(self, values: Mapping[str, Any]) -> None:
        """The evaluation that is compared with has runs of the agent, which is frozen after the first check."""
        agent = values.get("agent") or (self.instance.agent if self.instance.pk else None)
        chosen = values.get("anchor_evaluation")
        if agent and chosen and not is_anchor(chosen, agent):
            self.add_error("anchor_evaluation", f"It has no run of {agent}.")

    def _check_judging(self, values: Mapping[str, Any]) -> None:
        """Its passes could be started with this budget."""
        panel = values.get("panel") or (self.instance.panel if self.instance.pk else None)
        try:
            check_budget(judges_of(panel) if panel else (), values.get("judging_budget_usd"))
        except PassRefused as refused:
            self.add_error("judging_budget_usd", str(refused))


@admin.register(Schedule)
class ScheduleAdmin(VisibleRows):
    """Schedules. What decides the evaluation is frozen after the first check: another choice is another schedule."""

    form = ScheduleForm
    list_display = ("title", "agent", "times", "anchor", "panel", "enabled")
    list_filter = ("enabled", "anchor")
    list_select_related = ("agent", "panel")
    search_fields = ("title",)
    filter_horizontal = ("tasks",)

    @admin.display(description="times", ordering="cron")
    def times(self, schedule: Schedule) -> str:
        """When it is due, in words where they can be said."""
        return times_in_words(schedule.cron) or schedule.cron or "by hand"

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **more: Any
    ) -> Any:
        """Offers admitted tasks that the reader may see."""
        if db_field.name == "tasks":
            more.setdefault("queryset", visible_tasks(request.user).filter(admitted=True))
        return super().formfield_for_manytomany(db_field, request, **more)

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **more: Any
    ) -> Any:
        """Offers models that can be called as the user."""
        if db_field.name == "user_model":
            more.setdefault("queryset", visible(LanguageModel.objects.exclude(litellm_id=""), request.user))
        return super().formfield_for_foreignkey(db_field, request, **more)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        """What is frozen."""
        return FROZEN if obj is not None and obj.checks.exists() else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not of a schedule with checks, and never a whole list. Disable it instead."""
        return obj is not None and super().has_delete_permission(request, obj) and not obj.checks.exists()

    def save_model(self, request: HttpRequest, obj: Schedule, form: Any, change: bool) -> None:
        """Times count from now on if they are new, or if the schedule was switched on."""
        if not change:
            obj.created_by_id = request.user.pk
        elif {"cron", "enabled"} & set(form.changed_data):
            obj.armed_at = timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(RegressionCheck)
class RegressionCheckAdmin(ReadOnlyRows):
    """Checks. They are started by the sweeper, or on the page of regressions."""

    list_display = ("schedule", "due_at", "state", "verdict", "candidate", "anchor")
    list_filter = ("state", "verdict")
    list_select_related = ("schedule", "candidate", "anchor")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyRows):
    """Messages about checks."""

    list_display = ("check_of", "channel", "state", "tries", "sent_at", "reason")
    list_filter = ("state", "channel")
    list_select_related = ("check_of__schedule",)
