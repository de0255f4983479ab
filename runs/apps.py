from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"
