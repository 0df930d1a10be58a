#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the tarball in two clones that differ in everything that must not matter, and compares the two. Then builds
# Debian packages of it outside the clone (which runs the unit tests there), runs lintian, and runs the packaged
# program. `package.sh --tarball` makes no packages.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
die() { echo "package: $1"; exit 1; }
quietly() { "$@" >"$dir/log" 2>&1 || { tail -n 100 "$dir/log"; die "'$*' failed"; }; }

git ls-files --error-unmatch Makefile >/dev/null 2>&1 || {
    echo 'skipped: this is no clone, so make dist packs nothing'
    exit
}

# The last commit with what has changed since, in folders of other names, dates and permissions.
clone() { # FOLDER UMASK
    (
        umask "$2"
        git clone -q . "$dir/$1"
        git ls-files -z | xargs -0 cp --parents -t "$dir/$1"
        git -C "$dir/$1" add -A
    )
}
clone one 022
clone two 077
find "$dir/two" -name .git -prune -o -exec touch -d 2001-01-01 {} +
for each in one two; do quietly make -C "$dir/$each" CUDA=0 dist; done
tarball=$(basename "$dir"/one/build/*.tar.gz)
cmp "$dir/one/build/$tarball" "$dir/two/build/$tarball" || die 'two clones make different tarballs'
tar -tzf "$dir/one/build/$tarball" | sed 's|^[^/]*/||' | sort >"$dir/packed"
git ls-files | sort | diff - "$dir/packed" || die 'the tarball is not what git tracks'

# What was unpacked, where there is no git, makes one of the same files, all with the date of the changelog.
mkdir "$dir/bare"
tar -xzf "$dir/one/build/$tarball" -C "$dir/bare"
bare=$dir/bare/${tarball%.tar.gz}
quietly make -C "$bare" CUDA=0 dist
tar -tzf "$bare/build/$tarball" | sed 's|^[^/]*/||' | sort | diff "$dir/packed" - ||
    die 'the tarball of a tarball has other files'
said=$(sed -n '/^ --/{s/^ -- .*>  //p;q;}' tools/debian/changelog)
dated=$(TZ=UTC0 tar --full-time -tvzf "$bare/build/$tarball" | awk '{ print $4, $5 }' | sort -u)
[ "$dated" = "$(date -u -d "$said" '+%Y-%m-%d %H:%M:%S')" ] || die "files of $dated, and the changelog is of $said"

[ "${1:-}" != --tarball ] || { echo "package: $tarball twice the same"; exit; }
command -v apt-get >/dev/null 2>&1 || { echo 'skipped: Debian packages, this is no Debian'; exit; }
# The build of a package runs unit tests: here two of them, for all ran elsewhere with the same compiler.
SKIP=$(find tests/unit -name 'test_*.c*' ! -name test_cut.c ! -name test_image_png.c -printf '%f ' |
    sed 's/\.[a-z]* / /g')
# Optimised little, for the compiler's time.
DEB_CFLAGS_MAINT_APPEND=-O1
export SKIP DEB_CFLAGS_MAINT_APPEND
quietly make -C "$dir/one" CUDA=0 DEBDIR="$dir/deb" deb
for package in tilecut libtilecut1 libtilecut-dev python3-tilecut; do
    dpkg-deb -x "$dir"/deb/${package}_*.deb "$dir/root" || die "there is no package $package"
done
version=$(dpkg-deb -f "$dir"/deb/tilecut_*.deb Version)
[ "$("$dir/root/usr/bin/tilecut" --version)" = "tilecut $version" ] || die "the program is not of version $version"
"$dir/root/usr/bin/tilecut" segment images/camera.png -s images/camera_seeds.png -o "$dir/mask.png"
[ -s "$dir/mask.png" ] || die 'the packed program cuts nothing'
library=$(echo "$dir"/root/usr/lib/*/libtilecut.so)
[ -e "$library" ] || die 'the links to the shared library lead nowhere'
# Read by the system's Python, from where apt would put it.
module=$dir/root/usr/lib/python3/dist-packages
[ -f "$module/tilecut/__init__.py" ] || die 'there is no module for Python'
if [ -x /usr/bin/python3 ]; then
    PYTHONPATH=$module PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c "
import re, os, tilecut
assert tilecut.__version__ == '$version'
with open('README.md') as file: lines = re.search(r'^\`\`\`python\n(.*?)^\`\`\`', file.read(), re.S | re.M).group(1)
exec(lines.replace('mask.png', '$dir/python.png'))
" || die 'the packed module cuts nothing'
else
    echo 'skipped: the packed module, there is no Python'
fi
echo "package: $tarball twice the same, Debian packages of $version without an error of lintian"
