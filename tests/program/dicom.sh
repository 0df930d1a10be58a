# SPDX-License-Identifier: MIT
#
# DICOM: folders and files with known numbers (dicom.py), and a gdcm that is missing or crashes.
# shellcheck shell=sh disable=SC2154

begin 'DICOM is cut like a NRRD of the same numbers, where it lies, or refused with one line'
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if "$TILECUT" info | grep -q '^ *DICOM *no '; then
    echo 'skipped: DICOM, built without gdcm, or it is not installed'
elif ! "$python" -c 'import numpy' 2>/dev/null; then
    echo 'skipped: DICOM, no NumPy for Python'
else
    expect 'all scans as they should be' "$python" "$here/dicom.py" "$TILECUT" .
fi

# The program looks for the reader's object next to itself, so another object can replace it.
begin 'DICOM: without gdcm, with one that lacks functions, and with one that crashes'
mkdir scan
{ head -c 128 /dev/zero && printf DICM; } >scan/1.dcm
if "$TILECUT" info | grep -q '^ *DICOM .*built without gdcm'; then
    ends 3 scan --fg 1,1,0 --bg 9,9,0 -o m.nrrd
    expect 'says what is missing' has 'scan: is a DICOM file, and this tilecut was built without gdcm' "$ERR"
elif sanitized; then
    echo 'skipped: DICOM, another object, with a sanitizer'
else
    cp "$TILECUT" program
    for other in ':tilecut-dicom.so is neither beside the program nor in ../lib/tilecut' \
        'int nothing;:cannot be loaded here' \
        '__attribute__((constructor)) static void f(void) { *(volatile int *)8 = 1; }:ended by signal 11'; do
        echo "${other%%:*}" >lib.c
        [ -z "${other%%:*}" ] || "${CC:-cc}" -shared -fPIC -o tilecut-dicom.so lib.c 2>"$ERR" ||
            complain "cc: $(cat "$ERR")"
        for scan in scan scan/1.dcm; do
            command="tilecut $scan, another object"
            ./program $scan --fg 1,1,0 --bg 9,9,0 -o m.nrrd >"$OUT" 2>"$ERR" </dev/null
            status=$?
            expect "status 3, not $status" test "$status" = 3
            expect "says '${other##*:}', not $(cat "$ERR")" has "scan/1.dcm: " "$ERR"
            expect "says '${other##*:}', not $(cat "$ERR")" has "${other##*:}" "$ERR"
            expect 'one line' test "$(wc -l <"$ERR")" = 1
        done
    done
    rm tilecut-dicom.so
    ./program info >"$OUT"
    expect 'info says so, too' has 'DICOM         no          tilecut-dicom.so or libgdcm cannot be loaded' "$OUT"
fi
