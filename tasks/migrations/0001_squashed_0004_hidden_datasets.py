"""The tables of version 0.2.0."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    names = (
        "0001_initial", "0002_other_categories", "0003_dataset_revision", "0004_hidden_datasets",
    )
    replaces = [("tasks", name) for name in names]

    operations = [
        migrations.CreateModel("Dataset", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField(unique=True)),
            ("title", models.CharField(max_length=200)),
            ("description", models.TextField(blank=True)),
            ("version", models.CharField(max_length=40)),
            ("licence", models.CharField(max_length=40)),
            ("directory", models.CharField(blank=True, max_length=500)),
            ("loaded_at", models.DateTimeField(auto_now=True)),
            ("revision", models.PositiveBigIntegerField(default=0, help_text="Grows each time it is loaded, hidden or opened.")),
            ("hidden", models.BooleanField(default=False, help_text="Its tasks and runs are shown to operators and viewers of hidden datasets alone, and counted in no public number.")),
        ], {"ordering": ["slug"], "permissions": [("view_hidden", "Can see hidden datasets with their tasks and runs")]}),
        migrations.CreateModel("Repository", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField(unique=True)),
            ("title", models.CharField(max_length=200)),
            ("description", models.TextField()),
            ("stack", models.CharField(max_length=200)),
            ("languages", models.JSONField(default=list)),
            ("domain", models.CharField(max_length=200)),
            ("dataset", models.ForeignKey("tasks.dataset", on_delete=models.CASCADE, related_name="repositories")),
        ], {"ordering": ["slug"], "verbose_name_plural": "repositories"}),
        migrations.CreateModel("Task", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField()),
            ("title", models.CharField(max_length=200)),
            ("description", models.TextField(blank=True)),
            ("category", models.CharField(blank=True, choices=[("bug", "bug"), ("feature", "feature"), ("refactoring", "refactoring"), ("optimisation", "optimisation"), ("other", "other")], max_length=20)),
            ("difficulty", models.CharField(blank=True, choices=[("easy", "easy"), ("medium", "medium"), ("hard", "hard")], max_length=20)),
            ("digest", models.CharField(max_length=64)),
            ("admitted", models.BooleanField(default=False)),
            ("proof", models.JSONField(blank=True, null=True)),
            ("tests_total", models.PositiveIntegerField(default=0)),
            ("repository", models.ForeignKey("tasks.repository", on_delete=models.CASCADE, related_name="tasks")),
        ], {
            "ordering": ["repository", "slug"],
            "constraints": [models.UniqueConstraint(fields=["repository", "slug"], name="task_slug_in_repository")],
        }),
    ]
