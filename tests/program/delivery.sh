# SPDX-License-Identifier: MIT
#
# How results are delivered: formats for names without a known extension, crops, hidden colours, standard output.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"
"$TILECUT" "$P" -s "$S" -o "$WORK/single.png" 2>"$ERR"
size_of() { "$TILECUT" check "$1" --box 0,0,1,1 2>/dev/null | sed -n 's/.*, \([0-9]*x[0-9]*\), .*/\1/p' | head -n 1; }

begin '--format: for names that tell none'
"$TILECUT" "$P" -s "$S" -o - --format pgm 2>"$ERR" >m
expect 'of standard output' test "$(head -c 2 m)" = P5
"$TILECUT" "$P" -s "$S" -o /dev/stdout --format png 2>"$ERR" | cat >m
expect 'of /dev/stdout' same m "$WORK/single.png"
works "$P" -s "$S" -o mask --format png
expect 'of a name without extension' same mask "$WORK/single.png"
works "$P" -s "$S" -o /dev/null --format png
mkfifo pipe
cat pipe >m &
run "$P" -s "$S" -o pipe --format png
wait $!
done_well
expect 'of a pipe' same m "$WORK/single.png"
run "$P" -s "$S" -o m.pgm --format png
expect 'the name comes first' test "$(head -c 2 m.pgm)" = P5
refuses '--format: none that there is' 2 \
    "'pngg' is not a format of pictures or annotations; did you mean png?" "$P" -s "$S" -o - \
    --format pngg

begin '--crop: mask and cutout are as large as the object'
run "$P" -s "$S" -o whole.png --json whole.json
for margin in '' 5 4000; do
    works "$P" -s "$S" -o m.png --cutout c.png --json crop.json --crop $margin
    width=$(sed -n 's/.*"crop": {[^}]*"width": \([0-9]*\).*/\1/p' crop.json)
    height=$(sed -n 's/.*"crop": {[^}]*"height": \([0-9]*\).*/\1/p' crop.json)
    expect "margin '$margin': mask is ${width}x$height" test "$(size_of m.png)" = "${width}x$height"
    expect "margin '$margin': so is the cutout" test "$(size_of c.png)" = "${width}x$height"
    [ "$margin" != 4000 ] || expect 'no larger than the photo' same m.png whole.png
    [ "$margin" ] || expect 'smaller than the photo' test "$width" -lt 96
    expect 'the sum is of the whole mask' test "$(value mask_sha256 crop.json)" = "$(value mask_sha256 whole.json)"
done
run "$P" -s "$S" -o m.png --crop
expect 'the last word' test "$status" = 0

begin 'cutout: what was cut away is not in the file, unless it is to be'
run "$P" -s "$S" --cutout c.png
run "$P" -s "$S" --cutout kept.png --keep-hidden
expect 'less in the file' test "$(wc -c <c.png)" -lt "$(wc -c <kept.png)"
run c.png --box 1,1,20,20 -o a.ppm
run "$P" -s "$S" --cutout c.tga
expect 'no colour where nothing is seen' test "$(tail -c +20 c.tga | head -c 4 | od -An -tx1 | tr -d ' ')" = 00000000
refuses '--keep-hidden without a cutout' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --keep-hidden

begin 'standard output gets a mask only if that is all that is asked for'
for other in '--cutout c.png' '--overlay o.png' '--save-graph g.tcg'; do
    # shellcheck disable=SC2086 # two words
    works "$P" -s "$S" $other
    expect "$other: nothing" test ! -s "$OUT"
done
run "$P" -s "$S" --json run.json
expect 'beside a description' test "$(head -c 4 "$OUT" | tail -c 3)" = PNG

begin 'segment --version'
works segment --version
expect 'the version' test "$(cat "$OUT")" = "$("$TILECUT" --version)"

refuses 'a box without a colour model' 4 'a box alone does not tell the object' "$P" --box 10,10,40,40 --colors none \
    -o m.png

begin 'a solver without its device is the fault of no photo'
run "$P" -s "$S" -o m.png --solver cuda
if [ "$status" = 0 ]; then echo 'skipped: there is a device'
else refused 5 'tilecut: --solver: cuda needs a CUDA device: '; fi

begin 'a trimap of a soft brush, if it is named'
ends 0 "$P" -s "$IN/soft_trimap.png" --seeds-format trimap -o m.png
expect 'a note' has "pixels lie between the trimap's values and were taken as unknown" "$ERR"
rm -f ./*
fails 4 'lies between the trimap' "$P" -s "$IN/soft_trimap.png" -o m.png

begin 'strokes that are too faint are called that'
run "$P" -s "$IN/faint_strokes.png" -o m.png
refused 4 'its strokes are too faint, none covers more than 47 % of what is below'

refuses 'short colours: three digits are right, four are not' 2 "'#ffff' is not a colour" "$P" -s "$S" -o m.png \
    --fg-color '#ffff'
begin 'short colours'
works "$P" -s "$S" -o m.png --fg-color '#0f0' --bg-color '#f00'
expect 'the same' same m.png "$WORK/single.png"
