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

# bytes NUMBER VALUE: writes that many bytes of an octal value
bytes() {
    head -c "$1" /dev/zero | LC_ALL=C tr '\0' "\\$2"
}

# volume SIZES: writes the header of a volume of bytes
volume() {
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: %s\nencoding: raw\n\n' "$1"
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
        # a mask that is wrong everywhere: what a correction takes at most
        { printf 'P5\n%s\n255\n' "$size" && tail -c $pixels "$M/before.pgm" | LC_ALL=C tr '\0\377' '\377\0'; } \
            >"$M/wrong.pgm"
        case $photo in
        grey8.pgm) enough "$photo, corrected" "$@" --previous "$M/wrong.pgm" ;;
        color8.ppm) enough "$photo, by learning" "$@" --previous "$M/wrong.pgm" --learn --connectivity 8 ;;
        esac
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
        { volume '100 100 50' && bytes 1000 2 && bytes 248000 0 && bytes 1000 1 && bytes 250000 0; } >"$M/three.nrrd"
        enough "$type, seeds of three values" "$@" -s "$M/three.nrrd" --seed-conflict last --fg 3,3,0
        # the first half is foreground; seeds all over it say that it is background, and the other way round
        { volume '100 100 50' && bytes 250000 377 && bytes 250000 0; } >"$M/half.nrrd"
        set -- "$@" --bg 2,2,2 --bg 97,97,22 --fg 2,2,27 --fg 97,97,47 --previous "$M/half.nrrd"
        if test "$type" = u8; then enough "$type, corrected" "$@"; else enough "$type, by learning" "$@" --learn; fi
    done
    head -c 81920 "$M/u8" >"$M/less"
    { volume '32 32 80' && bytes 40960 377 && bytes 40960 0; } >"$M/half.nrrd"
    enough '26 neighbours, corrected' segment "$M/less" --size 32x32x80:u8 --connectivity 26 -o m.nrrd \
        --bg 1,1,1 --bg 30,30,37 --fg 1,1,42 --fg 30,30,77 --previous "$M/half.nrrd"
fi
