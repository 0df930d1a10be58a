# SPDX-License-Identifier: MIT
#
# lib.sh - helpers shared by the tests of the program; read by run.sh.
#
#   begin NAME             ends the previous test and starts a new one in an empty current folder
#   run ARGUMENTS          runs tilecut; sets $status, and writes the files out and err (outside of the folder)
#   ranks N COMMAND        like run, for a command in N processes of mpirun; has_mpirun checks if that is possible
#   refused STATUS TEXT [COMMAND]   checks that the last run, or COMMAND, has ended with STATUS, one line on standard
#                          error that contains TEXT, nothing on standard output, and no file in the folder
#   done_well              checks that the last run has ended with 0 and without output on standard error
#   ends STATUS ARGUMENTS  runs tilecut and checks only the status
#   works ARGUMENTS        run and done_well
#   fails STATUS TEXT ARGUMENTS    run and refused STATUS TEXT
#   expect WHAT COMMAND    checks that COMMAND succeeds; otherwise the test fails with the message WHAT
#   end                    prints the line of the test; run.sh calls it for the last test of a group
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # WORK and the counts are run.sh's

OUT=$WORK/out
ERR=$WORK/err
test=

begin() {
    end
    test=$1
    complaints=
    cd "$WORK" && rm -rf t && mkdir t && cd t || exit 1
}

complain() {
    complaints="$complaints
      $1"
}

run() {
    timeout "${TILECUT_LIMIT:-60}" "$TILECUT" "$@" >"$OUT" 2>"$ERR" </dev/null
    status=$?
    command="tilecut $*"
}

has_mpirun() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    command -v mpirun >/dev/null 2>&1 && "$TILECUT" info | grep -q 'mpi .*Open MPI'
}

ranks() {
    n=$1
    shift
    timeout "${TILECUT_LIMIT:-60}" mpirun -q --oversubscribe -n "$n" "$@" >"$OUT" 2>"$ERR" </dev/null
    status=$?
    command="mpirun -n $n $*"
}

show() {
    complain "$1"
    complain "ran: $command"
    complain "exit status $status, standard error: $(head -c 600 "$ERR")"
}

refused() {
    wanted_status=$1 wanted_text=$2
    shift 2
    if [ $# != 0 ]; then
        command -v "$1" >/dev/null || complain "'$1' is no command that could be refused"
        "$@"
    fi
    lines=$(wc -l <"$ERR")
    if [ "$status" != "$wanted_status" ]; then
        show "exit status should be $wanted_status"
    elif [ "$lines" != 1 ] || ! grep -q '^tilecut: ' "$ERR"; then
        show "standard error should be one line that begins with 'tilecut: '"
    elif ! grep -qF -- "$wanted_text" "$ERR"; then
        show "the message should contain '$wanted_text'"
    elif [ -s "$OUT" ]; then
        show "standard output should be empty"
    elif [ -n "$(ls -A)" ]; then
        show "left behind: $(ls -A)"
    fi
}

done_well() {
    [ "$status" = 0 ] || show "should succeed"
    [ -s "$ERR" ] && show "should say nothing"
}

ends() {
    wanted_status=$1
    shift
    run "$@"
    [ "$status" = "$wanted_status" ] || show "exit status should be $wanted_status"
}

works() {
    run "$@"
    done_well
}

fails() {
    fails_status=$1 fails_text=$2
    shift 2
    refused "$fails_status" "$fails_text" run "$@"
}

expect() {
    what=$1
    shift
    "$@" || complain "$what"
}

end() {
    if [ -z "$test" ]; then
        return
    elif [ -z "$complaints" ]; then
        passed=$((passed + 1))
        echo "ok    $test"
    else
        failed=$((failed + 1))
        echo "FAIL  $test$complaints"
    fi
    test=
}

# refuses NAME STATUS TEXT ARGUMENTS: a whole test of one refusal.
refuses() {
    begin "$1"
    shift
    fails "$@"
}

# asleep PROCESS: waits until all threads of a process sleep, five times in a row. It is then waiting for input and has
# handled every signal.
asleep() { # PROCESS
    looks=0 tries=0
    while [ $looks -lt 5 ] && [ $tries -lt 600 ]; do
        looks=$((looks + 1)) tries=$((tries + 1))
        [ -z "$(sed 's/.*) //; /^S/d' /proc/"$1"/task/*/stat 2>/dev/null)" ] || looks=0
        sleep 0.1
    done
}

# Succeeds if the program is built with a sanitizer of gcc or clang.
sanitized() { grep -qa -e __asan_init -e __tsan_init -e __ubsan_handle "$TILECUT"; }

has() { grep -qF -- "$1" "$2"; }
lacks() { [ -e "$2" ] && ! has "$1" "$2"; }
same() { cmp -s "$1" "$2"; }
differ() { [ -e "$1" ] && [ -e "$2" ] && ! same "$1" "$2"; }

# value KEY FILE: prints the value of a top-level key of a JSON report, without quotes.
value() { sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }

# close_to_truth MASK: succeeds if the mask is right in all but a few pixels of the scene.
close_to_truth() {
    rate=$("$TILECUT" score --json - "$1" "$IN/truth.png" 2>/dev/null | sed -n 's/.*"error_rate": \([0-9.e-]*\).*/\1/p')
    [ -n "$rate" ] && awk "BEGIN { exit !($rate < 0.01) }"
}
