from django.db import migrations, models


def fill_cells(apps, schema_editor):
    """What `manage.py rebuild_cells` would say: each cell's attempt with the highest test rate, the first of equals."""
    Run, Cell = apps.get_model("runs", "Run"), apps.get_model("runs", "Cell")
    runs = Run.objects.filter(
        state="finished",
        evaluation__listed=True,
        outcome__in=["resolved", "unresolved"],
        tests_total__gt=0,
        tests_passed__lte=models.F("tests_total"),
    ).exclude(odd__contains="tests_")
    best = {}
    columns = runs.order_by().values_list(
        "agent_id", "task_id", "tests_passed", "tests_total", "attempt", "pk"
    )
    for agent, task, passed, total, attempt, key in columns.iterator():
        place = (-passed / total, attempt, key, total - passed)
        best[agent, task] = min(best.get((agent, task), place), place)
    changed = []
    for cell in Cell._base_manager.all():
        if (cell.agent_id, cell.task_id) in best:
            _, _, cell.best_id, cell.best_missing = best[cell.agent_id, cell.task_id]
            changed.append(cell)
    Cell._base_manager.bulk_update(changed, ["best_id", "best_missing"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0007_counts_and_cells"),
    ]

    operations = [
        migrations.AddField(
            model_name="cell",
            name="best",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                help_text="The attempt with the highest test rate; empty where none has one.",
                null=True,
                on_delete=models.DO_NOTHING,
                related_name="+",
                to="runs.run",
            ),
        ),
        migrations.AddField(
            model_name="cell",
            name="best_missing",
            field=models.PositiveIntegerField(
                blank=True, help_text="Tests that the best attempt did not pass.", null=True
            ),
        ),
        migrations.RunPython(fill_cells, migrations.RunPython.noop),
    ]
