"""Results that others reported, and values that are unknown."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0019_file_limit"),
        ("tasks", "0006_reported_results"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReportedTests",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reported_tests",
                        serialize=False,
                        to="runs.run",
                    ),
                ),
                ("failed", models.JSONField(default=list)),
                (
                    "passed",
                    models.JSONField(
                        blank=True, default=list, help_text="Empty where the source names failed tests only."
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "reported tests",
            },
        ),
        migrations.AlterField(
            model_name="agent",
            name="origin",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="Where all of its runs come from; empty: an agent of this site.",
                max_length=200,
            ),
        ),
        migrations.AlterField(
            model_name="agent",
            name="slug",
            field=models.SlugField(max_length=100, unique=True),
        ),
        migrations.AlterField(
            model_name="cell",
            name="steps",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="cell",
            name="tokens",
            field=models.PositiveBigIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="evaluation",
            name="slug",
            field=models.SlugField(max_length=100, unique=True),
        ),
        migrations.AlterField(
            model_name="languagemodel",
            name="litellm_id",
            field=models.CharField(
                blank=True,
                help_text="As LiteLLM spells it: openai/gpt-5.2. Empty: known from reported results only.",
                max_length=200,
            ),
        ),
        migrations.AlterField(
            model_name="languagemodel",
            name="open_weights",
            field=models.BooleanField(default=False, help_text="Empty: unknown.", null=True),
        ),
        migrations.AlterField(
            model_name="languagemodel",
            name="slug",
            field=models.SlugField(max_length=100, unique=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="act_seconds",
            field=models.FloatField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="cached_tokens",
            field=models.PositiveBigIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="completion_tokens",
            field=models.PositiveBigIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="failed_calls",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="files_changed",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="grade_seconds",
            field=models.FloatField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="iterations",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="lines_added",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="lines_removed",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="prepare_seconds",
            field=models.FloatField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="prompt_tokens",
            field=models.PositiveBigIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="steps",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="tests_passed",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="tests_total",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="run",
            name="tool_calls",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.CreateModel(
            name="ResultReport",
            fields=[
                (
                    "evaluation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="report",
                        serialize=False,
                        to="runs.evaluation",
                    ),
                ),
                (
                    "version",
                    models.CharField(help_text="Of the source: a commit or a release.", max_length=200),
                ),
                ("reported_on", models.DateField(blank=True, null=True)),
                ("url", models.URLField(blank=True, max_length=500)),
                (
                    "unknown",
                    models.JSONField(
                        blank=True, default=list, help_text="Sentences on what the source does not say."
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="Of the imported results, so that a second import changes nothing.",
                        max_length=64,
                        unique=True,
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="tasks.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["-evaluation_id"],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "metric",
                    models.CharField(help_text="A name of analysis.outcomes.printed_claims.", max_length=40),
                ),
                (
                    "printed",
                    models.CharField(help_text="As the source prints it, digit for digit.", max_length=40),
                ),
                (
                    "own",
                    models.FloatField(
                        blank=True,
                        help_text="What the source's own results give; empty: they give no such number.",
                        null=True,
                    ),
                ),
                (
                    "own_low",
                    models.FloatField(blank=True, help_text="Of the 95 % interval of `own`.", null=True),
                ),
                ("own_high", models.FloatField(blank=True, null=True)),
                (
                    "own_n",
                    models.PositiveIntegerField(
                        default=0, help_text="Tasks, or attempts, that `own` is made of."
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="runs.agent",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="runs.resultreport",
                    ),
                ),
            ],
            options={
                "ordering": ["report", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("report", "name", "metric"), name="one_claim_per_name_and_metric"
                    )
                ],
            },
        ),
    ]
