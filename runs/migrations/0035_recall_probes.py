"""What models recall of the targets of generated tasks."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0034_generation_jobs'),
        ('tasks', '0010_repository_maps'),
    ]

    operations = [
        migrations.CreateModel(
            name='RecallProbe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task_digest', models.CharField(max_length=64)),
                ('prompt', models.CharField(help_text='The version of the prompt.', max_length=12)),
                ('similarity', models.FloatField(help_text='To the original code, 0 to 1; the mean of the targets.', null=True)),
                ('equal', models.BooleanField(help_text='All targets are the original code.', null=True)),
                ('tokens', models.PositiveIntegerField(default=0, help_text='Of the original bodies.')),
                ('reason', models.TextField(blank=True, help_text='Why nothing is known; else empty.')),
                ('cost_usd', models.FloatField(help_text="Empty: the model's price is unknown.", null=True)),
                ('answered_model', models.CharField(blank=True, help_text='As the provider names it.', max_length=200)),
                ('asked_at', models.DateTimeField(auto_now=True)),
                ('model', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recall_probes', to='runs.languagemodel')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recall_probes', to='tasks.task')),
            ],
            options={
                'ordering': ['task_id', 'model_id', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('model', 'task', 'prompt'), name='one_recall_probe_per_prompt'), models.CheckConstraint(condition=models.Q(models.Q(('equal', None), ('similarity', None), models.Q(('reason', ''), _negated=True)), models.Q(('equal__isnull', False), ('similarity__gte', 0), ('similarity__isnull', False), ('similarity__lte', 1)), _connector='OR'), name='recall_or_a_reason')],
            },
        ),
    ]
