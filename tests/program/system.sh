# SPDX-License-Identifier: MIT
#
# Full disks, closed and broken pipes, signals, memory.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

# Standard output cannot be written: the run fails with status 1 and one line.
begin 'standard output is closed'
"$TILECUT" "$P" -s "$S" >&- 2>"$ERR"
status=$? command='tilecut > closed'
: >"$OUT"
refused 1 'standard output'
"$TILECUT" --help >&- 2>"$ERR"
status=$?
refused 1 'standard output'

begin 'standard output is full'
if [ -w /dev/full ]; then
    for verb in "segment $P -s $S" "check $P -s $S" "check $P -s $S --json -" info --help --version; do
        # shellcheck disable=SC2086 # words are meant
        "$TILECUT" $verb >/dev/full 2>"$ERR"
        status=$? command="tilecut $verb > /dev/full"
        : >"$OUT"
        refused 1 'standard output'
    done
fi

begin 'nobody reads the pipe'
{
    "$TILECUT" "$P" -s "$S" 2>"$ERR"
    echo $? >"$WORK/status"
} | true
# The reader may be gone in time or not. In either case, no signal ends the program.
status=$(cat "$WORK/status")
expect 'status 0 or 1' test "$status" -le 1

begin 'a full disk'
mkdir disk
if mount -t tmpfs -o size=4k,nr_inodes=8 none disk 2>/dev/null; then
    # Leaves one page on the disk, too little for any overlay of the scene.
    head -c 4096 /dev/zero >disk/filler 2>/dev/null
    ends 1 "$P" -s "$S" -o disk/mask.png
    expect 'says why' has 'no space left' "$ERR"
    expect 'one line' test "$(wc -l <"$ERR")" = 1
    expect 'nothing left behind' test "$(ls -A disk)" = filler
    umount disk
else
    # Without the right to mount, a limit on file sizes replaces the full disk.
    echo 'skipped: no right to mount a small tmpfs; a limit on file sizes stands in'
    (
        ulimit -f 0
        exec "$TILECUT" "$P" -s "$S" -o mask.png 2>/dev/null
    )
    expect 'status 1' test $? = 1
fi
rmdir disk
expect 'no file' test -z "$(ls -A)"

begin 'a folder without the right to write'
mkdir locked
chmod 555 locked
if [ "$(id -u)" != 0 ]; then
    ends 1 "$P" -s "$S" -o locked/mask.png
    expect 'says why' has 'locked' "$ERR"
elif [ -d /proc/self ]; then
    ends 1 "$P" -s "$S" -o /proc/mask.png
    expect 'one line' test "$(wc -l <"$ERR")" = 1
fi

# The photo is a pipe without a writer, so the program waits until the signal ends it. Background jobs of a shell ignore
# SIGINT, and the program keeps the signals ignored that its parent ignores. So env has to restore the default.
begin 'signals end the program'
mkfifo pipe
default=
env --default-signal=INT true 2>/dev/null && default='env --default-signal=INT'
for signal in INT:130 TERM:143; do
    if [ -z "$default" ] && [ $signal = INT:130 ]; then
        echo 'skipped: SIGINT: env knows no --default-signal'
        continue
    fi
    $default "$TILECUT" pipe -s "$S" -o mask.png 2>"$ERR" &
    child=$!
    exec 9>pipe
    sleep 0.3
    kill -s "${signal%:*}" $child
    wait $child
    status=$?
    exec 9>&-
    expect "${signal%:*}: status" test "$status" = "${signal#*:}"
done
rm -f pipe
expect 'nothing left behind' test -z "$(ls -A)"

begin 'a picture never goes to a terminal'
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$TILECUT' '$P' -s '$S'; echo status \$?" /dev/null >"$OUT" 2>&1 </dev/null
    expect 'status 2' has 'status 2' "$OUT"
    expect 'says why' has 'terminal' "$OUT"
    script -qec "'$TILECUT' '$P' -s '$S' --json r.json; echo status \$?" /dev/null >"$OUT" 2>&1 </dev/null
    expect 'fine if something else was asked for' has 'status 0' "$OUT"
else
    echo 'skipped: terminal: there is no script(1)'
fi

# Grid and boards take 21.7 of these bytes a pixel, and the compressed photo 1.1. The program itself takes some
# megabytes.
begin 'a large photo takes few bytes a pixel'
"$TILECUT" make hussein --size 3072 -o large.ppm --seeds-output large.pgm 2>"$ERR"
works large.ppm -s large.pgm:trimap -o mask.pgm --json large.json --threads 2 -q
mb=$(($(value peak_bytes large.json) / 1000000))
expect "$mb MB: at most 20, and 24 bytes a pixel" test "$mb" -le $((20 + 24 * 9437184 / 1000000))
works large.ppm -s large.pgm:trimap -o mask.pgm --overlay over.bmp --json over.json --threads 2 -q
expect 'with another picture the same mask' test "$(value mask_sha256 large.json)" = "$(value mask_sha256 over.json)"
