#!/bin/sh
# Ask the index whether every pinned package has a wheel for every system and Python we name. (Its hash is checked when
# it is installed: scripts/lock.sh writes down the hash of every file that the index has of a version.)
# Usage: packaging/wheels.sh. Prints one line for each and exits with 1 where something is missing. Nothing is installed.
set -eu
cd "$(dirname "$0")/.."
tool=build/lock
[ -x "$tool/bin/uv" ] || { python3 -m venv "$tool" && "$tool/bin/pip" install --quiet 'uv>=0.9,<1'; }

# the oldest systems that docs/install.md names: glibc 2.36 (Debian 12), Windows 10 64 bit, macOS 13 on Apple silicon
platforms='x86_64-manylinux_2_36 x86_64-pc-windows-msvc aarch64-apple-darwin'
export MACOSX_DEPLOYMENT_TARGET=13.0
status=0
for file in runtime build test; do
    for platform in $platforms; do
        for python in 3.11 3.12 3.13; do
            if said=$("$tool/bin/uv" pip install --dry-run --target build/wheels --only-binary :all: --require-hashes \
                --python-platform "$platform" --python-version "$python" --requirements "requirements/$file.txt" 2>&1); then
                echo "$file, $platform, Python $python: $(echo "$said" | grep -c '^ + ') packages, a wheel for each"
            else
                echo "$file, $platform, Python $python: NOT COMPLETE"
                echo "$said" | sed 's/^/    /'
                status=1
            fi
        done
    done
done
exit $status
