"""Workflow tasks: one task for each persona of a scenario."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0006_reported_results'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='mode',
            field=models.CharField(choices=[('code', 'code'), ('workflow', 'workflow')], default='code', max_length=20),
        ),
        migrations.AddField(
            model_name='task',
            name='persona',
            field=models.CharField(blank=True, choices=[('default', 'default'), ('toxic', 'toxic'), ('helpful', 'helpful')], max_length=20),
        ),
        migrations.AddField(
            model_name='task',
            name='scenario',
            field=models.CharField(blank=True, max_length=100),
        ),
    ]
