# Into a virtual environment of its own, from the lock file alone. Bytecode is made here, so that no run has to.
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "mini-swe-agent needs Python 3.10 or newer in the image" >&2
    exit 1
fi
if ! python3 -c 'import ensurepip' 2>/dev/null; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3-venv
    rm -rf /var/lib/apt/lists/*
fi
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --disable-pip-version-check \
    --require-hashes --only-binary :all: --no-deps -r recipe/requirements.txt
