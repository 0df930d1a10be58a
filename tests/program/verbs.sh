# SPDX-License-Identifier: MIT
#
# The verbs check and info, and the default number of threads.
# shellcheck shell=sh disable=SC2154

begin 'check says what was understood'
works check "$IN/photo.png" -s "$IN/seeds.png"
expect 'photo' has 'PNG, 96x64, RGB, 8 bits' "$OUT"
expect 'seeds' has 'read as color' "$OUT"
expect 'counts' has '136 foreground' "$OUT"
works check "$IN/exif_6.jpg" -s "$IN/trimap.png"
expect 'orientation' has 'orientation 6, applied' "$OUT"
expect 'trimap' has 'read as trimap' "$OUT"
works check "$IN/photo.png" -s "$IN/seeds.png" --json -
expect 'JSON only' test "$(wc -l <"$OUT")" = 1
expect 'JSON of the seeds' has '"foreground": 136' "$OUT"

refuses 'check refuses as segment does' 4 'background' check "$IN/photo.png" -s "$IN/only_fg.png"
refuses 'check: missing photo' 3 'missing.png' check missing.png -s "$IN/seeds.png"

begin 'info'
works info
for word in solvers 'colour models' devices formats build PNG JPEG PNM bk hist cpu; do
    expect "$word" has "$word" "$OUT"
done
# Each line has two blanks, a name, and its description, which begins in the same column everywhere.
grep '^  ' "$OUT" | grep -vE '^  .{13} [^ ]' >crooked
grep '^  ' "$OUT" | cut -c 3-15 | grep -E '[^ ]  +[^ ]' >>crooked
expect "columns are straight: $(cat crooked)" test ! -s crooked
works info --json -
expect 'JSON' has '"solvers": [{"name": "bk"' "$OUT"

begin 'info --calibrate'
XDG_CACHE_HOME=$PWD/cache "$TILECUT" info --calibrate --json - >"$OUT" 2>"$ERR"
status=$? command='tilecut info --calibrate'
expect 'status' test $status = 0
expect 'says where' has 'cache/tilecut/calibration' "$ERR"
expect 'figures' has '"cpu_ns": ' "$OUT"
expect 'whole' test "$(tail -n 1 cache/tilecut/calibration)" = end
XDG_CACHE_HOME=$PWD/cache "$TILECUT" info >"$OUT" 2>"$ERR"
expect 'found again' has 'measured on this machine' "$OUT"
expect 'no note' test ! -s "$ERR"
echo nonsense >cache/tilecut/calibration
XDG_CACHE_HOME=$PWD/cache "$TILECUT" info >"$OUT" 2>"$ERR"
expect 'nonsense is ignored' has 'guesses' "$OUT"
expect 'with one note' test "$(grep -c 'tilecut: note:' "$ERR")" = 1
XDG_CACHE_HOME=/dev/null "$TILECUT" info --calibrate >"$OUT" 2>"$ERR"
status=$? command='tilecut info --calibrate in /dev/null'
rm -r cache
refused 1 '/dev/null/tilecut'

begin 'auto stays on the CPU where there is no GPU'
if "$TILECUT" info | grep -q 'cuda  *not in this build'; then
    works "$IN/photo.png" -s "$IN/seeds.png" --device auto --json -
    expect 'cpu' has '"device": "cpu", "fallback": false' "$OUT"
    fails 5 'built without CUDA' "$IN/photo.png" -s "$IN/seeds.png" --device cuda
fi

begin 'threads by default'
OMP_NUM_THREADS=3 "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
expect 'OMP_NUM_THREADS' test "$(value threads "$OUT")" = 3
OMP_NUM_THREADS=many "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
expect 'a note on nonsense' has "tilecut: note: OMP_NUM_THREADS: 'many'" "$ERR"
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
    taskset -c 0 "$TILECUT" "$IN/photo.png" -s "$IN/seeds.png" --json - >"$OUT" 2>"$ERR"
    expect 'affinity' test "$(value threads "$OUT")" = 1
fi
