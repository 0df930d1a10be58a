#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the packages like a user, and runs README's lines of Python there: the wheel of `make wheel` in a new virtual
# environment without a network, and the package of `make deb` by apt, alone, in a bare Debian root. The latter needs
# root, debootstrap and a mirror (MIRROR), and takes minutes; it is skipped without them, or if SKIP_ROOT is set.
#
#     make wheel deb && sh tests/python/packages.sh
# shellcheck disable=SC2012,SC2016,SC1091 # names of our own; backquotes are Markdown's; what the system says of itself
set -eu
cd "$(dirname "$0")/../.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
die() { echo "packages: $1"; exit 1; }
quietly() { "$@" >"$dir/log" 2>&1 || { tail -n 40 "$dir/log"; die "'$*' failed"; }; }

mkdir "$dir/work"
cp -r images "$dir/work"
{
    sed -n '/^```python$/,/^```$/p' README.md | sed '/^```/d'
    echo 'print("a mask of", result.report["foreground"], "pixels, certified:", result.report["certified"])'
} >"$dir/work/lines.py"
[ "$(wc -l <"$dir/work/lines.py")" -gt 4 ] || die 'README has no lines of Python'

wheel=$(ls -t "${BUILD:-build/release}"/python/dist/tilecut-*.whl 2>/dev/null | head -n 1)
if [ "$wheel" ]; then
    quietly "${PYTHON:-python3}" -m venv "$dir/venv"
    quietly "$dir/venv/bin/pip" install --no-index --no-deps "$wheel"
    (cd "$dir/work" && "$dir/venv/bin/python" lines.py) || die 'the installed wheel does not cut'
    [ -s "$dir/work/mask.png" ] || die 'the installed wheel writes no mask'
    "$dir/venv/bin/python" -m tilecut --version >/dev/null || die 'python -m tilecut does not run'
    rm "$dir/work/mask.png"
    echo "packages: $(basename "$wheel") in a fresh virtual environment"
else
    echo 'skipped: the wheel, there is none; make wheel'
fi

deb=$(ls -t "${DEBDIR:-build/deb}"/python3-tilecut_*.deb 2>/dev/null | head -n 1) # the newest
if [ -z "$deb" ]; then
    echo 'skipped: the Debian package, there is none; make deb'
elif [ "${SKIP_ROOT:-}" ] || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'skipped: a bare Debian root, which needs root and debootstrap'
else
    release=${RELEASE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
    quietly debootstrap --variant=minbase "$release" "$dir/root" "${MIRROR:-http://deb.debian.org/debian}"
    cp /etc/resolv.conf "$dir/root/etc/"
    cp -r "$dir/work" "$dir/root/work"
    cp "$deb" "$dir/root/work"
    quietly chroot "$dir/root" sh -c 'cd /work && apt-get update &&
        apt-get install -y --no-install-recommends ./python3-tilecut_*.deb'
    chroot "$dir/root" sh -c 'cd /work && python3 lines.py && [ -s mask.png ] && python3 -m tilecut --version' ||
        die 'the installed package does not cut'
    echo "packages: $(basename "$deb"), alone, in a bare $release"
fi
