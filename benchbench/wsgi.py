"""The WSGI application, which gunicorn serves."""

import os

import django
from django.urls import get_resolver

from benchbench.garbage import freeze_loaded_objects
from benchbench.serving.strict_handler import StrictHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
django.setup(set_prefix=False)
application = StrictHandler()
# Imports all views now: with NumPy this takes a second, which the first request should not wait for.
get_resolver().url_patterns  # noqa: B018 - a property that imports
freeze_loaded_objects()
