"""What gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
application = get_wsgi_application()
# Loads all views now: they bring NumPy and take a second, which the first reader should not wait.
get_resolver().url_patterns  # noqa: B018 - a property that imports
# All of it stays: looking through it for garbage would hold up a request for 60 ms now and then. And requests leave few
# cycles behind: looking for them at every 700th new object takes 3 % of a page's time.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
