# SPDX-License-Identifier: MIT
#
# Scans as other programs store them: each gives its object, or is refused with the right reason.
# shellcheck shell=sh disable=SC2154

mkdir "$WORK/wild" && "${CC:-cc}" -std=c11 -O1 -o "$WORK/make_scans" "$here/make_scans.c" -lm &&
    "$WORK/make_scans" "$WORK/wild" || exit 1
F=$WORK/wild

# gives FILE TRUTH SEEDS OPTIONS: cuts the scan along the seeds, and the labels must equal the truth.
gives() {
    scan=$1 truth=$2 from=$3
    shift 3
    "$TILECUT" segment "$F/$scan" -s "$F/$from" -o got.raw -q "$@" 2>"$ERR" ||
        complain "$scan $from $*: $(head -n 1 "$ERR")"
    cmp -s got.raw "$F/$truth" || complain "$scan $from $*: $(cmp -l got.raw "$F/$truth" 2>&1 | wc -l) voxels differ"
    rm -f got.raw
}
# says_no FILE STATUS TEXT OPTIONS: the scan is refused.
says_no() {
    scan=$1 wanted=$2 text=$3
    shift 3
    run segment "$F/$scan" -s "$F/seeds.raw" --size 12x10x8 -o m.raw "$@"
    refused "$wanted" "$text"
}

if "$TILECUT" info | grep -q '^  NIfTI  *read'; then
begin 'wild: NIfTI in two files, Analyze, a sform of zeros, voxels that are no numbers, series'
gives scan.nii truth.raw seeds.nii
gives pair.hdr truth.raw seeds.nii
gives pair.img truth.raw seeds.nii
gzip -c "$F/pair.hdr" >"$F/packed.hdr.gz"
gzip -c "$F/pair.img" >"$F/packed.img.gz"
gives packed.hdr.gz truth.raw seeds.nii
gives packed.img.gz truth.raw seeds.nii
gives zero.nii truth.raw seeds.nii
gives nan.nii truth.raw seeds.nii
for n in 2 3; do gives nan.nii truth.raw seeds.nii --parts $n; done
gives analyze.img truth.raw seeds.nii
run check "$F/analyze.hdr" -s "$F/seeds.nii"
expect 'the scale of SPM' has '510 white' "$OUT"
run check "$F/nan.nii" -s "$F/seeds.nii"
expect 'said' has '80 voxels are no numbers (NaN); they are taken for background' "$ERR"
run check "$F/zero.nii" -s "$F/seeds.nii"
expect 'said' has 'its sform means nothing; its qform is taken' "$ERR"
gives series.nii truth.raw seeds.nii --volume 1 --channel 1
gives series.nii truth_c2.raw seeds.nii --volume 1 --channel 2
gives series.nii truth_t2.raw seeds.nii --volume 2 --channel 1
gives series.nii truth_c2t2.raw seeds.nii --volume 2 --channel 2 --parts 2
says_no series.nii 3 'holds 2 channels of 2 volumes; say which are meant with --channel 1 to 2 and --volume 1 to 2'
says_no series.nii 2 '--volume 3: ' --volume 3 --channel 1
says_no scan.nii 2 '--channel 2: ' --channel 2

begin 'wild: NIfTI in colour: a channel of its voxels, one byte of three or four'
for file in rgb rgba; do
    gives $file.nii truth.raw seeds.nii --volume 1 --channel 1
    gives $file.nii truth_c2.raw seeds.nii --volume 1 --channel 2
    gives $file.nii truth_t2.raw seeds.nii --volume 2 --channel 1
    gives $file.nii truth_c2t2.raw seeds.nii --volume 2 --channel 2 --parts 2
    gzip -c "$F/$file.nii" >"$F/$file.nii.gz"
    gives $file.nii.gz truth_c2t2.raw seeds.nii --volume 2 --channel 2
    { cat "$F/$file.nii" && printf more; } >"$F/longer.nii"
    run check "$F/longer.nii" -s "$F/seeds.nii" --volume 2 --channel 2
    expect "$file: its bytes are counted" has 'longer.nii: has 4 bytes behind the voxels' "$ERR"
done
says_no rgb.nii 3 'holds 2 volumes; say which one is meant with --volume 1 to 2'
says_no rgba.nii 3 'holds 2 volumes; say which one is meant with --volume 1 to 2'
says_no rgba.nii 2 '--channel 5: ' --channel 5 --volume 1
run check "$F/rgba.nii" -s "$F/seeds.nii" --volume 2
expect 'alpha is left out' has 'rgba.nii: is transparent in 480 pixels; their colours are used' "$ERR"
run check "$F/rgb.nii" -s "$F/seeds.nii" --volume 2 --channel 2
expect 'its scale does not count' test -z "$(grep '[0-9] white' "$OUT" | grep -v ' 255 white')"
"$TILECUT" segment "$F/rgb.nii" -s "$F/seeds.nii" --channel 2 --volume 1 -q -o labels.nii
expect 'labels are grey' test "$(od -An -tu2 -j70 -N4 labels.nii | tr -s ' ')" = ' 2 8'
rm -f labels.nii
{ head -c 40 "$F/rgb.nii" && printf '\005' && tail -c +42 "$F/rgb.nii" | head -c 9 && printf '\002' &&
    tail -c +52 "$F/rgb.nii"; } >"$F/fifth.nii"
says_no fifth.nii 3 'has voxels in colour, and a fifth axis besides'
{ head -c 344 "$F/rgb.nii" && printf '\000\000\000' && tail -c +348 "$F/rgb.nii"; } >"$F/colours.img"
head -c 348 "$F/colours.img" >"$F/colours.hdr"
says_no colours.hdr 3 'Analyze 7.5 does not say how they lie'

begin 'wild: seeds on other axes, turned round and of a part of the scan, in one part and in several'
i=0
while [ $i -lt 48 ]; do
    gives scan.nii truth.raw turned$i.nii
    [ $((i % 5)) = 0 ] && gives scan.nii truth.raw turned$i.nii --parts 3
    i=$((i + 1))
done

begin 'wild: a truth on other axes is held against the voxels that it lies on'
"$TILECUT" segment "$F/scan.nii" -s "$F/seeds.nii" -q -o labels.nii
for i in 0 3 9 14 22 29 33 40 47; do
    "$TILECUT" score labels.nii "$F/truth$i.nii" >"$OUT" 2>"$ERR" || complain "truth$i: $(cat "$ERR")"
    has '0.000 %   1.0000' "$OUT" || complain "truth$i: $(tail -n 1 "$OUT")"
done
run score labels.nii "$F/turned0.nii"
expect 'of a part' has 'labels have the size of their truth' "$ERR"
fi

begin 'wild: NRRD of several channels and volumes, in colour, in two files, in layers'
for file in scan.nhdr layers.seg.nrrd; do expect "$file" test -s "$F/$file"; done
gives scan.nhdr truth.raw layers.seg.nrrd
gives scan.nhdr truth.raw layers.seg.nrrd --parts 2
sed -e '1s/.*/NRRD00.01/' -e 's/directions: .*/directions: none none none/' -e 's/origin: .*/origin: none/' \
    "$F/scan.nhdr" >"$F/old.nhdr"
gives old.nhdr truth.raw layers.seg.nrrd
sed -e 's/^dimension: .*/dimension: 4/' -e 's/^sizes: .*/& 1/' -e '/^space/d' "$F/scan.nhdr" >"$F/one.nhdr"
gives one.nhdr truth.raw seeds.raw --size 12x10x8
{ printf more && tail -c 960 "$F/beside.raw"; } >"$F/longer.raw"
sed 's/^data file: .*/data file: longer.raw/; /^byte skip/d' "$F/scan.nhdr" >"$F/longer.nhdr"
run check "$F/longer.nhdr" -s "$F/layers.seg.nrrd"
expect 'bytes too many are noted' has 'longer.raw: has 4 bytes behind the voxels that its header counts' "$ERR"
sed 's/^ElementDataFile = .*/ElementDataFile = longer.raw/; /^HeaderSize/d' "$F/scan.mhd" >"$F/longer.mhd"
run check "$F/longer.mhd" -s "$F/layers.seg.nrrd"
expect 'of MetaImage, too' has 'longer.raw: has 4 bytes behind the voxels that its header counts' "$ERR"
if [ -s "$F/scan.nii" ]; then
    { cat "$F/scan.nii" && printf more; } >"$F/longer.nii"
    gzip -c "$F/longer.nii" >"$F/longer.nii.gz"
    gzip -c "$F/scan.nii" >"$F/whole.nii.gz"
    for file in longer.nii longer.nii.gz; do
        run check "$F/$file" -s "$F/seeds.nii"
        expect "of $file, too" has "$file: has 4 bytes behind the voxels that its header counts" "$ERR"
    done
    run check "$F/whole.nii.gz" -s "$F/seeds.nii"
    expect 'not of a whole file' test "$status" = 0 -a -z "$(grep 'bytes behind' "$ERR")"
fi
run check "$F/scan.nhdr" -s "$F/layers.seg.nrrd"
expect 'and no others' test -z "$(grep 'bytes behind' "$ERR")"
sed -e 's/^BinaryData .*/&/; /^ElementSpacing/d; s/^ElementType/ElementSize = 1 2 3\n&/' "$F/scan.mhd" >"$F/size.mhd"
run check "$F/size.mhd" -s "$F/layers.seg.nrrd"
expect 'without a spacing, that of MetaImage is the size of its voxels' has 'spacing 1 x 2 x 3' "$OUT"
sed 's/^ElementSize = .*/&\nElementSpacing = 3 2 1\n&/' "$F/size.mhd" >"$F/both.mhd"
run check "$F/both.mhd" -s "$F/layers.seg.nrrd"
expect 'with one it does not count' has 'spacing 3 x 2 x 1' "$OUT"
for wrong in '1 0 1' '1 -2 1' '1 2' none 'none 1 1'; do
    sed "s/^ElementSize = .*/ElementSpacing = $wrong/" "$F/size.mhd" >"$F/wrong.mhd"
    run check "$F/wrong.mhd" -s "$F/layers.seg.nrrd"
    expect "a spacing of $wrong is noted" has 'wrong.mhd: its spacing is no distance along some axis' "$ERR"
done
sed -e '/^space/d' -e 's/^sizes: .*/&\nspacings: 1 nan 2/' "$F/scan.nhdr" >"$F/wrong.nhdr"
run check "$F/wrong.nhdr" -s "$F/layers.seg.nrrd"
expect 'in NRRD, too' has 'wrong.nhdr: its spacing is no distance along some axis' "$ERR"
{ sed '/^data file/d' "$F/scan.nhdr" && printf 'data file: LIST\none.raw\ntwo.raw\n'; } >"$F/files.nhdr"
fails 3 'has its voxels in several files; save header and voxels as one' check "$F/files.nhdr" -s "$F/layers.seg.nrrd"
gives list.nrrd truth.raw layers.seg.nrrd --channel 1
gives list.nrrd truth_c2.raw layers.seg.nrrd --channel 2
gives time.nrrd truth_t2.raw layers.seg.nrrd --volume 2 --parts 2
says_no list.nrrd 3 'holds 2 channels; say which one is meant with --channel 1 to 2'
says_no time.nrrd 3 'holds 2 volumes'
run check "$F/colour.nrrd" --range 0,255 --fg 6,5 --bg 1,1
expect 'in colour' has '10x32x1, uint8 in colour' "$OUT"
fails 3 'two of its segments overlap, 1 and 2 at 6,4,3' check "$F/scan.nhdr" -s "$F/both.seg.nrrd"
run segment - -s "$F/layers.seg.nrrd" -o m.raw <"$F/scan.nhdr"

begin 'wild: a scan of one slice is a picture, too: its points, its box, its colours'
awk 'BEGIN { printf "NRRD0004\ntype: uint8\ndimension: 2\nsizes: 12 10\nencoding: raw\n\n" }' >slice.nrrd
awk 'BEGIN { printf "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 12 10\nkinds: RGB-color domain domain\n" }' >c.nrrd
printf 'encoding: raw\n\n' >>c.nrrd
for y in 0 1 2 3 4 5 6 7 8 9; do
    for x in 0 1 2 3 4 5 6 7 8 9 10 11; do
        value=$((x > 3 && x < 9 && y > 2 && y < 8 ? 200 + x % 2 : 50 + (x + y) % 3))
        byte=$(printf '\\%03o' $value)
        # shellcheck disable=SC2059 # bytes are meant as a format
        printf "$byte" >>slice.nrrd && printf "\001$byte\007" >>c.nrrd
    done
done
works segment slice.nrrd --fg '6,5' --bg '1,1 10,1' --brush 1 -o flat.raw
expect 'an object' test "$(tr -d '\000' <flat.raw | wc -c)" = 25
works segment slice.nrrd --fg '6,5,0' --bg '1,1 10,1' --brush 1 -o both.raw
expect 'with a third number' same flat.raw both.raw
works segment c.nrrd --channel 2 --fg '6,5' --bg '1,1 10,1' --brush 1 -o colour.raw
expect 'of a colour' same flat.raw colour.raw
works segment slice.nrrd --box 2,1,9,8 -o box.raw
works segment slice.nrrd --box 2,1,0,9,8,1 -o solid.raw
expect 'a box' same box.raw solid.raw
for third in '' ,0; do
    works labels slice.nrrd --brush 1 -o "labels$third.raw" --label a --stroke "6,5$third" --label background \
        --stroke "1,1$third 10,1$third"
    expect "labels, '$third'" test "$(tr -d '\000' <"labels$third.raw" | wc -c)" = 120
done
expect 'the same' same labels.raw labels,0.raw
for third in '' ,0; do
    sed 's/^sizes: .*/&\nspacings: 1 3/' slice.nrrd >flat.nrrd
    works labels flat.nrrd --brush 3 -o "labels$third.raw" --json "seeds$third.json" --label a --stroke "6,5$third" \
        --label background --stroke "1,1$third 10,1$third"
    expect "a brush is round on voxels that are not square, '$third'" grep -q '"seeds": 9,' "seeds$third.json"
done
run segment slice.nrrd --fg '6,5,9' --bg 1,1 -o none.raw
expect 'beyond it is outside' has 'lies outside slice.nrrd, which is 12x10x1' "$ERR"

begin 'wild: scans in colour are cut by all of their channels, in every format, whole and in parts'
# A block of another colour with a pattern; channel 0: all three, side by side; -1: the same grey three times.
voxels() {
    LC_ALL=C awk -v channel="$1" -v slices="$2" 'BEGIN { for (z = 0; z < slices; z++) for (y = 0; y < 10; y++)
        for (x = 0; x < 12; x++) for (c = 1; c < 4; c++) {
            inside = x > 3 && x < 9 && y > 2 && y < 8
            k = channel < 0 ? 1 : c
            v = 70 + inside * (k == 1 ? 18 : k == 2 ? -14 : 9) + (7 * x + 5 * y + 3 * z + 11 * k * k + x * y * k) % 17
            if (channel < 1 || c == channel) printf "%c", v
        } }'
}
nrrd() { # TYPE SIZES KINDS
    printf 'NRRD0004\ntype: %s\ndimension: %d\nsizes: %s\n%sencoding: raw\n\n' "$1" "$(echo "$2" | wc -w)" "$2" \
        "${3:+kinds: $3
}"
}
{ nrrd uint8 '3 12 10 4' 'RGB-color domain domain domain' && voxels 0 4; } >side.nrrd
{ nrrd uint8 '12 10 4 3' 'domain domain domain vector' && voxels 1 4 && voxels 2 4 && voxels 3 4; } >behind.nrrd
for z in 1 2 3 4; do voxels 0 "$z" | tail -c 360 >"$z.rgb"; done
{ nrrd uint8 '12 10 3 4' 'domain domain vector domain' &&
  for z in 1 2 3 4; do for c in 1 2 3; do voxels $c $z | tail -c 120; done; done; } >among.nrrd
{ printf 'ObjectType = Image\nNDims = 3\nDimSize = 12 10 4\nElementNumberOfChannels = 3\nElementType = MET_UCHAR\n' &&
  printf 'ElementDataFile = LOCAL\n' && voxels 0 4; } >side.mha
for z in 1 2 3 4; do printf 'P6\n12 10\n255\n' && cat $z.rgb; done >pages.ppm
{ nrrd uint8 '3 12 10 4' '3-color domain domain domain' && voxels -1 4; } >same.nrrd
for c in 1 2 3; do { nrrd uint8 '12 10 4' && voxels $c 4; } >"one$c.nrrd"; done
how="--fg 6,5,1 --bg 1,1,1 --bg 10,8,2 --brush 1 -q"
# shellcheck disable=SC2086 # several words are meant
works segment side.nrrd $how -o whole.raw --json whole.json --preview sheet.png
expect 'an object' test "$(tr -d '\000' <whole.raw | wc -c)" -ge 60
expect 'three channels' grep -q '"channels": 3' whole.json
for file in side.nrrd behind.nrrd among.nrrd side.mha pages.ppm; do
    for more in '' '--channel color' '--parts 2' '--parts 4'; do
        # shellcheck disable=SC2086 # several words are meant
        works segment $file $how $more -o colour.raw
        expect "$file $more" same whole.raw colour.raw
    done
done
for c in 1 2 3; do
    # shellcheck disable=SC2086 # several words are meant
    works segment one$c.nrrd $how -o grey.raw --json grey.json
    # shellcheck disable=SC2086 # several words are meant
    works segment behind.nrrd $how -o colour.raw --channel $c
    expect "channel $c" same grey.raw colour.raw
    expect "all channels say more than channel $c" differ whole.json grey.json
done
# shellcheck disable=SC2086 # several words are meant
works segment one1.nrrd $how -o grey.raw
# shellcheck disable=SC2086 # several words are meant
works segment same.nrrd $how -o colour.raw --parts 2 --json grey.json
expect 'colours that are all grey' same grey.raw colour.raw
expect 'one channel' grep -q '"channels": 1' grey.json
for more in '' '--parts 2'; do
    # shellcheck disable=SC2086 # several words are meant
    works labels side.nrrd $more --brush 1 -o "labels$more.raw" --label a --stroke 6,5,1 --label b --stroke 1,1,1
done
expect 'labels in parts' same labels.raw 'labels--parts 2.raw'
works check side.nrrd --fg 6,5,1 --bg 1,1,1
expect 'check says so' has '12x10x4, uint8 in colour' "$OUT"

# A fourth channel is alpha. As in photos, it is left out with a note; 12 voxels of the second slice are not opaque.
clear() { # SLICES [SLICE]
    LC_ALL=C awk -v slices="$1" -v slice="${2:-0}" 'BEGIN { for (i = 0; i < 120 * slices; i++)
        printf "%c", (slice ? slice == 2 && i < 12 : i >= 120 && i < 132) ? 100 : 255 }'
}
weave() { # puts a byte of the second file behind every three of the first
    od -An -v -tu1 -w3 "$1" >color.txt && od -An -v -tu1 -w1 "$2" | paste -d' ' color.txt - |
        LC_ALL=C awk '{ printf "%c%c%c%c", $1, $2, $3, $4 }'
}
voxels 0 4 >colors.rgb && clear 4 >clear.a && weave colors.rgb clear.a >colors.rgba
{ nrrd uint8 '4 12 10 4' 'RGBA-color domain domain domain' && cat colors.rgba; } >alpha.nrrd
{ nrrd uint8 '12 10 4 4' 'domain domain domain list' && for c in 1 2 3; do voxels $c 4; done; clear 4; } >listed.nrrd
{ nrrd uint8 '12 10 4 4' 'domain domain 4-color domain' &&
  for z in 1 2 3 4; do for c in 1 2 3; do voxels $c $z | tail -c 120; done; clear 1 $z; done; } >among.nrrd
{ printf 'ObjectType = Image\nNDims = 3\nDimSize = 12 10 4\nElementNumberOfChannels = 4\n' &&
  printf 'ElementType = MET_UCHAR\nElementDataFile = LOCAL\n' && cat colors.rgba; } >alpha.mha
for file in alpha.nrrd listed.nrrd among.nrrd alpha.mha; do
    for more in '' '--parts 2' '--parts 4'; do
        # shellcheck disable=SC2086 # several words are meant
        run segment $file ${how% -q} $more -o colour.raw --channel color
        expect "$file with alpha $more" same whole.raw colour.raw
        expect "$file: $more a note" has "$file: is transparent in 12 pixels; their colours are used" "$ERR"
    done
done
# shellcheck disable=SC2086 # several words are meant
works segment among.nrrd $how -o colour.raw
expect 'alpha, and no --channel' same whole.raw colour.raw
sed 's/^kinds: .*/kinds: domain domain domain list/' behind.nrrd >"$F/three.nrrd"
mv side.nrrd alpha.nrrd listed.nrrd "$F"
rm -f ./*.nrrd ./*.raw ./*.rgb ./*.rgba ./*.a ./*.txt ./*.json ./*.mha ./*.ppm ./*.png
fails 3 'three.nrrd: holds 3 channels; say which one is meant' check "$F/three.nrrd" --fg 6,5,1 --bg 1,1,1
fails 3 'side.nrrd: holds 3 channels; say which one is meant' edit "$F/side.nrrd" --no-browser
fails 3 'listed.nrrd: holds 4 channels; say which one is meant' check "$F/listed.nrrd" --fg 6,5,1 --bg 1,1,1
fails 3 'alpha.nrrd: holds 4 channels; say which one is meant' edit "$F/alpha.nrrd" --no-browser

begin 'wild: MetaImage in one file and in two, of several channels and volumes, and written'
gives scan.mha truth.raw layers.seg.nrrd
gives scan.mhd truth.raw layers.seg.nrrd
gives several.mha truth.raw layers.seg.nrrd --channel 1 --volume 1
gives several.mha truth_c2t2.raw layers.seg.nrrd --channel 2 --volume 2 --parts 2
says_no several.mha 3 'holds 2 channels of 2 volumes'
works segment "$F/scan.mha" -s "$F/layers.seg.nrrd" -o out.mha
expect 'its place' grep -aqx 'TransformMatrix = -1 0 0 0 -1 0 0 0 1' out.mha
works score out.mha out.mha

begin 'wild: a picture of two axes is a scan of one slice, and so are its labels'
side=AAAAAAAAAAAA middle=AAAAzzzzAAAA
printf %s $side $side $side $middle $middle $middle $middle $side $side $side >"$F/values"
tr Az '\000\377' <"$F/values" >"$F/flat.raw"
printf %s bbbbbbbbbbbb baaaaaaaaaab baaaaaaaaaab baaaaaaaaaab baaaffffaaab baaaffffaaab baaaaaaaaaab baaaaaaaaaab \
    baaaaaaaaaab bbbbbbbbbbbb | tr afb '\000\001\002' >"$F/marks"
nrrd_of() { # DIMENSIONS SIZES LINES VALUES
    printf 'NRRD0004\ntype: uchar\ndimension: %s\nsizes: %s\n%bencoding: raw\n\n' "$1" "$2" "$3"
    cat "$F/$4"
}
nrrd_of 3 '12 10 1' 'spacings: 0.5 1.5 1\n' values >"$F/deep.nrrd"
nrrd_of 2 '12 10' 'spacings: 0.5 1.5\n' values >"$F/flat.nrrd"
nrrd_of 2 '12 10' 'space dimension: 2\nspace directions: (0,0.5) (1.5,0)\nspace origin: (3,4)\n' \
    values >"$F/turned.nrrd"
nrrd_of 2 '12 10' 'space: LPS\nspace directions: (0,0.5,0) (0,0,1.5)\nspace origin: (3,4,5)\n' \
    values >"$F/sagittal.nrrd"
nrrd_of 3 '1 12 10' 'kinds: vector domain domain\nspacings: nan 0.5 1.5\n' values >"$F/vector.nrrd"
nrrd_of 2 '12 10' '' marks >"$F/marks.nrrd"
{
    printf 'NDims = 2\nDimSize = 12 10\nElementSpacing = 0.5 1.5\nOffset = 3 4\nTransformMatrix = 0 1 1 0\n'
    printf 'ElementType = MET_UCHAR\nElementDataFile = LOCAL\n' && cat "$F/values"
} >"$F/flat.mha"
flats='deep.nrrd flat.nrrd turned.nrrd sagittal.nrrd vector.nrrd flat.mha'
if "$TILECUT" info | grep -q '^  NIfTI  *read'; then # the header of labels, with two axes, and a sform without a third
    works segment "$F/deep.nrrd" -s "$F/marks.nrrd" -o deep.nii
    { head -c 40 deep.nii && printf '\002' && tail -c +42 deep.nii | head -c 311 && cat "$F/values"; } >"$F/flat.nii"
    flats="$flats flat.nii"
fi
for flat in $flats; do
    gives $flat flat.raw marks.nrrd
    gives $flat flat.raw marks.nrrd --keep-largest --fill-holes 9
    works check "$F/$flat" -s "$F/marks.nrrd"
    expect "$flat: its size and spacing" grep -q '12x10x1, uint8, spacing 0.5 x 1.5 x 1$' "$OUT"
    works segment "$F/$flat" -s "$F/marks.nrrd" -o "out.${flat##*.}"
    works score "out.${flat##*.}" "out.${flat##*.}"
    case $flat in
    flat.nii) expect 'two axes' test "$(od -An -tu1 -j40 -N1 out.nii | tr -d ' ')" = 2 ;;
    flat.mha) expect 'two axes' grep -aqx 'DimSize = 12 10' out.mha &&
        expect 'its place' grep -aqx 'TransformMatrix = 0 1 1 0' out.mha ;;
    flat.nrrd) expect 'two axes' grep -aqx 'spacings: 0.5 1.5' out.nrrd ;;
    turned.nrrd) expect 'its place' grep -aqx 'space directions: (0,0.5) (1.5,0)' out.nrrd ;;
    esac
done
works check "$F/sagittal.nrrd" -s "$F/marks.nrrd"
expect 'in the patient' has 'S = 0 x +1.5 y +0 z +5 mm' "$OUT"
"$TILECUT" segment "$F/flat.nrrd" --box 2,1,0,8,8,1 -o got.raw -q
expect 'a box alone' cmp -s got.raw "$F/flat.raw"
if [ -s out.nii ] && /usr/bin/python3 -c 'import nibabel' 2>/dev/null; then
    expect 'nibabel agrees' /usr/bin/python3 -c 'import sys, nibabel
scan, labels = map(nibabel.load, sys.argv[1:])
sys.exit(not (labels.shape == scan.shape == (12, 10) and (labels.affine == scan.affine).all() and
              ((scan.get_fdata() > 80) == (labels.get_fdata() > 0)).all()))' "$F/flat.nii" out.nii
fi
rm -f deep.nii out.* got.raw
run segment "$F/flat.nrrd" -s "$F/marks.nrrd" --parts 2 -o m.raw
refused 2 'has 1 slice, fewer than 2 parts'
nrrd_of 1 120 '' values >"$F/line.nrrd"
says_no line.nrrd 3 'has 1 dimensions; a picture has two, a volume three'

if "$TILECUT" info | grep -q '^  TIFF  *read, write  *several'; then
begin 'wild: channels and moments of TIFF are no slices: ImageJ, OME in every order, tifffile'
for file in imagej ome_CZT ome_CTZ ome_ZCT ome_ZTC ome_TCZ ome_TZC; do
    gives $file.tif truth.raw layers.seg.nrrd --channel 1 --volume 1
    gives $file.tif truth_c2.raw layers.seg.nrrd --channel 2 --volume 1
    gives $file.tif truth_t2.raw layers.seg.nrrd --channel 1 --volume 2
    gives $file.tif truth_c2t2.raw layers.seg.nrrd --channel 2 --volume 2 --parts 2
    says_no $file.tif 3 'holds 2 channels of 2 volumes; say which are meant with --channel 1 to 2 and --volume 1 to 2'
done
for file in plain ome_turned; do gives $file.tif truth.raw layers.seg.nrrd; done
gives shaped.tif truth_c2.raw layers.seg.nrrd --channel 2
says_no shaped.tif 3 'holds 2 channels; say which one is meant with --channel 1 to 2'
works check "$F/colour.tif" -s "$F/layers.seg.nrrd"
expect 'in colour' has 'uint8 in colour' "$OUT"
gives colour.tif truth.raw layers.seg.nrrd --channel 1
gives colour.tif truth_c2.raw layers.seg.nrrd --channel 2
gives colour.tif truth_t2.raw layers.seg.nrrd --channel 3 --parts 2
gives same.tif truth.raw layers.seg.nrrd
gives same.tif truth.raw layers.seg.nrrd --channel 3
run check "$F/palette.tif" -s "$F/layers.seg.nrrd"
expect 'a palette that is no ramp of grey' has 'its colours are taken as grey' "$ERR"
run check "$F/plain.tif" -s "$F/palette.tif"
expect 'not of seeds, where the numbers are meant' test -z "$(grep 'has a palette' "$ERR")"
says_no odd.tif 3 'has 8 pages, and its description (ImageJ) says'
says_no unsaid.tif 3 'has pages along 3 axes, and its description does not say which of them are slices'
run check "$F/ome_CZT.tif" -s "$F/layers.seg.nrrd" --channel 1 --volume 1
expect 'units that differ' has '12x10x8, uint8, spacing 500 x 500 x 1500' "$OUT"
run segment "$F/ome_CZT.tif" -s "$F/layers.seg.nrrd" --channel 1 --volume 1 -o out.tif
run check out.tif -s "$F/layers.seg.nrrd"
expect 'labels keep it' has 'spacing 500 x 500 x 1500' "$OUT"
fi

begin 'wild: a JPEG that lacks only the mark at its end'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o m.png --overlay photo.jpg
head -c -2 photo.jpg >short.jpg
head -c -40 photo.jpg >cut.jpg
run segment photo.jpg -s "$IN/seeds.png" -o whole.png
run segment short.jpg -s "$IN/seeds.png" -o short.png
expect 'the same mask' same whole.png short.png
expect 'said' has 'short.jpg: lacks the mark at its end; all of its pixels are there' "$ERR"
run segment short.jpg -s "$IN/trimap.png:trimap" -o short.png --parts 3
expect 'said once by parts' test "$(grep -c 'short.jpg: lacks the mark at its end; all of its pix' "$ERR")" = 1
rm -f m.png photo.jpg short.jpg whole.png short.png
mv cut.jpg "$WORK/cut.jpg"
fails 3 'cut.jpg: is cut short, picture data is missing' segment "$WORK/cut.jpg" -s "$IN/seeds.png" -o cut.png

begin 'wild: a PNG that lacks only the chunk at its end'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o whole.png
for lacks in 1 4 12; do
    head -c -$lacks "$IN/photo.png" >short.png
    run segment short.png -s "$IN/seeds.png" -o m.png
    expect "the same mask without $lacks bytes" same whole.png m.png
    expect 'said once' test "$(grep -c 'short.png: lacks the mark at its end; all of its pixels are there' "$ERR")" = 1
done
run segment "$IN/photo.png" -s "$IN/trimap.png:trimap" -o whole.png --parts 2
head -c -12 "$IN/trimap.png" >seeds.png
run segment short.png -s seeds.png:trimap -o m.png --parts 3
expect 'the same mask in parts' same whole.png m.png
expect 'said once of photo and seeds' test "$(grep -c '\(short\|seeds\).png: lacks the mark at its end' "$ERR")" = 2
rm -f seeds.png
head -c -13 "$IN/photo.png" >short.png
rm -f whole.png m.png
mv short.png "$WORK/short.png"
fails 3 'short.png: is cut short, the file ends within the picture' \
    segment "$WORK/short.png" -s "$IN/seeds.png" -o m.png

begin 'wild: pictures of every kind have one mask, whole and in parts'
cp "$IN/photo.jpg" "$IN/cmyk.jpg" "$IN/exif_6.jpg" "$IN/exif_3.jpg" "$IN/deep.png" .
if "$TILECUT" info | grep -q '^ *TIFF *read, write'; then
    "$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --cutout alpha.tif -q
fi
"$TILECUT" info | grep -q '^ *WebP *read, write' &&
    "$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --overlay lossy.webp -q
"$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --overlay over.tga -q
# Writes the pixels of the binary file as text.
{ echo P3 && head -n 3 "$IN/photo.ppm" | tail -n +2 &&
    tail -c +$(($(head -n 3 "$IN/photo.ppm" | wc -c) + 1)) "$IN/photo.ppm" | od -An -v -tu1; } >text.ppm
cp "$IN/photo.ppm" binary.ppm
for photo in *; do
    for parts in 0 1 3; do
        # shellcheck disable=SC2046 # two words are meant
        "$TILECUT" segment "$photo" -s "$IN/trimap.png:trimap" -q -o $parts.pgm \
            $([ $parts = 0 ] || echo --parts $parts) 2>"$ERR" || complain "$photo in $parts parts: $(head -n 1 "$ERR")"
    done
    same 0.pgm 1.pgm || complain "$photo: whole and in one part differ"
    same 1.pgm 3.pgm || complain "$photo: 1 part and 3 parts differ"
    rm -f ./*.pgm
done
expect 'text is read as bytes are' test "$("$TILECUT" segment text.ppm -s "$IN/seeds.png" -o - | cksum)" = \
    "$("$TILECUT" segment binary.ppm -s "$IN/seeds.png" -o - | cksum)"
