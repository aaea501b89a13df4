#!/bin/sh
# Take the Durham example through the command line: solve it, sign it with an identity made for the purpose, verify the record.
# Usage: scripts/demo.sh PROGRAM..., for instance scripts/demo.sh dist/dpwizard/dpwizard-cli. Files go to out/demo, or to DEMO_OUT.
set -eu
cd "$(dirname "$0")/.."
example=resources/examples/durham.json
out=${DEMO_OUT:-out/demo}
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out/identity.p12" "$out/identity.crt" "$out/passphrase" "$out/durham.json" "$out/durham.1.jws" "$out/durham.pdf"
(umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$out/passphrase")

echo "1. Solve"
"$@" solve "$example" >"$out/assessment.json"
echo "2. Make an identity"
"$@" identity create --name "Demonstration officer" --out "$out/identity.p12" --passphrase-file "$out/passphrase"
echo "3. Sign"
"$@" sign "$example" --identity "$out/identity.p12" --passphrase-file "$out/passphrase" --out "$out/durham" >/dev/null
echo "4. Verify, trusting the identity just made"
"$@" verify "$out/durham.json" --trust "$out/identity.crt"
echo "The signed record is in $out: durham.pdf (to read), durham.json and durham.1.jws (for machines)."
