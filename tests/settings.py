"""The project's settings for tests: a data directory of their own, never the one of a site in this checkout."""

import atexit
import os
from tempfile import TemporaryDirectory

_data = TemporaryDirectory(prefix="benchbench-tests-")
atexit.register(_data.cleanup)
os.environ["BENCHBENCH_DATA"] = _data.name
os.environ.pop("REDIS_URL", None)

from benchbench.settings import *  # noqa: E402, F403 - after the environment

# Also for worlds that are made before the first test; the real one takes half a second for each account.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Processes that tests start, and those of pytest-xdist, use the real settings and the same directory.
os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
