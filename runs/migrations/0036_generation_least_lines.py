"""How long a function must be that a generation makes a task of."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0035_recall_probes'),
    ]

    operations = [
        migrations.AddField(
            model_name='generationjob',
            name='least_lines',
            field=models.PositiveIntegerField(default=5),
        ),
    ]
