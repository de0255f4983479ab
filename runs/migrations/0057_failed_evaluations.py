"""An evaluation of which every run was lost has failed. Those that ended so before count as finished no more."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models import Exists, OuterRef


def mark_failed(apps: Any, _editor: Any) -> None:
    """Finished evaluations of this site with lost runs and no run with a result."""
    runs = apps.get_model("runs", "Run").objects.filter(evaluation=OuterRef("pk"))
    lost = runs.filter(state="finished", outcome="infrastructure_failed")
    others = runs.filter(state="finished").exclude(outcome="infrastructure_failed")
    evaluations = apps.get_model("runs", "Evaluation").objects.filter(state="finished", origin="")
    evaluations.filter(Exists(lost), ~Exists(others)).update(state="failed")


def mark_finished(apps: Any, _editor: Any) -> None:
    """The version before knows no failed evaluation."""
    apps.get_model("runs", "Evaluation").objects.filter(state="failed").update(state="finished")


class Migration(migrations.Migration):
    """Adds the state, and sets it."""

    dependencies: ClassVar = [("runs", "0056_output_limit")]

    operations: ClassVar = [
        migrations.AlterField(
            "evaluation",
            "state",
            models.CharField(
                choices=[
                    ("running", "Running"),
                    ("finished", "Finished"),
                    ("cancelled", "Cancelled"),
                    ("failed", "Failed"),
                ],
                default="running",
                max_length=20,
            ),
        ),
        migrations.RunPython(mark_failed, mark_finished),
    ]
