#!/bin/sh
# Pack dist/dpwizard: a .tar.zst, a .zip and, where dpkg-deb is at hand, a .deb; hashes beside them. `make dist` calls it.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml | head -n 1)
machine=$(uname -m)
system=$(uname -s | tr '[:upper:]' '[:lower:]')
name=dpwizard-$version-$system-$machine
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1750000000)}"
cd dist
rm -f dpwizard-*.tar.zst dpwizard-*.zip dpwizard_*.deb packed.sha256

echo "1. $name.tar.zst"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c dpwizard |
    zstd -q -f --ultra -22 -T0 --long=27 -o "$name.tar.zst"

echo "2. $name.zip"
find dpwizard -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
find dpwizard | LC_ALL=C sort | zip -q -X -y -9 -@ "$name.zip"

if command -v dpkg-deb >/dev/null; then
    echo "3. the Debian package"
    tree=deb
    rm -rf "$tree"
    mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/lib" "$tree/usr/share/applications" "$tree/usr/share/mime/packages" \
        "$tree/usr/share/metainfo" "$tree/usr/share/icons/hicolor/scalable/apps" "$tree/usr/share/doc/dpwizard"
    cp -a dpwizard "$tree/usr/lib/dpwizard"
    ln -s ../lib/dpwizard/dpwizard "$tree/usr/bin/dpwizard"
    ln -s ../lib/dpwizard/dpwizard "$tree/usr/bin/dpwizard-cli"
    cp ../packaging/linux/dpwizard.desktop "$tree/usr/share/applications/"
    cp ../packaging/linux/dpwizard.xml "$tree/usr/share/mime/packages/"
    cp ../packaging/linux/dpwizard.metainfo.xml "$tree/usr/share/metainfo/local.dpwizard.dpwizard.metainfo.xml"
    cp ../resources/icons/dpwizard.svg "$tree/usr/share/icons/hicolor/scalable/apps/"
    for icon in ../packaging/linux/icons/*.png; do
        size=$(basename "$icon" .png)
        mkdir -p "$tree/usr/share/icons/hicolor/${size}x$size/apps"
        cp "$icon" "$tree/usr/share/icons/hicolor/${size}x$size/apps/dpwizard.png"
    done
    cp ../LICENSE "$tree/usr/share/doc/dpwizard/copyright"
    # What the folder takes from the system: OpenGL and EGL, xcb, fontconfig; the C library at least as new as the one it was built on.
    libc=$(ldd --version | sed -n '1s/.* //p')
    cat >"$tree/DEBIAN/control" <<CONTROL
Package: dpwizard
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The dpwizard project <dpwizard@localhost>
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: libc6 (>= $libc), libgl1, libegl1, libxcb1, libfontconfig1
Section: science
Priority: optional
Description: choose, justify and sign a privacy budget
 A wizard for the privacy officer of a differentially private release: it turns
 what an intruder may learn, and how exact the figures must be, into a privacy
 budget, and the decision into a signed record. It opens no network connection.
CONTROL
    dpkg-deb --root-owner-group -Zxz -z6 --build "$tree" "dpwizard_${version}_$(dpkg --print-architecture).deb" >/dev/null
    rm -rf "$tree"
fi
sha256sum dpwizard-*.tar.zst dpwizard-*.zip dpwizard_*.deb 2>/dev/null >packed.sha256 || true
ls -l dpwizard-* dpwizard_* 2>/dev/null
