"""The simulated user of an evaluation, and what it spent in each run."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0024_judge_reviews'),
    ]

    operations = [
        migrations.AddField(
            model_name='evaluation',
            name='simulated_user',
            field=models.JSONField(blank=True, default=dict, editable=False, help_text="The user's model as it was at the start."),
        ),
        migrations.AddField(
            model_name='evaluation',
            name='user_model',
            field=models.ForeignKey(blank=True, help_text='Plays the users of workflow tasks; empty: they follow their scripts.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='runs.languagemodel'),
        ),
        migrations.AddField(
            model_name='run',
            name='user_completion_tokens',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='user_cost_usd',
            field=models.FloatField(blank=True, help_text="Of the simulated user; never part of the agent's cost.", null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='user_ending',
            field=models.CharField(blank=True, choices=[('user_finished', 'user finished'), ('message_limit', 'message limit'), ('turn_timeout', 'turn timeout'), ('scenario_timeout', 'scenario timeout'), ('run_limit', 'run limit'), ('agent_error', 'agent error'), ('user_fault', 'user fault')], help_text='Why the conversation with the simulated user ended.', max_length=30),
        ),
        migrations.AddField(
            model_name='run',
            name='user_prompt_tokens',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='user_turns',
            field=models.PositiveIntegerField(blank=True, help_text='Messages of the simulated user; empty: the task has none.', null=True),
        ),
    ]
