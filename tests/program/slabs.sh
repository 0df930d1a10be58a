# SPDX-License-Identifier: MIT
#
# Volumes cut in parts, by threads and by the processes of mpirun if it is installed. Labels, flow and hash equal those
# of one part, for every format.
# shellcheck shell=sh disable=SC2154,SC2034

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
    works segment "$@" -o parts.nrrd --json parts.json -q --parts "$n"
    slab_figures parts.json >many
    expect "$what in $n parts: the same labels" cmp -s one.nrrd parts.nrrd
    expect "$what in $n parts: the same figures" cmp -s one many
}
in_one_part() {
    works segment "$@" -o one.nrrd --json one.json -q
    slab_figures one.json >one
    expect 'figures' test "$(wc -l <one)" = 9
}

begin 'slabs: 1, 2, 3 and 5 parts give the labels, flow and hash of one, in all formats'
counts='1 2 3 5'
for case in $cases; do
    in_one_part "${case%:*}" -s "${case#*:}"
    for n in $counts; do same_in_parts "$n" "$(basename "${case%:*}")" "${case%:*}" -s "${case#*:}"; done
    [ "${NIGHTLY:-}" ] || counts=5 # by day once in each number: only who reads differs
done
expect 'who cut' grep -q '"devices": \["cpu", "cpu", "cpu", "cpu", "cpu"\]' parts.json
in_one_part "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw"
same_in_parts 40 'a slice each' "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw"
expect 'flow crosses borders' test "$(sed -n 's/.*"waves": \([0-9]*\).*/\1/p' parts.json)" -ge 1

begin 'slabs: strokes, boxes, models, solvers and outputs are as in one part'
as_one() {
    in_one_part "$S/vessel.nrrd" "$@"
    same_in_parts 3 "$*" "$S/vessel.nrrd" "$@"
}
as_one --fg '20,20,20' --bg '1,1,1 1,38,38' --box 2,2,3,36,34,33 --brush 2
as_one -s "$S/seeds.nrrd" --spacing 1,1,2.5 --range 20,200 --colors hist --lambda 9 --invert
as_one -s "$S/seeds.nrrd" --colors none --threads 1
as_one --fg '20,20,20' --bg 1,1,1 --bg 1,38,38 --bg 38,1,1 --brush 1 # a click, of which a smaller copy is made
expect 'a click tells lambda' grep -q '"lambda": 3,' parts.json
for solver in bk push cascade; do as_one -s "$S/seeds.nrrd" --solver $solver; done
as_one -s "$S/seeds.nrrd" --connectivity 26
expect 'with 26 neighbours' grep -q '"connectivity": 26' parts.json
expect 'their parts' grep -q '"parts": {"count": 3, ' parts.json
expect 'their flow crosses borders' test "$(sed -n 's/.*"waves": \([0-9]*\).*/\1/p' parts.json)" -ge 1
as_one --fg '20,20,20' --bg '1,1,1 1,38,38' --connectivity 26 --solver bk --spacing 1,1,2.5 --colors hist --lambda 9
in_one_part "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" --connectivity 26
same_in_parts 20 'a slice each with 26 neighbours' "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" --connectivity 26
run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --preview one.png -q
works segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --preview parts.png -q --parts 3
expect 'the same preview' cmp -s one.png parts.png
"$TILECUT" segment - -s "$S/seeds.nrrd" --parts 2 <"$S/vessel.nrrd" >piped.nrrd 2>"$ERR"
run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o one.nrrd
expect 'from a pipe to a pipe' cmp -s one.nrrd piped.nrrd

if echo "$info" | grep -q 'cuda:0'; then
    begin 'slabs: parts on GPUs give the labels, flow and hash of one on the CPU'
    in_one_part "$S/vessel.nrrd" -s "$S/seeds.nrrd"
    for list in cuda:all cuda:0,0 cuda:0,0,0 'cuda --parts 5' 'cuda:0,0 --exchange host' 'cuda:0,0 --colors gmm'; do
        # shellcheck disable=SC2086 # an option may follow
        works segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o parts.nrrd --json parts.json -q --device $list
        slab_figures parts.json >many
        expect "$list: the same labels" cmp -s one.nrrd parts.nrrd
        expect "$list: the same figures" cmp -s one many
        expect "$list: on GPUs" grep -q '"devices": \["cuda:0"' parts.json
    done
fi

begin 'slabs: the clean-up joins regions across parts, at once and in turn'
clean='--lambda 1 --spatial 0 --islands --keep-largest --min-area 9 --fill-holes 30'
for neighbours in '' '--connectivity 26'; do
    # shellcheck disable=SC2086 # options
    in_one_part "$S/vessel.nrrd" -s "$S/seeds.nrrd" $clean $neighbours
    expect "$neighbours: there is something to clean" test "$(value regions_dropped one.json)" -gt 5
    # shellcheck disable=SC2086
    for n in 2 7 40; do same_in_parts $n clean "$S/vessel.nrrd" -s "$S/seeds.nrrd" $clean $neighbours; done
    expect "$neighbours: counted once" test "$(grep -o '"cleaned": {[^}]*' parts.json)" = \
        "$(grep -o '"cleaned": {[^}]*' one.json)"
    cp one.nrrd "clean${neighbours:+26}.nrrd"
done
expect '26 neighbours join more' differ clean.nrrd clean26.nrrd

begin "slabs: the program itself counts where all parts are in memory, too"
"$TILECUT" make photo --image "$here/../../images/coffee.png" -s "$here/../../images/coffee_seeds.png" --size 400 \
    -o "$S/noise.ppm" 2>/dev/null
tail -c 297000 "$S/noise.ppm" >"$S/noise.raw"
for megabytes in 48 ${NIGHTLY:+51 56} 64; do
    works segment "$S/noise.raw" --size 100x90x33 --fg 50,45,16 --bg '3,3,3 97,3,3' -o m.nrrd --parts 4 -q \
        --max-memory ${megabytes}M --json memory.json
    expect "$megabytes: no more than that" test "$(value peak_bytes memory.json)" -le $((megabytes * 1024 * 1024))
done

begin 'slabs: what does not go in parts is refused'
slabs() { run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o m.nrrd "$@"; }
refused 2 'has 20 slices, fewer than 21 parts; use fewer parts' slabs --parts 21
refused 2 '--parts: 257; up to 256 are possible' slabs --parts 257
slabs --parts 2 --connectivity 26 --solver push
refused 2 "scan.nrrd: solver 'push' takes no volumes with 26 neighbours; bk does"
refused 2 'is a volume, with 6 or 26' slabs --parts 2 --connectivity 8
for solver in cuda-basic hybrid; do
    slabs --parts 2 --solver $solver
    refused 2 "--solver: $solver does not cut a volume in parts; cuda and those of the CPU do"
done
refused 2 '26' slabs --parts 2 --device cuda --connectivity 26
refused 2 '--solver: push runs on cpu, not on cuda' slabs --parts 2 --device cuda --solver push
slabs --device cuda:0,1 --connectivity 26
refused 2 '--connectivity: volumes in parts have 6 neighbours on GPUs; leave 26 out'
refused 2 '--exchange: is between the GPUs of parts; name them, as in --device cuda:0,1' slabs --parts 2 --exchange host
refused 2 '--exchange: is between the GPUs of parts' slabs --device cuda --exchange host
slabs --device cuda:all --parts 21
if echo "$info" | grep -q 'cuda:0'; then refused 2 'fewer than 21 parts'; else refused 5 'cuda:all is not available'; fi
slabs --parts 20 --max-memory 10M
refused 5 'is 28x24x20, in 20 parts, in turn, and needs 25.5 MB of memory; at most 10.4 MB are allowed'
"$TILECUT" segment - -s "$S/v/trimap.nrrd" --parts 20 --max-memory 16M <"$S/v/scan.nrrd" >"$OUT" 2>"$ERR"
status=$? command='20 parts of a pipe'
refused 5 'is 28x24x20 and needs 37.7 MB of memory; at most 16.7 MB are allowed'
refused 5 'in 2 parts, in turn, and needs' slabs --parts 2 --connectivity 26 --max-memory 4M
fails 4 'has no foreground seed' segment "$S/v/scan.nrrd" --bg 13,11,9 -o m.nrrd --parts 2
run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o m.nrrd --parts 3 --solver wave
refused 2 "scan.nrrd: solver 'wave' takes no volumes"
run segment "$S/v/scan.nrrd" -s "$S/v/trimap.nrrd" -o "$S/m.nrrd" --json m.json --parts 21
expect 'a failure in JSON' grep -q '"error": {.*fewer than 21 parts' m.json

begin 'slabs: with memory for one of them they come from disk in turn'
L=$S/large
mkdir -p "$L"
"$TILECUT" make vessel --size 96 --seed 3 -o "$L/scan.nrrd" --seeds-output "$L/seeds.nrrd" 2>/dev/null
"$TILECUT" make vessel --size 96 --seed 3 -o "$L/scan.raw" --seeds-output "$L/seeds.raw" 2>/dev/null
large=$L/scan.nrrd:$L/seeds.nrrd
clean='--lambda 1 --spatial 0 --islands --keep-largest --min-area 9 --fill-holes 30'
for kind in nii nii.gz tif; do
    "$TILECUT" make vessel --size 96 --seed 3 -o "$L/scan.$kind" --seeds-output "$L/seeds.$kind" 2>/dev/null &&
        large="$large $L/scan.$kind:$L/seeds.$kind"
done
seeds_found() { grep -o '"seeds": {[^[]*' "$1"; }
in_turn() { # N, memory, what it is, then options
    n=$1 most=$2 what=$3
    shift 3
    works segment "$@" -o turn.nrrd --json turn.json -q --parts "$n" --max-memory "${most}M"
    slab_figures turn.json >many
    expect "$what: the same labels" cmp -s one.nrrd turn.nrrd
    expect "$what: the same figures" cmp -s one many
    expect "$what: the same seeds" test "$(seeds_found turn.json)" = "$(seeds_found one.json)"
    expect "$what: in turn" grep -q '"in_turn": true' turn.json
    expect "$what: no more memory than allowed" test "$(value peak_bytes turn.json)" -le $((most * 1024 * 1024))
}
for case in $large; do
    in_one_part "${case%:*}" -s "${case#*:}"
    in_turn 5 40 "$(basename "${case%:*}")" "${case%:*}" -s "${case#*:}"
done
if [ -e "$L/seeds.tif" ]; then # a format of seeds that is named does not make a picture of the pages
    in_one_part "$L/scan.nrrd" -s "$L/seeds.tif:labels"
    in_turn 5 40 'pages in a named format' "$L/scan.nrrd" -s "$L/seeds.tif:labels"
fi
# shellcheck disable=SC2086 # options
in_one_part "$L/scan.nrrd" -s "$L/seeds.nrrd" $clean
# shellcheck disable=SC2086
in_turn 5 40 'cleaned' "$L/scan.nrrd" -s "$L/seeds.nrrd" $clean
in_one_part "$L/scan.nrrd" -s "$L/seeds.nrrd"
# The capacities of all parts together are 18 MB, and at most one part has its own in memory at a time.
expect 'capacities of parts that wait are on disk' test "$(value peak_bytes turn.json)" -le $((30 * 1024 * 1024))
expect 'in one part it takes more' test "$(value peak_bytes one.json)" -gt $((40 * 1024 * 1024))
in_one_part "$L/scan.raw" --size 96x48x96:i16le --fg '48,24,20' --bg '1,1,1 1,40,90' --box 2,2,3,90,40,80 --brush 2
in_turn 7 36 'raw, strokes and a box' "$L/scan.raw" --size 96x48x96:i16le --fg '48,24,20' --bg '1,1,1 1,40,90' \
    --box 2,2,3,90,40,80 --brush 2
if [ "${NIGHTLY:-}" ]; then
    head -c 884736 /dev/zero >"$L/flat.raw" # large slices: what is kept of each border counts
    set -- "$L/flat.raw" --size 216x256x16 --fg '100,100,1 110,100,14' --bg '1,1,1 1,250,14' --brush 3
    in_one_part "$@"
    in_turn 4 52 'large slices' "$@"
fi
in_one_part "$L/scan.nrrd" -s "$L/seeds.nrrd" --fg 1,1,93 --seed-conflict drop --colors none
in_turn 5 40 'conflicts in the last part' "$L/scan.nrrd" -s "$L/seeds.nrrd" --fg 1,1,93 --seed-conflict drop \
    --colors none
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" --fg '1,1,93' -o m.nrrd
conflict=$(sed 's/.*claimed/claimed/' "$ERR")
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" --fg '1,1,93' -o m.nrrd --parts 5 --max-memory 40M
expect 'conflicts are those of one part' grep -qF "${conflict:-none}" "$ERR"
rm -f one.nrrd one.json one turn.nrrd turn.json many
refused 4 'claimed by both classes'

# Parts write their labels one after the other. The file must equal the one that a single process writes.
outputs='l.nrrd l.raw l.raw.gz'
if echo "$info" | grep -q '^  NIfTI  *read'; then outputs="$outputs l.nii l.nii.gz"; fi
if echo "$info" | grep -q '^  TIFF  *read, write  *several'; then outputs="$outputs l.tif"; fi

begin 'slabs: in turn every format is written as by one process, into files and pipes'
for file in $outputs; do
    run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o "one.$file" -q
    works segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o "$file" -q --parts 5 --max-memory 40M
    expect "$file: the same file" cmp -s "one.$file" "$file"
    case ${NIGHTLY:-$file} in l.nii | l.raw) continue ;; esac # by day packed ones alone go through pipes
    mkfifo "pipe.$file"
    cat "pipe.$file" >piped &
    works segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o "pipe.$file" -q --parts 5 --max-memory 40M --invert
    wait $!
    run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o "$file" -q --invert
    expect "$file through a pipe, inverted: the same file" cmp -s "$file" piped
    expect "$file inverted: another file" differ "$file" "one.$file"
    rm -f "$file" "one.$file" "pipe.$file" piped
done
mkfifo p.raw
head -c 10 p.raw >/dev/null &
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o p.raw -q --parts 5 --max-memory 40M
wait $!
expect 'who closes a pipe has seen enough: the status of SIGPIPE' test "$status" = 141
expect 'who closes a pipe has seen enough: no word' test ! -s "$ERR"

begin 'slabs: what is said of memory in turn is enough, and not much too much'
stated() { # then options
    run segment "$@" -o m.nrrd --max-memory 3M
    sed -n 's/.* in turn, and needs \([0-9]*\)[.0-9]* MB.*/\1/p' "$ERR"
}
for case in '8 6' '4 26' ${NIGHTLY:+'24 6' '2 6' '24 26'}; do
    n=${case% *} neighbours=${case#* }
    set -- "$L/scan.nrrd" -s "$L/seeds.nrrd" --parts "$n" --connectivity "$neighbours"
    megabytes=$(stated "$@")
    works segment "$@" -o m.nrrd --json m.json -q --max-memory $(((${megabytes:-0} + 1) * 1000000 / 1024 / 1024 + 1))M
    taken=$(value peak_bytes m.json)
    expect "$case: in turn" grep -q '"in_turn": true' m.json
    expect "$case: $taken of $megabytes MB" test "${taken:-0}" -le $((${megabytes:-0} * 1000000))
    expect "$case: not a quarter more than the $taken that were taken" \
        test $((${megabytes:-0} * 1000000)) -le $((${taken:-0} * 5 / 4))
done
# Also cuts when all parts run at the same time. Slices of 33 x 33 need a grid of 64 x 64.
head -c 653400 /dev/zero >"$S/narrow.raw"
for neighbours in 6 ${NIGHTLY:+26}; do
    set -- "$S/narrow.raw" --size 33x33x600 --fg '16,16,3 16,16,590' --bg '1,1,3 1,1,590' --connectivity $neighbours
    run segment "$@" -o m.nrrd --max-memory 3M
    megabytes=$(sed -n 's/.* needs \([0-9]*\)[.0-9]* MB of memory.*/\1/p' "$ERR")
    works segment "$@" -o m.nrrd --json m.json -q --max-memory $(((${megabytes:-0} + 1) * 1000000 / 1024 / 1024 + 1))M
    taken=$(value peak_bytes m.json)
    expect "narrow, $neighbours neighbours: $taken of $megabytes MB" \
        test "${taken:-0}" -le $((${megabytes:-0} * 1000000))
done

begin 'slabs: who has too little memory is told how many parts would do'
advised() { # what, then options
    what=$1
    shift
    run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o turn.nrrd "$@"
    advice=$(sed -n 's/.*; \(--parts [0-9]* --max-memory [0-9]*M\) cuts it in parts, from disk$/\1/p' "$ERR")
    expect "$what: advice" test -n "$advice"
    refused 5 'cuts it in parts, from disk'
}
advised 'one part' --max-memory 40M
# shellcheck disable=SC2086 # two options and their arguments
works segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o turn.nrrd --json turn.json -q $advice
most=${advice##* }
expect 'it was enough' test "$(value peak_bytes turn.json)" -le $((${most%M} * 1024 * 1024))
rm -f turn.nrrd turn.json
advised 'too few parts' --max-memory 28M --parts 2
for other in '--preview p.png' '--connectivity 26' '--solver hybrid'; do
    # shellcheck disable=SC2086 # an option and its argument
    run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o turn.nrrd --max-memory 40M $other
    expect "$other: no advice where it would not do" lacks '--parts' "$ERR"
done
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o turn.nrrd --max-memory 15M
expect 'no advice where nothing would do' lacks '--parts' "$ERR"
refused 5 'of memory; at most'

begin 'slabs: in turn, but with too little disk, or one part that fails'
TMPDIR=$WORK/nowhere
export TMPDIR
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o turn.nrrd --parts 5 --max-memory 40M
unset TMPDIR
refused 5 'cannot be made for a part that waits'
for blocks in 64 8192 16384; do
    # shellcheck disable=SC2016 # expanded by the inner shell
    timeout "${TILECUT_LIMIT:-60}" sh -c 'ulimit -f $1; shift; exec "$@"' sh $blocks "$TILECUT" segment "$L/scan.nrrd" \
        -s "$L/seeds.nrrd" -o turn.nrrd --parts 5 --max-memory 40M >"$OUT" 2>"$ERR" </dev/null
    status=$? command="in turn, with files of $blocks blocks at most"
    refused 5 'room'
done
head -c 700000 "$L/scan.raw" >"$S/short.raw"
run segment "$L/scan.nrrd" -s "$S/short.raw" --size 96x96x96 -o turn.nrrd --parts 5 --max-memory 40M
refused 3 'short.raw: has 700000 bytes'
fails 4 'has no foreground seed' segment "$L/scan.nrrd" --bg 48,48,48 -o turn.nrrd --parts 5 --max-memory 40M
run segment "$L/scan.nrrd" --fg 48,48,480 --bg 1,1,1 -o turn.nrrd --parts 5 --max-memory 40M
refused 4 'which is 96x96x96; x is 0 to 95, y is 0 to 95 and z is 0 to 95'
run segment "$L/scan.nrrd" -s "$S/seeds.nrrd" -o turn.nrrd --parts 5 --max-memory 40M
refused 4 "seeds must have the scan's size"
run segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o nowhere/turn.nrrd --parts 5 --max-memory 40M
refused 1 'there is no folder nowhere'

if has_mpirun; then
    same_by_ranks() { # N, what it is, then options
        n=$1 what=$2
        shift 2
        ranks "$n" "$TILECUT" segment "$@" -o parts.nrrd --json parts.json -q --threads 1
        done_well
        slab_figures parts.json >many
        expect "$what by $n processes: the same labels" cmp -s one.nrrd parts.nrrd
        expect "$what by $n processes: the same figures" cmp -s one many
        expect "$what by $n processes: said" grep -q "\"parts\": {\"count\": $n," parts.json
    }

    begin 'slabs: 2 and 3 processes of mpirun give the labels, flow and hash of one'
    counts='2 3'
    for case in $cases; do
        in_one_part "${case%:*}" -s "${case#*:}"
        for n in $counts; do same_by_ranks "$n" "$(basename "${case%:*}")" "${case%:*}" -s "${case#*:}"; done
        [ "${NIGHTLY:-}" ] || counts=3
    done
    in_one_part "$S/v/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 --fg '13,11,9' --bg '1,1,1 1,22,18' --invert
    same_by_ranks 3 'raw' "$S/v/scan.raw" --size 28x24x20:i16 --spacing 1,1,2 --fg '13,11,9' --bg '1,1,1 1,22,18' \
        --invert
    # nearly 2^20 voxels: the range is that of all of them, and not of every second one
    seq 1 1500000 | gzip -n | tail -c +1001 | head -c 2096770 >full.raw
    in_one_part full.raw --size 127x127x65:u16 --fg '60,60,30' --bg '2,2,2' --colors none
    same_by_ranks 2 'a full sample' full.raw --size 127x127x65:u16 --fg '60,60,30' --bg '2,2,2' --colors none
    rm full.raw
    for case in $cases; do
        in_one_part "${case%:*}" -s "${case#*:}" --connectivity 26
        same_by_ranks 3 "$(basename "${case%:*}") with 26 neighbours" "${case%:*}" -s "${case#*:}" --connectivity 26
        [ "${NIGHTLY:-}" ] || break
    done
    OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo # by MPI, which is told how to carry
    export OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include
    in_one_part "$S/vessel.nrrd" -s "$S/seeds.nrrd"
    same_by_ranks 3 'MPI' "$S/vessel.nrrd" -s "$S/seeds.nrrd"
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" --bg '20,20,20' -o "$S/m.nrrd"
    unset OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include
    expect 'MPI: what all find wrong is said once' test "$(grep -c 'has no foreground seed' "$ERR")" = 1

    begin 'slabs: processes of mpirun write every format as one process does'
    for file in $outputs; do
        run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o "one.$file" -q --invert
        ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o "$file" -q --invert --threads 1
        done_well
        expect "$file: the same file" cmp -s "one.$file" "$file"
        case ${NIGHTLY:-$file} in l.nii | l.raw) continue ;; esac # by day packed ones alone go through pipes
    mkfifo "pipe.$file"
        cat "pipe.$file" >piped &
        ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o "pipe.$file" -q --invert --threads 1
        done_well
        wait $!
        expect "$file through a pipe: the same file" cmp -s "one.$file" piped
    done
    echo older >older.nrrd && chmod 640 older.nrrd
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o older.nrrd -q --invert --threads 1
    expect 'an older file is replaced' cmp -s older.nrrd one.l.nrrd
    expect 'and its mode stays' test "$(stat -c %a older.nrrd)" = 640
    mkfifo p.raw
    head -c 10 p.raw >/dev/null &
    ranks 2 "$TILECUT" segment "$L/scan.nrrd" -s "$L/seeds.nrrd" -o p.raw -q --threads 1
    wait $!
    expect 'who closes a pipe has seen enough: a failure without a word' test "$status" != 0 -a ! -s "$ERR"
    run segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --json one.json -q
    ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" --json parts.json -q --threads 1
    done_well
    expect 'labels that nobody wants have a hash' test "$(value mask_sha256 parts.json)" = \
        "$(value mask_sha256 one.json)"

    begin 'slabs: processes of mpirun clean together'
    # shellcheck disable=SC2086 # options
    in_one_part "$S/vessel.nrrd" -s "$S/seeds.nrrd" $clean
    # shellcheck disable=SC2086
    ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" $clean -o parts.nrrd -q --threads 1
    done_well
    expect 'the same labels' cmp -s one.nrrd parts.nrrd

    # There are 3 million voxels, and no process holds more than an eighth of them and two slices. The labels of the
    # whole volume would take 6 MB.
    begin 'slabs: no process of mpirun needs memory for the labels of the whole'
    head -c 3145728 /dev/zero >"$S/long.raw"
    ranks 8 "$TILECUT" segment "$S/long.raw" --size 32x32x3072 --fg '16,16,3 16,16,3000' --bg '1,1,3 1,1,3000' \
        -o m.nrrd --json m.json -q --threads 1 --max-memory 38M
    done_well
    peak=$(value peak_bytes m.json 2>/dev/null)
    expect 'no more than was allowed' test "${peak:-99999999}" -le $((36 * 1024 * 1024))
    rm -f m.nrrd m.json
    ranks 8 "$TILECUT" segment "$S/long.raw" --size 32x32x3072 --fg '16,16,3 16,16,3000' --bg '1,1,3 1,1,3000' \
        -o m.nrrd -q --threads 1 --max-memory 30M
    refused 5 'is 32x32x3072 and needs'

    begin 'slabs: what goes wrong in one process ends all, with one line and without labels'
    ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd --parts 3
    refused 2 'under mpirun each process is one part'
    ranks 3 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd --preview p.png
    refused 2 '--preview: needs the whole volume'
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd --connectivity 26 --max-memory 5M
    refused 5 'of memory; at most 5.2 MB are allowed'
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd --max-memory 2M --json "$S/why.json"
    refused 5 'of memory; at most 2.0 MB are allowed'
    expect 'and so says --json' grep -q '"error": .*at most 2.0 MB are allowed' "$S/why.json"
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o nowhere/m.nrrd
    refused 1 'there is no folder nowhere'
    # shellcheck disable=SC2016 # the rank is of the shell that mpirun starts
    as_rank='f=$1; [ "$OMPI_COMM_WORLD_RANK" = 1 ] && f=$2; shift 2; exec "$0" segment "$f" "$@" --threads 1'
    ranks 3 sh -c "$as_rank" "$TILECUT" "$S/vessel.nrrd" "$S/v/scan.nrrd" -s "$S/seeds.nrrd" -o m.nrrd
    refused 3 'is not the same file for all parts'
    ranks 3 sh -c "$as_rank" "$TILECUT" "$S/vessel.nrrd" "$S/none.nrrd" -s "$S/seeds.nrrd" -o m.nrrd
    refused 3 'none.nrrd: there is no such file'
    # shellcheck disable=SC2016
    as_rank='[ "$OMPI_COMM_WORLD_RANK" = 1 ] && set -- "$@" --fg 9,9,9; exec "$0" segment "$@" --threads 1'
    ranks 3 sh -c "$as_rank" "$TILECUT" "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd
    refused 3 'seeds are not the same for all parts'
    # Only the last process reads the missing part.
    size=$(wc -c <"$S/v/scan.raw")
    [ -f "$S/v/scan.nii" ] && head -c $((size - 2000)) "$S/v/scan.nii" >"$S/short.nii"
    if echo "$info" | grep -q '^  NIfTI  *read'; then
        ranks 3 "$TILECUT" segment "$S/short.nii" -s "$S/v/labels.nii" -o m.nii --threads 1
        refused 3 'short.nii: is cut short, the file ends within its voxels'
        ranks 2 "$TILECUT" segment "$S/v/inf.nii" -s "$S/v/labels.nii" -o m.nii --threads 1
        refused 3 'inf.nii: voxel 3,4,5 is inf'
    fi
    # shellcheck disable=SC2016
    ranks 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] && ulimit -f 0; exec "$0" segment "$@" --threads 1' "$TILECUT" \
        "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw" -o m.raw
    refused 1 'm.raw: not written'
    for file in $outputs; do # a disk that is full at last: files of 4096 bytes, in packed formats of none
        blocks=8
        case $file in *.nrrd | *.gz) blocks=0 ;; esac
        # shellcheck disable=SC2016
        as_rank='n=$1; shift; [ "$OMPI_COMM_WORLD_RANK" = 0 ] && ulimit -f $n; exec "$0" segment "$@" --threads 1'
        ranks 2 sh -c "$as_rank" "$TILECUT" $blocks "$S/vessel.raw" --size 40x40x40 -s "$S/seeds.raw" -o "$file"
        refused 1 "$file: not written: larger than files may be here"
    done
    ranks 2 "$TILECUT" segment "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o /proc/m.nrrd --threads 1
    refused 1 'm.nrrd: not written: no file may be created in the folder /proc'
    # shellcheck disable=SC2016
    ranks 3 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && kill -KILL $$; exec "$0" segment "$@"' "$TILECUT" \
        "$S/vessel.nrrd" -s "$S/seeds.nrrd" -o m.nrrd --threads 1
    expect 'a killed process: a failure' test "$status" != 0
    expect 'a killed process: nothing is left' test -z "$(ls -A)"
    # The processes end while the unfinished file exists under another name. A process that can handle its signal
    # removes the file.
    # mpirun gives it five seconds for that instead of one, which is too little for it on a busy machine.
    for who in '1 KILL' '0 TERM' '1 TERM'; do
        rm -rf "$S/seen" ./* ./.tilecut-*
        export OMPI_MCA_odls_base_sigkill_timeout=5
        # shellcheck disable=SC2016
        ranks 3 sh -c 'rank=$1 word=$2 seen=$3; shift 3
            [ "$OMPI_COMM_WORLD_RANK" = $rank ] || exec "$0" segment "$@"
            "$0" segment "$@" & child=$!
            while kill -0 $child && [ ! -e "$seen" ]; do
                ls -A | grep -q "^[.]tilecut-" && echo >"$seen" || sleep 0.02
            done 2>/dev/null
            kill -$word $child; wait $child' "$TILECUT" "${who% *}" "${who#* }" "$S/seen" "$L/scan.nrrd" \
            -s "$L/seeds.nrrd" -o m.nrrd --threads 1 --connectivity 26
        expect "$who: while the file was written" test -e "$S/seen"
        expect "$who: a failure" test "$status" != 0
        unset OMPI_MCA_odls_base_sigkill_timeout
        expect "$who: nothing is left but $(ls -A)" test -z "$(ls -A)"
    done
else
    echo "skipped: volumes over mpirun, which is not here or not in this build"
fi
