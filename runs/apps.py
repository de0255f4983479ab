from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Registers all receivers of signals, and computes the source digest before a file can change."""
        from runs.accounts import password_first  # noqa: F401, PLC0415 - as delete_signals
        from runs.audit import account_signals, model_signals  # noqa: F401, PLC0415 - as delete_signals
        from runs.cache.digests import source_digest  # noqa: PLC0415 - models are loaded by now
        from runs.evaluations import delete_signals  # noqa: F401, PLC0415 - its receivers register themselves

        model_signals.connect()
        source_digest()
