"""Loads LiteLLM in workers of runs: before they fork, and only if a run may call a model."""

from __future__ import annotations

import importlib
import logging
import sys

from django.db import DatabaseError, connection

from harness.llm.provider import load
from runs.models import Agent, Evaluation, GenerationJob

log = logging.getLogger(__name__)


def load_if_called() -> None:
    """Loads LiteLLM, unless it is loaded or no model is called. It takes 4 s of CPU time and 190 MB.

    A process that is forked afterwards shares it. Without a database nothing is loaded: a run that needs it loads it.
    """
    if "litellm" in sys.modules:
        return
    try:
        called = models_are_called()
    except DatabaseError as error:
        log.warning("whether models are called could not be read: %s", error)
        return
    finally:
        connection.close()  # a forked process must not have it, too
    if called:
        importlib.import_module("openai.resources")  # LiteLLM imports it at the first call of most providers
        load()


def models_are_called() -> bool:
    """Whether this site has an agent that can be started, a simulated user or a generation of tasks with a model."""
    return (
        Agent.objects.filter(enabled=True, model__isnull=False).exists()
        or Evaluation.objects.exclude(simulated_user={}).exists()
        or GenerationJob.objects.filter(model__isnull=False).exists()
    )
