#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Follows docs/design/adding-*.md literally in a copy of the tree: takes the file and the table row from each page,
# builds with warnings as errors, and uses the new part. Each page promises that this file and this row are enough.
set -u
cd "$(dirname "$0")/.." || exit 1

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
die() { echo "walkthrough: $1"; exit 1; }

mkdir "$dir/tree"
git ls-files -z --cached --others --exclude-standard 2>/dev/null | xargs -0 -r cp --parents -t "$dir/tree" 2>/dev/null
[ -f "$dir/tree/Makefile" ] || cp -R . "$dir/tree"

# follow PAGE: writes the file that the page's heading names, and appends its row to the table named above it.
follow() {
    page=docs/design/$1.md
    file=$(sed -n 's/^## The file: `\(.*\)`$/\1/p' "$page")
    table=$(sed -n 's/^In `\(.*\.def\)`.*:$/\1/p' "$page")
    row=$(sed -n 's/^    \([A-Z_]*(.*)\)$/\1/p' "$page")
    [ "$file" ] && [ "$table" ] && [ "$row" ] || die "$page has lost its file, its table or its row"
    [ ! -e "$file" ] && [ -f "$table" ] || die "$page: $file is there already, or $table is not"
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$dir/tree/$file"
    echo "$row" >>"$dir/tree/$table"
}

for page in docs/design/adding-*.md; do follow "$(basename "$page" .md)"; done
make -j"$(nproc 2>/dev/null || echo 2)" -C "$dir/tree" CUDA=0 WERROR=1 all >"$dir/log" 2>&1 || {
    tail -n 30 "$dir/log"
    die 'what the pages add does not build'
}
tilecut=$dir/tree/tilecut images=$dir/tree/images
cut() { "$tilecut" segment "$@" || die "cannot cut with $*"; }

# A solver: gives the masks of `bk` in both neighbourhoods.
"$tilecut" make photo --image "$images/chelsea.png" -s "$images/chelsea_seeds.png" --size 64 -o "$dir/photo.ppm" \
    --seeds-output "$dir/seeds.pgm" >/dev/null || die 'cannot make a small photo'
for neighbours in 4 8; do
    for solver in bk paths; do
        cut "$dir/photo.ppm" -s "$dir/seeds.pgm" --connectivity $neighbours --solver $solver -o "$dir/$solver.png"
    done
    cmp "$dir/bk.png" "$dir/paths.png" || die "the solver of the page differs from bk with $neighbours neighbours"
done

# A GPU solver: has its row, compiles if there is nvcc, and reports its absence in a build without CUDA.
"$tilecut" help segment --all | grep -q 'cuda-eager ' || die '--help does not list the GPU solver of the page'
status=0
"$tilecut" segment "$dir/photo.ppm" -s "$dir/seeds.pgm" --solver cuda-eager -o "$dir/eager.png" 2>"$dir/said" ||
    status=$?
[ $status = 5 ] && grep -q 'without CUDA' "$dir/said" ||
    die "the GPU solver of the page ends with $status: $(cat "$dir/said")"
if make -C "$dir/tree" CUDA=1 config 2>/dev/null | grep -q '^  nvcc  *yes'; then
    make -C "$dir/tree" CUDA=1 CUDA_ARCH=90 BUILD=build/gpu build/gpu/cuda/ladder/eager.cu.o >"$dir/log" 2>&1 || {
        tail -n 30 "$dir/log"
        die 'the GPU solver of the page does not compile'
    }
else
    echo 'walkthrough: skipped: no nvcc, so the GPU solver of the page is not compiled'
fi

# A picture format: gives the same mask as the photo in PNG.
"$tilecut" help segment --all >"$dir/help"
printf 'farbfeld\0\0\0\002\0\0\0\001\377\377\0\0\0\0\377\377\0\0\0\0\0\0\377\377' >"$dir/two.ff"
"$tilecut" size "$dir/two.ff" >"$dir/said" || die 'the format of the page cannot be read'
[ "$(cat "$dir/said")" = "2 1 $dir/two.ff" ] || die "the format or the verb of the page says $(cat "$dir/said")"
# Eight rows of four white and four black pixels, cut as a whole and in parts: the white half is foreground.
{
    printf 'farbfeld\0\0\0\010\0\0\0\010'
    for _ in 1 2 3 4 5 6 7 8; do
        for v in 377 377 377 377 000 000 000 000; do printf %b "\\0$v\\0$v\\0$v\\0$v\\0$v\\0$v\\0377\\0377"; done
    done
} >"$dir/half.ff"
for parts in 1 2 3; do
    cut "$dir/half.ff" --fg '1,1 1,6' --bg '6,1 6,6' --brush 0.5 --parts $parts -q -o "$dir/half.pgm"
    [ "$(tail -c 64 "$dir/half.pgm" | od -An -v -tu1 | tr -s ' \n' '\n\n' | grep -c 255)" = 32 ] ||
        die "the format of the page gives another mask in $parts parts"
done
# The same picture as a scan of one slice.
cut "$dir/half.ff" --channel 1 --fg '1,1 1,6' --bg '6,1 6,6' --brush 0.5 -q -o "$dir/slice.pgm"
cmp "$dir/half.pgm" "$dir/slice.pgm" || die 'the format of the page gives another mask as a scan'
"$tilecut" info | grep -q farbfeld || die 'info does not list the format of the page'

# A verb: is in the overview, the completions and the man pages.
"$tilecut" --help | grep -q '^  tilecut size ' || die '--help does not list the verb of the page'
sh tools/completions bash "$tilecut" | grep -q -- ' size' || die 'the completion does not know the verb of the page'
sh tools/manual "$tilecut" size | grep -q 'how large pictures are' || die 'the verb of the page has no man page'

# A seeds format: works for a photo, for the same photo in parts, and for a volume.
"$tilecut" help segment --all | grep -q ' signs ' || die '--help does not list the seeds format of the page'
printf 'P5 3 4 255\n\001\001\001\200\200\200\010\010\010\001\001\001' >"$dir/rows.pgm"
printf 'P5 3 4 255\n\001\000\000\377\000\000\377\000\000\000\000\000' >"$dir/signs.pgm"
cut "$dir/rows.pgm" -s "$dir/signs.pgm:signs" -o "$dir/whole.pgm"
cut "$dir/rows.pgm" -s "$dir/signs.pgm:signs" -o "$dir/parts.pgm" --parts 2
cmp "$dir/whole.pgm" "$dir/parts.pgm" || die 'the seeds format of the page reads other seeds in parts'
printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 2 2\nencoding: raw\n\n' | tee "$dir/rows.nrrd" >"$dir/signs.nrrd"
for name in rows signs; do tail -c 12 "$dir/$name.pgm" >>"$dir/$name.nrrd"; done
cut "$dir/rows.nrrd" -s "$dir/signs.nrrd:signs" -o "$dir/mask.nrrd"
cut "$dir/rows.nrrd" -s "$dir/signs.nrrd:signs" -o "$dir/slabs.nrrd" --parts 2
cmp "$dir/mask.nrrd" "$dir/slabs.nrrd" || die 'the seeds format of the page reads other seeds in parts of a scan'

# A colour model: is listed, and gives a mask.
cut "$images/tulips.png" -s "$images/tulips_seeds.png" --colors mean -o "$dir/mean.png"
"$tilecut" help segment --all | grep -q 'mean ' || die '--help does not list the colour model of the page'

# The solver and the colour model also cut a photo in parts, a scan, and a scan in parts.
cut "$dir/photo.ppm" -s "$dir/seeds.pgm" --solver bk -q -o "$dir/bk.pgm"
cut "$dir/photo.ppm" -s "$dir/seeds.pgm" --solver paths --parts 2 -q -o "$dir/paths.pgm"
cmp "$dir/bk.pgm" "$dir/paths.pgm" || die 'the solver of the page gives a photo in parts another mask'
for parts in 1 3; do
    cut "$dir/photo.ppm" -s "$dir/seeds.pgm" --colors mean --parts $parts -q -o "$dir/mean$parts.pgm"
done
cmp "$dir/mean1.pgm" "$dir/mean3.pgm" || die 'the colour model of the page gives a photo in parts another mask'
{
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 12 12 6\nencoding: raw\n\n'
    printf %b "$(awk 'BEGIN { for (i = 0; i < 864; i++) printf "\\0%03o", (i % 12 < 6 ? 130 : 80) + i * 37 % 71 }')"
} >"$dir/scan.nrrd"
for options in '--solver bk' '--solver paths' '--solver paths --parts 3' '--colors mean' '--colors mean --parts 3'; do
    # shellcheck disable=SC2086 # several words are meant
    cut "$dir/scan.nrrd" --fg '2,2,1 2,9,4' --bg '9,2,1 9,9,4' --brush 1 -q -o "$dir/now.nrrd" $options
    case $options in
    '--solver bk' | '--colors mean') mv "$dir/now.nrrd" "$dir/first.nrrd" ;;
    *) cmp "$dir/first.nrrd" "$dir/now.nrrd" || die "what the pages add gives a scan another mask with $options" ;;
    esac
done
echo "walkthrough: $(ls docs/design/adding-*.md | wc -l) pages followed, each a file and a row"
