from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def name_sessions(apps, _schema_editor=None):
    """The tasks of stored sessions have the names of these."""
    sources = apps.get_model("runs", "TrajectorySource").objects.filter(form__in=("Claude Code", "Codex"), session="")
    runs = apps.get_model("runs", "Run").objects.filter(pk=OuterRef("run"))
    sources.update(session=Subquery(runs.values("task__title")[:1]))


def number_tries(apps, _schema_editor=None):
    """A trajectory is the first try of its run, so that reviews of it are shown."""
    apps.get_model("runs", "Run").objects.filter(tries=0, trajectory_source__isnull=False).update(tries=1)


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0043_marks_of_verdicts'),
    ]

    operations = [
        migrations.AddField(
            model_name='trajectorysource',
            name='session',
            field=models.CharField(blank=True, db_index=True, help_text="The tool's name for it while its file grows; empty: the file does not grow.", max_length=300),
        ),
        migrations.AddField(
            model_name='upload',
            name='grown',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(name_sessions, migrations.RunPython.noop),
        migrations.RunPython(number_tries, migrations.RunPython.noop),
    ]
