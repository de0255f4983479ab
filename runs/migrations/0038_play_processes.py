"""When a person waits for a process of their session, and why there is none."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0037_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='playsession',
            name='asked_at',
            field=models.DateTimeField(blank=True, help_text='Since when the person waits for a process; empty: none is wanted.', null=True),
        ),
        migrations.AddField(
            model_name='playsession',
            name='problem',
            field=models.TextField(blank=True, default='', help_text='Why no process executes it, in a sentence for the person.'),
            preserve_default=False,
        ),
    ]
