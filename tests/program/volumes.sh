# SPDX-License-Identifier: MIT
#
# Volumes: every format is read and written, position and spacing are kept; seeds, strokes and boxes in space; refusals.
# shellcheck shell=sh disable=SC2154

mkdir "$WORK/vol" && "${CC:-cc}" -std=c11 -O1 -o "$WORK/make_volume" "$here/make_volume.c" -lm &&
    "$WORK/make_volume" "$WORK/vol" || exit 1
V=$WORK/vol
info=$("$TILECUT" info)
has_nifti() { echo "$info" | grep -q '^  NIfTI  *read'; }
has_tiff() { echo "$info" | grep -q '^  TIFF  *read, write  *several'; }
has_zlib() { head -c 9 /dev/zero | gzip 2>/dev/null | "$TILECUT" maxflow - 2>&1 | grep -vq zlib; }
bytes_of() { od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'; }
iou() { "$TILECUT" score "$1" "${2:-$V/truth.nii}" --json - | sed 's/.*"iou": \([0-9.]*\).*/\1/'; }
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

if ! has_nifti; then
    echo 'skipped: volumes in NIfTI: built without libnifti'
else

begin 'volumes: NIfTI of every kind gives the ball, and its header comes back'
for file in scan big two float; do
    works segment "$V/$file.nii" -s "$V/labels.nii" -o "$file.nii"
    expect "$file: IoU $(iou $file.nii)" at_least "$(iou $file.nii)" 0.99
done
expect 'one mask' cmp -s scan.nii float.nii
# Spacing with its sign, units, codes, quaternions and matrix are copied bit for bit, in the byte order of the scan.
for file in scan big float; do
    expect "$file: spacing" test "$(bytes_of $file.nii 76 16)" = "$(bytes_of "$V/$file.nii" 76 16)"
    expect "$file: units" test "$(bytes_of $file.nii 123 1)" = "$(bytes_of "$V/$file.nii" 123 1)"
    expect "$file: place" test "$(bytes_of $file.nii 252 76)" = "$(bytes_of "$V/$file.nii" 252 76)"
done
expect 'two: spacing' test "$(bytes_of two.nii 104 32)" = "$(bytes_of "$V/two.nii" 104 32)"
expect 'two: place' test "$(bytes_of two.nii 344 156)" = "$(bytes_of "$V/two.nii" 344 156)"
expect 'no name of a patient' test "$(grep -c Doe scan.nii)" = 0

begin 'volumes: gzip in and out, the same labels'
for file in scan.nii labels.nii; do gzip -c "$V/$file" >"$file.gz"; done
works segment scan.nii.gz -s labels.nii.gz -o out.nii.gz
run segment "$V/scan.nii" -s "$V/labels.nii" -o out.nii
gzip -dc out.nii.gz >unpacked.nii
expect 'the same file, unpacked' cmp -s unpacked.nii out.nii
run segment - -s "$V/labels.nii" -o piped.nii.gz <"$V/scan.nii"
"$TILECUT" segment - -s "$V/labels.nii" -o piped.nii.gz <scan.nii.gz 2>"$ERR" || complain "from a pipe: $(cat "$ERR")"
expect 'from standard input' cmp -s piped.nii.gz out.nii.gz

begin 'volumes: one slice of seeds from standard input is enough, whatever the parts'
run make ball --size 16 -o ball.raw --seeds-output seeds.raw
placed() { # slices, the first of them
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 16 16 %d\nspace: left-posterior-superior\n' "$1"
    printf 'space directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,%d)\nencoding: raw\n\n' "$2"
}
{ placed 16 0 && cat ball.raw; } >ball.nrrd
{ placed 1 8 && tail -c +2049 seeds.raw | head -c 256; } >slice.nrrd
works segment ball.nrrd -s slice.nrrd -o one.nrrd
for parts in 1 2 3; do
    "$TILECUT" segment ball.nrrd -s - -o parts.nrrd --parts "$parts" <slice.nrrd 2>"$ERR" || complain "$(cat "$ERR")"
    expect "$parts parts" cmp -s one.nrrd parts.nrrd
done

begin 'volumes: from NIfTI to NRRD and back the place is the same'
works segment "$V/scan.nii" -s "$V/labels.nii" -o out.nrrd
expect 'space' grep -aq '^space: right-anterior-superior' out.nrrd
works segment "$V/scan.nrrd" -s "$V/labels.nii" -o out.nii
expect 'matrix' test "$(bytes_of out.nii 280 48)" = "$(bytes_of "$V/scan.nii" 280 48)"
expect 'IoU' at_least "$(iou out.nii out.nrrd)" 1

begin 'volumes: seeds that lie elsewhere, or are of another size'
fails 4 'lies elsewhere in the patient than' segment "$V/scan.nii" -s "$V/far.nii" -o m.nii
fails 4 'lies elsewhere in the patient than' labels "$V/scan.nii" -s "$V/far.nii" -o m.nii
for words in "segment $V/scan.nii -s $V/labels.nii --mask" "segment $V/scan.nii -s $V/labels.nii --previous" \
    "segment $V/scan.nii -s" "refine $V/scan.nii" "labels $V/scan.nii -s"; do
    # shellcheck disable=SC2086 # several words are meant
    fails 4 'nothing of it is inside' $words "$V/away.nii" -o m.nii
done
sed 's/^sizes: 28/sizes: 27/' "$V/trimap.nrrd" >"$WORK/small.nrrd"
fails 4 'small.nrrd: is 27x24x20 but' segment "$V/scan.nii" -s "$WORK/small.nrrd" -o m.nii

begin 'volumes: the stroke that comes later wins, if that is asked for'
painted() { # WORDS: the counts of seeds, with these strokes at last
    "$TILECUT" segment "$V/scan.nii" --bg 1,1,1 --fg 13,12,10 --brush 2 "$@" --seed-conflict last -q -o m.nii --json - |
        grep -o '"foreground": [0-9]*, "background": [0-9]*'
}
painted --bg 20,12,10 --fg 20,12,10 | head -n 1 >foreground
painted --fg 20,12,10 --bg 20,12,10 | head -n 1 >background
painted --bg 20,12,10 --fg 20,12,10 --bg 20,12,10 | head -n 1 >thrice
painted --fg 20,12,10 | head -n 1 >alone
expect 'foreground' same foreground alone
expect 'background' differ foreground background
expect 'the third of three' same thrice background
rm m.nii foreground background thrice alone

begin 'volumes: damaged NIfTI'
head -c 200 "$V/scan.nii" >"$WORK/w.nii"
fails 3 'is cut short, the file ends within its header' segment "$WORK/w.nii" -s "$V/labels.nii" -o m.nii
head -c 5000 "$V/scan.nii" >"$WORK/w.nii"
fails 3 'is cut short, the file ends within its voxels' segment "$WORK/w.nii" -s "$V/labels.nii" -o m.nii
gzip -c "$V/scan.nii" | head -c 9000 >"$WORK/w.nii.gz"
fails 3 'packed by gzip, and damaged or cut short' segment "$WORK/w.nii.gz" -s "$V/labels.nii" -o m.nii
# The checksum is also compared if bytes follow the last voxel. CRC-32 and size are the last eight bytes of a file.
{ cat "$V/scan.nii" && head -c 20000 /dev/zero; } | gzip -c >"$WORK/long.nii.gz"
run segment "$V/scan.nii" -s "$V/labels.nii" -o m.nii
run segment "$WORK/long.nii.gz" -s "$V/labels.nii" -o long.nii
expect 'bytes after the last voxel do not matter' cmp -s m.nii long.nii
rm -f m.nii long.nii
{ head -c -8 "$WORK/long.nii.gz" && printf '\001\002\003\004' && tail -c 4 "$WORK/long.nii.gz"; } >"$WORK/w.nii.gz"
fails 3 'packed by gzip, and damaged or cut short' segment "$WORK/w.nii.gz" -s "$V/labels.nii" -o m.nii
fails 3 'inf.nii: voxel 3,4,5 is infinite, or beyond what float holds' segment "$V/inf.nii" -s "$V/labels.nii" -o m.nii
# A header for 30000^3 voxels is followed by 10 MB of zeros, which compress to 10 KB.
{ head -c 40 "$V/scan.nii" && printf '\003\000\060\165\060\165\060\165' && tail -c +49 "$V/scan.nii" &&
    head -c 10000000 /dev/zero; } | gzip >"$WORK/bomb.nii.gz"
fails 3 'is 30000x30000x30000, which is 27000000000000 voxels' segment "$WORK/bomb.nii.gz" -s "$V/labels.nii" -o m.nii
run segment "$V/scan.nii" -s "$V/labels.nii" -o m.nii --max-memory 200K
refused 5 'is 28x24x20 and needs 17.9 MB of memory; at most 0.2 MB are allowed'
run segment "$V/scan.nii" -s "$V/labels.nii" -o m.nii --max-pixels 10000
refused 3 'which is 13440 voxels; at most 10000 are accepted'
# Sparse files, which take no space on the disk.
truncate -s 1073741824 "$WORK/w.raw"
run segment "$WORK/w.raw" --size 1024x1024x1024:u8 --fg 9,9,9 --bg 1,1,1 -o m.raw
refused 3 'which is 1073741824 voxels; at most 1073741823 are accepted in a part; use 2 parts or more'
truncate -s 2147483648 "$WORK/w.raw"
run segment "$WORK/w.raw" --size 1024x1024x2048:u8 --fg 9,9,9 --bg 1,1,1 -o m.raw --parts 2 --max-memory 1000G
refused 3 'at most 1073741823 are accepted in a part; use 3 parts or more'
run segment "$WORK/w.raw" --size 1024x1024x2048:u8 --fg 9,9,9 --bg 1,1,1 -o m.raw --parts 3 --max-memory 1M
refused 5 'in 3 parts, in turn, and needs'
rm "$WORK/w.raw"
rm -f "$WORK/w.nii" "$WORK/w.nii.gz" "$WORK/bomb.nii.gz"

begin 'volumes: a batch of them, beside a photo'
mkdir in && cp "$V/scan.nii" in/a.nii && gzip -c "$V/big.nii" >in/b.nii.gz && cp "$V/labels.nii" s.nii
run batch in/a.nii in/b.nii.gz -s s.nii -O out --name '{stem}_labels.nii' --json lines.json
expect 'all done' grep -q '2 done, 0 skipped, 0 failed' "$ERR"
run segment "$V/scan.nii" -s "$V/labels.nii" -o one.nii
expect 'the same labels' cmp -s out/a_labels.nii one.nii
expect 'a line each' test "$(grep -c '"slices": 20' lines.json)" = 2
run batch in/a.nii in/b.nii.gz -s s.nii -O out --name '{stem}_labels.nii' --resume
expect 'up to date' grep -q '0 done, 2 skipped, 0 failed' "$ERR"
run batch -r in -s s.nii -O out --name '{stem}_labels.nii' --cutout '{stem}.png'
expect 'cutouts are of photos' grep -q 'cutout: is for photos' "$ERR"

begin 'volumes: score and check'
cp "$V/truth.nii" t.nii
run score "$V/truth.nii" t.nii
expect 'a truth is its own best mask' grep -q '0.000 %   1.0000        -' "$OUT"
mkdir masks truths
cp "$V/truth.nii" masks/a.nii && cp "$V/truth.nii" truths/a_gt.nii
"$TILECUT" segment "$V/scan.nii" -s "$V/labels.nii" -o masks/b.nii.gz -q && cp "$V/truth.nii" truths/b_gt.nii
works score masks truths --json folders.json
expect 'a line a pair' test "$(grep -c '%.*-.* [ab]\.nii' "$OUT")" = 2
expect 'their mean' grep -q "\"iou\": $(awk "BEGIN { print (1 + $(iou masks/b.nii.gz)) / 2 }" | cut -c1-6)" folders.json
cp "$IN/photo.png" masks/c.png
run score masks truths
expect 'a picture without a truth is left out' grep -q '1 pictures without a truth were left out' "$ERR"
run check "$V/scan.nii" -s "$V/labels.nii" --json c.json
expect 'what was understood' grep -q 'NIfTI, 28x24x20, int16, spacing 1 x 1 x 2' "$OUT"
expect 'its scale' grep -q '^range    -146[0-9] is black, -38[0-9] white\|^range    -14[0-9]* is black' "$OUT"
expect 'in JSON' grep -q '"slices": 20, "voxels": "int16", "spacing": \[1, 1, 2\]' c.json

fi

begin 'volumes: NRRD in and out, its lines about space as they were'
works segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o out.nrrd
for line in 'space: left-posterior-superior' 'space origin: (11.25,-7.5,3.125)' 'kinds: domain domain domain' \
    'space directions: (-0.9125,-0.3,-0.2) (0.2875,-0.9375,0.15) (-0.4,0.175,1.9)'; do
    expect "$line" grep -aqxF "$line" out.nrrd
done
expect 'no name of a patient' test "$(grep -ac Doe out.nrrd)" = 0
run segment out.nrrd -s "$V/trimap.nrrd" -o again.nrrd
expect 'is read again' cmp -s again.nrrd out.nrrd

begin 'volumes: raw, in both byte orders, and strokes and boxes in space'
works segment "$V/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 -s "$V/seeds.raw" -o m.raw
expect 'bytes' test "$(wc -c <m.raw)" = 13440
works segment "$V/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 --fg '13,11,9 14,12,10' --bg '1,1,1 1,22,18' \
    --box 2,1,3,24,22,14 --brush 2 -o s.raw --json s.json
expect 'nearly the same' test "$(cmp -l m.raw s.raw | wc -l)" -lt 60
expect 'sources' grep -q '"name": "--box", "format": "box"' s.json
dd if="$V/scan.raw" of=big.raw conv=swab 2>"$ERR"
run segment big.raw --size 28x24x20:i16be --spacing 1,1,2 -s "$V/seeds.raw" -o big-m.raw
expect 'big endian' cmp -s big-m.raw m.raw

begin 'volumes: drawn ones are the same again, and are cut'
for family in ball vessel; do
    works make $family --size 32 -o $family.nrrd --seeds-output seeds.nrrd
    run make $family --size 32 -o again.nrrd
    expect "$family: the same voxels" cmp -s $family.nrrd again.nrrd
    works segment $family.nrrd -s seeds.nrrd -o m.nrrd --json $family.json
    expect "$family: proven" grep -q '"certified": true' $family.json
done
run make ball --size 8 -o small.nrrd
expect 'a size below' grep -q 'sides of 16 to 1000' "$ERR"

begin 'volumes: a preview'
works segment "$V/scan.raw" --size 28x24x20:i16 -s "$V/seeds.raw" --preview sheet.png
expect 'a PNG' test "$(bytes_of sheet.png 1 3)" = 504e47

if has_tiff; then
begin 'volumes: TIFF of several pages'
works segment "$V/scan.raw" --size 28x24x20:i16 -s "$V/seeds.raw" -o m.tif
run segment "$V/scan.raw" --size 28x24x20:i16 -s "$V/seeds.raw" -o m.raw
works segment m.tif -s "$V/seeds.raw" --size 28x24x20 -o back.raw
expect 'its own labels' cmp -s back.raw m.raw
fi

begin 'volumes: damaged NRRD and raw'
head -c 3000 "$V/scan.nrrd" >"$WORK/w.nrrd"
fails 3 'is cut short, the file ends within its voxels' segment "$WORK/w.nrrd" -s "$V/trimap.nrrd" -o m.nrrd
sed 's/^encoding: raw/encoding: hex/' "$V/scan.nrrd" >"$WORK/w.nrrd"
fails 3 "is NRRD in the encoding 'hex'; raw and gzip are read" segment "$WORK/w.nrrd" -s "$V/trimap.nrrd" -o m.nrrd
sed 's/^sizes: 28/sizes: 70000/' "$V/scan.nrrd" >"$WORK/w.nrrd"
fails 3 'is 70000x24x20; at most 65536 voxels a side are accepted' segment "$WORK/w.nrrd" -s "$V/trimap.nrrd" -o m.nrrd
huge='is damaged, its header says more voxels than a file can hold'
sed 's/^dimension: 3/dimension: 4/; s/^sizes: 28 24 20/sizes: 28 24 20 4611686018427387904/
     s/^space directions.*/kinds: domain domain domain list/' "$V/scan.nrrd" >"$WORK/w.nrrd"
fails 3 "$huge" segment "$WORK/w.nrrd" -s "$V/trimap.nrrd" -o m.nrrd
printf 'NDims = 4\nDimSize = 65536 65536 65536 65536\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n' >"$WORK/w.mha"
fails 3 "$huge" segment "$WORK/w.mha" -s "$V/trimap.nrrd" -o m.nrrd
run segment "$V/scan.raw" --size 28x24x21:i16 -s "$V/seeds.raw" -o m.raw
refused 3 'has 26880 bytes; 28x24x21 voxels of int16 are 28224'
rm -f "$WORK/w.nrrd" "$WORK/w.mha"

begin 'volumes: seeds are read, noted and refused like those of photos'
printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 2 2\nencoding: raw\n\n' >s.nrrd
cp s.nrrd v.nrrd
printf '\000\062\377\000\200\377\000\200\377\000\200\377' >>s.nrrd
printf '\001\002\011\001\002\011\001\002\011\001\002\011' >>v.nrrd
run segment v.nrrd -s s.nrrd:trimap -o m.nrrd
expect 'a value between those of a trimap is unknown' test "$status" = 0
expect 'with a note' has "s.nrrd: 1 voxels lie between the trimap's values and were taken as unknown" "$ERR"
head -n 6 v.nrrd >full.nrrd
printf '\001\002\002\001\002\002\001\002\002\001\002\002' >>full.nrrd
run segment v.nrrd -s full.nrrd:labels -o m.nrrd
expect 'seeds everywhere are noted' has 'full.nrrd: every voxel is labelled, so nothing is left to decide' "$ERR"
run segment v.nrrd --fg '2,0,0 9,0,0' --bg '0,0,0' --brush 0 -o m.nrrd
expect 'a point outside is noted' has '--fg: 1 points lie outside v.nrrd, which is 3x2x2; what they paint' "$ERR"
printf 'P5\n3 2\n255\n\001\002\011\001\002\011' >v.pgm
for case in 'v.nrrd ,1' 'v.nrrd ,1 --parts 2' 'v.pgm' 'v.pgm --parts 2'; do
    # shellcheck disable=SC2086 # words
    set -- $case
    file=$1 z=
    shift
    case ${1:-} in ,*) z=$1 && shift ;; esac
    over="0,1$z 2,1$z" # all of it through the other stroke's voxel
    run segment "$file" --fg "1,1$z" --bg "$over" --brush 0 --seed-conflict last -o "m.${file#v.}" "$@"
    expect "$case: a later stroke wins" test "$status" = 4
    expect "$case: nothing is left of the other" has 'no foreground seed is left after 1 conflicts' "$ERR"
    run segment "$file" --bg "$over" --fg "1,1$z" --brush 0 --seed-conflict last -o "m.${file#v.}" --json m.json "$@"
    expect "$case: the other, if it comes later" has '"foreground": 1, "background": 2, "unknown"' m.json
done
echo '{"shapes": [{"label": "cat", "shape_type": "polygon", "points": [[0, 0], [2, 0], [2, 2]]}]}' >shapes.json
run segment v.nrrd -s s.nrrd:labels -o m.nrrd
expect 'where a value is wrong' has 's.nrrd: holds 50 at 1,0,0; in --seeds-format labels 1 is foreground' "$ERR"
run segment "$V/scan.nrrd" -s "$V/trimap.nrrd:diff" -o m.nrrd
expect 'no copy of int16' has 'are int16; name color' "$ERR"
run segment v.nrrd -s v.pgm -o m.nrrd
expect 'a picture of another size' has 'a picture of its seeds is 3x4, one slice below the other' "$ERR"
run segment v.nrrd -s shapes.json -o m.nrrd
expect 'shapes in a volume' has 'whose shapes lie in one picture, but v.nrrd has 2 slices' "$ERR"

begin 'volumes: seeds with a place that have fewer slices than there are parts'
placed() { # SLICES FIRST
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 16 16 %s\nencoding: raw\nspace: left-posterior-superior\n' "$1"
    printf 'space directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,%s)\n\n' "$2"
}
{ placed 6 0 && awk 'BEGIN { for (i = 0; i < 96; i++) printf "zzzzz      zzzzz" }'; } >v.nrrd
slab() { head -c 17 /dev/zero && printf '\002' && head -c 118 /dev/zero && printf '\001' && head -c 119 /dev/zero; }
{ placed 1 2 && slab; } >s.nrrd
sed '/^space/d' s.nrrd >no.nrrd
works segment v.nrrd -s s.nrrd -o one.nrrd
for parts in 2 6; do
    works segment v.nrrd -s s.nrrd -o many.nrrd --parts $parts
    expect "$parts parts: other labels" cmp -s one.nrrd many.nrrd
    run segment v.nrrd -s no.nrrd -o none.nrrd --parts $parts
    expect "$parts parts: without a place" has 'no.nrrd: is 16x16x1 but v.nrrd is 16x16x6; seeds must have' "$ERR"
done

begin 'volumes: strokes correct labels, and only add or only take away'
run segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o before.nrrd -q
run segment "$V/scan.nrrd" -s "$V/trimap.nrrd" --previous before.nrrd -o m.nrrd
expect 'nothing contradicts it: fine' test "$status" = 0
expect 'nothing contradicts it: it stays' cmp -s before.nrrd m.nrrd
expect 'and a note says so' has 'no seed contradicts it, so it stays as it is' "$ERR"
for how in '' '--learn'; do
    # shellcheck disable=SC2086 # no word or one
    works segment "$V/scan.nrrd" -s "$V/trimap.nrrd" --previous before.nrrd --fg 2,2,2 --brush 1 --seed-conflict last \
        -o more.nrrd --json more.json -q $how
    expect "$how: it only adds" grep -q '"use": "previous".*"added": [1-9][0-9]*, "removed": 0' more.json
    expect "$how: certified" grep -q '"certified": true' more.json
done
works segment "$V/scan.nrrd" --previous more.nrrd --bg 2,2,2 --brush 1 -o less.nrrd --json less.json -q
expect 'it only takes away' grep -q '"added": 0, "removed": [1-9]' less.json

begin 'volumes: a mask or a label map may be a picture of all slices, one below the other, as seeds may'
ball='ball.raw --size 16x16x16:u8'
run make ball --size 16 -o ball.raw --seeds-output seeds.raw
run segment $ball -s seeds.raw -o mask.raw -q
run labels $ball --label 1 --stroke 8,8,8 --label 2 --stroke '1,1,1 1,14,14' --brush 1 -o map.raw -q
for file in mask map; do { printf 'P5 16 256 255\n' && cat $file.raw; } >$file.pgm; done
{ printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 16 16 16\nencoding: raw\n\n' && cat map.raw; } >map.nrrd
for use in --mask --previous; do
    works segment $ball $use mask.raw --fg 2,2,2 --brush 1 -o slices.raw -q
    works segment $ball $use mask.pgm --fg 2,2,2 --brush 1 -o one.raw -q
    expect "$use: other labels" cmp -s one.raw slices.raw
done
for parts in 1 3; do
    works labels $ball -s map.nrrd -o slices.raw -q --parts $parts
    works labels $ball -s map.pgm -o one.raw -q --parts $parts
    expect "$parts parts: other labels" cmp -s one.raw slices.raw
done
{ printf 'P5 16 240 255\n' && head -c 3840 mask.raw; } >less.pgm
ends 4 segment $ball --mask less.pgm -o never.raw
expect 'a slice is missing' has 'less.pgm: is 16x240x1 but ball.raw is 16x16x16; a mask must have' "$ERR"

begin "volumes: another tool's mask is refined"
run make ball --size 32 -o scan.nrrd --seeds-output seeds.nrrd
run segment scan.nrrd -s seeds.nrrd -o ball.nrrd -q
works refine scan.nrrd ball.nrrd -o same.nrrd --json same.json -q
expect 'a mask voxel by voxel stays' cmp -s ball.nrrd same.nrrd
expect 'and is told so' grep -q '"added": 0, "removed": 0, "moved": 0, .*"changed_too_much": false' same.json
run refine scan.nrrd ball.nrrd --mask-cell 8 --bg 16,16,16 --keep-largest -o cell.nrrd --json cell.json -v
expect 'with strokes, too' test "$status" = 0
expect 'strokes correct it' grep -q '"removed": [1-9]' cell.json
expect 'how far it moved' has 'voxels in the mean' "$ERR"
run segment scan.nrrd --mask ball.nrrd --mask-cell 8 --bg 16,16,16 --keep-largest -o again.nrrd -q
expect 'refine is segment --mask' cmp -s cell.nrrd again.nrrd
run refine scan.nrrd ball.nrrd --band 4 --bg 16,16,16 --keep-largest -o band.nrrd -q
expect '--band 4 is a cell of 8' cmp -s cell.nrrd band.nrrd
for how in '--previous ball.nrrd' '-s seeds.nrrd'; do
    # shellcheck disable=SC2086 # two words
    run segment scan.nrrd $how --band 4 -o none.nrrd
    expect 'a band of no mask' test "$status" = 2
    expect 'a sentence about it' has '--band: is about the edge of a mask, one to refine or one as seeds' "$ERR"
done

begin 'volumes: how sure the labels are, beside labels that stay'
run segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o m.nrrd --confidence s.png
refused 2 's.png: a PNG file holds one slice, and the volume has 20'
"$TILECUT" make vessel --size 32 -o vessel.nrrd --seeds-output vs.nrrd
run segment vessel.nrrd -s vs.nrrd -o alone.nrrd
ends 0 segment vessel.nrrd -s vs.nrrd -o m.nrrd --confidence sure.nrrd -v --json r.json --threads 1
expect 'the labels stay' same alone.nrrd m.nrrd
expect 'a place with three coordinates' grep -q '"confidence": .*"z": ' r.json
expect 'and in the line of -v' grep -q '^confidence .* at [0-9]*,[0-9]*,[0-9]*, where' "$ERR"
expect 'which counts voxels' sh -c "grep -q 'unknown voxels' '$ERR' && ! grep -q pixel '$ERR'"
place=$(sed -n 's/.*helps most at \([0-9,]*\), .*/\1/p' "$ERR")
works check vessel.nrrd -s vs.nrrd --suggest --json check.json
expect 'check names the same place' has "suggest  a stroke at $place:" "$OUT"
expect 'and in its report' test "$(grep -o '"confidence": .*"gain": [^}]*' check.json)" = \
    "$(grep -o '"confidence": .*"gain": [^}]*' r.json)"
works segment vessel.nrrd -s vs.nrrd --confidence sure2.nrrd --threads 2
expect 'the same of two threads, and without labels' same sure.nrrd sure2.nrrd
run segment vessel.nrrd --fg 16,16,16 -o first.nrrd -q
works segment vessel.nrrd -s vs.nrrd --previous first.nrrd -o second.nrrd -q
ends 0 segment vessel.nrrd -s vs.nrrd --previous first.nrrd -o third.nrrd --confidence sure3.nrrd -v --threads 1
expect 'a corrected mask stays, too' same second.nrrd third.nrrd
expect 'and has a place' grep -q '^confidence .* at [0-9]*,[0-9]*,[0-9]*, where' "$ERR"
works segment vessel.nrrd -s vs.nrrd --previous second.nrrd --confidence sure4.nrrd --threads 2 -q
expect 'no more than the corrected mask and the strokes counts' same sure3.nrrd sure4.nrrd
ends 0 segment vessel.nrrd --mask second.nrrd -o third.nrrd --confidence sure5.nrrd -v
expect 'a refined mask has one' has 'confidence ' "$ERR"
run batch vessel.nrrd -s vs.nrrd -O out --name '{stem}.nrrd' --confidence '{stem}-sure.nrrd'
expect 'the same of a batch' same sure.nrrd out/vessel-sure.nrrd

begin 'volumes: results in a folder are named after the scan'
works segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o . --confidence . --preview .
expect 'of its labels, confidence and preview' test "$(ls | tr '\n' ' ')" = \
    'scan_confidence.nii.gz scan_mask.nii.gz scan_preview.png '
cp scan_mask.nii.gz ./twice.nii.gz
works labels twice.nii.gz --label a --stroke 1,1,1 --label b --stroke 9,9,9 -o . -q
expect '.nii.gz is one extension' test -s twice_labels.nii.gz

if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    begin 'volumes: a person at a terminal is told what was found, in one line'
    run make ball --size 16 -o ball.nrrd --seeds-output seeds.nrrd
    works segment ball.nrrd -s seeds.nrrd -o alone.raw
    count=$(tr -d '\0' <alone.raw | wc -c)
    for how in '' --invert '--parts 2'; do
        script -qec "'$TILECUT' segment ball.nrrd -s seeds.nrrd -o m.nrrd $how" /dev/null >"$OUT" </dev/null
        expect "one line: $how" test "$(wc -l <"$OUT")" = 1
        expect "the file, and the voxels: $how" has "m.nrrd: the object has $count voxels" "$OUT"
    done
else
    echo 'skipped: volumes: what a terminal shows, there is no script(1)'
fi

begin 'volumes: a note says that no grey tells anything'
run make ball --size 16 -o ball.nrrd --seeds-output seeds.nrrd
for parts in '' '--parts 2'; do
    # shellcheck disable=SC2086
    ends 0 segment ball.nrrd -s seeds.nrrd --range 1000,2000 -o m.nrrd $parts
    expect "whatever the parts: $parts" has 'all voxels have the same grey between 1000 (black) and 2000' "$ERR"
done
ends 0 labels ball.nrrd --range 1000,2000 --label a --stroke 1,1,1 --label b --stroke 9,9,9 -o m.nrrd
expect 'with several labels, too' has 'all voxels have the same grey' "$ERR"

begin 'volumes: where strokes name the object alone, the faces of the scan are background'
run make ball --size 32 -o ball.nrrd --seeds-output seeds.nrrd
run segment ball.nrrd -s seeds.nrrd -o ball-mask.nrrd -q
ends 0 segment ball.nrrd --fg 16,16,16 -o alone.nrrd --json alone.json
expect 'said' has 'the faces of the scan count as background' "$ERR"
expect 'all of them' has '"background": 5768,' alone.json
expect "IoU $(iou alone.nrrd ball-mask.nrrd)" at_least "$(iou alone.nrrd ball-mask.nrrd)" 0.9
works segment ball.nrrd --fg 16,16,16 -o parts.nrrd --parts 3 -q
expect 'the same in parts' same alone.nrrd parts.nrrd
works segment ball.nrrd --fg 16,16,16 --bg 2,2,2 -o both.nrrd --json both.json -q
expect 'not beside a point of the background' lacks '"name": "border"' both.json

begin 'volumes: the two strokes of scan.md cut out the kidney'
if command -v python3 >/dev/null; then
    python3 "$here/../../tools/phantom" belly.nii.gz truth.nii.gz
    run segment belly.nii.gz --range -160,400 --fg '96,55,36 99,66,36 95,77,36' -o veins.nii.gz -q
    run segment belly.nii.gz --range -160,400 --previous veins.nii.gz --connected -o kidney.nii.gz -q \
        --fg '96,55,36 99,66,36 95,77,36' --bg '54,60,36 56,51,36 82,50,36'
    expect "IoU $(iou kidney.nii.gz truth.nii.gz)" at_least "$(iou kidney.nii.gz truth.nii.gz)" 0.85
fi

begin 'volumes: what photos have and volumes have not, and the other way round'
fails 2 '--cutout: is for photos, and' segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o m.nrrd --cutout c.png
fails 2 'm.png: a PNG file holds one slice, and the volume has 20' segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o m.png
fails 2 'is a volume, whose boxes have six numbers' segment "$V/scan.nrrd" -s "$V/trimap.nrrd" -o m.nrrd --box 1,2,3,4
fails 2 'is a volume, whose points have three coordinates' segment "$V/scan.nrrd" --fg '1,2' --bg '3,4' -o m.nrrd
fails 2 '--series: is for volumes, and' segment "$IN/photo.png" -s "$IN/seeds.png" -o m.png --series 1.2
fails 2 '--channel 4: ' segment "$IN/photo.png" --fg 30,30 --bg 3,3 -o m.png --channel 4
fails 2 "--channel: 'red' is not a number from 1 on, or color" segment "$V/scan.nrrd" --fg 1,1,1 --bg 3,3,1 -o m.nrrd \
    --channel red
fails 4 'are claimed by both classes (first at' check "$V/scan.nrrd" --fg '1,1,1' --bg '1,1,1'
fails 4 'has no foreground seed' segment "$V/scan.nrrd" --bg '1,1,1' -o m.nrrd
fails 4 'which fits no format of seeds' segment "$V/scan.nrrd" -s "$V/scan.nrrd" -o m.nrrd

begin 'volumes: graphs in space, in every format the same flow, as a network, too'
works make dense3 --size 18 -o d.tcg
works maxflow d.tcg --json d.json --labels d.nrrd
flow=$("$TILECUT" maxflow d.tcg)
expect 'as a network' test "$("$TILECUT" maxflow d.tcg --any-shape)" = "$flow"
for x in max bbk; do
    run make dense3 --size 18 -o d.$x
    expect "$x: the same" test "$("$TILECUT" maxflow d.$x)" = "$flow"
    run maxflow d.$x --labels $x.nrrd
    expect "$x: the same labels" cmp -s d.nrrd $x.nrrd
done
for solver in bk push cascade; do
    expect "$solver" test "$("$TILECUT" maxflow d.tcg --solver $solver)" = "$flow"
done
expect 'its slices' grep -q '"slices": 18, "connectivity": 6' d.json
run make ball --size 20 -o b.nrrd --seeds-output s.nrrd
run make ball --size 20 -o b.tcg
run segment b.nrrd -s s.nrrd -o m.nrrd --lambda 50 --spatial 0 --islands
run maxflow b.tcg --labels g.nrrd
expect 'the graph of a volume has its labels' cmp -s m.nrrd g.nrrd
works bench --family dense3,seeds3 --graph b.tcg --sizes 64 --runs 1 --solvers auto,push --peers none --csv b.csv
expect 'rows' test "$(grep -c ',grid,262144,0,64,6,0,$' b.csv)" = 4
expect 'and of a file' test "$(grep -c '^graph,b,20,20,.*,grid,8000,0,20,6,0,$' b.csv)" = 2
expect 'one flow' test "$(grep '^dense3' b.csv | cut -d, -f14,15 | sort -u | wc -l)" = 1
mv d.tcg "$WORK/d.tcg" && rm -f ./*
fails 2 'is a volume without a list of arcs; save it as .max' maxflow "$WORK/d.tcg" --flow
fails 2 'm.png: a PNG file holds one slice, and the volume has 18' maxflow "$WORK/d.tcg" --labels m.png
fails 2 "takes no volumes" maxflow "$WORK/d.tcg" --solver wave
fails 2 'dense3 is a graph and no scan; use .tcg, .max or .bbk' make dense3 -o d.nrrd
fails 2 'instances in space have sides of 16 to 1000 voxels' bench --family ball --sizes 2000 --peers none

begin 'volumes: 26 neighbours'
works segment "$V/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 -s "$V/seeds.raw" -o m.raw --connectivity 26 --json \
    m.json
expect 'said' grep -q '"connectivity": 26' m.json
expect 'proven, by bk' grep -q '"solver": "bk".*"certified": true' m.json
run segment "$V/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 -s "$V/seeds.raw" -o six.raw --connectivity 6
run segment "$V/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 -s "$V/seeds.raw" -o usual.raw
expect '6 is usual' cmp -s six.raw usual.raw
expect 'nearly the same ball' test "$(cmp -l m.raw six.raw | wc -l)" -lt 100
rm -f ./*
fails 2 '8 is for photos, and' segment "$V/scan.raw" --size 28x24x20:i16 -s "$V/seeds.raw" -o m.raw --connectivity 8
run segment "$V/scan.raw" --size 28x24x20:i16 -s "$V/seeds.raw" -o m.raw --connectivity 26 --solver push
refused 2 'takes no volumes with 26 neighbours; bk does'
fails 2 'connectivity is 26; 4 or 8 are possible' segment "$IN/photo.png" -s "$IN/seeds.png" -o m.png --connectivity 26
