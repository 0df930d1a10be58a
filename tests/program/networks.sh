# SPDX-License-Identifier: MIT
#
# Graphs of any shape: maxflow on them, their formats.
# shellcheck shell=sh disable=SC2154

# Whether the lines of $1 are a flow of the arcs in $2 (lines 'a FROM TO CAPACITY') from $3 to $4, and its value.
check_any_flow() {
    awk -v s="$3" -v t="$4" 'NR == FNR { if ($1 == "a") room[$2, $3] += $4; next }
         $1 == "f" { used[$2, $3] += $4; net[$2] -= $4; net[$3] += $4 }
         END { for (a in used) if (used[a] > room[a] || used[a] < 0) bad++
               for (v in net) if (v != s && v != t && net[v]) bad++
               print bad + 0, net[t] + 0 }' "$2" "$1"
}

# What the arcs of $2 that cross the cut of $1 add up to; $3 is the sink.
check_any_cut() {
    awk -v t="$3" 'NR == FNR { if ($1 == "t") side[$2] = 1; next }
         FNR == 1 { side[t] = 1 }
         $1 == "a" && !side[$2] && side[$3] { cost += $4 }
         END { print cost + 0 }' "$1" "$2"
}

# A random graph that is no grid, of $1 nodes and $2 arcs, with seed $3.
draw_any() {
    awk -v n="$1" -v m="$2" -v seed="$3" 'BEGIN {
        srand(seed); print "c random\np max " n, m "\nn 1 s\nn " n " t"
        for (i = 0; i < m; i++) print "a", 1 + int(rand() * n), 1 + int(rand() * n), int(rand() * 20) }'
}

begin 'maxflow takes any graph, and every solver gives one answer'
for seed in 1 2 3 4 5; do
    draw_any 60 400 $seed >any.max
    for solver in auto $("$TILECUT" help maxflow | sed -n '/--network-solver/,/--any-shape/p' |
        sed -n 's/^ *\([a-z-]*\)  .*([A-Z].*[0-9])$/\1/p'); do
        run maxflow any.max --network-solver "$solver" --flow --cut
        done_well
        flow=$(sed -n 's/^s //p' "$OUT")
        expect "seed $seed: $solver: a flow" test "$(check_any_flow "$OUT" any.max 1 60)" = "0 $flow"
        expect "seed $seed: $solver: a cut of that cost" test "$(check_any_cut "$OUT" any.max 60)" = "$flow"
        grep '^[st]' "$OUT" >"cut.$solver"
        expect "seed $seed: $solver: the same" same cut.auto "cut.$solver"
    done
    expect "more than auto was tried" test "$(find . -name 'cut.*' | wc -l)" -gt 3
done
end

begin 'a grid is the same solved as any graph'
for family in random maze checker; do
    for extension in max bbk tcg; do
        run make "$family" --size 64 -o "g.$extension"
        run maxflow "g.$extension" --cut
        cp "$OUT" grid
        [ $extension = tcg ] && continue
        run maxflow "g.$extension" --cut --any-shape --json j.json
        expect "$family.$extension: flow and cut" same grid "$OUT"
        expect "$family.$extension: it was one" has '"nodes": 4098' j.json
    done
done
end

begin 'capacities that no grid holds are for any graph'
printf 'p max 5 4\nn 1 s\nn 2 t\na 1 3 9\na 3 4 16777216\na 4 5 16777216\na 5 2 9\n' >wide.max
run maxflow wide.max
done_well
expect 'flow' test "$(cat "$OUT")" = 's 9'
printf 'p max 2 1\nn 1 s\nn 2 t\na 1 2 4000000000000000000\n' >two.max
run maxflow two.max --flow
done_well
expect 'two nodes, 64 bits' test "$(tail -n 1 "$OUT")" = 'f 1 2 4000000000000000000'
end

begin 'lists of edges, matrices, and what gzip has packed'
printf '# a list\r\n1 2\r\n2,3\n1\t3\n3 4\n' >e.txt
run maxflow e.txt --source 1 --sink 4 --flow
done_well
expect 'flow' test "$(sed -n 's/^s //p' "$OUT")" = 1
run maxflow e.txt --source 4 --sink 1
expect 'one way' test "$(cat "$OUT")" = 's 0'
run maxflow e.txt --source 4 --sink 1 --undirected
expect 'both ways' test "$(cat "$OUT")" = 's 1'
run maxflow e.txt --source 1 --source 2 --sink 3
expect 'two sources' test "$(cat "$OUT")" = 's 2'
run maxflow e.txt
expect 'pairs are chosen, with a note' grep -q 'pairs of nodes far apart' "$ERR"
printf '%%%%MatrixMarket matrix coordinate integer general\n%% x\n3 3 3\n1 2 5\n2 3 4\n1 3 1\n' >m.mtx
run maxflow m.mtx --source 1 --sink 3
done_well
expect 'matrix' test "$(cat "$OUT")" = 's 5'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3.0\n' >r.mtx
run maxflow r.mtx --source 1 --sink 2
expect 'symmetric, real' test "$(cat "$OUT")" = 's 3'
gzip -k m.mtx
run maxflow m.mtx.gz --source 1 --sink 3
expect 'gzip' test "$(cat "$OUT")" = 's 5'
cat m.mtx.gz e.txt >tail.gz
run maxflow tail.gz
expect 'gzip: what follows is no gzip' test "$status" = 3
end
