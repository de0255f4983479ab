"""All settings. Everything that may differ between two machines comes from the environment: docs/operations.md."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from benchbench.environment import Environment, stored_secret
from benchbench.redis_server import socket_path

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = Environment(os.environ)

# --- paths ---
DATA = ENVIRONMENT.path("BENCHBENCH_DATA", BASE_DIR / "var")
RUNS_ROOT = DATA / "runs"
GENERATED_ROOT = DATA / "datasets"  # what operators generate on the site
STATIC_ROOT = DATA / "staticfiles"
DATASETS_ROOT = BASE_DIR / "datasets"
RECORDED_ROOT = BASE_DIR / "runs" / "recorded"
SHIPPED_RESULTS = ENVIRONMENT.flag("BENCHBENCH_SHIPPED_RESULTS", default=True)

# --- network and secrets ---
DEBUG = ENVIRONMENT.flag("DEBUG")
HOST = ENVIRONMENT.text("HOST", "127.0.0.1")
PORT = ENVIRONMENT.number("PORT", 8000, least=1, most=65535)
HTTPS = ENVIRONMENT.flag("HTTPS")
ALLOWED_HOSTS = ENVIRONMENT.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = ENVIRONMENT.words("CSRF_TRUSTED_ORIGINS")
# Reverse proxies in front of the site that add to X-Forwarded-For; without any, clients can forge that header.
PROXIES = ENVIRONMENT.number("BENCHBENCH_PROXIES", 0, least=0, most=10)
# Where these proxies are. The header of any other peer is ignored.
PROXY_ADDRESSES = ENVIRONMENT.networks("BENCHBENCH_PROXY_ADDRESSES", "127.0.0.0/8,::1")
# Requests to the API a minute, for each address; 0: no limit.
API_REQUESTS = ENVIRONMENT.number("BENCHBENCH_API_REQUESTS", 6000, least=0, most=1_000_000)
SECRET_KEY = ENVIRONMENT.text("SECRET_KEY") or stored_secret(DATA / "secret_key")
# Earlier keys, newest first: what they signed stays valid.
SECRET_KEY_FALLBACKS = ENVIRONMENT.words("SECRET_KEY_FALLBACKS")

# --- uploads ---
# The largest request with files. Only operators, and programs with a token, may send more than a form needs.
UPLOAD_BYTES = ENVIRONMENT.number("BENCHBENCH_UPLOAD_MB", 2048, least=1, most=1_048_576) << 20
# Files of one request. More of them are sent as an archive.
DATA_UPLOAD_MAX_NUMBER_FILES = 100
# Uploads of one token that are not read yet.
UPLOADS_WAITING = ENVIRONMENT.number("BENCHBENCH_UPLOADS_WAITING", 20, least=1, most=10_000)
# Days for which a checked upload waits for the decision of its sender.
UPLOAD_KEPT_DAYS = ENVIRONMENT.number("BENCHBENCH_UPLOAD_KEPT_DAYS", 14, least=1, most=366)
FILE_UPLOAD_HANDLERS = ["runs.intake.uploads.receiving.DiskHandler"]

# Allows reading /metrics without signing in; if empty, only operators can.
METRICS_TOKEN = ENVIRONMENT.text("BENCHBENCH_METRICS_TOKEN")

# --- what the site says of itself ---
# Where readers find this site, for links in messages, feeds of others and search engines.
SITE_ADDRESS = ENVIRONMENT.text("BENCHBENCH_SITE_ADDRESS")
# Where its source code is, and whom readers may ask: an address of a page, or of mail. The footer leaves out what is
# not set.
SOURCE_URL = ENVIRONMENT.web_address("BENCHBENCH_SOURCE_URL")
CONTACT = ENVIRONMENT.web_address("BENCHBENCH_CONTACT", mail=True)

# --- messages about regressions, and about models whose account fails ---
# Who is told when runs wait for an operator.
ADMINS = [("operator", each) for each in ENVIRONMENT.mail_addresses("BENCHBENCH_OPERATOR_ADDRESSES")]
# Allows webhooks on addresses that are not public.
WEBHOOK_PRIVATE = ENVIRONMENT.flag("BENCHBENCH_WEBHOOK_PRIVATE")
EMAIL_HOST = ENVIRONMENT.text("BENCHBENCH_EMAIL_HOST", "localhost")
EMAIL_PORT = ENVIRONMENT.number("BENCHBENCH_EMAIL_PORT", 25, least=1, most=65535)
EMAIL_HOST_USER = ENVIRONMENT.text("BENCHBENCH_EMAIL_USER")
EMAIL_HOST_PASSWORD = ENVIRONMENT.text("BENCHBENCH_EMAIL_PASSWORD")
_EMAIL_SECURITY = ENVIRONMENT.choice("BENCHBENCH_EMAIL_SECURITY", ["none", "starttls", "tls"])
EMAIL_USE_TLS, EMAIL_USE_SSL = _EMAIL_SECURITY == "starttls", _EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = ENVIRONMENT.text("BENCHBENCH_EMAIL_FROM", "benchbench@localhost")

# --- workers ---
WORKERS = ENVIRONMENT.number("BENCHBENCH_WORKERS", max(1, os.cpu_count() or 1), least=1, most=256)
# Reviews by judges at the same time. They wait for models most of the time.
REVIEW_WORKERS = ENVIRONMENT.number("BENCHBENCH_REVIEW_WORKERS", 4, least=1, most=256)
# Sessions of people at the same time. Each has a container, as a run has.
PLAY_SESSIONS = ENVIRONMENT.number("BENCHBENCH_PLAY_SESSIONS", 4, least=1, most=256)
# The time of one review, with its waits for the model.
REVIEW_SECONDS = 1800.0
# The label of this site's containers, so that two sites on one engine do not remove each other's.
INSTANCE = ENVIRONMENT.text("BENCHBENCH_INSTANCE") or stored_secret(
    DATA / "instance", lambda: os.urandom(6).hex()
)
# Read by harness.sandbox, which does not use Django; listed here to be checked and documented.
ENGINE = ENVIRONMENT.choice("BENCHBENCH_ENGINE", ["docker", "local"])
CONTAINER_RUNTIME = ENVIRONMENT.text("BENCHBENCH_RUNTIME")
BASE_IMAGES = ENVIRONMENT.words("BENCHBENCH_BASE_IMAGES")
CPUS_PER_RUN = ENVIRONMENT.number("BENCHBENCH_CPUS_PER_RUN", 2, least=1, most=256)
DISK_MB_PER_RUN = ENVIRONMENT.number("BENCHBENCH_DISK_MB_PER_RUN", 4096, least=64, most=16_777_216)
FILES_PER_RUN = ENVIRONMENT.number("BENCHBENCH_FILES_PER_RUN", 200_000, least=1000, most=100_000_000)
RECORD_MB_PER_RUN = ENVIRONMENT.number("BENCHBENCH_RECORD_MB_PER_RUN", 200, least=1, most=65_536)
MEMORY_MB_PER_RUN = ENVIRONMENT.number("BENCHBENCH_MEMORY_MB_PER_RUN", 2048, least=128, most=1_048_576)
LOST_AFTER_SECONDS = ENVIRONMENT.number("BENCHBENCH_LOST_AFTER_SECONDS", 20, least=2, most=3600)
HEARTBEAT_SECONDS = LOST_AFTER_SECONDS / 4
MAX_TRIES = ENVIRONMENT.number("BENCHBENCH_MAX_TRIES", 3, least=1, most=20)
# The wait before a run is tried again after an infrastructure failure; it grows fourfold each time.
RETRY_SECONDS = ENVIRONMENT.number("BENCHBENCH_RETRY_SECONDS", 5, least=0, most=3600)
# How long a worker retries when the database does not respond.
DATABASE_PATIENCE_SECONDS = 300.0
# With less free space than this, no run is started.
MIN_FREE_FILES = 1000
MIN_FREE_MB = ENVIRONMENT.number("BENCHBENCH_LEAST_FREE_MB", 256, least=0, most=1_048_576)
# Requests and tokens a minute for each provider or model, of all workers together.
RATE_LIMITS = ENVIRONMENT.rates("BENCHBENCH_RATE_LIMITS")

EMBEDDED_REDIS = not ENVIRONMENT.text("REDIS_URL")
REDIS_SOCKET = socket_path(DATA)
REDIS_URL = ENVIRONMENT.text("REDIS_URL", f"unix://{REDIS_SOCKET}")
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Results of analysis, shared by all processes of all hosts. Without Redis they are computed again.
    "results": {
        "BACKEND": "runs.data.cache.redis_backend.ResultsCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "benchbench",
        "OPTIONS": {
            "serializer": "runs.data.cache.signed_pickle.SignedPickleSerializer",
            "socket_connect_timeout": 1,
            "socket_timeout": 2,
        },
    },
}
# Its pages are only for operators (benchbench/job_pages.py); in the admin they would be for all staff.
RQ_SHOW_ADMIN_LINK = False
RQ_QUEUES = {"runs": {"URL": REDIS_URL, "DB": 0, "DEFAULT_TIMEOUT": -1}}

# Threads of one computation wait for each other in loops. Where other processes need the CPUs, too, a prediction of
# outcomes took 300 s instead of 5 s.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

# LiteLLM would otherwise fetch its price list over the network when it is imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

# --- the database ---
DATABASE_URL = ENVIRONMENT.text("DATABASE_URL", f"sqlite:///{DATA / 'db.sqlite3'}")


def _database(url: str) -> dict[str, Any]:
    try:
        database: dict[str, Any] = {**dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)}
    except (ValueError, KeyError) as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be understood: {error!r}") from error
    if database["ENGINE"].endswith("sqlite3"):
        # Write-ahead log: readers never wait for a writer. IMMEDIATE: a transaction that will write waits for others
        # at its start. In its middle SQLite would fail instead of waiting.
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            # 8 MB of cached pages instead of 2: inserting 100,000 runs takes 2.3 s of CPU time instead of 2.8 s.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-8000;"
            ),
        }
    return database


DATABASES = {"default": _database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Django ---
INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_rq",
    "tasks",
    "runs",
    "benchbench",
]

MIDDLEWARE = [
    "runs.access.audit.request_scope.RequestScope",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "runs.data.cache.compression.CompressText",
    "csp.middleware.CSPMiddleware",
    "runs.data.queries.strict_requests.StrictRequests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "runs.data.queries.parameters.BadParameters",
    "runs.data.queries.blind_sessions.BlindSessions",
    "runs.access.accounts.password_first.PasswordFirst",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "benchbench.urls"
WSGI_APPLICATION = "benchbench.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "benchbench.template_loader.UnindentedLoader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": ["runs.templatetags.address_tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "runs.access.accounts.password_rules.NewPassword"},
]
LOGIN_URL = "admin:login"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "runs.access.accounts.backend.AccountBackend",
]

# Failed logins are counted for each address and each account. A success resets nothing: otherwise an account of one's
# own would allow more guesses at another.
AXES_HANDLER = "runs.access.accounts.throttle.LoginThrottle"
AXES_FAILURE_LIMIT = ENVIRONMENT.number("BENCHBENCH_LOGIN_FAILURES", 10, least=1, most=1000)
# 100 is the highest number that NIST SP 800-63B (5.2.2) allows.
LOGIN_FAILURES_PER_ACCOUNT = ENVIRONMENT.number(
    "BENCHBENCH_LOGIN_FAILURES_PER_ACCOUNT", 100, least=1, most=10_000
)
AXES_COOLOFF_TIME = timedelta(
    minutes=ENVIRONMENT.number("BENCHBENCH_LOGIN_LOCK_MINUTES", 15, least=1, most=1440)
)
AXES_LOCKOUT_PARAMETERS = ["ip_address", "username"]  # in the order of the limits in LoginThrottle
AXES_RESET_ON_SUCCESS = False
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "runs.access.accounts.throttle.client_address"
AXES_USERNAME_CALLABLE = "runs.access.accounts.throttle.client_name"
AXES_LOCKOUT_CALLABLE = "runs.access.accounts.throttle.locked_out"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "otp_token"]
# The audit log has what its own log would have.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

OTP_TOTP_ISSUER = "BenchBench"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
FORMAT_MODULE_PATH = "benchbench.formats"

STATIC_URL = "static/"
# With the pictures of the documents, which the site shows under /docs/.
STATICFILES_DIRS = [BASE_DIR / "static", ("tour", BASE_DIR / "docs" / "tour")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_USE_FINDERS = DEBUG

# Each selected task of a new evaluation is a field of the form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# --- the browser ---
# Model output is untrusted: only scripts and styles from files of the site are allowed.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"

# --- the log ---
LOG_LEVEL = ENVIRONMENT.text("LOG_LEVEL", "INFO").upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "benchbench.logs.RedactingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {
        "stdout": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "plain"}
    },
    "root": {"handlers": ["stdout"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["stdout"], "level": LOG_LEVEL, "propagate": False},
        "rq": {"level": "WARNING"},
        # It logs each address that it calls, and that of a webhook may hold a key.
        "httpx": {"level": "WARNING"},
        # The audit log has each failure and each lock.
        "axes": {"level": "ERROR"},
    },
}

ENVIRONMENT.check()
