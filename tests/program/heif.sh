# SPDX-License-Identifier: MIT
#
# HEIC and AVIF: the same pixels as libheif's own tool (heif.py), and a library that is missing or crashes.
# shellcheck shell=sh disable=SC2154

begin 'HEIC and AVIF are read as libheif shows them, and refused with one line'
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if "$TILECUT" info | grep -q '^ *HEIC *no '; then
    echo 'skipped: HEIC, built without libheif, or it is not installed'
elif ! command -v heif-enc >/dev/null || ! "$python" -c 'import numpy, PIL' 2>/dev/null; then
    echo 'skipped: HEIC, there is no heif-enc (libheif-examples), or no NumPy or PIL for Python'
else
    writes=
    if heif-enc --list-encoders -A | grep -A1 'AVIF encoders' | grep -q '^- '; then writes=writes
    else echo 'skipped: AVIF is not written, libheif has no encoder of AV1'; fi
    expect 'all pictures as they are shown' "$python" "$here/heif.py" "$TILECUT" . $writes
fi

# The program loads the library by name, so another one of that name can replace it.
begin 'HEIC: a library that lacks functions, one that crashes, and one that waits for ever'
printf '\0\0\0\024ftypheic\0\0\0\0heic' >photo.heic
if ! "$TILECUT" info | grep -q '^ *HEIC *read '; then
    echo 'skipped: HEIC, built without libheif, or it is not installed'
elif sanitized; then
    echo 'skipped: HEIC, another library, with a sanitizer'
else
    for other in 'int nothing;:cannot be loaded here' \
        '__attribute__((constructor)) static void f(void) { *(volatile int *)8 = 1; }:ended by signal 11' \
        '#include <unistd.h>
        __attribute__((constructor)) static void f(void) { pause(); }:comes to a halt'; do
        echo "${other%:*}" >lib.c
        "${CC:-cc}" -shared -fPIC -o libheif.so.1 lib.c 2>"$ERR" || complain "cc: $(cat "$ERR")"
        command='tilecut photo.heic, another library'
        LD_LIBRARY_PATH=. "$TILECUT" photo.heic --fg 1,1 --bg 9,9 -o m.png >"$OUT" 2>"$ERR" </dev/null
        status=$?
        expect "status 3, not $status" test "$status" = 3
        expect "says '${other##*:}', not $(cat "$ERR")" has "photo.heic: " "$ERR"
        expect "says '${other##*:}', not $(cat "$ERR")" has "${other##*:}" "$ERR"
        expect 'one line' test "$(wc -l <"$ERR")" = 1
        [ "$other" = "${other#int nothing}" ] && continue
        LD_LIBRARY_PATH=. "$TILECUT" photo.heic --fg 1,1 --bg 9,9 -o m.avif >"$OUT" 2>"$ERR" </dev/null
        status=$?
        expect "AVIF: status 2, not $status" test "$status" = 2
        expect "says why AVIF is not written, not $(cat "$ERR")" has "m.avif: AVIF is written by libheif" "$ERR"
        expect 'one line, and no file' test "$(wc -l <"$ERR") $(echo m*)" = '1 m*'
    done
fi
