"""A model whose account failed is paused: its runs wait until an operator lets them go on."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds since when a model is paused, and why. Backwards both are lost, and waiting runs are tried again."""

    dependencies: ClassVar = [("runs", "0054_every_recall_probe")]

    operations: ClassVar = [
        migrations.AddField(
            "languagemodel",
            "paused_at",
            models.DateTimeField(
                blank=True,
                editable=False,
                help_text="Its runs wait since then; empty: they do not wait.",
                null=True,
            ),
        ),
        migrations.AddField("languagemodel", "pause_reason", models.TextField(blank=True, editable=False)),
    ]
