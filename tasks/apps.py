from django.apps import AppConfig


class TasksConfig(AppConfig):
    """Stores datasets, repositories, tasks and their proofs."""

    name = "tasks"
    default_auto_field = "django.db.models.BigAutoField"
