import re
from itertools import count

from django.db import migrations, models

OLD = re.compile(r"^(.*) \(imported(?: \d+)?\)$", re.DOTALL)
HERE, REPORTED = "graded here", "reported"


def rename(apps, _editor=None):
    """Names from elsewhere say who made the verdicts, no longer that they were imported."""
    agents = apps.get_model("runs", "Agent").objects
    taken = set(agents.values_list("name", flat=True))
    for agent in agents.exclude(origin="").order_by("pk"):
        if found := OLD.match(agent.name):
            plain, mark = found[1], HERE if agent.graded_here else REPORTED
            names = (f"{plain} ({mark})" if n == 1 else f"{plain} ({mark} {n})" for n in count(1))
            agent.name = next(name for name in names if name not in taken)
            taken.add(agent.name)
            agent.save(update_fields=["name"])
    runs = apps.get_model("runs", "Run").objects
    for evaluation in apps.get_model("runs", "Evaluation").objects.exclude(origin=""):
        if found := OLD.match(evaluation.title):
            graded = runs.filter(evaluation=evaluation, outcome__in=("resolved", "unresolved"))
            here = graded.exists() and not graded.filter(grading=None).exists()
            evaluation.graded_here = here
            evaluation.title = f"{found[1]} ({HERE if here else REPORTED})"
            evaluation.save(update_fields=["graded_here", "title"])
    for name, origin in (("Panel", "origin"), ("JudgingPass", "panel__origin")):
        for row in apps.get_model("runs", name).objects.exclude(**{origin: ""}):
            if found := OLD.match(row.title):
                row.title = f"{found[1]} ({REPORTED})"
                row.save(update_fields=["title"])


class Migration(migrations.Migration):
    dependencies = [("runs", "0042_submissions")]

    operations = [
        migrations.AddField(
            model_name="evaluation",
            name="graded_here",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="Of runs from elsewhere: this site graded each of them that has a verdict.",
            ),
        ),
        migrations.AlterField(
            model_name="agent",
            name="graded_here",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="Of an agent from elsewhere: this site graded each of its runs that has a verdict.",
            ),
        ),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
