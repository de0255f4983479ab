"""Records every creation, change and deletion of what operators manage. `connect` registers the receivers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from runs.access.audit.audit_log import record
from runs.models import (
    Agent,
    AuditEntry,
    Evaluation,
    GenerationJob,
    JudgingPass,
    LanguageModel,
    Panel,
    PanelJudge,
    SavedSearch,
    Schedule,
    Snapshot,
    StepNote,
    Submission,
    Upload,
    UploadToken,
)
from tasks.models import Dataset

Act = AuditEntry.Act

# The fields whose changes are acts of an operator. Workers change the others. No password is among them.
WATCHED: Mapping[type[Model], tuple[str, ...]] = {
    Agent: ("slug", "name", "kind", "model_id", "settings", "description", "enabled"),
    LanguageModel: (
        *("slug", "name", "provider", "litellm_id", "api_base", "api_key_variable", "context_window"),
        *("input_price", "output_price", "cached_price", "cache_write_price", "open_weights"),
    ),
    Evaluation: (
        *("slug", "title", "attempts", "budget_usd", "limits", "listed", "publish_when_finished"),
        *("panel_when_finished_id", "judging_budget_usd"),
    ),
    GenerationJob: (
        *("repository", "output", "target", "hidden", "kinds", "seed", "limit", "per_function"),
        *("least_lines", "model_id", "budget_usd"),
    ),
    Panel: ("slug", "title", "dimensions", "samples", "digest"),
    PanelJudge: ("panel_id", "name", "model_id", "family", "parameters"),
    JudgingPass: ("slug", "title", "panel_id", "evaluation_id", "budget_usd"),
    Schedule: (
        *("title", "agent_id", "attempts", "limits", "budget_usd", "panel_id", "judging_budget_usd"),
        *("compares_pairs", "cron", "anchor", "anchor_evaluation_id", "enabled", "recipients"),
        *("webhook_url", "webhook_secret_variable", "report_all"),
    ),
    SavedSearch: ("slug", "name", "query"),
    Upload: ("purpose", "name", "files", "size", "digest", "given", "token_id"),
    StepNote: ("run_id", "step", "text"),
    Submission: ("dataset_id", "sender", "token_id", "upload_id"),
    UploadToken: ("name", "dataset", "purpose", "expires_at", "revoked_at"),
    Dataset: ("slug", "title", "version", "licence", "directory", "hidden", "public_messages"),
    User: ("username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser"),
    Group: ("name",),
}
# Readers create these; operators delete them.
ONLY_DELETED: Mapping[type[Model], tuple[str, ...]] = {Snapshot: ("digest", "created_at")}
RELATIONS = (User.groups.through, User.user_permissions.through, Group.permissions.through)


def connect() -> None:
    """Registers the receivers, for these models only: a receiver of all deletions would make each of them slow."""
    for model in WATCHED:
        pre_save.connect(_remember, sender=model)
        post_save.connect(_record_save, sender=model)
    for model in (*WATCHED, *ONLY_DELETED):
        post_delete.connect(_record_deletion, sender=model)
    for through in RELATIONS:
        m2m_changed.connect(_record_relation, sender=through)


def _remember(
    sender: type[Model], instance: Any, update_fields: Collection[str] | None, **_more: Any
) -> None:
    """Reads the stored values before a save, to compare them with the new ones."""
    names = WATCHED[sender]
    if update_fields is not None:
        names = tuple(name for name in names if {name, name.removesuffix("_id")} & set(update_fields))
    stored = None
    if names and not instance._state.adding:
        stored = sender._base_manager.filter(pk=instance.pk).values(*names).first()
    instance.audited = (names, stored)


def _record_save(instance: Any, created: bool, **_more: Any) -> None:
    names, stored = vars(instance).pop("audited")
    values = {name: getattr(instance, name) for name in names}
    if created:
        record(Act.CREATED, instance, after=_plain(values))
    elif stored is not None:
        after = {name: value for name, value in values.items() if stored[name] != value}
        if after:
            before = {name: stored[name] for name in after}
            record(Act.CHANGED, instance, before=_plain(before), after=_plain(after))


def _record_deletion(sender: type[Model], instance: Any, **_more: Any) -> None:
    names = {**WATCHED, **ONLY_DELETED}[sender]
    record(Act.DELETED, instance, before=_plain({name: getattr(instance, name) for name in names}))


def _record_relation(sender: type[Model], instance: Any, action: str, reverse: bool, **_more: Any) -> None:
    """Roles and permissions: those of an account, those of a role, or the members of a role."""
    name = _relation(sender, reverse=reverse)
    present = sorted(map(str, getattr(instance, name).all()))
    if action.startswith("pre_"):
        instance.audited_relation = present
    else:
        before = vars(instance).pop("audited_relation", None)
        if before != present:
            record(Act.CHANGED, instance, before={name: before}, after={name: present})


def _relation(through: type[Model], *, reverse: bool) -> str:
    field = next(
        field
        for model in (User, Group)
        for field in model._meta.many_to_many
        if field.remote_field.through is through
    )
    return str(field.remote_field.get_accessor_name() if reverse else field.name)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """With times as text, for JSON, and webhooks without the path of their address, which may hold a key."""
    return {name: _host(value) if name == "webhook_url" else _text(value) for name, value in values.items()}


def _text(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _host(address: str) -> str:
    scheme, mark, rest = address.partition("://")
    return f"{scheme}{mark}{rest.partition('/')[0]}/…" if rest else address
