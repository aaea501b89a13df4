#!/bin/sh
# What a frozen program must be able to do where there is nothing but itself. `make dist-check` runs it in a bare Debian root with
# no network and a read-only home; it can be run anywhere: sh packaging/smoke.sh FOLDER GOLDEN-RECORDS
set -eu
program=$1
records=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen
cli=$program/dpwizard-cli

echo "The window opens every example, shows every page, typesets a report in a process of its own and quits"
"$program/dpwizard" --self-test >"$work/shown"
cat "$work/shown"
grep -q "typeset in a process of its own" "$work/shown"

echo "The command line solves, signs and verifies every example that can be signed, and replays it"
(umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$work/passphrase")
"$cli" identity create --name "Demonstration officer" --out "$work/identity.p12" --passphrase-file "$work/passphrase" >/dev/null
signed=0
for example in "$program"/_internal/resources/examples/*.json; do
    name=$(basename "$example" .json)
    "$cli" solve "$example" >"$work/$name.assessment" 2>"$work/$name.why" || [ $? = 1 ]  # 1: requirements contradict each other
    if "$cli" sign "$example" --identity "$work/identity.p12" --passphrase-file "$work/passphrase" --out "$work/$name" >/dev/null 2>"$work/$name.why"; then
        "$cli" verify "$work/$name.json" --trust "$work/identity.crt" >/dev/null 2>&1
        "$cli" replay "$work/$name.json" >/dev/null 2>&1
        signed=$((signed + 1))
        echo "  $name: solved, signed, verified, replayed"
    else
        echo "  $name: solved; not to be signed as it stands: $(head -n 1 "$work/$name.why")"
    fi
done
[ "$signed" -gt 0 ]

echo "The golden records replay"
"$cli" replay --all "$records" >/dev/null
echo "All is well."
