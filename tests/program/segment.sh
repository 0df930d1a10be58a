# SPDX-License-Identifier: MIT
#
# The main job: masks are right, and are the same in whatever form photo, seeds and mask are passed.
# shellcheck shell=sh disable=SC2154

begin 'the object is cut out'
works "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
expect 'nothing on standard output' test ! -s "$OUT"
expect 'right' close_to_truth mask.png
expect 'as before' same mask.png "$WORK/mask.png"

begin 'the verb may be named'
works segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
expect 'same' same mask.png "$WORK/mask.png"

begin 'PNG, PPM, opaque PNG and a pipe give the same mask'
for photo in photo.ppm opaque.png; do
    works "$IN/$photo" -s "$IN/seeds.png" -o mask.png
    expect "$photo" same mask.png "$WORK/mask.png"
done
"$TILECUT" - -s "$IN/seeds.png" <"$IN/photo.ppm" >piped.png 2>"$ERR"
expect 'piped' same piped.png "$WORK/mask.png"
cat "$IN/photo.png" | "$TILECUT" - -s "$IN/seeds.png" -o - 2>"$ERR" | cat >piped.png
expect 'piped through cat' same piped.png "$WORK/mask.png"
"$TILECUT" "$IN/photo.png" -s - -o seeds.png <"$IN/seeds.png" 2>"$ERR"
expect 'seeds piped' same seeds.png "$WORK/mask.png"

begin 'threads and solvers give the same mask'
for threads in 1 2 3 7; do
    works "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --threads $threads
    expect "$threads threads" same mask.png "$WORK/mask.png"
done
for solver in $("$TILECUT" info | sed -n '/^solvers/,/^colour/s/^  \([^ ]*\) .*/\1/p'); do
    run "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --solver "$solver"
    # A solver reports that its device is missing.
    if [ $status = 5 ]; then
        echo "skipped: solver $solver: $(cat "$ERR")"
        continue
    fi
    done_well
    expect "$solver" same mask.png "$WORK/mask.png"
done

begin '16 bits, 8 neighbours, grey, no colours'
works "$IN/deep.png" -s "$IN/seeds.png" -o deep.png
expect 'deep is right' close_to_truth deep.png
works "$IN/photo.png" -s "$IN/seeds.png" -o eight.png --connectivity 8 --lambda 10
expect 'eight is right' close_to_truth eight.png
works "$IN/grey.png" -s "$IN/seeds.png" -o grey.png
expect 'grey is right' close_to_truth grey.png
works "$IN/photo.png" -s "$IN/seeds.png" -o none.png --colors none --lambda 1
expect 'without colours is right' close_to_truth none.png

begin 'a transparent photo is cut with a note'
ends 0 "$IN/transparent.png" -s "$IN/seeds.png" -o mask.png
expect 'says so' grep -q '^tilecut: note: .*transparent in 50 pixels' "$ERR"
works -q "$IN/transparent.png" -s "$IN/seeds.png" -o quiet.png
expect 'same' same mask.png quiet.png

begin 'each EXIF orientation gives the upright mask'
for o in 1 2 3 4 5 6 7 8; do
    works "$IN/exif_$o.jpg" -s "$IN/seeds.png" -o mask.png
    expect "orientation $o" close_to_truth mask.png
done

begin '--invert'
run "$IN/photo.png" -s "$IN/seeds.png" -o mask.pgm
works "$IN/photo.png" -s "$IN/seeds.png" -o inverted.pgm --invert
tail -c 6144 mask.pgm | tr '\000\377' '\377\000' >expected
tail -c 6144 inverted.pgm >got
expect 'inverted' same expected got

begin 'strokes and a box on the command line'
works "$IN/photo.png" --fg '28,16 28,46' --bg '5,5 5,60 90,60' -o mask.png
expect 'strokes' close_to_truth mask.png
works "$IN/photo.png" --box 14,5,62,54 --fg 28,30 -o box.png
expect 'box' close_to_truth box.png

begin '-v: one line per stage'
ends 0 -v "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
for stage in read seeds model graph solve certify write; do
    expect "stage $stage" grep -qE "^$stage +[0-9]+\.[0-9]+ ms  " "$ERR"
done
expect 'reading of seeds' has 'read as color' "$ERR"
