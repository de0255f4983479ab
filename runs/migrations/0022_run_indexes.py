"""Without indexes of runs that other indexes begin with."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0021_publish_when_finished"),
    ]

    operations = [
        migrations.AlterField(
            model_name="run",
            name="agent",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="runs.agent",
            ),
        ),
        migrations.AlterField(
            model_name="run",
            name="evaluation",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="runs",
                to="runs.evaluation",
            ),
        ),
    ]
