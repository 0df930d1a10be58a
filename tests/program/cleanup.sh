# SPDX-License-Identifier: MIT
#
# Cleaning the mask. The noisy scene is cut without smoothing, so that there is something to clean.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

# Draws a 16x12 photo of two greys with a speck and a hole, cut along its colours: an object of three rows, one hole,
# one speck.
draw_specks() {
    awk 'BEGIN {
        printf "P2 16 12 255\n"
        for (y = 0; y < 12; y++)
            for (x = 0; x < 16; x++) {
                object = x >= 2 && x < 9 && y >= 2 && y < 10 && !(x == 5 && y == 6)
                print object || (x == 12 && y >= 4 && y < 7) ? 220 : 30
            }
    }' >specks.pgm
}
cut_specks() {
    run specks.pgm --islands --fg 3,3 --bg '0,0 15,0' --brush 0 --lambda 0.1 --spatial 0 -o mask.pgm --json r.json "$@"
}
count_white() { tail -c 192 "$1" | tr -d '\000' | wc -c | tr -d ' '; }
regions() { value "$1" r.json; }

begin 'clean-up: each option'
draw_specks
cut_specks
done_well
expect 'nothing is cleaned unasked' test "$(count_white mask.pgm)" = 58
expect 'and the report says so' has '"cleaned": null' r.json
cp mask.pgm plain.pgm
hash=$(value mask_sha256 r.json) flow=$(value flow r.json)
for option in --keep-largest --min-area=4 --connected; do
    cut_specks "$option"
    done_well
    expect "$option drops the speck" test "$(count_white mask.pgm)" = 55
    expect "$option: counted" test "$(regions regions_dropped)-$(regions pixels_dropped)" = 1-3
    expect "$option: not the minimum cut" has '"minimum_cut": false' r.json
    expect "$option: the hash is of the mask written" test "$(value mask_sha256 r.json)" != "$hash"
    expect "$option: the cut is certified as before" test "$(value flow r.json)-$(value cut r.json)" = "$flow-$flow"
done
cut_specks --min-area 3 --fill-holes 1
done_well
expect 'the hole is filled' test "$(count_white mask.pgm)" = 59
cut_specks --fill-holes 1 --keep-largest --min-area 2 --connected
done_well
expect 'all together' test "$(count_white mask.pgm)" = 56
cut_specks --min-area 2
expect 'nothing to do: the minimum cut' has '"minimum_cut": true' r.json
expect 'and the same mask' same mask.pgm plain.pgm

begin 'clean-up: seeds stay, -v tells'
draw_specks
cut_specks --keep-largest --fg 12,5 -v
expect 'succeeds' test "$status" = 0
expect 'the seeded speck stays' test "$(count_white mask.pgm)" = 58
cut_specks --fill-holes 5 --bg 5,6 -v
expect 'the seeded hole stays' test "$(count_white mask.pgm)" = 58
expect 'a line of -v' has 'clean-up' "$ERR"
cut_specks --keep-largest -v
expect 'honest' has '1 regions of 3 pixels dropped, 0 holes of 0 filled; the mask is no longer the minimum cut' "$ERR"

begin 'clean-up: every solver and thread count gives one mask'
for solver in bk cascade push; do
    works "$P" -s "$S" --lambda 1 --spatial 0 --min-area 20 --fill-holes 20 --solver $solver --threads 2 -o $solver.png
done
expect 'bk and cascade' same bk.png cascade.png
expect 'bk and push' same bk.png push.png

begin 'clean-up: batch'
ends 0 batch "$P" -s "$S" -O out --min-area 20 --fill-holes 20 --lambda 1 -q
run "$P" -s "$S" -o one.png --min-area 20 --fill-holes 20 --lambda 1
expect 'as segment does' same one.png out/photo.png

# Draws a dark disc on a light background, and a mask that is too large a disc.
begin "snap: the outline moves to where colours change"
draw_disc() { # RADIUS INSIDE OUTSIDE
    awk -v r="$1" -v inside="$2" -v outside="$3" 'BEGIN {
        printf "P2 80 60 255\n"
        for (y = 0; y < 60; y++)
            for (x = 0; x < 80; x++)
                print (x - 40) * (x - 40) + (y - 30) * (y - 30) <= r * r ? inside : outside + (7 * x + 5 * y) % 9
    }'
}
draw_disc 18 70 150 >photo.pgm
draw_disc 20 255 0 | awk 'NR == 1 { print; next } { print($1 > 128 ? 255 : 0) }' >wide.pgm
draw_disc 18 255 0 | awk 'NR == 1 { print; next } { print($1 > 128 ? 255 : 0) }' >right.pgm
off() { # MASK: pixels that are not right
    run score "$1" right.pgm --json score.json
    value wrong score.json
}
set -- -q photo.pgm --previous wide.pgm --bg 40,9 --brush 0 --json r.json
works "$@" -o plain.pgm
hash=$(value mask_sha256 r.json) flow=$(value flow r.json)
works "$@" -o mask.pgm --snap
expect 'not the minimum cut' has '"minimum_cut": false' r.json
expect 'pixels are counted' test "$(value pixels_snapped r.json)" -gt 100
expect 'flow and cut are those of before' test "$(value flow r.json)-$(value cut r.json)" = "$flow-$flow"
expect 'the hash is of the mask written' test "$(value mask_sha256 r.json)" != "$hash"
expect 'the outline is nearer to the right one' test $((3 * $(off mask.pgm))) -lt "$(off plain.pgm)"
works "$@" -o mask1.pgm --snap --threads 1
run "$P" -s "$S" -o v.pgm --snap -v
expect 'a line of -v' has 'pixels added, ' "$ERR"
ends 0 batch "$P" -s "$S" -O out --snap --min-area 20 -q
run "$P" -s "$S" -o one.png --snap --min-area 20
expect 'as segment does' same one.png out/photo.png
expect 'every thread count gives one mask' same mask.pgm mask1.pgm
works refine photo.pgm wide.pgm -o refined.pgm --snap -q
run segment photo.pgm --mask wide.pgm -o segmented.pgm --snap -q
expect 'refining snaps as segment --mask does' same refined.pgm segmented.pgm
run batch photo.pgm --refine --mask wide.pgm -O snapped --snap -q --name "{stem}.pgm"
expect 'and as batch --refine does' same refined.pgm snapped/photo.pgm

refuses 'snap: in parts' 2 '--snap: needs the whole photo' "$P" -s "$S" --snap --parts 2 -o m.png
refuses 'clean-up: nothing to be connected to' 4 'no foreground seed' "$P" --box 10,10,30,20 --connected -o m.png
head -c 1000 /dev/zero >"$WORK/grey"
for more in '' '--parts 2'; do
    # shellcheck disable=SC2086 # no words or two
    refuses "clean-up: the same in a scan $more" 4 'no foreground seed for --connected' "$WORK/grey" --size 10x10x10 \
        --box 2,2,2,5,5,5 --connected -o m.nrrd $more
done
refuses 'clean-up: no number' 2 '--min-area' "$P" -s "$S" --min-area lots -o m.png
refuses 'clean-up: zero' 2 '--fill-holes' "$P" -s "$S" --fill-holes 0 -o m.png
