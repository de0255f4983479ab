from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0017_snapshot_asker"),
    ]

    operations = [
        migrations.AddField(
            model_name="agent",
            name="origin",
            field=models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="Where all of its runs were imported from; empty: an agent of this site.",
                max_length=200,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="evaluation",
            name="imported_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="origin",
            field=models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="Where its runs were imported from; empty: this site executed them.",
                max_length=200,
            ),
            preserve_default=False,
        ),
    ]
