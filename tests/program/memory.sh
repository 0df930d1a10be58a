# SPDX-License-Identifier: MIT
#
# Compares the memory that the program says it needs with its real peak. The named need may be at most a tenth below the
# peak, and at most half of the peak above it. `check` with the same options has to name the same need.
# shellcheck shell=sh
# shellcheck disable=SC2154 # set in lib.sh and run.sh
M=$WORK/memory
mkdir -p "$M"
pictures=$here/../../images

# enough WHAT VERB FILE OPTIONS: reads from a refusal how much memory the program says it needs, then runs it and
# compares that with what it took.
enough() {
    what=$1
    shift
    run "$@" --max-memory 1M
    need=$(sed -n 's/.* needs \([0-9]*\)[.0-9]* MB of memory.*/\1/p' "$ERR")
    shift
    run check "$@"
    said=$(sed -n 's/^memory  *about \([0-9]*\) MB to cut it.*/\1/p' "$OUT")
    expect "$what: check says $said MB, segment $need" test $((${said:-0} - ${need:-9999})) -ge 0 -a \
        $((${said:-9999} - ${need:-0})) -le 1
    works segment "$@" --json m.json -q --threads 2 --device cpu
    taken=$(value peak_bytes m.json)
    expect "$what: $taken bytes, and $need MB were named" test "${taken:-0}" -le $((${need:-0} * 1100000))
    expect "$what: $need MB were named for $taken bytes" test $((${need:-9999} * 1000000)) -le $((${taken:-0} * 3 / 2))
}

begin 'memory: what is said of photos and volumes is enough, and not much too much'
if sanitized; then
    echo 'skipped: what is said of memory, with a sanitizer'
else
    "$TILECUT" make photo --image "$pictures/coffee.png" -s "$pictures/coffee_seeds.png" --size 640 -o "$M/p.ppm" \
        --seeds-output "$M/s.pgm" 2>/dev/null
    size=$(head -n 2 "$M/p.ppm" | tail -n 1)
    pixels=$((${size% *} * ${size#* }))
    # the bytes of colours as samples of 8 and 16 bits, grey and in colour
    { printf 'P5\n%s\n255\n' "$size" && tail -c $pixels "$M/p.ppm"; } >"$M/grey8.pgm"
    { printf 'P5\n%s\n65535\n' "$size" && tail -c $((2 * pixels)) "$M/p.ppm"; } >"$M/grey16.pgm"
    cp "$M/p.ppm" "$M/color8.ppm"
    tail -c $((3 * pixels)) "$M/p.ppm" >"$M/samples"
    { printf 'P6\n%s\n65535\n' "$size" && cat "$M/samples" "$M/samples"; } >"$M/color16.ppm"
    for photo in grey8.pgm grey16.pgm color8.ppm color16.ppm; do
        set -- segment "$M/$photo" -s "$M/s.pgm" -o m.pgm
        enough "$photo" "$@"
        enough "$photo, 8 neighbours" "$@" --connectivity 8
        enough "$photo, how sure" "$@" --confidence sure.png
        enough "$photo, matting" "$@" --cutout cut.png --matte auto
        run segment "$M/$photo" -s "$M/s.pgm" -o "$M/before.pgm" -q
        enough "$photo, refined" segment "$M/$photo" --mask "$M/before.pgm" -o m.pgm
    done
    tail -c 1000000 "$M/p.ppm" >"$M/u16"
    tail -c 500000 "$M/p.ppm" >"$M/u8"
    for type in u8 u16; do
        for more in '' '--confidence sure.nrrd'; do
            # shellcheck disable=SC2086 # an option and its value
            enough "$type $more" segment "$M/$type" --size 100x100x50:$type --fg 50,50,25 --bg 3,3,3 -o m.nrrd $more
        done
        run segment "$M/$type" --size 100x100x50:$type --fg 50,50,25 --bg 3,3,3 -o "$M/$type.nrrd" -q
        set -- segment "$M/$type" --size 100x100x50:$type -o m.nrrd
        enough "$type, refined" "$@" --mask "$M/$type.nrrd"
        printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 100 100 50\nencoding: raw\n\n' >"$M/three.nrrd"
        { head -c 1000 /dev/zero | tr '\0' '\2' && head -c 248000 /dev/zero && head -c 1000 /dev/zero | tr '\0' '\1' &&
            head -c 250000 /dev/zero; } >>"$M/three.nrrd"
        enough "$type, seeds of three values" "$@" -s "$M/three.nrrd" --seed-conflict last --fg 3,3,0
    done
fi
