# SPDX-License-Identifier: MIT
#
# Some good and bad runs under valgrind, by day a third of them: no leak and no invalid access.
# shellcheck shell=sh disable=SC2154

begin 'no leak and no wrong access under valgrind'
if [ -n "${TILECUT_SANITIZED:-}" ] || sanitized; then
    echo 'skipped: valgrind: the program is built with a sanitizer'
elif ! command -v valgrind >/dev/null; then
    echo 'skipped: valgrind is not installed'
else
    # valgrind fails on debug information that is newer than itself; a stripped copy is then run instead.
    watched=$TILECUT
    if ! valgrind -q "$watched" --version >/dev/null 2>&1; then
        watched=$WORK/stripped
        strip -g -o "$watched" "$TILECUT"
    fi
    # `info` loads libheif and other libraries to see whether they exist. Memory that the loader and the libraries' own
    # start and end leave behind is not ours.
    for caller in _dl_open _dl_fini _dl_call_fini; do
        printf '%s\n' '{' "the loader, $caller" Memcheck:Leak 'match-leak-kinds: reachable' ... "fun:$caller" '}'
    done >loader.supp
    turn=0
    watch() {
        wanted=$1
        shift
        turn=$((turn + 1))
        [ "${NIGHTLY:-}" ] || [ $((turn % 3)) = 1 ] || return 0
        valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
            --suppressions=loader.supp \
            "$watched" "$@" >"$OUT" 2>"$ERR" </dev/null
        status=$? command="valgrind tilecut $*"
        [ "$status" = "$wanted" ] || show "exit status should be $wanted"
    }
    S="$IN/seeds.png"
    watch 0 "$IN/photo.png" -s "$S" -o m.png --cutout c.png --overlay o.jpg --json r.json --threads 2
    watch 0 "$IN/exif_6.jpg" -s "$IN/trimap.png" -o m.pgm --connectivity 8
    watch 0 "$IN/transparent.png" --fg 28,30 --box 14,5,62,54 -o m.png
    watch 0 check "$IN/deep.png" -s "$IN/palette_color.png"
    watch 0 info --json r.json
    watch 2 "$IN/photo.png" -s "$S" -o m.png --lambda nan --fg '1,1 2,2'
    watch 2 "$IN/photo.png" -s "$S" -o "$IN/photo.png"
    watch 3 "$IN/truncated.png" -s "$S" -o m.png
    watch 3 "$IN/truncated.jpg" -s "$S" -o m.png
    watch 3 "$IN/wrong_crc.png" -s "$S" -o m.png
    watch 0 "$IN/cmyk.jpg" -s "$IN/trimap.png" -o m.tif --cutout c.webp
    watch 3 "$IN/huge.png" -s "$S" -o m.png
    watch 3 "$IN/short.ppm" -s "$S" -o m.png
    watch 4 "$IN/photo.png" -s "$IN/only_fg.png" -o m.png --json r.json
    watch 4 "$IN/photo.png" -s "$S" -s "$IN/swapped.png" -o m.png
    watch 4 "$IN/photo.png" -s "$IN/over_photo.png" -o m.png
    watch 5 "$IN/photo.png" -s "$S" -o m.png --max-memory 100K
fi
