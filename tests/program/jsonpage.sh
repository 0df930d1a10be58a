# SPDX-License-Identifier: MIT
#
# Compares docs/guide/json.md with the output of --json. It fails if a written key is missing on the page, or if no run
# writes a key of the page.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"
json_page=$here/../../docs/guide/json.md

# page_keys SECTION: prints the keys of a section of the page, one on a line, in the form that runs write.
page_keys() { # SECTION
    awk -v section="## $1" '$0 == section { inside = 1; next } /^## / { inside = 0 } inside && /^\| `/' "$json_page" |
        sed 's/^| \([^|]*\) |.*/\1/' | grep -o '`[^`]*`' | tr -d '`' | sort -u
}
run_keys() { # FILES: leaves alone, and what stands in place of an object
    jq -r 'paths(type != "object" and type != "array" or length == 0)
        | map(if type == "number" then "[]" else . end) | join(".") | gsub("\\.\\[\\]"; "[]")' "$@" |
        sed 's/^warnings.*/warnings/; s/^calibration.*/calibration/; s/^decisions.*/decisions/' | sort -u
}
# compare_keys SECTION FILES: compares in both directions. An object that is null in one run gets its keys from another
# run; keys that need a GPU may be missing.
compare_keys() { # SECTION FILES
    section=$1
    shift
    page_keys "$section" >"$WORK/page-keys"
    run_keys "$@" >"$WORK/run-keys"
    for key in $(cat "$WORK/run-keys"); do
        grep -qxF "$key" "$WORK/page-keys" || grep -q "^$key[.[]" "$WORK/page-keys" || complain "the page lacks $key"
    done
    for key in $(cat "$WORK/page-keys"); do
        case $key in decisions | 'rows[].left_out') continue ;; esac
        grep -qxF "$key" "$WORK/run-keys" || complain "no run has written $key"
    done
    expect 'keys were compared' test "$(wc -l <"$WORK/run-keys")" -gt 5
}

if ! command -v jq >/dev/null; then
    echo 'skipped: the page about JSON: no jq'
else

begin 'json.md: segment, refine, batch, check'
run "$P" -s "$S" -o m.png --keep-largest --crop --alpha a.png --matte auto --json 1.json
run "$P" -s nothere.png -o n.png --json 2.json
run refine "$P" "$IN/truth.png" -o r.png --json 3.json
run check "$P" -s "$S" --json 4.json
run batch "$P" "$IN/nothere.png" -s "$S" -O masks --json 5.json
head -c 9216 "$here/../../images/coffee.png" >v.raw
run segment v.raw --size 12x12x64 --fg 2,2,2 --brush 1 --box 0,0,0,6,6,6 -o v.nrrd --json 6.json
head -c 3000 /dev/zero | tr '\0' 'a' | { printf 'P5 50 60 255 '; cat; } >p.pgm
run segment p.pgm --fg 9,9 --bg 40,50 -o q.pgm --parts 2 --json 7.json
run "$here/../../images/coffee.png" --fg 200,100 --brush 8 --confidence c.png -o n.png --json 8.json
"$TILECUT" make vessel --size 32 -o vessel.nrrd --seeds-output vs.nrrd
run vessel.nrrd -s vs.nrrd -o v.nrrd --confidence sure.nrrd --json 9.json
compare_keys 'segment, refine, batch, check' [1-9].json

begin 'json.md: video'
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -o make_clip "$here/make_clip.c" -lm && ./make_clip f 64 48 3
run video f.rgb --size 64x48 -s f.pgm -o masks.gray --confidence sure.gray --json 1.json
cp "$S" other.png
run video f.rgb --size 64x48 -s f.pgm -s 1:other.png -o masks.gray --json 2.json # of another size
tr '\000\200\377' '\001\000\002' <f.pgm >map.pgm
run video f.rgb --size 64x48 -s map.pgm --labels -o masks.gray --json 3.json
compare_keys video 1.json 2.json 3.json

begin 'json.md: maxflow, make, score, info, bench'
run make random --size 64 -o g.tcg --json make.json
run make ball --size 16 -o b.nrrd --json ball.json
run maxflow g.tcg --json maxflow.json
run maxflow nothere.tcg --json failed.json
"$TILECUT" "$P" -s "$S" -o m.png 2>/dev/null
mkdir one two && cp m.png one && cp m.png two
run score m.png m.png --json score.json
run score one two --json folders.json
run info --json info.json
run bench --family random --sizes 64 --runs 1 --peers none --solvers bk --json bench.json
for section in info bench; do compare_keys $section $section.json; done
compare_keys make make.json ball.json
compare_keys maxflow maxflow.json failed.json
printf 'P5 4 2 255 \001\001\002\002\001\001\002\002' >map.pgm
run score --labels map.pgm map.pgm --json labels.json
compare_keys score score.json folders.json labels.json
run labels "$P" --label sky --stroke "4,4 90,4" --label 2 --stroke "48,32" -o l.png --json l.json
head -c 512 "$P" >v.raw
run labels v.raw --size 8x8x8 --label 1 --stroke 1,1,1 --label 2 --stroke 6,6,6 --brush 1 -o l.nrrd --json v.json
run labels nothere.png --label sky --stroke "4,4 90,4" -o n.png --json n.json
compare_keys labels l.json v.json n.json

begin 'json.md: match, assign, bfs'
printf '1 1 5\n1 2 3\n2 1 7\n' >pairs.txt
for verb in match assign bfs; do
    works $verb pairs.txt -q --json $verb.json
    run $verb nothere.txt --json no-$verb.json
done
compare_keys 'match, assign' match.json no-match.json assign.json no-assign.json
compare_keys bfs bfs.json no-bfs.json

fi
