# SPDX-License-Identifier: MIT
#
# The main job: masks are right, and they are the same for every form in which photo, seeds and mask are passed.
# shellcheck shell=sh disable=SC2154

begin 'the object is cut out'
run "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
done_well
expect 'nothing on standard output' test ! -s "$OUT"
expect 'right' close_to_truth mask.png
expect 'as before' same mask.png "$WORK/mask.png"
end

begin 'the verb may be named'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
done_well
expect 'same' same mask.png "$WORK/mask.png"
end

begin 'PNG, PPM, opaque PNG and a pipe give the same mask'
for photo in photo.ppm opaque.png; do
    run "$IN/$photo" -s "$IN/seeds.png" -o mask.png
    done_well
    expect "$photo" same mask.png "$WORK/mask.png"
done
"$TILECUT" - -s "$IN/seeds.png" <"$IN/photo.ppm" >piped.png 2>"$ERR"
expect 'piped' same piped.png "$WORK/mask.png"
cat "$IN/photo.png" | "$TILECUT" - -s "$IN/seeds.png" -o - 2>"$ERR" | cat >piped.png
expect 'piped through cat' same piped.png "$WORK/mask.png"
"$TILECUT" "$IN/photo.png" -s - -o seeds.png <"$IN/seeds.png" 2>"$ERR"
expect 'seeds piped' same seeds.png "$WORK/mask.png"
end

begin 'threads and solvers give the same mask'
for threads in 1 2 3 7; do
    run "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --threads $threads
    done_well
    expect "$threads threads" same mask.png "$WORK/mask.png"
done
for solver in $("$TILECUT" info | sed -n '/^solvers/,/^colour/s/^  \([^ ]*\) .*/\1/p'); do
    run "$IN/photo.png" -s "$IN/seeds.png" -o mask.png --solver "$solver"
    # A solver for a device that is not here says so.
    if [ $status = 5 ]; then
        echo "skipped: solver $solver: $(cat "$ERR")"
        continue
    fi
    done_well
    expect "$solver" same mask.png "$WORK/mask.png"
done
end

begin '16 bits, 8 neighbours, grey, no colours'
run "$IN/deep.png" -s "$IN/seeds.png" -o deep.png
done_well
expect 'deep is right' close_to_truth deep.png
run "$IN/photo.png" -s "$IN/seeds.png" -o eight.png --connectivity 8 --lambda 10
done_well
expect 'eight is right' close_to_truth eight.png
run "$IN/grey.png" -s "$IN/seeds.png" -o grey.png
done_well
expect 'grey is right' close_to_truth grey.png
run "$IN/photo.png" -s "$IN/seeds.png" -o none.png --colors none --lambda 1
done_well
expect 'without colours is right' close_to_truth none.png
end

begin 'a transparent photo is cut with a note'
run "$IN/transparent.png" -s "$IN/seeds.png" -o mask.png
expect 'succeeds' test "$status" = 0
expect 'says so' grep -q '^tilecut: note: .*transparent in 50 pixels' "$ERR"
run -q "$IN/transparent.png" -s "$IN/seeds.png" -o quiet.png
done_well
expect 'same' same mask.png quiet.png
end

begin 'each EXIF orientation gives the upright mask'
for o in 1 2 3 4 5 6 7 8; do
    run "$IN/exif_$o.jpg" -s "$IN/seeds.png" -o mask.png
    done_well
    expect "orientation $o" close_to_truth mask.png
done
end

begin '--invert'
run "$IN/photo.png" -s "$IN/seeds.png" -o mask.pgm
run "$IN/photo.png" -s "$IN/seeds.png" -o inverted.pgm --invert
done_well
tail -c 6144 mask.pgm | tr '\000\377' '\377\000' >expected
tail -c 6144 inverted.pgm >got
expect 'inverted' same expected got
end

begin 'strokes and a box on the command line'
run "$IN/photo.png" --fg '28,16 28,46' --bg '5,5 5,60 90,60' -o mask.png
done_well
expect 'strokes' close_to_truth mask.png
run "$IN/photo.png" --box 14,5,62,54 --fg 28,30 -o box.png
done_well
expect 'box' close_to_truth box.png
end

begin '-v: one line per stage'
run -v "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
expect 'succeeds' test "$status" = 0
for stage in read seeds model graph solve certify write; do
    expect "stage $stage" grep -qE "^$stage +[0-9]+\.[0-9]+ ms  " "$ERR"
done
expect 'reading of seeds' has 'read as color' "$ERR"
end
