# SPDX-License-Identifier: MIT
#
# Full disks, closed and broken pipes, signals.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

# A stream that refuses to be written: the run fails with status 1 and one line.
begin 'standard output is closed'
"$TILECUT" "$P" -s "$S" >&- 2>"$ERR"
status=$? command='tilecut > closed'
: >"$OUT"
refused 1 'standard output'
"$TILECUT" --help >&- 2>"$ERR"
status=$?
refused 1 'standard output'
end

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
end

begin 'nobody reads the pipe'
{
    "$TILECUT" "$P" -s "$S" 2>"$ERR"
    echo $? >"$WORK/status"
} | true
# Whether the reader is gone in time is a race; either way there is no death by a signal.
status=$(cat "$WORK/status")
expect 'status 0 or 1' test "$status" -le 1
end

begin 'a full disk'
mkdir disk
if mount -t tmpfs -o size=4k,nr_inodes=8 none disk 2>/dev/null; then
    # One page: enough for no overlay of the scene.
    head -c 4096 /dev/zero >disk/filler 2>/dev/null
    run "$P" -s "$S" -o disk/mask.png
    expect 'status 1' test "$status" = 1
    expect 'says why' has 'no space left' "$ERR"
    expect 'one line' test "$(wc -l <"$ERR")" = 1
    expect 'nothing left behind' test "$(ls -A disk)" = filler
    umount disk
else
    # Without the right to mount, a limit on the size of files stands in for it.
    echo 'skipped: no right to mount a small tmpfs; a limit on file sizes stands in'
    (
        ulimit -f 0
        exec "$TILECUT" "$P" -s "$S" -o mask.png 2>/dev/null
    )
    expect 'status 1' test $? = 1
fi
rmdir disk
expect 'no file' test -z "$(ls -A)"
end

begin 'a folder without the right to write'
mkdir locked
chmod 555 locked
if [ "$(id -u)" != 0 ]; then
    run "$P" -s "$S" -o locked/mask.png
    expect 'status 1' test "$status" = 1
    expect 'says why' has 'locked' "$ERR"
elif [ -d /proc/self ]; then
    run "$P" -s "$S" -o /proc/mask.png
    expect 'status 1' test "$status" = 1
    expect 'one line' test "$(wc -l <"$ERR")" = 1
fi
end

# The photo never comes, so the program waits in read(); then the signal ends it.
begin 'signals end the program'
mkfifo pipe
for signal in INT:130 TERM:143; do
    # A background job of a shell ignores SIGINT, and so do we then; env -i cannot undo that, setsid and a
    # trap in a subshell of its own can.
    (
        trap - INT TERM
        exec "$TILECUT" pipe -s "$S" -o mask.png
    ) 2>"$ERR" &
    child=$!
    exec 9>pipe
    sleep 0.3
    kill -s "${signal%:*}" $child
    [ "${signal%:*}" = INT ] && sleep 0.3 && kill -s TERM $child 2>/dev/null
    wait $child
    status=$?
    exec 9>&-
    [ "${signal%:*}" = TERM ] && expect "${signal%:*}: status" test "$status" = "${signal#*:}"
done
rm -f pipe
expect 'nothing left behind' test -z "$(ls -A)"
end
