#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Looks at what `make release` has put into a folder, whatever of it is there: that nothing links what its platform may
# lack, and that every program, wheel and image gives the masks of the program built here. With root, debootstrap and
# a mirror, in bare Debian 11, 12 and 13, too (NIGHTLY=1 makes these roots in ROOTS; else only roots that are there).
#
#   release.sh FOLDER
set -u
cd "$(dirname "$0")/.." || exit 1
folder=${1:?release.sh FOLDER}
TILECUT=${TILECUT:-$PWD/build/release/tilecut}
ROOTS=${ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/tilecut-roots}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
    fi
}

# The photos of images/, one of them also as TIFF, WebP and BMP.
mkdir "$dir/photos"
cp images/*.png images/*.jpg "$dir/photos"
for ending in tif webp bmp; do
    cp images/coffee_seeds.png "$dir/photos/coffee-${ending}_seeds.png"
    /usr/bin/python3 - "$dir/photos/coffee-$ending.$ending" <<'END' || rm "$dir/photos/coffee-${ending}_seeds.png"
import sys, PIL.Image
PIL.Image.open("images/coffee.png").convert("RGB").save(sys.argv[1], lossless=True)
END
done
cat >"$dir/photos/masks" <<'END'
cd "$(dirname "$0")" || exit 1
for seeds in *_seeds.png; do
    for photo in "${seeds%_seeds.png}".*; do
        "$@" segment "$photo" -s "$seeds" -o /tmp/tilecut-$$.png --json - |
            sed -n 's/.*"mask_sha256": *"\([0-9a-f]*\)".*/\1/p'
    done
done
rm -f /tmp/tilecut-$$.png
END
sh "$dir/photos/masks" "$TILECUT" >"$dir/expected"
photos=$(ls "$dir"/photos/*_seeds.png | wc -l)
[ "$(grep -c . "$dir/expected")" = "$photos" ]
verdict $? "$TILECUT cuts $photos photos"

same() { # WHAT COMMAND...: prints the masks' hashes
    what=$1
    shift
    "$@" >"$dir/got" 2>&1
    cmp -s "$dir/expected" "$dir/got"
    status=$?
    verdict $status "$what: the same $photos masks"
    [ $status = 0 ] || diff "$dir/expected" "$dir/got" | head -n 6
}
# Bare roots of Debian, where what is run is nobody and not root.
root_of() { # RELEASE: made if it may be
    [ -x "$ROOTS/$1/bin/sh" ] && return
    [ "${NIGHTLY:-}" ] && [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || return 1
    mkdir -p "$ROOTS"
    debootstrap --variant=minbase --include=python3,python3-numpy,python3-pip "$1" "$ROOTS/$1" >"$dir/log" 2>&1
}
within() { # RELEASE COMMAND...
    root=$ROOTS/$1
    shift
    rm -rf "$root/try"
    cp -r "$dir/photos" "$root/try"
    chmod -R a+rX "$root/try"
    chroot --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin HOME=/nonexistent "$@"
}

for program in "$folder"/tilecut-*-linux-*; do
    [ -f "$program" ] || continue
    processor=${program##*-}
    name=${program##*/}
    ! readelf -lW "$program" | grep -q INTERP && ! readelf -dW "$program" 2>/dev/null | grep -q NEEDED
    verdict $? "$name: needs nothing beside itself"
    run=''
    [ "$processor" = "$(uname -m)" ] || run=qemu-$processor
    if [ "$run" ] && ! command -v "$run" >/dev/null; then
        echo "skipped: $name, there is no $run"
        continue
    fi
    # shellcheck disable=SC2086 # $run is empty or one word
    same "$name" sh "$dir/photos/masks" $run "$PWD/$program"
    # shellcheck disable=SC2086
    $run "$program" info >"$dir/info"
    for format in PNG JPEG TIFF WebP NIfTI; do
        grep -q "^  $format *read" "$dir/info" || verdict 1 "$name: no $format"
    done
    grep -q '^  edit *libmicrohttpd' "$dir/info"
    verdict $? "$name: $(grep -c ' read' "$dir/info") formats, the editor"
    [ "$run" ] && continue
    for release in bullseye bookworm trixie; do
        root_of $release || { echo "skipped: $name in $release"; continue; }
        cp "$program" "$ROOTS/$release/tilecut"
        same "$name in a bare $release, as nobody" within $release sh /try/masks /tilecut
    done
done

echo "release: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 1 ]
