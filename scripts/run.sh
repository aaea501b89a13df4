#!/bin/sh
# Open the wizard; where there is no display, show instead what the command line does with the Durham example.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    exec .venv/bin/python main.py "$@"
fi
echo "No display: taking the Durham example through the command line."
exec sh scripts/demo.sh .venv/bin/python main.py
