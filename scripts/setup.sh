#!/bin/sh
# Make this tree ready to use: Debian packages where apt is at hand, .venv, and the pinned Python packages.
# Usage: scripts/setup.sh [run|test|build|soak|wheelhouse]. Safe to repeat; when nothing changed it ends at once.
# WHEELHOUSE=folder takes every Python package from that folder and asks no index (make install-offline).
set -eu
cd "$(dirname "$0")/.."
kind=${1:-run}
venv=.venv

run_packages="libglib2.0-0 libegl1 libgl1 libdbus-1-3 libfontconfig1 libxkbcommon0 libxkbcommon-x11-0
    libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1
    libwayland-cursor0 libwayland-egl1"
programs='' # package:program, needed only where the program is not there already
case $kind in
run) requirements=runtime packages=$run_packages ;;
test) requirements=test packages=$run_packages
    programs="xvfb:Xvfb xauth:xauth poppler-utils:pdfsig qpdf:qpdf libnss3-tools:certutil openssl:openssl nodejs:node r-base-core:Rscript
        appstream:appstreamcli desktop-file-utils:desktop-file-validate" ;;
build) requirements=build packages=$run_packages programs="binutils:objdump zstd:zstd zip:zip" ;;
soak) requirements=oracles packages='' venv=.venv-oracles ;; # other people's programs, in an environment of their own
wheelhouse) requirements='' packages='' venv=build/wheelhouse ;; # pip alone, for packaging/wheelhouse.sh
*) echo "usage: scripts/setup.sh [run|test|build|soak|wheelhouse]" >&2; exit 2 ;;
esac

say() { printf '%s\n' "$*" >&2; }

failed() { # failed PROGRAM LOG ERRORS: say why set-up ends; ERRORS are what PROGRAM writes where there is no network
    if grep -qE "$3" "$2"; then
        say "Set-up needs a network, and $1 reaches none: connect this computer and repeat your command, or see docs/install.md, \"From source without a network\"."
    else
        tail -n 20 "$2" >&2
        say "$1 failed; its last lines stand above."
    fi
    rm -f "$2"
    exit 1
}

state() { printf '%s\n' "$PWD $(cksum "requirements/$1.txt" scripts/setup.sh | cksum)"; }

ready() { # ready KIND FILE: the environment holds what requirements/FILE.txt and this script ask for
    [ -x "$venv/bin/python" ] && [ "$(cat "$venv/.ready-$1" 2>/dev/null)" = "$(state "$2")" ]
}

if [ -n "$requirements" ] && ready "$kind" "$requirements"; then exit 0; fi
if [ "$kind" = run ] && ready test test; then exit 0; fi

supported='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'

find_python() { # the first Python from 3.11 to 3.13 that can make an environment; PYTHON overrides
    for candidate in "${PYTHON:-}" python3.11 python3.12 python3.13 python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c "import venv, ensurepip; $supported" 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

whole() { # the environment has a Python that will do, pip, and no package whose installation was cut off: pip writes INSTALLER after all its files
    "$venv/bin/python" -I -c "
from importlib import metadata
metadata.version('pip')
assert all(package.read_text('INSTALLER') for package in metadata.distributions())
$supported" 2>/dev/null
}

installed() { # newer Debian and Ubuntu add t64 to the names of some libraries
    for name in "$1" "$1t64"; do
        if [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ]; then return 0; fi
    done
    return 1
}

install_as_root() ( # after an installation that was cut off, too; a list that cannot be fetched may not be needed
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
    dpkg --configure -a || true
    apt-get update || true
    apt-get install -y --fix-broken --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
)

install() { # install PACKAGE...: as root at once, else say the line to run
    if [ "$(id -u)" = 0 ]; then
        say "Installing Debian packages: $*"
        log=$(mktemp)
        if ! install_as_root "$@" >"$log" 2>&1; then
            failed apt-get "$log" 'Temporary failure resolving|Could not resolve|Could not connect|Unable to connect|Network is unreachable'
        fi
        rm -f "$log"
    else
        say "Some system packages are missing. Run this line once, then repeat your command:"
        if command -v sudo >/dev/null; then
            say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
        else
            say "  su - -c 'apt-get update && apt-get install -y --no-install-recommends $*'"
        fi
        say "(To go on without them, set SKIP_PACKAGES=1.)"
        exit 1
    fi
}

python_library() { # the package with the shared library of PYTHON, if that is the system's and lacks it: PyInstaller takes it along
    "$1" -c '
import pathlib, sys, sysconfig
asked = {name: sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "INSTSONAME", "LDVERSION")}
if sys.base_prefix == "/usr" and not pathlib.Path(asked["LIBDIR"], asked["INSTSONAME"]).is_file():
    print("libpython" + asked["LDVERSION"])'
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && [ -z "${SKIP_PACKAGES:-}" ]; then
    python=$venv/bin/python
    whole || python=$(find_python)
    missing=''
    [ -n "$python" ] || missing='python3 python3-venv'
    for package in $packages; do
        installed "$package" || missing="$missing $package"
    done
    for pair in $programs; do
        command -v "${pair#*:}" >/dev/null || missing="$missing ${pair%%:*}"
    done
    if [ "$kind" = build ]; then
        if [ -n "$python" ]; then
            missing="$missing $(python_library "$python")"
        else # the Python that is about to be installed
            missing="$missing $(apt-cache depends python3 2>/dev/null | sed -n 's/^ *Depends: \(python3\.[0-9]*\)$/lib\1/p')"
        fi
    fi
    # shellcheck disable=SC2086  # a list of names
    [ -z "${missing# }" ] || install $missing
    if [ "$kind" = build ] && [ -z "$python" ]; then # where the lists of packages were not there before
        python=$(find_python)
        missing=$([ -z "$python" ] || python_library "$python")
        [ -z "$missing" ] || install "$missing"
    fi
fi

if ! whole; then
    python=$(find_python)
    if [ -z "$python" ]; then
        say "Python 3.11, 3.12 or 3.13 with its venv module is needed. Install one, or name it: PYTHON=/path/to/python3 make $kind"
        exit 1
    fi
    say "Making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi

if [ -z "$requirements" ]; then exit 0; fi

say "Installing requirements/$requirements.txt into $venv (hashes checked)"
log=$(mktemp)
PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/python" -m pip install --quiet --no-input --no-user --only-binary :all: \
    ${WHEELHOUSE:+--isolated --no-index --find-links "$WHEELHOUSE"} --require-hashes -r "requirements/$requirements.txt" >"$log" 2>&1 ||
    failed pip "$log" 'NewConnectionError|NameResolutionError|ConnectTimeoutError|ProxyError'
rm -f "$log"
state "$requirements" >"$venv/.ready-$kind"
