#!/bin/sh
# Open the wizard; where there is no display, take the Durham example through the command line instead:
# solve it, sign it with an identity made for the purpose, verify the record and say where it lies.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    exec "$python" main.py "$@"
fi

example=resources/examples/durham.json
out=out/demo
echo "No display: taking the Durham example through the command line."
mkdir -p "$out"
rm -f "$out/identity.p12" "$out/passphrase" "$out/durham.json" "$out/durham.json.jws" "$out/durham.pdf"
(umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$out/passphrase")

echo "1. Solve"
"$python" main.py solve "$example" >"$out/assessment.json"
echo "2. Make an identity"
"$python" main.py identity create --name "Demonstration officer" --out "$out/identity.p12" --passphrase-file "$out/passphrase"
echo "3. Sign"
"$python" main.py sign "$example" --identity "$out/identity.p12" --passphrase-file "$out/passphrase" --out "$out/durham" >/dev/null # it verifies at once, and so does the next step
echo "4. Verify"
"$python" main.py verify "$out/durham.json"
echo "The signed record lies in $PWD/$out: durham.pdf (to read), durham.json and durham.json.jws (for machines)."
