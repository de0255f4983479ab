"""Runs may end at the output limit."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

ENDINGS = (
    *("completed", "iteration_limit", "tool_limit", "submission_limit", "token_limit", "cost_limit", "time_limit"),
    *("context_limit", "output_limit", "file_limit", "agent_error", "cancelled", "infrastructure"),
)


class Migration(migrations.Migration):
    """Adds an ending to those of runs; the database stays as it is."""

    dependencies: ClassVar = [("runs", "0055_paused_models")]

    operations: ClassVar = [
        migrations.AlterField(
            "run",
            "ending",
            models.CharField(blank=True, choices=[(each, each) for each in ENDINGS], max_length=30),
        ),
    ]
