# SPDX-License-Identifier: MIT
#
# Scans as other programs store them: every one gives its object or is refused as what it is.
# shellcheck shell=sh disable=SC2154

mkdir "$WORK/wild" && "${CC:-cc}" -std=c11 -O1 -o "$WORK/make_scans" "$here/make_scans.c" -lm &&
    "$WORK/make_scans" "$WORK/wild" || exit 1
F=$WORK/wild

# FILE TRUTH SEEDS OPTIONS: the scan is cut along the seeds, and its labels are the truth.
gives() {
    scan=$1 truth=$2 from=$3
    shift 3
    "$TILECUT" segment "$F/$scan" -s "$F/$from" -o got.raw -q "$@" 2>"$ERR" ||
        complain "$scan $from $*: $(head -n 1 "$ERR")"
    cmp -s got.raw "$F/$truth" || complain "$scan $from $*: $(cmp -l got.raw "$F/$truth" 2>&1 | wc -l) voxels differ"
    rm -f got.raw
}
# FILE STATUS TEXT OPTIONS
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
gives list.nrrd truth.raw layers.seg.nrrd --channel 1
gives list.nrrd truth_c2.raw layers.seg.nrrd --channel 2
gives time.nrrd truth_t2.raw layers.seg.nrrd --volume 2 --parts 2
says_no list.nrrd 3 'holds 2 channels; say which one is meant with --channel 1 to 2'
says_no time.nrrd 3 'holds 2 volumes'
says_no colour.nrrd 3 'a volume has three, and this is a picture in colour'
fails 3 'two of its segments overlap, 1 and 2 at 6,4,3' check "$F/scan.nhdr" -s "$F/both.seg.nrrd"
run segment - -s "$F/layers.seg.nrrd" -o m.raw <"$F/scan.nhdr"

begin 'wild: MetaImage in one file and in two, of several channels and volumes, and written'
gives scan.mha truth.raw layers.seg.nrrd
gives scan.mhd truth.raw layers.seg.nrrd
gives several.mha truth.raw layers.seg.nrrd --channel 1 --volume 1
gives several.mha truth_c2t2.raw layers.seg.nrrd --channel 2 --volume 2 --parts 2
says_no several.mha 3 'holds 2 channels of 2 volumes'
works segment "$F/scan.mha" -s "$F/layers.seg.nrrd" -o out.mha
expect 'its place' grep -aqx 'TransformMatrix = -1 0 0 0 -1 0 0 0 1' out.mha
works score out.mha out.mha

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
fails 3 'is a TIFF of several pages in colour; of volumes grey is read' check "$F/colour.tif" -s "$F/layers.seg.nrrd"
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
rm -f m.png photo.jpg short.jpg whole.png short.png
mv cut.jpg "$WORK/cut.jpg"
fails 3 'cut.jpg: is cut short, picture data is missing' segment "$WORK/cut.jpg" -s "$IN/seeds.png" -o cut.png

begin 'wild: pictures of every kind have one mask, whole and in parts'
cp "$IN/photo.jpg" "$IN/cmyk.jpg" "$IN/exif_6.jpg" "$IN/exif_3.jpg" "$IN/deep.png" .
if "$TILECUT" info | grep -q '^ *TIFF *read, write'; then
    "$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --cutout alpha.tif -q
fi
"$TILECUT" info | grep -q '^ *WebP *read, write' &&
    "$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --overlay lossy.webp -q
"$TILECUT" segment "$IN/photo.png" -s "$IN/seeds.png" --overlay over.tga -q
# Text, of the same pixels as the binary file.
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
