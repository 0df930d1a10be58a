# SPDX-License-Identifier: MIT
#
# Test suites for TIFF, WebP, BMP, TGA and CMYK JPEG (suites.py), and a build without libtiff and libwebp.
# shellcheck shell=sh disable=SC2154

begin 'TIFF, WebP, GIF, BMP, TGA, CMYK JPEG: suites of every variant are read as their pixels'
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if ! "$python" -c 'import numpy, PIL' 2>/dev/null; then
    echo 'skipped: suites of pictures, there is no NumPy or no PIL for Python (python3-numpy, python3-pil)'
elif "$TILECUT" info | grep -q 'built without lib\(tiff\|webp\)'; then
    echo 'skipped: suites of pictures, tilecut was built without libtiff or libwebp'
else
    expect 'all pictures as they were drawn' "$python" "$here/suites.py" "$TILECUT" .
fi
