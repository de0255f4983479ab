# From package-lock.json alone, with an npm that is gone afterwards: the agent is one program and needs no Node.js.
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "Codex is installed with Python 3.10 or newer in the image" >&2
    exit 1
fi
if ! python3 -c 'import ensurepip' 2>/dev/null; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3-venv
    rm -rf /var/lib/apt/lists/*
fi
python3 -m venv npm
npm/bin/pip install --quiet --no-cache-dir --disable-pip-version-check \
    --require-hashes --only-binary :all: --no-deps -r recipe/requirements.txt
# npm brings its own list of authorities; the image's may know one more, of a mirror.
certificates=/etc/ssl/certs/ca-certificates.crt
if [ -f "$certificates" ]; then export NODE_EXTRA_CA_CERTS="$certificates"; fi
cp recipe/package.json recipe/package-lock.json .
PATH="$PWD/npm/bin:$PATH" npm ci --ignore-scripts --no-audit --no-fund --cache "$PWD/cache"
rm -rf npm cache
ln -s node_modules/@openai/codex-linux-*/vendor/*/bin/codex codex
HOME=$(mktemp -d) ./codex --version
