# SPDX-License-Identifier: MIT
#
# Volumes cut in parts. Labels, flow and hash are those of one part, whatever the format.
# shellcheck shell=sh disable=SC2154

S=$WORK/slabs
mkdir -p "$S/v" && "${CC:-cc}" -std=c11 -O1 -o "$WORK/make_volume" "$here/make_volume.c" -lm &&
    "$WORK/make_volume" "$S/v" || exit 1
for kind in nrrd raw; do # a vessel runs through all slices, so flow has to cross the borders of parts
    "$TILECUT" make vessel --size 40 --seed 3 -o "$S/vessel.$kind" --seeds-output "$S/seeds.$kind" 2>/dev/null
done
cases="$S/vessel.nrrd:$S/seeds.nrrd $S/v/scan.nrrd:$S/v/trimap.nrrd"
info=$("$TILECUT" info)
if echo "$info" | grep -q '^  NIfTI  *read'; then
    gzip -c "$S/v/scan.nii" >"$S/scan.nii.gz"
    gzip -c "$S/v/labels.nii" >"$S/labels.nii.gz"
    "$TILECUT" make vessel --size 40 --seed 3 -o "$S/vessel.nii.gz" 2>/dev/null
    cases="$cases $S/v/float.nii:$S/v/labels.nii $S/v/big.nii:$S/v/labels.nii $S/scan.nii.gz:$S/labels.nii.gz"
    cases="$cases $S/vessel.nii.gz:$S/seeds.nrrd"
fi
if echo "$info" | grep -q '^  TIFF  *read, write  *several'; then
    "$TILECUT" make vessel --size 40 --seed 3 -o "$S/vessel.tif" --seeds-output "$S/seeds.tif" 2>/dev/null
    cases="$cases $S/vessel.tif:$S/seeds.tif"
fi
slab_figures() {
    grep -oE '"(flow|cut|energy|mask_sha256|foreground_fraction|beta|quantum|lambda|slices)": [^,]*' "$1"
}
same_in_parts() { # N, what it is, then options
    n=$1 what=$2
    shift 2
    run segment "$@" -o parts.nrrd --json parts.json -q --parts "$n"
    done_well
    slab_figures parts.json >many
    expect "$what in $n parts: the same labels" cmp -s one.nrrd parts.nrrd
    expect "$what in $n parts: the same figures" cmp -s one many
}
in_one_part() {
    run segment "$@" -o one.nrrd --json one.json -q
    done_well
    slab_figures one.json >one
    expect 'figures' test "$(wc -l <one)" = 9
}

begin 'slabs: 1, 2, 3 and 5 parts give the labels, flow and hash of one, in all formats'
for case in $cases; do
    in_one_part "${case%:*}" -s "${case#*:}"
    for n in 1 2 3 5; do same_in_parts $n "$(basename "${case%:*}")" "${case%:*}" -s "${case#*:}"; done
done
expect 'who cut' grep -q '"devices": \["cpu", "cpu", "cpu", "cpu", "cpu"\]' parts.json
in_one_part "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw"
same_in_parts 40 'a slice each' "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw"
expect 'flow crosses borders' test "$(sed -n 's/.*"waves": \([0-9]*\).*/\1/p' parts.json)" -ge 1
end

begin 'slabs: strokes, boxes, models, solvers and outputs are as in one part'
as_one() {
    in_one_part "$S/vessel.nrrd" "$@"
    same_in_parts 3 "$*" "$S/vessel.nrrd" "$@"
}
as_one --fg '20,20,20' --bg '1,1,1 1,38,38' --box 2,2,3,36,34,33 --brush 2
as_one -s "$S/seeds.nrrd" --spacing 1,1,2.5 --range 20,200 --colors hist --lambda 9 --invert
as_one -s "$S/seeds.nrrd" --colors none --threads 1
for solver in bk push cascade; do as_one -s "$S/seeds.nrrd" --solver $solver; done
run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --preview one.png -q
run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --preview parts.png -q --parts 3
done_well
expect 'the same preview' cmp -s one.png parts.png
"$TILECUT" segment - -s "$S/seeds.nrrd" --parts 2 <"$S/vessel.nrrd" >piped.nrrd 2>"$ERR"
run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o one.nrrd
expect 'from a pipe to a pipe' cmp -s one.nrrd piped.nrrd
end

begin 'slabs: what does not go in parts is refused'
slabs() { run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o m.nrrd "$@"; }
slabs --parts 21
refused 2 'has 20 slices, fewer than 21 parts; use fewer parts'
slabs --parts 257
refused 2 '--parts: 257; up to 256 are possible'
slabs --parts 2 --connectivity 26
refused 2 '--connectivity: volumes in parts have 6 neighbours; leave --parts or 26 out'
slabs --parts 2 --device cuda
refused 2 '--device: cuda does not cut a volume in parts; solvers of the CPU do'
for solver in cuda hybrid; do
    slabs --parts 2 --solver $solver
    refused 2 "--solver: $solver does not cut a volume in parts; solvers of the CPU do"
done
for list in cuda:0,1 cuda:all; do
    slabs --device $list
    refused 2 'which one GPU cuts alone'
    slabs --device $list --parts 2
    refused 2 'which one GPU cuts alone'
done
slabs --parts 2 --exchange host
refused 2 '--exchange: is for photos'
slabs --parts 20 --max-memory 10M
refused 5 '20 parts with their rims take about 25.0 MB of memory, but 10.5 MB are allowed by --max-memory; use fewer'
slabs --parts 2 --max-memory 1M
refused 5 'is 28x24x20 and needs 1.4 MB of memory; at most 1.0 MB are allowed'
run segment "$S/v/scan.nrrd" --fg 13,11,9 -o m.nrrd --parts 2
refused 4 'has no background seed'
run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o m.nrrd --parts 3 --solver wave
refused 2 "scan.nrrd: solver 'wave' takes no volumes"
run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o "$S/m.nrrd" --json m.json --parts 21
expect 'a failure in JSON' grep -q '"error": {.*fewer than 21 parts' m.json
end
