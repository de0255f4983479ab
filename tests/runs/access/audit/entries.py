"""Short forms of what the audit log holds."""

from __future__ import annotations

from typing import Any

from runs.models import AuditEntry

Entry = tuple[str, str, str, Any, Any]


def entries(*, after: int = 0) -> list[Entry]:
    """(account, act, name, before, after), the oldest first; `after`: how many to leave out."""
    rows = AuditEntry.objects.order_by("pk").values_list("account", "act", "name", "before", "after")
    return list(rows)[after:]
