#!/bin/sh
# Write requirements/*.txt anew from pyproject.toml: exact versions, the hash of every file of each, no index host.
# The files hold for Python 3.11 to 3.13 on Linux, Windows and macOS. Usage: scripts/lock.sh [--upgrade]
set -eu
cd "$(dirname "$0")/.."
tool=build/lock
[ -x "$tool/bin/uv" ] || { python3 -m venv "$tool" && "$tool/bin/pip" install --quiet 'uv>=0.9,<1'; }

lock() { # lock NAME ARGUMENTS...: writes requirements/NAME.txt
    name=$1
    shift
    UV_CUSTOM_COMPILE_COMMAND="scripts/lock.sh" "$tool/bin/uv" pip compile --quiet --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links --output-file "requirements/$name.txt" "$@"
}

lock runtime pyproject.toml "$@"
lock test pyproject.toml --extra test --constraints requirements/runtime.txt "$@"
lock build pyproject.toml --extra build --constraints requirements/runtime.txt "$@"
lock oracles requirements/oracles.in "$@"
! grep -n '://' requirements/*.txt || { echo "requirements name a host: see above" >&2; exit 1; }
