"""What gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from benchbench.garbage import freeze_loaded_objects

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
application = get_wsgi_application()
# Loads all views now: they bring NumPy and take a second, which the first reader should not wait.
get_resolver().url_patterns  # noqa: B018 - a property that imports
freeze_loaded_objects()
