#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks whatever `make release` has put into a folder: nothing links to a library that its platform may lack, and every
# program, wheel and image gives the masks of the program built here. With root, debootstrap and a mirror, also checks
# them in bare Debian 11, 12 and 13 (NIGHTLY=1 makes these systems in ROOTS; otherwise only existing ones are used).
#
#   release.sh FOLDER
set -u
cd "$(dirname "$0")/.." || exit 1
folder=$(cd "${1:?release.sh FOLDER}" && pwd) || exit 1
TILECUT=${TILECUT:-$PWD/build/release/tilecut}
ROOTS=${ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/tilecut-roots}
PARTS=${PARTS:-${XDG_CACHE_HOME:-$HOME/.cache}/tilecut-release}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
LC_ALL=C
export LC_ALL
verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
    fi
}

# Uses the photos of images/, one of them also as TIFF, WebP and BMP.
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
# Bare Debian systems in folders, in which commands run as the user nobody and without a network.
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
    unshare --net chroot --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin HOME=/nonexistent "$@"
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
    same "$name" sh "$dir/photos/masks" $run "$program"
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

# Runs the program for Windows under wine, with cmd.exe, paths with backslashes, and lists with CRLF, as a user would.
WINEDEBUG=-all WINEPREFIX=$dir/wine
wine=/usr/lib/wine/wine64
export WINEDEBUG WINEPREFIX
for zip in "$folder"/tilecut-*-windows-x86_64.zip; do
    [ -f "$zip" ] || continue
    name=${zip##*/}
    mkdir -p "$dir/windows/Bäume"
    /usr/bin/python3 -m zipfile -e "$zip" "$dir/windows"
    exe=$dir/windows/tilecut.exe
    grep -q '^libmicrohttpd [0-9]' "$dir/windows/LICENCES.txt"
    verdict $? "$name: has the licences of all parts"
    x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p' >"$dir/needs"
    [ -s "$dir/needs" ] && ! grep -vixE '(kernel32|msvcrt|shell32|ws2_32)\.dll' "$dir/needs"
    verdict $? "$name: needs $(tr '\n' ' ' <"$dir/needs")"
    if [ ! -x $wine ]; then
        echo "SKIPPED: $name has not been run: there is no $wine (Debian package wine64)"
        continue
    fi
    $wine "$exe" --version >"$dir/log" 2>&1 # which also makes what wine needs
    same "$name" sh "$dir/photos/masks" $wine "$exe"
    (
        cd "$dir/windows" || exit 1
        export LC_ALL=C.UTF-8 # what wine takes the names of files to be
        cp "$dir/photos/coffee.png" "Bäume/Käffee.png"
        cp "$dir/photos/coffee_seeds.png" "Bäume/seeds.png"
        "$TILECUT" segment "Bäume/Käffee.png" -s "Bäume/seeds.png" -o here.png
        there="Z:$(pwd | tr / '\\')\\Bäume"
        $wine tilecut.exe segment "$there\\Käffee.png" -s "Bäume\\seeds.png" -o "$there\\mask.png"
        cmp here.png "Bäume/mask.png"
        verdict $? "$name: a drive's letter, backslashes and letters beyond ASCII"
        $wine tilecut.exe segment "Bäume/Käffee.png" -s "Bäume/seeds.png" -o "Bäume/mask.png" &&
            cmp here.png "Bäume/mask.png" && [ "$(find . -name '.tilecut-*')" = '' ]
        verdict $? "$name: a file is replaced, and nothing is left beside it"
        printf 'Bäume\\Käffee.png\tBäume\\seeds.png\r\n' >list
        $wine tilecut.exe batch --list list -O out 2>/dev/null && cmp here.png "out/Käffee.png"
        verdict $? "$name: a list with CRLF and backslashes"
        $wine tilecut.exe segment - -s "Bäume/seeds.png" -o - <"Bäume/Käffee.png" | cmp - here.png
        verdict $? "$name: pipes carry bytes as they are"
        for words in '3 segment none.png -s none.png -o x.png' '2 segmnt' \
            '1 segment Bäume/Käffee.png -o no/x.png --fg 9,9'; do
            # shellcheck disable=SC2086 # several words are meant
            $wine tilecut.exe ${words#* } >/dev/null 2>&1
            [ $? = "${words%% *}" ]
            verdict $? "$name: exit status ${words%% *} of ${words#* }"
        done
        mkdir many
        for number in 1 2 3 4 5 6 7 8 9; do cp "$dir/photos/coffee.png" "many/$number.png"; done
        $wine tilecut.exe batch many -s "Bäume/seeds.png" -O cut 2>/dev/null &
        while kill -0 $! && ! ls cut/*.png; do sleep .1; done >/dev/null 2>&1
        kill -INT $!
        wait $!
        status=$?
        whole=0
        for mask in cut/*.png; do cmp here.png "$mask" || whole=1; done
        [ $status = 130 ] && [ $whole = 0 ] && [ "$(find cut -name '.tilecut-?????*' ! -name '*-state')" = '' ]
        verdict $? "$name: Control+C ends a batch, and no mask is half there"
        $wine tilecut.exe edit "$dir/photos/camera.png" >address 2>/dev/null &
        while kill -0 $! && ! grep -q token address; do sleep .1; done 2>/dev/null
        [ "$(curl -s -o /dev/null -w '%{http_code}' "$(tr -d '\r' <address)")" = 200 ]
        verdict $? "$name: the editor serves its page"
        kill -INT $!
        wait $!
        [ $? = 130 ]
        verdict $? "$name: Control+C ends the editor"
    ) >"$dir/said" 2>&1
    cat "$dir/said"
    passed=$((passed + $(grep -c '^ok ' "$dir/said"))) failed=$((failed + $(grep -c '^FAIL ' "$dir/said")))
done

# Wheels: the libraries that they link are in every glibc from 2.28, in musl 1.2, or in every Windows.
cat >"$dir/photos/wheel.py" <<'END'
import glob, hashlib, os, sys
import numpy, tilecut
here = os.path.dirname(os.path.abspath(__file__))
for seeds in sorted(glob.glob(os.path.join(here, "*_seeds.png")), key=lambda path: path.encode()):
    for photo in glob.glob(seeds[:-len("_seeds.png")] + ".*"):
        image = tilecut.read_image(photo)
        mask = tilecut.segment(image, tilecut.read_seeds(seeds, image)).mask
        print(hashlib.sha256(numpy.where(mask, 255, 0).astype("uint8").tobytes()).hexdigest())
END
for wheel in "$folder"/*.whl "$folder"/pypi/*.whl; do
    [ -f "$wheel" ] || continue
    name=${wheel##*/}
    rm -rf "$dir/wheel"
    /usr/bin/python3 -m zipfile -e "$wheel" "$dir/wheel"
    {
        find "$dir/wheel" -name 'libtilecut*' ! -name '*-files*'
        find "$dir/wheel" -name 'libtilecut-files*'
    } >"$dir/libraries"
    [ "$(grep -c . "$dir/libraries")" = 2 ]
    verdict $? "$name: two libraries"
    while read -r library; do
        case $name in
        *manylinux*)
            readelf -dW "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
                grep -vE '^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|ld-linux-.*|libtilecut\.so\.[0-9]+)$'
            readelf -W --dyn-syms "$library" | grep -oE 'GLIBC_[0-9.]+' | sort -u |
                grep -E 'GLIBC_2\.(29|[3-9][0-9])'
            ;;
        *musllinux*) # no C library by name; what is not defined is in musl's
            readelf -dW "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^libtilecut\.so\.[0-9]*$'
            nm -D --undefined-only "$library" | sed -n 's/^ *U //p' | grep -v '^tilecut_' | sort -u >"$dir/called"
            # Lists the symbols of musl's shared library, which has fewer than its archive.
            processor=${name##*musllinux_1_2_}
            for libc in "$PARTS/${processor%.whl}-musl/lib/libc.so" "/usr/lib/${processor%.whl}-linux-musl/libc.so"; do
                [ ! -e "$libc" ] || nm -D --defined-only "$libc"
            done | sed -n 's/.* [A-Z] //p' | sort -u | comm -23 "$dir/called" -
            ;;
        *) x86_64-w64-mingw32-objdump -p "$library" | sed -n 's/.*DLL Name: //p' |
            grep -vixE '(kernel32|msvcrt|shell32|ws2_32|libtilecut-[0-9]+)\.dll' ;;
        esac
    done <"$dir/libraries" >"$dir/lacking"
    [ ! -s "$dir/lacking" ]
    verdict $? "$name: links what its platform has and nothing else $(tr '\n' ' ' <"$dir/lacking")"
    platform=${name##*-none-}
    if /usr/bin/python3 -m pip --version >/dev/null 2>&1; then
        rm -rf "$dir/taken"
        /usr/bin/python3 -m pip install -q --no-index --no-deps --only-binary=:all: --platform "${platform%.whl}" \
            --python-version 3.8 --target "$dir/taken" "$wheel" >"$dir/log" 2>&1 && [ -d "$dir/taken/tilecut" ]
        verdict $? "$name: pip takes it for Python 3.8 of that platform"
    fi
    # Checks that no library of a wheel can use the network.
    while read -r library; do
        case $name in
        *win_amd64*) x86_64-w64-mingw32-objdump -p "$library" ;;
        *) nm -D --undefined-only "$library" ;;
        esac
    done <"$dir/libraries" | grep -E '[ \t](connect|WSAConnect|getaddrinfo|gethostbyname)(@|$)' >"$dir/calls"
    [ ! -s "$dir/calls" ]
    verdict $? "$name: calls nobody"
    grep -q '^Requires-Dist: numpy' "$dir"/wheel/*.dist-info/METADATA
    verdict $? "$name: names NumPy"
    grep -q '^libjpeg-turbo [0-9]' "$dir"/wheel/*.dist-info/LICENCES.txt
    verdict $? "$name: has the licences of all parts"
    # If there is no Python for that platform, a C program does what the binding does (tests/wheel.c).
    compiler='' run='' cross=aarch64-linux-gnu-gcc musl=$PARTS/aarch64-musl
    case $name in
    *musllinux*"$(uname -m)".whl) compiler='musl-gcc' ;;
    *win_amd64.whl) [ ! -x $wine ] || compiler=x86_64-w64-mingw32-gcc run=$wine ;;
    *manylinux*"$(uname -m)".whl) compiler=none ;;
    *manylinux*aarch64.whl) compiler=$cross run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
    *musllinux*aarch64.whl) [ ! -e "$musl/lib/libc.so" ] || compiler=$cross run="qemu-aarch64 -L $musl" ;;
    esac
    [ ! "$run" ] || command -v "${run%% *}" >/dev/null || compiler=''
    if [ "$compiler" != none ] && ! command -v "${compiler:-there-is-none}" >/dev/null; then
        echo "SKIPPED: $name has not been run: there is nothing to run it with"
        continue
    fi
    if [ "$compiler" != none ]; then
        about='' last=''
        if [ "$run" = "qemu-aarch64 -L $musl" ]; then
            about="-nostdinc -isystem $musl/include -isystem $($cross -print-file-name=include) -nostdlib -L $musl/lib
                $musl/lib/crt1.o $musl/lib/crti.o"
            last="-lc -lgcc $musl/lib/crtn.o -Wl,-dynamic-linker,/lib/ld-musl-aarch64.so.1"
        fi
        # shellcheck disable=SC2086 # several words are meant
        $compiler -std=c11 -O2 $about tests/wheel.c $last -o "$dir/wheel.exe" >"$dir/log" 2>&1 || cat "$dir/log"
        # shellcheck disable=SC2086
        [ -z "$run" ] || $run "$dir/wheel.exe" >"$dir/log" 2>&1 # which also makes what wine needs
        # shellcheck disable=SC2016,SC2046,SC2086 # the libraries are two words, $run one or none
        same "$name, from C" sh -c 'for seeds in "$1"/*_seeds.png; do
            for photo in "${seeds%_seeds.png}".*; do
                $2 "$3" "$4" "$5" "$photo" "$seeds" | sha256sum | cut -d " " -f 1
            done
        done' - "$dir/photos" "$run" "$dir/wheel.exe" $(cat "$dir/libraries")
        continue
    fi
    for release in bullseye bookworm trixie; do
        root_of $release || { echo "skipped: $name in $release"; continue; }
        rm -rf "$ROOTS/$release/site" "$ROOTS/$release/wheel"
        mkdir "$ROOTS/$release/wheel"
        cp "$wheel" "$ROOTS/$release/wheel"
        chroot "$ROOTS/$release" sh -c 'pip3 install -q --no-index --no-deps --target /site /wheel/*.whl' \
            2>"$dir/log" || cat "$dir/log"
        same "$name in a bare $release, installed by pip" within $release PYTHONPATH=/site python3 /try/wheel.py
    done
done

# The container image: the name of every blob is its hash, and the program in it equals the one next to it.
for image in "$folder"/*-oci.tar; do
    [ -f "$image" ] || continue
    mkdir "$dir/oci"
    tar -xf "$image" -C "$dir/oci"
    (cd "$dir/oci/blobs/sha256" && for blob in *; do echo "$blob  $blob"; done | sha256sum -c --quiet)
    verdict $? "${image##*/}: its sums"
    (cd "$dir/oci" && grep -o 'blobs/sha256/[0-9a-f]*' manifest.json | xargs ls >"$dir/named") &&
        [ "$(wc -l <"$dir/named")" = "$((2 * $(grep -c RepoTags "$dir/oci/manifest.json")))" ]
    verdict $? "${image##*/}: what it says to docker"
    if docker info >"$dir/log" 2>&1; then
        docker load -qi "$image" | sed -n '1s/^Loaded image: //p' >"$dir/named"
        for seeds in "$dir"/photos/*_seeds.png; do
            for photo in "${seeds%_seeds.png}".*; do
                docker run --rm --network=none -v "$dir/photos:/work:ro" "$(cat "$dir/named")" segment "${photo##*/}" \
                    -s "${seeds##*/}" -o /tmp/mask.png --json - |
                    sed -n 's/.*"mask_sha256": *"\([0-9a-f]*\)".*/\1/p'
            done
        done >"$dir/layered"
        same "${image##*/} in docker" cat "$dir/layered"
    fi
    for blob in "$dir"/oci/blobs/sha256/*; do
        tar -xzOf "$blob" ./usr/bin/tilecut 2>/dev/null | sha256sum | cut -d ' ' -f 1
    done >"$dir/programs"
    for program in "$folder"/tilecut-*-linux-*; do
        grep -q "$(sha256sum "$program" | cut -d ' ' -f 1)" "$dir/programs"
        verdict $? "${image##*/} has ${program##*/}"
    done
    [ "$(stat -c %s "$image")" -lt 60000000 ]
    verdict $? "${image##*/}: $(stat -c %s "$image") bytes"
done
# An image of a program that is not static, as `make oci-cuda` makes it. Its layer must contain all that the program
# needs.
if [ "$(id -u)" = 0 ] && ldd "$TILECUT" >/dev/null 2>&1; then
    mkdir -p "$dir/linked" "$dir/layer"
    cp "$TILECUT" "$dir/tilecut-linux-x86_64-cuda"
    sh tools/release/oci 1 0 "$dir/linked.tar" LICENSE "$dir/tilecut-linux-x86_64-cuda"
    tar -xf "$dir/linked.tar" -C "$dir/linked"
    for blob in "$dir"/linked/blobs/sha256/*; do
        tar -xzf "$blob" -C "$dir/layer" 2>/dev/null
    done
    cp -r "$dir/photos" "$dir/layer/work"
    for seeds in "$dir"/photos/*_seeds.png; do
        name=${seeds##*/}
        for photo in "${seeds%_seeds.png}".*; do
            chroot --userspec=65534:65534 "$dir/layer" /usr/bin/tilecut segment "/work/photos/${photo##*/}" \
                -s "/work/photos/$name" -o /work/mask.png --json - |
                sed -n 's/.*"mask_sha256": *"\([0-9a-f]*\)".*/\1/p'
        done
    done >"$dir/layered"
    same 'an image of a program with its libraries' cat "$dir/layered"
fi
# The npm package in node: its tests compare the masks of these photos with those of the program.
for package in "$folder"/tilecut-*.tgz; do
    [ -f "$package" ] && command -v node >/dev/null || continue
    PACKAGE=$package TILECUT=$TILECUT node tests/npm/run.mjs >"$dir/log" 2>&1
    verdict $? "${package##*/}: $(tail -n 1 "$dir/log")"
done

# Unpacks the Debian packages of this release, and builds the source package for pip, which takes some time.
mkdir "$dir/deb"
for package in "$folder"/libtilecut1_*.deb "$folder"/tilecut_*.deb; do
    [ -f "$package" ] && command -v dpkg-deb >/dev/null && dpkg-deb -x "$package" "$dir/deb"
done
if [ -x "$dir/deb/usr/bin/tilecut" ]; then
    libraries=$(dirname "$(find "$dir/deb/usr/lib" -name 'libtilecut.so.*' | head -n 1)")
    same 'Debian packages' env LD_LIBRARY_PATH="$libraries" sh "$dir/photos/masks" "$dir/deb/usr/bin/tilecut"
fi
for sources in "$folder"/pypi/tilecut-*.tar.gz; do
    [ -f "$sources" ] && [ "${NIGHTLY:-}" ] || continue
    /usr/bin/python3 -m venv --system-site-packages "$dir/venv" >"$dir/log" 2>&1 &&
        "$dir/venv/bin/pip" install -q --no-index --no-build-isolation "$sources" >"$dir/log" 2>&1 || cat "$dir/log"
    same "${sources##*/}, built by pip" "$dir/venv/bin/python" "$dir/photos/wheel.py"
done
[ ! -e "$folder/SHA256SUMS" ] || { (cd "$folder" && sha256sum -c --quiet SHA256SUMS); verdict $? SHA256SUMS; }

echo "release: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 1 ]
