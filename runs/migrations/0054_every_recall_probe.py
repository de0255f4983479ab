"""A model that is asked again what it recalls gets another row: what the first answer cost stays.

Backwards it fails as soon as a model has two rows of one task and prompt: the old constraint allows only one.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Lets one model have several probes of one task, which protect both from being deleted, and doubtful costs."""

    dependencies: ClassVar = [("runs", "0053_judges_after_evaluations")]

    operations: ClassVar = [
        migrations.RemoveConstraint("recallprobe", "one_recall_probe_per_prompt"),
        migrations.AlterField("recallprobe", "asked_at", models.DateTimeField(auto_now_add=True)),
        migrations.AddField(
            "recallprobe",
            "doubtful_usd",
            models.FloatField(
                default=0, help_text="What calls without a reply may have cost at most; counts, however it ends."
            ),
        ),
        migrations.AlterField(
            "recallprobe",
            "model",
            models.ForeignKey("runs.languagemodel", on_delete=models.PROTECT, related_name="recall_probes"),
        ),
        migrations.AlterField(
            "recallprobe",
            "task",
            models.ForeignKey("tasks.task", on_delete=models.PROTECT, related_name="recall_probes"),
        ),
    ]
