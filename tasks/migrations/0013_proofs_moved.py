from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the move: PostgreSQL alters no table whose foreign keys are still to be checked."""

    dependencies = [
        ('tasks', '0012_proofs_apart'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='task',
            name='proof',
        ),
    ]
