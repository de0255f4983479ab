"""What the tables of version 0.2.0 did not have yet."""

from django.db import migrations, models


def move_proofs(apps, _editor):
    """Gives each proof a row of its own. Without a digest, the next loading of the dataset writes it again."""
    tasks, proofs = (apps.get_model("tasks", name) for name in ("Task", "TaskProof"))
    stored = tasks.objects.filter(proof__isnull=False).values_list("pk", "proof").iterator(chunk_size=100)
    proofs.objects.bulk_create((proofs(task_id=pk, content=proof) for pk, proof in stored), batch_size=100)


def move_proofs_back(apps, _editor):
    """Puts the proofs back into the rows of tasks."""
    tasks, proofs = (apps.get_model("tasks", name) for name in ("Task", "TaskProof"))
    for pk, content in proofs.objects.values_list("pk", "content").iterator(chunk_size=100):
        tasks.objects.filter(pk=pk).update(proof=content)


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0001_squashed_0004_hidden_datasets"),
    ]

    names = (
        "0005_view_hidden", "0006_reported_results", "0007_workflow_tasks", "0008_workflow_texts",
        "0009_generated_tasks", "0010_repository_maps", "0011_twins", "0012_proofs_apart",
        "0013_proofs_moved",
    )
    replaces = [("tasks", name) for name in names]

    operations = [
        migrations.AlterField("repository", "slug", models.SlugField(max_length=100, unique=True)),
        migrations.AlterField("task", "slug", models.SlugField(max_length=100)),
        migrations.AddField("dataset", "reported_by", models.CharField(blank=True, editable=False, help_text="Who reported all of its results; empty: its tasks are run here.", max_length=200)),
        migrations.AddField("task", "mode", models.CharField(choices=[("code", "code"), ("remove", "remove"), ("discovery", "discovery"), ("pull_request", "pull request"), ("workflow", "workflow")], default="code", max_length=20)),
        migrations.AddField("task", "persona", models.CharField(blank=True, choices=[("default", "default"), ("toxic", "toxic"), ("helpful", "helpful")], max_length=20)),
        migrations.AddField("task", "scenario", models.CharField(blank=True, max_length=100)),
        migrations.AddField("task", "workflow", models.JSONField(blank=True, default=dict, editable=False, help_text="Of a workflow: objective, instructions and limits, for pages. Agents never see it.")),
        migrations.AddField("task", "measures", models.JSONField(blank=True, default=dict, editable=False, help_text="Numbers of the functions to repair, by name: size, complexity, centrality. Empty: none.")),
        migrations.AddField("task", "origin", models.CharField(choices=[("hand-made", "hand-made"), ("removed", "removed"), ("corrupted", "corrupted"), ("multiple", "multiple"), ("pull request", "pull request"), ("release", "release")], default="hand-made", max_length=20)),
        migrations.AddField("task", "twin_of", models.CharField(blank=True, default="", editable=False, help_text="The task of which this one is the same with other names, as repository/task. Empty: none.", max_length=201)),
        migrations.CreateModel("RepositoryMap", [
            ("repository", models.OneToOneField("tasks.repository", on_delete=models.CASCADE, primary_key=True, related_name="map", serialize=False)),
            ("digest", models.CharField(max_length=64)),
            ("made_at", models.DateTimeField(auto_now=True)),
            ("content", models.BinaryField()),
        ]),
        migrations.CreateModel("TaskProof", [
            ("task", models.OneToOneField("tasks.task", on_delete=models.CASCADE, primary_key=True, related_name="stored_proof", serialize=False)),
            ("content", models.JSONField(editable=False)),
            ("digest", models.CharField(editable=False, max_length=64)),
        ]),
        migrations.RunPython(move_proofs, move_proofs_back),
        migrations.RemoveField("task", "proof"),
    ]
