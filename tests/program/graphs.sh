# SPDX-License-Identifier: MIT
#
# Graphs in files: maxflow, make, segment --save-graph.
# shellcheck shell=sh disable=SC2154

begin 'maxflow prints the flow of every format'
for extension in tcg max bbk; do
    works make maze --size 80 --corridor 3 -o "m.$extension"
    works maxflow "m.$extension"
    cp "$OUT" "flow.$extension"
done
expect 'a flow' grep -qx 's [1-9][0-9]*' flow.tcg
expect 'DIMACS: the same' same flow.tcg flow.max
expect 'bbk: the same' same flow.tcg flow.bbk
"$TILECUT" maxflow - <m.max >"$OUT" 2>"$ERR"
expect 'from standard input' same flow.tcg "$OUT"
"$TILECUT" make maze --size 80 --corridor 3 -o - 2>"$ERR" | cat >piped.tcg
expect 'to standard output' same m.tcg piped.tcg

begin 'maxflow says which side nodes are on'
printf 'c tiny\np max 5 6\nn 2 s\nn 5 t\na 2 1 9\na 1 3 2\na 3 1 2\na 3 4 8\na 4 3 8\na 4 5 7\n' >tiny.max
works maxflow tiny.max --cut --labels labels.pgm --json report.json
expect 'flow and the numbers of the file' test "$(cat "$OUT")" = 's 2
t 3
t 4'
expect 'labels' test "$(tail -c 3 labels.pgm | od -An -tu1 | tr -d ' ')" = 25500
expect 'flow in JSON' test "$(value flow report.json)" = 2
expect 'cut in JSON' test "$(value cut report.json)" = 2
expect 'certified' has '"certified": true' report.json
works maxflow tiny.max --json -
expect 'JSON alone on standard output' test "$(head -c 1 "$OUT")" = '{'

# check_flow FLOW FILE: checks that the flow lines stay within the capacities in FILE, and prints how much reaches the
# sink.
check_flow() {
    awk 'NR == FNR { if ($1 == "a") room[$2, $3] += $4
                     if ($1 == "n") { if ($3 == "s") s = $2; else t = $2 }
                     next }
         $1 == "f" { if ($4 > room[$2, $3]) bad++
                     net[$2] -= $4; net[$3] += $4 }
         END { for (v in net) if (v != s && v != t && net[v]) bad++
               print bad + 0, net[t] }' "$2" "$1"
}

begin 'maxflow --flow tells a flow'
for family in random maze checker; do
    run make "$family" --size 64 -o g.max
    works maxflow g.max --flow
    expect "$family: a flow of that value" test "$(check_flow "$OUT" g.max)" = "0 $(sed -n 's/^s //p' "$OUT")"
done
run make random --size 64 -o g.tcg
run maxflow g.tcg --flow
expect 'terminals without numbers' grep -q '^f s ' "$OUT"

begin 'maxflow: a failure is described in JSON too'
printf 'p max 4 1\nn 1 s\nn 2 t\na 3 4 x\n' >"$WORK/graph"
run maxflow "$WORK/graph" --json f.json
[ "$status" = 3 ] || show 'exit status should be 3'
expect 'code' has '"error": {"code": 3' f.json
expect 'no flow' has '"flow": null' f.json

begin 'segment --save-graph can be checked'
for extension in tcg max bbk; do
    works "$IN/photo.png" -s "$IN/seeds.png" -o mask.pgm --save-graph "g.$extension" --json run.json
    works maxflow "g.$extension" --labels labels.pgm --json flow.json
    expect "$extension: flow" test "$(value flow run.json)" = "$(value flow flow.json)"
    expect "$extension: mask" same mask.pgm labels.pgm
done
"$TILECUT" maxflow g.tcg --json flow.json >"$OUT"
expect 'quantum' test "$(value quantum run.json)" = "$(value quantum flow.json)"
run "$IN/photo.png" -s "$IN/seeds.png" -o mask.pgm --connectivity 8 --save-graph g.max --json run.json
run maxflow g.max --json flow.json
expect '8 neighbours' test "$(value flow run.json)" = "$(value flow flow.json)"

begin 'make gives photos with seeds that can be cut'
for family in hussein spot frame; do
    works make "$family" --size 96 -o photo.png --seeds-output seeds.png
    run photo.png -s seeds.png -o mask.png
    [ "$status" = 0 ] || show "$family: should succeed"
    works make "$family" --size 96 -o graph.tcg
    works maxflow graph.tcg
done
works make photo --image "$IN/photo.png" -s "$IN/seeds.png" --size 64 -o p.png --seeds-output s.png --json j.json
expect 'the shape is kept' has '"width": 78, "height": 52' j.json
works p.png -s s.png -o m.png
works make photo --image "$IN/photo.png" -s "$IN/seeds.png" --size 64 -o p.jpg --seeds-output s.png
run check p.jpg -s s.png
expect 'a photo may be a JPEG' test "$status" = 0

begin 'make is repeatable'
run make random --size 64 -o a.tcg
run make random --size 64 -o b.tcg --seed 1
run make random --size 64 -o c.tcg --seed 2
expect 'the same twice' same a.tcg b.tcg
expect 'another seed, another instance' differ a.tcg c.tcg

refuses 'make: unknown family' 2 "did you mean 'hussein'" make hussien -o a.tcg
refuses 'make: no output' 2 '-o FILE is missing' make maze
refuses 'make: picture of a graph' 2 'maze is a graph' make maze -o a.png
refuses 'make: photo without a photo' 2 '--image is missing' make photo -o a.tcg
refuses 'make: size' 2 '64 to 8192' make maze --size 63 -o a.tcg
refuses 'make: corridor' 2 'corridors of 1 to 16' make maze --size 64 --corridor 17 -o a.tcg
refuses 'make: corridor of another' 2 'maze has' make random --corridor 3 -o a.tcg
refuses 'make: extension' 2 'a.doc' make hussein -o a.doc
refuses 'make: missing folder' 1 'no folder' make maze --size 64 -o none/a.tcg
refuses 'maxflow: nothing' 2 'one GRAPH' maxflow
refuses 'maxflow: missing' 3 'no such file' maxflow missing.max
refuses 'maxflow: a photo' 3 'not a graph' maxflow "$IN/photo.png"
refuses 'maxflow: unknown solver' 2 '--solver' maxflow a.max --solver magic

# refuses_graph NAME STATUS TEXT CONTENT: a graph file with this content is refused.
refuses_graph() {
    begin "$1"
    # shellcheck disable=SC2059 # escapes are meant
    printf "$4" >"$WORK/graph"
    run maxflow "$WORK/graph"
    refused "$2" "$3"
}

refuses_graph 'DIMACS: a line is named' 3 'line 4: a capacity that is not a number' 'p max 4 1\nn 1 s\nn 2 t\na 3 4 x\n'
refuses_graph 'DIMACS: absurd counts' 3 'more arcs than the file can hold' 'p max 9 999999999999\n'
refuses_graph 'bbk: packed' 3 'snappy' 'bbq\005\005'
refuses_graph 'bbk: cut short' 3 'ends after' 'BBQ\005\005'
refuses_graph 'grid: cut short' 3 'ends after' '\211TCG\r\n\032\n'
