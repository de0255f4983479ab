"""The groups of cells, filled from the cells that there are."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    """One group for each agent and dataset with cells."""
    cells = apps.get_model("runs", "Cell").objects.order_by()
    groups = cells.values_list("agent_id", "task__repository__dataset_id").annotate(
        models.Sum("revision"), models.Max("updated_at")
    )
    group = apps.get_model("runs", "CellGroup")
    group.objects.bulk_create(
        [
            group(agent_id=agent, dataset_id=dataset, revision=revision, changed_at=changed)
            for agent, dataset, revision, changed in groups
        ]
    )


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0022_run_indexes'),
        ('tasks', '0006_reported_results'),
    ]

    operations = [
        migrations.CreateModel(
            name='CellGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveBigIntegerField(default=0, help_text='Grows with every transaction that recounts a cell.')),
                ('changed_at', models.DateTimeField()),
                ('agent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='runs.agent')),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tasks.dataset')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('agent', 'dataset'), name='one_group_per_agent_and_dataset')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
