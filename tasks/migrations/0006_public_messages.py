"""Datasets say whether everybody may read the messages of their hidden tests."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0005_squashed_0013_proofs_moved"),
    ]

    operations = [
        migrations.AddField("dataset", "public_messages", models.BooleanField(default=False, editable=False, help_text="Everybody may read what its hidden tests say when they fail. Its manifest declares it.")),
    ]
