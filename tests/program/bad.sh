# SPDX-License-Identifier: MIT
#
# Files that cannot be read are refused with one line that gives the reason.
# shellcheck shell=sh disable=SC2154

S="$IN/seeds.png"
bad() {
    refuses "$1" "$2" "$3" "$4" -s "$S" -o m.png
}

bad 'missing file' 3 'missing.png' missing.png
bad 'a directory' 3 'is a directory' "$IN"
bad 'an empty file' 3 'empty' "$IN/empty.png"
bad 'text named .png' 3 'text.png' "$IN/text.png"
bad 'a truncated PNG' 3 'truncated.png' "$IN/truncated.png"
bad 'a PNG of 8 bytes' 3 'header_only.png' "$IN/header_only.png"
bad 'a truncated JPEG' 3 'truncated.jpg' "$IN/truncated.jpg"
bad 'a PNG with a wrong CRC' 3 'wrong_crc.png' "$IN/wrong_crc.png"
bad 'a PNG of 0 pixels' 3 'zero.png' "$IN/zero.png"
bad 'a PNM of 0 pixels' 3 '0x0' "$IN/zero.ppm"
bad 'a short PNM' 3 'short.ppm' "$IN/short.ppm"
bad 'a PNG of 10^9 pixels' 3 '40000x25000' "$IN/huge.png"
bad 'a PNM of 10^9 pixels' 3 '40000x25000' "$IN/huge.pgm"
bad 'a PNG of 4 * 10^18 pixels' 3 'wide.png' "$IN/wide.png"

refuses 'more pixels than allowed' 3 '96x64' "$IN/photo.png" -s "$S" -o m.png --max-pixels 6000
refuses 'more memory than allowed' 5 'memory' "$IN/photo.png" -s "$S" -o m.png --max-memory 100K
# The header alone is enough to refuse the file: no pixels follow it.
begin 'more memory than allowed, said by the header'
printf 'P6 9000 9000 255\n' >"$IN/large.ppm"
fails 5 '9000x9000' "$IN/large.ppm" -s "$S" -o m.png --max-memory 1G
refuses 'a device that is not there' 5 'cuda' "$IN/photo.png" -s "$S" -o m.png --device cuda:200

# If the address space is too small for the grid, the program reports it and does not crash. The shadow memory of
# sanitizers alone exceeds that limit.
begin 'little memory'
if sanitized; then
    echo 'skipped: little memory: the program is built with a sanitizer'
else
    {
        printf 'P5 2000 2000 255\n'
        head -c 4000000 /dev/zero
    } >large.pgm
    # shellcheck disable=SC3045 # every shell here has it
    (
        ulimit -v 100000
        "$TILECUT" large.pgm --fg 100,100 --bg 1900,1900 -o m.png >"$OUT" 2>"$ERR"
    )
    status=$? command='tilecut with little memory'
    rm large.pgm
    refused 5 'memory'
fi
