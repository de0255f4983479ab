from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Agents, evaluations, runs and the leaderboard."""

    name = "runs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Registers converters of addresses and receivers, and computes the source digest before a file can change."""
        from django.urls import register_converter  # noqa: PLC0415 - Django is set up by now

        from runs.access.accounts import password_first  # noqa: F401, PLC0415 - as delete_signals
        from runs.access.audit import account_signals, model_signals  # noqa: F401, PLC0415 - as delete_signals
        from runs.data.cache.digests import source_digest  # noqa: PLC0415 - models are loaded by now
        from runs.data.queries.parameters import PathNumber  # noqa: PLC0415
        from runs.judging.reviews import changed_scores  # noqa: F401, PLC0415 - as delete_signals
        from runs.operations.evaluations import delete_signals  # noqa: F401, PLC0415 - its receivers register themselves
        from runs.operations.monitoring import upgrade_check  # noqa: F401, PLC0415 - its check registers itself
        from runs.rankings.leaderboard import published_boards  # noqa: F401, PLC0415 - as delete_signals

        register_converter(PathNumber, "number")
        model_signals.connect()
        source_digest()
