"""Names of what another site executed with this harness end in "(recorded)"; "(reported)" is left to results of others."""

import re

from django.db import migrations

REPORTED = re.compile(r" \(reported( \d+)?\)$")


def mark_recordings(apps, _editor):
    """Agents, evaluations, panels and passes with an origin, other than those of reported results."""

    def rename(rows, name):
        for row in rows:
            marked = REPORTED.sub(r" (recorded\1)", getattr(row, name))
            if marked != getattr(row, name):
                setattr(row, name, marked)
                row.save(update_fields=[name])

    def imported(model):
        return apps.get_model("runs", model).objects.exclude(origin="")

    rename(imported("Agent").exclude(kind="reported"), "name")
    rename(imported("Evaluation").filter(report=None), "title")
    rename(imported("Panel"), "title")
    rename(apps.get_model("runs", "JudgingPass").objects.exclude(panel__origin=""), "title")


class Migration(migrations.Migration):
    dependencies = [("runs", "0048_runs_of_an_agent")]

    operations = [migrations.RunPython(mark_recordings, migrations.RunPython.noop)]
