"""Operators choose at the start of an evaluation who judges its runs."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the panel that judges an evaluation when it has finished, its budget, and why it did not."""

    dependencies: ClassVar = [("runs", "0052_saved_searches")]

    operations: ClassVar = [
        migrations.AddField(
            "evaluation",
            "judging_budget_usd",
            models.FloatField(blank=True, editable=False, help_text="Of that panel.", null=True),
        ),
        migrations.AddField(
            "evaluation",
            "judging_refused",
            models.TextField(
                blank=True, editable=False, help_text="Why the panel did not begin; else empty."
            ),
        ),
        migrations.AddField(
            "evaluation",
            "panel_when_finished",
            models.ForeignKey(
                blank=True,
                editable=False,
                help_text="Judges its runs when it has finished. Empty again once that has begun.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="evaluations_when_finished",
                to="runs.panel",
            ),
        ),
    ]
