# SPDX-License-Identifier: MIT
#
# The verbs check and info, threads by default.
# shellcheck shell=sh disable=SC2154

begin 'check says what was understood'
run check "$IN/photo.png" -s "$IN/seeds.png"
done_well
expect 'photo' has 'PNG, 96x64, RGB, 8 bits' "$OUT"
expect 'seeds' has 'read as color' "$OUT"
expect 'counts' has '136 foreground' "$OUT"
run check "$IN/exif_6.jpg" -s "$IN/trimap.png"
done_well
expect 'orientation' has 'orientation 6, applied' "$OUT"
expect 'trimap' has 'read as trimap' "$OUT"
run check "$IN/photo.png" -s "$IN/seeds.png" --json -
done_well
expect 'JSON only' test "$(wc -l <"$OUT")" = 1
expect 'JSON of the seeds' has '"foreground": 136' "$OUT"
end

refuses 'check refuses as segment does' 4 'background' check "$IN/photo.png" -s "$IN/only_fg.png"
refuses 'check: missing photo' 3 'missing.png' check missing.png -s "$IN/seeds.png"

begin 'info'
run info
done_well
for word in solvers 'colour models' devices formats build PNG JPEG PNM bk hist cpu; do
    expect "$word" has "$word" "$OUT"
done
run info --json -
done_well
expect 'JSON' has '"solvers": [{"name": "bk"' "$OUT"
end

begin 'threads by default'
OMP_NUM_THREADS=3 "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
expect 'OMP_NUM_THREADS' test "$(value threads "$OUT")" = 3
OMP_NUM_THREADS=many "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
expect 'a note on nonsense' has "tilecut: note: OMP_NUM_THREADS: 'many'" "$ERR"
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
    taskset -c 0 "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
    expect 'affinity' test "$(value threads "$OUT")" = 1
fi
end
