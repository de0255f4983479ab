from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds notes of people on steps of runs."""

    dependencies: ClassVar = [
        ("runs", "0050_kinds_of_steps"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="StepNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run_try",
                    models.PositiveIntegerField(help_text="The try of the run whose step it is about."),
                ),
                ("step", models.PositiveIntegerField(help_text="Number of the step, counted from 1.")),
                (
                    "author_name",
                    models.CharField(
                        help_text="A pseudonym, made from the account's number.", max_length=40
                    ),
                ),
                ("text", models.TextField(max_length=2000)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_at", models.DateTimeField(help_text="Empty: as it was written.", null=True)),
                (
                    "author",
                    models.ForeignKey(
                        help_text="Empty: the account was deleted.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="step_notes",
                        to="runs.run",
                    ),
                ),
            ],
            options={
                "verbose_name": "note on a step",
                "verbose_name_plural": "notes on steps",
                "ordering": ["step", "pk"],
                "default_permissions": (),
            },
        )
    ]
