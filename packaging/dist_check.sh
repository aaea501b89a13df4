#!/bin/sh
# Run the packed program where there is no Python, no network and nothing of this tree: a bare Debian root made with debootstrap.
# Usage (as root): [DEBIAN=bookworm|trixie] packaging/dist_check.sh [FOLDER FOR THE ROOT], by default of the Debian it was built on.
# What was built on Debian 12 runs on 13; what was built on 13 needs its C library. The root is kept for the next time; delete it to begin anew.
set -eu
cd "$(dirname "$0")/.."
debian=${DEBIAN:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
root=${1:-build/bare-root-$debian}
packages='libgl1 libegl1 libxcb1 libfontconfig1 zstd'  # what docs/install.md names, and what unpacks

[ "$(id -u)" = 0 ] || { echo "dist-check makes a root of its own and must run as root" >&2; exit 2; }
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
if [ ! -e "$root/.made" ]; then
    echo "Making a bare Debian ($debian) in $root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include="ca-certificates" "$debian" "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >/dev/null
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
    # shellcheck disable=SC2086  # a list of names
    chroot "$root" sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages" >/dev/null
    touch "$root/.made"
fi
if chroot "$root" sh -c 'command -v python3' >/dev/null; then
    echo "there is a Python in $root; the check would prove nothing" >&2
    exit 1
fi

rm -rf "$root/try" && mkdir -p "$root/try" "$root/officer"
cp dist/dpwizard-*.tar.zst dist/dpwizard_*.deb "$root/try/"
cp -r tests/golden/records packaging/smoke.sh "$root/try/"
chroot "$root" sh -c 'cd /try && tar --zstd -xf dpwizard-*.tar.zst'
echo "Comparing with the hashes that came along"
chroot "$root" sh -c 'cd /try/dpwizard && sha256sum --quiet --check SHA256SUMS'

# no network (a name space without one), no other process, and a home nobody can write to
unshare --net --mount --pid --fork sh -c "
    mount --bind '$root/officer' '$root/officer' && mount -o remount,ro,bind '$root/officer'
    exec chroot '$root' /usr/bin/env -i PATH=/usr/bin:/bin HOME=/officer LANG=C.UTF-8 sh /try/smoke.sh /try/dpwizard /try/records
"

echo "The Debian package installs, runs from the path and goes without a trace"
unshare --net --mount --pid --fork chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen sh -eu -c '
    dpkg --install /try/dpwizard_*.deb >/dev/null
    dpwizard-cli --version
    dpwizard-cli solve /usr/lib/dpwizard/_internal/resources/examples/durham.json >/dev/null 2>&1
    dpwizard --self-test >/dev/null
    for file in applications/dpwizard.desktop mime/packages/dpwizard.xml metainfo/local.dpwizard.dpwizard.metainfo.xml \
        icons/hicolor/scalable/apps/dpwizard.svg icons/hicolor/48x48/apps/dpwizard.png doc/dpwizard/copyright; do
        test -s "/usr/share/$file"
    done
    dpkg --purge dpwizard >/dev/null
    test ! -e /usr/lib/dpwizard
'
echo "The package is well."
