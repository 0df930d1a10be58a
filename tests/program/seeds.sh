# SPDX-License-Identifier: MIT
#
# Every way to read seeds gives the same mask. Seeds that do not fit are refused with advice.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"

begin 'every reading of the same seeds gives the same mask'
for seeds in seeds.png trimap.png palette_color.png palette_grey.png canvas.png; do
    works "$P" -s "$IN/$seeds" -o mask.png
    expect "$seeds" same mask.png "$WORK/mask.png"
done
ends 0 "$P" -s "$IN/grabcut.png" --seeds-format grabcut -o mask.png
expect grabcut same mask.png "$WORK/mask.png"
works "$P" -s "$IN/over_photo.png" --seeds-format diff -o mask.png
expect diff same mask.png "$WORK/mask.png"
works "$P" -s "$WORK/mask.png" --seeds-format mask --band 5 -o mask.png
expect mask close_to_truth mask.png
run "$P" -s "$IN/only_fg.png" -s "$IN/only_bg.png" -o mask.png
expect 'two files' test "$status" = 0
expect 'two files agree' same mask.png "$WORK/mask.png"

begin '--band without a mask that it is about'
none='--band: is about the edge of a mask, one to refine or one as seeds (-s FILE:mask), and there is none'
for how in '--box 20,10,50,40' "-s $IN/seeds.png" "-s $IN/seeds.png --parts 2" "--previous $IN/truth.png" \
    "--previous $IN/truth.png --fg 3,3"; do
    # shellcheck disable=SC2086 # words
    run segment "$P" $how --band 3 -o band.png
    refused 2 "$none"
done
run check "$P" --box 20,10,50,40 --band 3
refused 2 "$none"
run edit "$P" --previous "$IN/truth.png" --band 3 --no-browser
refused 2 "$none"
run edit --band 3 --no-browser
refused 2 "$none"

begin 'a refused picture is read whole by a part only if its share of the memory holds it'
{ printf 'P5\n1600 1600\n255\n' && head -c 2560000 /dev/zero; } >photo.pgm
{ printf 'P6\n1600 1600\n65535\n' && head -c 15360000 /dev/zero | tr '\0' '\200'; } >grey.ppm
for memory in 270M 2G; do
    run segment photo.pgm -s grey.ppm:labels -o mask.png --parts 20 --max-memory $memory
    expect "refused, $memory" test "$status" = 4 -a "$(wc -l <"$ERR")" = 1
    expect "the value, $memory" grep -q 'grey.ppm: holds 32896 at 0,0; in --seeds-format labels 1 is foreground' "$ERR"
    expect "a look at the whole, $memory" test "$(grep -c 'it looks like a trimap' "$ERR")" = $((${#memory} == 2))
done

begin 'strokes saved as JPEG: with a note'
ends 0 "$P" -s "$IN/seeds.jpg" -o mask.png
expect 'a note' grep -q '^tilecut: note: .*seeds.jpg' "$ERR"
expect 'right' close_to_truth mask.png

begin 'every pixel labelled: with a note'
run "$P" -s "$IN/truth.png" --seeds-format mask --band 1 -o band.png
expect 'a band is cut' test "$status" = 0
ends 0 "$P" -s "$IN/truth.png" -s "$IN/all_but_one.png" --seeds-format trimap -o mask.png
expect 'a note' grep -q '^tilecut: note: ' "$ERR"

begin 'a box that reaches over the edge is clipped'
ends 0 "$P" --box -10,-10,90,200 --fg 28,30 -o mask.png
expect 'right' close_to_truth mask.png

begin 'a box around everything leaves the border outside, whichever door it comes through'
ends 0 "$P" --box 0,0,96,64 -o all.png
expect 'says so' grep -q 'the box covers the whole photo, so a strip along its border counts as background' "$ERR"
run "$P" --box 1,1,94,62 -o near.png
expect 'says so where it nearly does' grep -q 'the box covers the whole photo' "$ERR"
expect 'the same mask' cmp -s all.png near.png
run "$P" --box 0,0,96,64 --fg 28,30 --brush 4 -o click.png
run "$P" --fg 28,30 --brush 4 -o alone.png
expect 'says nothing more than a click' cmp -s click.png alone.png
run "$P" --box 0,0,96,64 --fg 28,30 --bg '5,5 6,5' --brush 4 -o both.png
run "$P" --fg 28,30 --bg '5,5 6,5' --brush 4 -o strokes.png
expect 'nor than strokes of both classes' cmp -s both.png strokes.png
run "$P" --box 0,0,96,64 --bg '5,5 6,5' -o m.png
expect 'works with strokes on the background' test "$status" = 0

begin 'where all strokes are points, the border is background, too'
ends 0 "$P" --fg 28,30 --brush 4 --bg 5,5 -o points.png
expect 'says so' grep -q 'single points, so the border of the photo counts as background, too' "$ERR"
run "$P" --fg 28,30 --brush 4 --bg 5,5 --box 1,1,94,62 -o box.png
expect 'as if it had been a box' cmp -s points.png box.png
run "$P" --fg 28,30 --brush 4 --bg '5,5 6,5' -o line.png
expect 'a line says more: no note' sh -c '! grep -q border "$1"' sh "$ERR"

refuses 'seeds of another size' 4 'is 48x64' "$P" -s "$IN/small_seeds.png" -o m.png
refuses 'no foreground' 4 'foreground' "$P" -s "$IN/only_bg.png" -o m.png
refuses 'no background and no box' 4 'background' "$P" -s "$IN/only_fg.png" -o m.png
refuses 'no strokes' 4 'blank.png' "$P" -s "$IN/blank.png" -o m.png
refuses 'only 0 and 255' 4 'mask' "$P" -s "$IN/two_values.png" -o m.png
refuses 'strokes over the photo' 4 'diff' "$P" -s "$IN/over_photo.png" -o m.png
refuses 'seeds that contradict' 4 'both' "$P" -s "$IN/seeds.png" -s "$IN/swapped.png" -o m.png
refuses 'a box outside the photo' 4 'box' "$P" --box 500,500,10,10 --fg 28,30 -o m.png
refuses 'missing seeds' 3 'missing.png' "$P" -s missing.png -o m.png
refuses 'seeds that are no picture' 3 'text.png' "$P" -s "$IN/text.png" -o m.png

begin 'conflicts may be settled'
for way in fg bg drop; do
    run "$P" -s "$IN/seeds.png" --bg 28,16 --seed-conflict $way -o mask.png
    expect "$way" test "$status" = 0
done

begin 'photo, scan and parts read every format of seeds, and refuse the same, in the same words'
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if command -v "$python" >/dev/null 2>&1; then
    "$python" "$here/seeds_space.py" "$TILECUT" . >compared 2>&1 || complain "$(head -c 2000 compared)"
else
    echo 'skipped: seeds of photos and scans, there is no Python'
fi

begin 'labels in a TIFF of one page are recognised for a scan of one slice, which is a volume, and not for a photo'
if "$TILECUT" info | grep -q '^ *TIFF  *read, write'; then
    { printf 'P5 20 10 255\n' && head -c 100 /dev/zero && head -c 100 /dev/zero | tr '\0' '\377'; } >half.pgm
    tail -c 200 half.pgm >half.raw
    works labels half.pgm --label 1 --stroke '2,7 17,7' --label 2 --stroke '2,2 17,2' --brush 1 -o lab.tif -q
    works segment half.raw --size 20x10x1:u8 -s lab.tif:labels -o named.raw -q
    works segment half.raw --size 20x10x1:u8 -s lab.tif -o m.raw -q
    expect 'as if they were named' cmp -s m.raw named.raw
    run segment half.pgm -s lab.tif -o m.pgm
    expect 'a photo: name one of them' has 'fit two readings' "$ERR"
fi
