"""The WSGI application, which gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from benchbench.garbage import freeze_loaded_objects

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
application = get_wsgi_application()
# Imports all views now: with NumPy this takes a second, which the first request should not wait for.
get_resolver().url_patterns  # noqa: B018 - a property that imports
freeze_loaded_objects()
