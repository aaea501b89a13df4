#!/bin/sh
# Install from source without a network. Usage: packaging/wheelhouse.sh gather|install
# gather (with a network): every wheel that requirements/runtime.txt pins, its hash checked, in wheelhouse/.
# install (without): .venv from wheelhouse/ alone, hashes checked once more. Both with the same system and Python version.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
gather)
    sh scripts/setup.sh wheelhouse
    rm -rf wheelhouse
    PIP_DISABLE_PIP_VERSION_CHECK=1 build/wheelhouse/bin/python -m pip download --quiet --only-binary :all: --require-hashes -r requirements/runtime.txt -d wheelhouse
    (cd wheelhouse && sha256sum ./*.whl >SHA256SUMS)
    echo "$(ls wheelhouse/*.whl | wc -l) wheels ($(du -sm wheelhouse | cut -f1) MB) lie in wheelhouse/. Carry this whole tree over and run: make install-offline"
    ;;
install)
    [ -d wheelhouse ] || { echo "There is no wheelhouse/ here: run make wheelhouse on a machine with a network first." >&2; exit 1; }
    SKIP_PACKAGES=1 WHEELHOUSE=wheelhouse sh scripts/setup.sh run
    echo "Installed, without a network. Start with: make run"
    ;;
*) echo "usage: packaging/wheelhouse.sh gather|install" >&2; exit 2 ;;
esac
