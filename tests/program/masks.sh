# SPDX-License-Identifier: MIT
#
# Initial masks (--mask, refine), masks to correct (--previous), and seeds from several files with their own formats.
# shellcheck shell=sh disable=SC2154

foreground() { value foreground_fraction "$1"; }
more() { awk "BEGIN { exit !($1 > $2) }"; }

begin 'mask: a mask alone is refined along the edges'
works segment "$IN/photo.png" --mask "$IN/truth.png" -o mask.png
expect 'the mask is right' close_to_truth mask.png

begin 'mask: refine is segment with --mask'
works segment "$IN/photo.png" --mask "$IN/truth.png" -o a.png
works refine "$IN/photo.png" "$IN/truth.png" -o b.png --cutout cutout.png --json run.json
expect 'the same mask' same a.png b.png
expect 'the JSON names it' has '"use": "mask", "format": "grey"' run.json
works refine "$IN/photo.png" cutout.png -o c.png --json run.json
expect 'a cutout is a mask by its alpha' has '"format": "alpha"' run.json
expect 'and as good' close_to_truth c.png

begin 'mask: 0 and 1 are background and foreground, with a note'
for one in 1 255; do
    { echo 'P2 96 64 255' && awk -v one=$one 'BEGIN { for (i = 0; i < 6144; i++)
        print (i % 96 > 20 && i % 96 < 60 && i > 960 && i < 4800 ? one : 0) }'; } >"$one.pgm"
    run refine "$IN/photo.png" $one.pgm -o $one.png
    expect "$one is read" test "$status" = 0
    cp "$ERR" $one.err
done
expect 'the same' same 1.png 255.png
expect 'said' has '1.pgm: holds 0 and 1 alone; 1 is taken for foreground' 1.err
expect 'only of it' test "$(grep -c 'holds 0 and 1' 255.err)" = 0

begin 'mask: strokes always win'
works refine "$IN/photo.png" "$IN/truth.png" --bg "28,30" --brush 4 -o mask.png --json run.json
run score mask.png "$IN/truth.png"
run segment "$IN/photo.png" --mask mask.png --previous mask.png -o other.png
expect 'one of --mask and --previous' test "$status" = 2
run segment "$IN/photo.png" --previous mask.png --bg "28,30" --brush 4 -o same.png
expect 'nothing contradicts the stroke any more' same mask.png same.png

begin 'mask: one more stroke only adds, in any order'
works refine "$IN/photo.png" "$IN/truth.png" --bg "28,30" --brush 4 -o one.png --json one.json
works refine "$IN/photo.png" "$IN/truth.png" --bg "28,30" --fg "4,4 12,4" --brush 4 -o two.png --json two.json
works refine "$IN/photo.png" "$IN/truth.png" --fg "4,4 12,4" --bg "28,30" --brush 4 -o turned.png
expect 'the order does not matter' same two.png turned.png
expect 'the foreground has grown' more "$(foreground two.json)" "$(foreground one.json)"

begin 'previous: strokes nest'
works segment "$IN/photo.png" -s "$IN/seeds.png" -o first.png --json first.json
works segment "$IN/photo.png" --previous first.png --fg "4,4 12,4" -o more.png --json more.json
works segment "$IN/photo.png" --previous more.png --bg "28,30" -o less.png --json less.json
expect 'foreground adds' more "$(foreground more.json)" "$(foreground first.json)"
expect 'nothing is taken away' has '"removed": 0' more.json
expect 'background takes away' more "$(foreground more.json)" "$(foreground less.json)"
expect 'nothing is added' has '"added": 0' less.json
expect 'certified' has '"certified": true' less.json

begin 'previous: what no stroke contradicts stays bit for bit'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o first.png
run segment "$IN/photo.png" --previous first.png -s "$IN/seeds.png" -o same.png
expect 'with a note' has 'no seed contradicts it' "$ERR"
expect 'the same mask' same first.png same.png
run segment "$IN/photo.png" --previous first.png --fg "4,4" -o wanted.png -q
for solver in bk push; do
    works segment "$IN/photo.png" --previous first.png --fg "4,4" -o other.png -q --solver $solver --threads 2
    expect "the same with $solver" same wanted.png other.png
done

begin 'learn: a click adds or takes away, and learns from all of them'
works segment "$IN/photo.png" --fg "28,30" -q -o first.png --json first.json
works segment "$IN/photo.png" --previous first.png --learn -q --fg "28,30" --fg "4,4" -o more.png --json more.json
expect 'nothing is taken away' has '"removed": 0' more.json
expect 'foreground adds' more "$(foreground more.json)" "$(foreground first.json)"
works segment "$IN/photo.png" --previous more.png --learn -q --fg "28,30" --fg "4,4" --bg "80,20" -o same.png
expect 'what agrees changes nothing' same more.png same.png
works segment "$IN/photo.png" --previous first.png --learn --bg "28,30" --brush 4 -o less.png --json less.json
expect 'the background alone takes away' has '"added": 0' less.json
expect 'foreground goes' more "$(foreground first.json)" "$(foreground less.json)"

begin 'seeds: each file has its own format'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o a.png -q
works segment "$IN/photo.png" -s "$IN/seeds.png:color" -s "$IN/trimap.png:trimap" -o b.png -q
cp "$IN/trimap.png" seeds:labels
works segment "$IN/photo.png" -s seeds:labels -o c.png -q
expect 'a file whose name ends that way wins over a format' close_to_truth c.png
run segment "$IN/photo.png" -s "$IN/trimap.png:labels" -o d.png
expect 'the format holds' test "$status" = 4

begin 'seeds: later ones win if asked'
ends 4 segment "$IN/photo.png" --fg "48,32 60,32" --bg "48,32" --bg "2,2" -o a.png
works segment "$IN/photo.png" --fg "48,32 60,32" --bg "48,32" --bg "2,2" --seed-conflict last -o a.png --json a.json
works segment "$IN/photo.png" --bg "48,32" --bg "2,2" --fg "48,32 60,32" --seed-conflict last -o b.png --json b.json
expect 'the first time background wins' has '"conflicts": 29' a.json
expect 'then foreground does' differ a.png b.png
expect 'as many were claimed twice' has '"conflicts": 29' b.json
works segment "$IN/photo.png" --bg "48,32" --bg "2,2" --fg "48,32 60,32" --bg "48,32" --seed-conflict last -o c.png
expect 'a third one of the first class wins, too' same a.png c.png
works check "$IN/photo.png" -s "$IN/seeds.png" -s "$IN/only_bg.png" --seed-conflict last
