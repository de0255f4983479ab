"""A model that is asked again what it recalls gets another row: what the first answer cost stays."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Lets one model have several probes of one task."""

    dependencies: ClassVar = [("runs", "0053_judges_after_evaluations")]

    operations: ClassVar = [
        migrations.RemoveConstraint("recallprobe", "one_recall_probe_per_prompt"),
        migrations.AlterField("recallprobe", "asked_at", models.DateTimeField(auto_now_add=True)),
    ]
