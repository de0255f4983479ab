"""Runs can end because they used all their tool uses, or all their submissions."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0031_repairs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='run',
            name='ending',
            field=models.CharField(blank=True, choices=[('completed', 'completed'), ('iteration_limit', 'iteration_limit'), ('tool_limit', 'tool_limit'), ('submission_limit', 'submission_limit'), ('token_limit', 'token_limit'), ('cost_limit', 'cost_limit'), ('time_limit', 'time_limit'), ('context_limit', 'context_limit'), ('file_limit', 'file_limit'), ('agent_error', 'agent_error'), ('cancelled', 'cancelled'), ('infrastructure', 'infrastructure')], max_length=30),
        ),
    ]
