# SPDX-License-Identifier: MIT
#
# The verb video: a drawn film with a known true mask, pipes, strokes on several frames, refusals, signals, memory.
# FILM_FRAMES is the length of the film (default 150).
# shellcheck shell=sh disable=SC2154

film_frames=${FILM_FRAMES:-150}
F=$WORK/film/f
mkdir -p "$WORK/film"
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -o "$WORK/make_clip" "$here/make_clip.c" -lm || exit 1
"$WORK/make_clip" "$F" 320 180 "$film_frames" || exit 1
"$WORK/make_clip" "$WORK/film/s" 96 64 12 || exit 1 # a small one
S=$WORK/film/s
frame_bytes=$((96 * 64 * 3))
pixels=$((96 * 64))

# Makes strokes for frame 6 of the small film from the true mask: far inside and far outside of it.
"$TILECUT" video "$S.rgb" --size 96x64 -s "$S.pgm" -o "$S.gray" 2>"$ERR"
{ printf 'P5\n96 64\n255\n' && tail -c +$((6 * pixels + 1)) "$S.truth" | head -c $pixels; } >"$WORK/film/six.pgm"

frames_in() { echo $(($(wc -c <"$1") / pixels)); }
# scores MASKS N LEAST [FILM WIDTH HEIGHT]: succeeds if the N-th number that make_clip's score prints is at least LEAST.
scores() { "$WORK/make_clip" "${4:-$F}" "${5:-320}" "${6:-180}" score <"$1" | awk "{ exit !(\$$2 >= $3) }"; }

begin "video: $film_frames frames from strokes on the first one keep to the truth"
works video "$F.rgb" --size 320x180 -s "$F.pgm" -o masks.gray --json lines.json
expect 'all frames' test "$("$WORK/make_clip" "$F" 320 180 score <masks.gray | cut -d' ' -f1)" = "$film_frames"
expect "mean IoU, worst, its frame: $("$WORK/make_clip" "$F" 320 180 score <masks.gray)" scores masks.gray 2 0.9
expect 'worst frame' scores masks.gray 3 0.8
expect 'a line a frame' test "$(wc -l <lines.json)" = "$film_frames"
expect 'each of them proven' test "$(grep -c '"certified": true' lines.json)" = "$film_frames"
warm=$(tail -n +3 lines.json | grep -c '"warm": true')
expect 'each after the second goes on from a flow' test "$warm" = $((film_frames - 2))
# The records of a sanitizer grow, so its memory is not checked.
sanitized ||
    expect 'memory does not grow' test "$(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' lines.json | sed -n "20p;\$p" |
        paste -s -d ' ' - | awk '{ print ($2 < 1.1 * $1 + 1000000) }')" = 1
if command -v sha256sum >/dev/null; then
    sum=$(tail -c $((320 * 180)) masks.gray | sha256sum)
    expect 'the hash of the last mask' test "$(tail -n 1 lines.json |
        sed 's/.*"mask_sha256": "\([0-9a-f]*\)".*/\1/')" = "${sum%% *}"
fi

begin 'video: y4m in, y4m out, and the same object'
works video "$F.y4m" -s "$F.pgm" -o masks.y4m --threads 2
expect 'its header' test "$(head -n 1 masks.y4m)" = \
    'YUV4MPEG2 W320 H180 F30000:1001 Ip A1:1 Cmono XCOLORRANGE=FULL'
expect 'its size' test "$(wc -c <masks.y4m)" = $((63 + film_frames * (6 + 320 * 180)))
run video "$F.y4m" -s "$F.pgm" -o masks.gray --format gray
expect "mean IoU: $("$WORK/make_clip" "$F" 320 180 score <masks.gray)" scores masks.gray 2 0.9
expect 'masks are read as a film' "$TILECUT" video masks.y4m -s "$F.pgm" -o again.gray --colors hist -q

begin 'video: one answer, from a file and from a pipe, with any solver and any number of threads'
for how in '--threads 1' '--threads 3' '--solver push' '--solver bk' '--format gray'; do
    # shellcheck disable=SC2086 # several words are meant
    "$TILECUT" video --size 96x64 -s "$S.pgm" $how <"$S.rgb" >masks.gray 2>"$ERR" || complain "$how: $(cat "$ERR")"
    expect "$how" same masks.gray "$S.gray"
done
"$TILECUT" video - --pixels rgb24 --size 96x64 -s "0:$S.pgm" --invert -o - <"$S.rgb" >masks.gray 2>"$ERR"
expect 'inverted' test "$(tr '\000\377' '\377\000' <masks.gray | cmp - "$S.gray" && echo same)" = same

begin 'video: grey frames, 8 neighbours, a box, a mask to begin with'
"$TILECUT" video "$S.truth" --pixels gray --size 96x64 -s "$S.pgm" -o grey.gray 2>"$ERR" || complain "$(cat "$ERR")"
expect 'the film of its own masks is cut as they are' scores grey.gray 3 0.99 "$S" 96 64
run video "$S.rgb" --size 96x64 -s "$S.pgm" --connectivity 8 -o eight.gray
expect '8 neighbours' scores eight.gray 2 0.9 "$S" 96 64
run video "$S.rgb" --size 96x64 --box 30,12,48,36 -o box.gray
expect "a box: $("$WORK/make_clip" "$S" 96 64 score <box.gray)" scores box.gray 2 0.8 "$S" 96 64
{ printf 'P5\n96 64\n255\n' && head -c $pixels "$S.truth"; } >first.pgm
run video "$S.rgb" --size 96x64 --mask first.pgm -o mask.gray
expect "a mask: $("$WORK/make_clip" "$S" 96 64 score <mask.gray)" scores mask.gray 2 0.9 "$S" 96 64
run video "$S.rgb" --size 96x64 --mask first.pgm --band 3 -o band.gray
expect 'a band of no mask' test "$status" = 2
expect 'a sentence about it' has '--band: is about the edge of a mask, one to refine or one as seeds' "$ERR"

begin 'video: strokes on a later frame bind there, and teach'
works video "$S.rgb" --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 -s "$S.pgm" -o masks.gray --json lines.json
expect 'frames before it are as without' test "$(head -c $((6 * pixels)) masks.gray | cksum)" = \
    "$(head -c $((6 * pixels)) "$S.gray" | cksum)"
expect 'two frames are painted' test "$(grep -c '"painted": {' lines.json)" = 2
expect 'the seventh line says so' test "$(sed -n 7p lines.json | grep -c '"painted": {"format": "mask"')" = 1
run video "$S.rgb" --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 -o late.gray --json lines.json
expect 'frames before the first strokes are empty' test -z "$(head -c $((6 * pixels)) late.gray | tr -d '\000')"
expect 'those after are not' scores late.gray 1 12 "$S" 96 64
expect 'nothing was cut there' test "$(grep -c '"certified": null' lines.json)" = 6

begin 'video: a frame is answered before the next one is there'
mkfifo in out
timeout 60 "$TILECUT" video in --size 96x64 -s "$S.pgm" -o out 2>"$ERR" &
child=$!
exec 8>in
for frame in 0 1 2; do
    tail -c +$((frame * frame_bytes + 1)) "$S.rgb" | head -c $frame_bytes >&8
    [ $frame != 0 ] || exec 9<out
    dd bs=1 count=$pixels <&9 >got.$frame 2>/dev/null # waits for a whole mask
done
exec 8>&-
wait $child
status=$?
exec 9<&-
expect 'status 0' test "$status" = 0
expect 'the masks' test "$(cat got.0 got.1 got.2 | cksum)" = "$(head -c $((3 * pixels)) "$S.gray" | cksum)"

begin 'video: whoever closes the pipe of masks has seen enough'
{
    "$TILECUT" video "$F.rgb" --size 320x180 -s "$F.pgm" 2>"$ERR"
    echo $? >status
} | head -c 100000 >begun
expect 'the status of a process that SIGPIPE ended' test "$(cat status)" = 141
expect 'not a word' test ! -s "$ERR"
expect 'masks up to there' test "$(wc -c <begun)" = 100000

begin 'video: a signal ends it, and nothing is left'
mkfifo in
"$TILECUT" video in --size 96x64 -s "$S.pgm" -o masks.gray 2>"$ERR" &
child=$!
exec 8>in
head -c $((2 * frame_bytes)) "$S.rgb" >&8
tries=0
while [ "$(ls -A | wc -l)" = 1 ] && [ $tries -lt 200 ]; do sleep 0.02 && tries=$((tries + 1)); done
kill -TERM $child
wait $child
status=$?
exec 8>&-
expect 'status 143' test "$status" = 143
expect "left: $(ls -A)" test "$(ls -A)" = in

begin 'video: y4m of 10 and 16 bits gives the masks of 8 bits, in colour and in grey'
run video "$S.y4m" -s "$S.pgm" -o eight.gray
for bits in 10 16; do
    "$WORK/make_clip" deepen $bits <"$S.y4m" >deep.y4m
    run video deep.y4m -s "$S.pgm" -o deep.gray
    expect "$bits bits" same deep.gray eight.gray
done
for bits in 8 9 12 16; do
    "$WORK/make_clip" grey $bits <"$S.y4m" >grey$bits.y4m
    run video grey$bits.y4m -s "$S.pgm" -o grey$bits.gray
    expect "grey of $bits bits" same grey$bits.gray grey8.gray
done

for bytes in 1 $((frame_bytes - 1)) $((frame_bytes + 1)) $((5 * frame_bytes - 100)); do
    begin "video: a film that is cut short at byte $bytes"
    head -c $bytes "$S.rgb" >../cut.rgb
    run video ../cut.rgb --size 96x64 -s "$S.pgm" -o masks.gray
    refused 3 "../cut.rgb: is cut short: frame $((bytes / frame_bytes)) has $((bytes % frame_bytes)) of the"
done
head -c 30 "$S.y4m" >"$WORK/cut1.y4m"
head -c 70 "$S.y4m" >"$WORK/cut2.y4m"
sed '1s/C420jpeg/C444alpha/' "$S.y4m" >"$WORK/deep.y4m"
sed '1s/W96/W0/' "$S.y4m" >"$WORK/none.y4m"
sed '1s/ W96 H64//' "$S.y4m" >"$WORK/sizeless.y4m"
sed '1s/W96 H64/W65536 H65536/' "$S.y4m" >"$WORK/huge.y4m"
{ head -n 1 "$S.y4m" && echo FRAME0; } >"$WORK/odd.y4m"
: >"$WORK/empty.rgb"
head -c $frame_bytes "$S.rgb" >"$WORK/one.rgb"
refuses 'video: y4m that ends in its header' 3 'is cut short' video "$WORK/cut1.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m that ends in a frame' 3 'is cut short: it ends within frame 0' \
    video "$WORK/cut2.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m with alpha' 3 'has its colours as 444alpha' video "$WORK/deep.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m of no width' 3 "'W0' in its first line is no side" video "$WORK/none.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m without a size' 3 'has no width or no height' video "$WORK/sizeless.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m whose header claims too much' 3 'pixels' video "$WORK/huge.y4m" -s "$S.pgm" -o m.gray
refuses 'video: y4m whose frames do not begin' 3 'frame 0 does not begin with FRAME' \
    video "$WORK/odd.y4m" -s "$S.pgm" -o m.gray
refuses 'video: an empty film' 3 'is empty' video "$WORK/empty.rgb" --size 96x64 -s "$S.pgm" -o m.gray
refuses 'video: no film' 3 'there is no such file' video nothere.rgb --size 96x64 -s "$S.pgm" -o m.gray
refuses 'video: raw frames without a size' 2 'give --size WxH' video "$S.rgb" -s "$S.pgm" -o m.gray
refuses 'video: y4m with a size' 2 'tells its size itself' video "$S.y4m" --size 96x64 -s "$S.pgm" -o m.gray
refuses 'video: raw frames called y4m' 3 'does not begin as a film in y4m does' \
    video "$S.rgb" --pixels y4m --size 96x64 -s "$S.pgm" -o m.gray
refuses 'video: a size that is none' 2 "--size: '96' is not a size such as" video "$S.rgb" --size 96 -s "$S.pgm"
refuses 'video: masks as rgb24' 2 'a way to store masks: gray or y4m' video "$S.y4m" --format rgb24 -s "$S.pgm"
refuses 'video: nothing is marked' 2 'nothing marks the object' video "$S.rgb" --size 96x64 -o m.gray
refuses 'video: strokes that are not there' 3 'later.png: there is no such file' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" -s 4:later.png -o m.gray
refuses 'video: strokes of another size' 4 'is 320x180 but' video "$S.rgb" --size 96x64 -s "$F.pgm" -o m.gray
refuses 'video: strokes on a frame that never comes' 3 'is for frame 40, but' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" -s "40:$S.pgm" -o m.gray
refuses 'video: strokes from standard input' 2 'where the film comes from' video --size 96x64 -s -
refuses 'video: masks over the film' 2 'one.rgb' video "$WORK/one.rgb" --size 96x64 -s "$S.pgm" -o "$WORK/one.rgb"
refuses 'video: masks where no folder is' 1 'there is no folder' video "$S.rgb" --size 96x64 -s "$S.pgm" -o no/m.gray
refuses 'video: too many pixels' 3 'pixels' video "$S.rgb" --size 96x64 --max-pixels 1000 -s "$S.pgm" -o m.gray
refuses 'video: too little memory' 5 'memory' video "$S.rgb" --size 96x64 --max-memory 100K -s "$S.pgm" -o m.gray
refuses 'video: two results on standard output' 2 'standard output' video "$S.rgb" --size 96x64 -s "$S.pgm" --json -

begin 'video: a mask that was there stays when the film is cut short'
echo old >masks.gray
head -c 100000 "$S.rgb" >../cut.rgb
ends 3 video ../cut.rgb --size 96x64 -s "$S.pgm" -o masks.gray --json lines.json
expect 'as before' test "$(cat masks.gray)" = old
expect 'lines up to there' test "$(wc -l <lines.json)" = $((100000 / frame_bytes))

begin 'video: what goes away is told, and masks stay empty'
{ head -c $((2 * frame_bytes)) "$S.rgb" && head -c $((2 * frame_bytes)) /dev/zero; } >../gone.rgb
ends 0 video ../gone.rgb --size 96x64 -s "$S.pgm" -o masks.gray
expect 'a note' has 'frame 2: nothing of the object is left' "$ERR"
expect 'empty' test -z "$(tail -c $((2 * pixels)) masks.gray | tr -d '\000')"

begin 'video: how sure the masks are, beside masks that stay'
run video "$S.rgb" --size 96x64 -s 1:"$S.pgm" -o alone.gray
works video "$S.rgb" --size 96x64 -s 1:"$S.pgm" -o masks.gray --confidence sure.gray --json lines.json
expect 'the masks stay' same alone.gray masks.gray
expect 'all frames' test "$(frames_in sure.gray)" = 12
expect 'nothing is known before the first strokes' test "$(head -c $pixels sure.gray | tr -d '\200' | wc -c)" = 0
expect 'of all others a report' test "$(grep -c '"confidence": {"unsure": ' lines.json)" = 11
works video "$S.rgb" --size 96x64 -s 1:"$S.pgm" -o masks2.gray --confidence sure2.gray
expect 'the same if nobody reads where a stroke helps' same sure.gray sure2.gray
expect 'beside the same masks' same masks.gray masks2.gray
works video "$S.rgb" --size 96x64 -s 1:"$S.pgm" -o masks/ --confidence sure/ --threads 1
expect 'a picture a frame' test "$(ls sure)" = "$(ls masks)"
run video "$S.rgb" --size 96x64 -s 1:"$S.pgm" -o both/deep/ --confidence ./both//deep/
expect 'one folder for both is refused' has 'name two folders' "$ERR"
expect 'before it is made' test ! -e both

begin 'video: windows of frames find the object, one answer, all proven'
works video "$S.rgb" --size 96x64 -s "$S.pgm" --window 4 -o w.gray --json lines.json
expect "mean IoU: $("$WORK/make_clip" "$S" 96 64 score <w.gray)" scores w.gray 2 0.9 "$S" 96 64
run video "$S.rgb" --size 96x64 -s 1:"$S.pgm" --window 4 --ahead 0 -o v.gray
run video "$S.rgb" --size 96x64 -s 1:"$S.pgm" --window 4 --ahead 0 -o masks.gray --confidence sure.gray \
    --json sure.json
expect 'masks stay when it is asked how sure they are' same v.gray masks.gray
expect 'nothing is known before the strokes' test "$(head -c $pixels sure.gray | tr -d '\200' | wc -c)" = 0
expect 'of all others something is' test "$(grep -c '"confidence": {"unsure": ' sure.json)" = 11
expect 'a line a frame, proven' test "$(grep -c '"window": 4,.*"certified": true' lines.json)" = 12
"$TILECUT" video --size 96x64 -s "$S.pgm" --window 4 --threads 3 --solver bk <"$S.rgb" >again.gray 2>"$ERR"
expect 'from a pipe, by threads, with another solver' same again.gray w.gray
run video "$S.y4m" --window 5 --overlap 0 --time 0 --carry 4 -s "$S.pgm" -s "6:$WORK/film/six.pgm:mask" --band 3 \
    -o w.gray --invert -q
expect 'all frames' test "$(wc -c <w.gray)" = $((12 * pixels))
run video "$S.rgb" --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 --window 3 --ahead 0 -o late.gray
expect 'frames before the first strokes are empty' test -z "$(head -c $((6 * pixels)) late.gray | tr -d '\000')"
expect 'those after are not' scores late.gray 1 12 "$S" 96 64
refuses 'video: a window of no frames' 2 'a number of frames from 1 to 256' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --window 0
refuses 'video: an overlap of whole windows' 2 'it has to be less' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --window 3 --overlap 3 -o m.gray
refuses 'video: an overlap of no windows' 2 'give --window N' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --overlap 3 -o m.gray
refuses 'video: windows with 8 neighbours' 2 '6 neighbours' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --window 3 --connectivity 8 -o m.gray
refuses 'video: frames ahead of no windows' 2 'give --window N' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --ahead 3 -o m.gray
refuses 'video: too many frames ahead' 2 'a number of frames from 0 to 256' \
    video "$S.rgb" --size 96x64 -s "$S.pgm" --window 3 --ahead 257 -o m.gray
begin 'video: strokes on a later frame lead back to the first one, as far as frames are held'
works video "$S.rgb" --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 --window 2 -o back.gray --json lines.json
expect "mean IoU: $("$WORK/make_clip" "$S" 96 64 score <back.gray)" scores back.gray 2 0.9 "$S" 96 64
expect 'each frame proven' test "$(grep -c '"certified": true' lines.json)" = 12
"$TILECUT" video --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 --window 2 --threads 3 --solver push <"$S.rgb" \
    >again.gray 2>"$ERR" || complain "$(cat "$ERR")"
expect 'one answer' same again.gray back.gray
run video "$S.rgb" --size 96x64 -s "6:$WORK/film/six.pgm:mask" --band 3 --window 2 --ahead 2 -o two.gray
expect 'frames before those held are empty' test "$(head -c $((4 * pixels)) two.gray | tr -d '\000' | wc -c)" = 0
tail -c +$((4 * pixels + 1)) two.gray | head -c $pixels >fourth.gray
expect 'those held are not' test "$(tr -d '\000' <fourth.gray | wc -c)" -gt 100
begin 'video: masks of windows are cleaned as others are'
run video "$S.rgb" --size 96x64 -s "$S.pgm" --window 4 -o w.gray
works video "$S.rgb" --size 96x64 -s "$S.pgm" --window 4 --connected --min-area 3 -o c.gray --json lines.json
expect 'the same object' scores c.gray 2 0.9 "$S" 96 64
run video "$S.rgb" --size 96x64 -s "$S.pgm" --window 4 --min-area 6000 -o none.gray --json lines.json
expect 'regions without a stroke are too small' test -z "$(tail -c $((11 * pixels)) none.gray | tr -d '\000')"
expect 'the one with strokes is not' test -n "$(head -c $pixels none.gray | tr -d '\000')"
expect 'what was cleaned is told' test "$(grep -c '"cleaned": 0,' lines.json)" = 1

begin 'video: frames that are pictures, in the order of their numbers; masks in a folder'
mkdir frames
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    { printf 'P6\n96 64\n255\n' && tail -c +$((i * frame_bytes + 1)) "$S.rgb" | head -c $frame_bytes; } \
        >frames/f$i.ppm
done
echo no picture >frames/notes.txt
works video frames -s "$S.pgm" -o masks/ --json lines.json
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    "$TILECUT" score "masks/f$i.png" "masks/f$i.png" >/dev/null 2>&1 || complain "masks/f$i.png is no mask"
done
expect 'nothing else' test "$(ls masks | wc -l)" = 12
works video frames -s "$S.pgm" -o new/ --json new/deep/lines.json --window 4
expect 'a report in the folder that is made' test "$(wc -l <new/deep/lines.json)" = 12
run video frames -s "$S.pgm" -o other/ --json other/f1.png
expect 'not under the name of a mask' test "$status" = 2 -a ! -e other
expect 'hashes are those of the film' test "$("$TILECUT" video "$S.rgb" --size 96x64 -s "$S.pgm" -o m.gray --json - |
    sed 's/.*"mask_sha256": "\([^"]*\)".*/\1/' | cksum)" = \
    "$(sed 's/.*"mask_sha256": "\([^"]*\)".*/\1/' lines.json | cksum)"
expect 'names are told' test "$(grep -c '"image": "frames/f11.ppm", "mask": "masks/f11.png"' lines.json)" = 1
for film in frames frames/f%d.ppm 'frames/f*.ppm'; do
    run video "$film" -s "$S.pgm" -o again.gray
    expect "$film: as from one file" same again.gray "$S.gray"
done
run video frames/f0.ppm frames/f1.ppm frames/f2.ppm -s "$S.pgm" -o again.gray
expect 'names in a row' same again.gray "$(head -c $((3 * pixels)) "$S.gray" >three.gray && echo three.gray)"
run video frames --window 4 -s "$S.pgm" -o w/ --invert
expect 'windows, too' test "$(ls w | wc -l)" = 12
run video "$S.rgb" --size 96x64 -s "$S.pgm" -o numbered/
expect 'frames without names are numbered' test -s numbered/000011.png
rm -rf ./*
P=$WORK/film/p
mkdir "$P" "$P/gap" "$P/sizes" "$P/none" "$P/twins" "$P/kinds"
first() { printf 'P6\n96 64\n255\n' && head -c $frame_bytes "$S.rgb"; }
for i in 1 2 4; do first >"$P/gap/$i.ppm"; done
first >"$P/sizes/1.ppm"
{ printf 'P6\n64 96\n255\n' && head -c $frame_bytes "$S.rgb"; } >"$P/sizes/2.ppm"
first >"$P/twins/1.ppm"
first >"$P/twins/1.pnm"
{ printf 'P5\n96 64\n255\n' && head -c $pixels "$S.rgb"; } >"$P/kinds/1.pgm"
first >"$P/kinds/2.ppm"
refuses 'video: a frame is missing' 3 "gap/2.ppm: after it number 3 is missing" \
    video "$P/gap/%d.ppm" -s "$S.pgm" -o m.gray
refuses 'video: no such frames' 3 'no file has such a name' video "$P/gap/%04d.ppm" -s "$S.pgm" -o m.gray
refuses 'video: no pictures' 3 'holds no picture' video "$P/none" -s "$S.pgm" -o m.gray
refuses 'video: pictures of two sizes' 3 '2.ppm: is 64x96 but' video "$P/sizes" -s "$S.pgm" -o m.gray
refuses 'video: colour after grey' 3 '2.ppm: is in colour but' video "$P/kinds" -s "$S.pgm" -o m.gray
refuses 'video: two frames with one mask' 2 'would have the same mask 1.png' video "$P/twins" -s "$S.pgm" -o m/
refuses 'video: masks among frames' 2 'masks need a folder of their own' video "$P/sizes" -s "$S.pgm" -o "$P/sizes"
refuses 'video: a size of pictures' 2 'frames of' video "$P/sizes" --size 96x64 -s "$S.pgm" -o m.gray
refuses 'video: masks over the film' 2 'would overwrite' video "$F.y4m" -s "$F.pgm" -o "$F.y4m"
refuses 'video: masks in the place of a frame' 2 'is the name of one picture' \
    video "$P/gap/1.ppm" "$P/gap/2.ppm" -s "$S.pgm" -o "$P/gap/2.ppm"
refuses 'video: a format of masks in a folder' 2 'are PNG' video "$P/gap/1.ppm" -s "$S.pgm" -o m/ --format gray

# ---- label maps ----

# map_of OBJECT: prints the strokes of the small film as a label map, 1 for the background and OBJECT (in octal) for the
# object.
map_of() { printf 'P5\n96 64\n255\n' && tail -c $pixels "$S.pgm" | tr '\000\200\377' "\\001\\000\\$1"; }
as_mask() { tr "\\000\\001\\002\\003\\377" "$1"; } # the labels 0, 1, 2, 3 and 255 as these bytes
frame_of() { tail -c +$(($2 * $3 + 1)) "$1" | head -c "$3"; } # frame $2, of $3 bytes, of the film $1
map_of 002 >"$WORK/film/map.pgm"

begin 'video: a label map of one object gives the masks that strokes give, frame by frame and in windows'
for how in '' '--window 4' '--fill-holes 20'; do
    # shellcheck disable=SC2086 # several words are meant
    {
        works video "$S.rgb" --size 96x64 -s "$S.pgm" $how -o one.gray
        works video "$S.rgb" --size 96x64 -s "$WORK/film/map.pgm" --labels $how -o labels.gray --json lines.json
    }
    expect "the same with '$how'" test "$(as_mask '\000\000\377\000\000' <labels.gray | cksum)" = "$(cksum <one.gray)"
done
expect 'each frame is proven' test "$(grep -c '"certified": true' lines.json)" = 12
expect 'the area' has '"areas": [{"label": 2, "name": null, "pixels": ' lines.json
head -n 1 lines.json >line.json
expect 'its strokes' has '"painted": {"format": "labels", "foreground": ' line.json

# The small film, and below it the same film backwards with its colours in another order: green, blue, red.
{ tail -c +2 "$S.rgb" && printf '\000'; } >"$WORK/film/turned.rgb"
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    frame_of "$S.rgb" $i $frame_bytes && frame_of "$WORK/film/turned.rgb" $((11 - i)) $frame_bytes
done >"$WORK/film/two.rgb"
T=$WORK/film/two
{ printf 'P5\n96 128\n255\n' && tail -c $pixels "$S.pgm" | tr '\000\200\377' '\001\000\002' &&
    frame_of "$S.truth" 11 $pixels | tr '\000\377' '\000\003'; } >"$T.pgm"
upper() { for i in 0 1 2 3 4 5 6 7 8 9 10 11; do frame_of "$1" $((2 * i)) $pixels; done; }
lower() { for i in 11 10 9 8 7 6 5 4 3 2 1 0; do frame_of "$1" $((2 * i + 1)) $pixels; done; }

begin 'video: two objects keep apart, each of them to its truth, with any solver and any number of threads'
works video "$T.rgb" --size 96x128 -s "$T.pgm" --labels -o labels.gray --threads 1
expect 'no other labels' test -z "$(tr -d '\001\002\003' <labels.gray)"
as_mask '\000\000\377\000\000' <labels.gray >first.gray
as_mask '\000\000\000\377\000' <labels.gray >second.gray
upper first.gray >upper.gray
lower second.gray >lower.gray
expect "the first: $("$WORK/make_clip" "$S" 96 64 score <upper.gray)" scores upper.gray 2 0.85 "$S" 96 64
expect "the second: $("$WORK/make_clip" "$S" 96 64 score <lower.gray)" scores lower.gray 2 0.85 "$S" 96 64
for how in '--threads 3 --solver push' '--solver bk'; do
    # shellcheck disable=SC2086 # several words are meant
    run video "$T.rgb" --size 96x128 -s "$T.pgm" --labels -o other.gray $how
    expect "$how" same labels.gray other.gray
done

# squares KIND FIRST END: draws two squares of one grey, of which the right one moves until it touches the other. Prints
# the frames or, for `labels`, their label maps.
squares() { # labels: 1 background, 2 and 3; else grey
    LC_ALL=C awk -v what="$1" -v first="$2" -v end="$3" 'BEGIN {
        for (t = first; t < end; t++) for (y = 0; y < 24; y++) for (x = 0; x < 40; x++) {
            from = 26 - 3 * (t < 4 ? t : 4)
            label = x >= 4 && x < 14 && y >= 6 && y < 18 ? 2 : \
                x >= from && x < from + 10 && y >= 4 && y < 14 ? 3 : 1
            seed = y == 0 || y == 23 ? 1 : (label == 2 && y > 10 && y < 14 && x > 6 && x < 12) ||
                (label == 3 && y > 6 && y < 10 && x > 28 && x < 34) ? label : 0
            grey = (label > 1 ? 200 : 40) + (x * 7 + y * 5 + t * 3) % 9
            print what == "labels" ? label : what == "seeds" ? seed : grey
        } }'
}
begin 'video: objects of the same colours keep apart where they touch'
{ printf 'P2\n40 24\n255\n' && squares seeds 0 1; } >seeds.pgm
for t in 0 1 2 3 4 5 6 7; do
    { printf 'P2\n40 24\n255\n' && squares grey $t $((t + 1)); } >"f$t.pgm"
done
squares labels 7 8 >truth
for how in '' '--window 4' '--window 3 --overlap 0 --ahead 0'; do
    # shellcheck disable=SC2086 # several words are meant
    {
        works video 'f*.pgm' -s seeds.pgm --labels $how -o labels.gray
        run video 'f*.pgm' -s seeds.pgm --labels $how -o other.gray --threads 3 --solver push
    }
    tail -c 960 labels.gray | od -An -v -tu1 -w1 | tr -d ' ' | paste - truth |
        awk '$1 != $2 { n++ } END { print n + 0 }' >wrong
    expect "'$how' each has its pixels: $(cat wrong) have another label" test "$(cat wrong)" -le 4
    expect "'$how' any solver and number of threads" same labels.gray other.gray
done

begin 'video: a label map to begin with, an object that comes later, names, and a folder of label maps'
{ printf 'P5\n96 64\n255\n' && frame_of "$S.truth" 0 $pixels | tr '\377' '\002'; } >begin.pgm
printf '2 cat #c02010\n' >legend.txt
works video "$S.rgb" --size 96x64 --mask begin.pgm --labels --legend legend.txt -o maps/ --json lines.json
expect 'the name' has '"areas": [{"label": 2, "name": "cat"' lines.json
run video "$S.rgb" --size 96x64 --mask begin.pgm --labels -o labels.gray
as_mask '\000\000\377\000\000' <labels.gray >mask.gray
expect "near the truth: $("$WORK/make_clip" "$S" 96 64 score <mask.gray)" scores mask.gray 2 0.9 "$S" 96 64
{ printf 'P5\n96 64\n255\n' && frame_of labels.gray 7 $pixels; } >seven.pgm
run score --labels maps/000007.png seven.pgm --json score.json
expect 'the folder has the same labels' has '"error_rate": 0,' score.json
{ printf 'P5\n96 64\n255\n' && frame_of "$S.truth" 6 $pixels | tr '\000\377' '\001\003'; } >later.pgm
works video "$S.rgb" --size 96x64 -s "6:later.pgm" -s "$WORK/film/map.pgm" --labels -o later.gray
expect 'before, only the first' test -z "$(head -c $((6 * pixels)) later.gray | tr -d '\001\002')"
expect 'then the other' test "$(frame_of later.gray 6 $pixels | cksum)" = "$(tail -c $pixels later.pgm | cksum)"

M=$WORK/film/map.pgm
printf 'P5\n96 64\n255\n' >"$WORK/film/lone.pgm"
head -c $pixels /dev/zero | tr '\000' '\005' >>"$WORK/film/lone.pgm"
L="video $S.rgb --size 96x64 --labels -o m.gray"
# shellcheck disable=SC2086 # several words are meant
{
    refuses 'video: one object that begins alone' 4 'frame 3: 5 is the only label on it' $L -s "$M" \
        -s "3:$WORK/film/lone.pgm"
    refuses 'video: a label map of another size' 4 'a label map has' $L -s "$F.pgm"
}

begin 'video: the commands of the guide, with ffmpeg'
if ! command -v ffmpeg >/dev/null; then
    echo 'skipped: the commands of video.md: no ffmpeg'
else
    ffmpeg -v error -f rawvideo -pix_fmt rgb24 -s 320x180 -r 25 -i "$F.rgb" -frames:v 45 -c:v mpeg4 -q:v 2 cat.mp4 \
        2>"$ERR"
    mkdir bin && ln -s "$TILECUT" bin/tilecut
    cp "$F.pgm" first.png # content decides
    { printf 'P5\n320 180\n255\n' && tail -c +$((40 * 57600 + 1)) "$F.truth" | head -c 57600; } >truth.pgm
    ffmpeg -v error -i truth.pgm later.png 2>"$ERR" # its format is named below
    sed -n '/^    [ft]/,/[^|\\]$/p' "$here/../../docs/guide/video.md" |
        sed 's/^    //' | sed -e ':again' -e '/[|\\]$/{N; s/\\\n *//; s/|\n */| /; t again' -e '}' | grep '^ffmpeg' |
        sed 's/1280x720/320x180/g; s/^ffmpeg/ffmpeg -nostdin -v error -y/' |
        sed 's/later.png/later.png:mask --band 3/' >commands
    ran=0
    while IFS= read -r one; do
        PATH=$PWD/bin:$PATH timeout 120 sh -c "$one" </dev/null >>"$OUT" 2>"$ERR" ||
            complain "$one: $(tail -n 2 "$ERR")"
        ran=$((ran + 1))
    done <commands
    expect "commands were run: $ran" test $ran -ge 7
    for made in masks.y4m masks.gray masks.jsonl masks.mkv frame40.png cat.mov; do expect "$made" test -s $made; done
    # After compression by a codec, the belly is lost for 21 frames, while it touches a stone of its colour:
    # docs/lab/video.md.
    expect "after the codec: $("$WORK/make_clip" "$F" 320 180 score <masks.gray)" scores masks.gray 2 0.85
fi
