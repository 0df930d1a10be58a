# SPDX-License-Identifier: MIT
#
# Checks that the docs mention only options of the program, that the files they name exist, and that their commands run.
# shellcheck shell=sh disable=SC2154

texts=$here/../..

begin 'SECURITY.md names no address that nobody reads'
security=$here/../../SECURITY.md
expect 'the page of the host' has 'security page of the place where the source is hosted' "$security"
no_address() { ! grep -qiE '[a-z0-9._-]+@[a-z0-9.-]+|\.(invalid|example|test|localhost)\b' "$1"; }
expect 'no address' no_address "$security"

begin 'options named in README and docs exist'
for verb in $("$TILECUT" --help | awk '/^  tilecut / && $2 != "help" { print $2 }'); do
    "$TILECUT" help $verb --all
done | grep -oE -- '--[a-z][a-z-]*' | sort -u >known
"$TILECUT" --help | grep -oE -- '--[a-z][a-z-]*' >>known
printf '%s\n' --help --all --version >>known
printf '%s\n' --export-filename --export-width --core --conf >>known # of Inkscape and darktable, in recipes.md
echo '--array' >>known # of Slurm's sbatch, in pipelines.md
printf "%s\n" --system-site-packages --rm >>known # of Python, in the README, and of docker
printf '%s\n' --only --rounds >>known # of tools/bench-record, in benchmark.md
# Also collects the options of the robot, which quality.md mentions.
grep -ohE '"--[a-z][a-z-]+"' "$texts"/tools/robots/*.py "$texts"/tools/evaluate-confidence | tr -d '"' >>known
expect 'help names options' test "$(wc -l <known)" -gt 40
for text in "$texts"/README.md "$texts"/docs/guide/*.md; do
    # Leaves out lines about pkg-config, which show its options, and refusals of options that do not exist.
    for option in $(grep -v -e pkg-config -e 'no such option' "$text" |
        grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' |
        sort -u); do
        expect "${text##*/}: $option is an option" grep -qxF -- "$option" known
    done
done

begin 'links of the pages lead somewhere, to headings, too'
/usr/bin/python3 "$texts/tools/site/stage" --check >links
expect "links: $(head -n 3 links | paste -s -d ' ' -)" test $? = 0

# Programs of the build are looked up by their source files. The lab pages are left out, because they mention removed
# files, and so are pages that add a file.
begin 'tests, tools and sources that the pages name are there'
(cd "$texts" && for page in README.md CONTRIBUTING.md docs/guide/*.md docs/design/*.md; do
    [ "${page#docs/design/adding-}" = "$page" ] || continue
    grep -ohE '(build/[a-z]+/)?(tests|tools|src|cuda)/[A-Za-z0-9_/.-]*[A-Za-z0-9_]' "$page" | sort -u |
        while read -r named; do
            path=${named#build/*/}
            for real in "$path" "$path.c" "$path.cpp" "$path.h"; do [ -e "$real" ] && continue 2; done
            echo "$page: $named"
        done
done) >absent
expect "not there: $(head -n 5 absent | paste -s -d ' ' -)" test ! -s absent

# Runs every command of these pages for the program, in order, in a folder with the photos. readme.sh runs the commands
# of the README that build, install and compile; tests/browser runs those that open a browser.
for page in README.md docs/guide/tutorial.md docs/guide/gallery.md docs/guide/beside.md docs/guide/using.md \
    docs/guide/wrong-mask.md docs/guide/graphs.md docs/guide/labels.md; do
begin "commands of $page run as written"
rm -rf "$WORK/readme"
mkdir -p "$WORK/readme/docs/img"
cp -r "$texts/images" "$WORK/readme"
cp -r "$texts/docs/img/photos" "$WORK/readme/docs/img"
ln -s "$TILECUT" "$WORK/readme/tilecut"
# A smaller photo of fur replaces the largest one, because this test is about words.
sed -n '/^    [^ ]/p; /^        [^ ]/p' "$texts/$page" |
    sed 's/^    //; s/dandelion\.jpg/chelsea.png/; s/dandelion_/chelsea_/' |
    sed -e ':again' -e '/\\$/{N; s/\\\n *//; t again' -e '}' | grep -E '^(\./tilecut|cat) ' |
    grep -v '^\./tilecut edit ' >"$WORK/commands"
ran=0
while IFS= read -r command; do
    case $command in
    *mask.png\ truth.png*) cp "$WORK/readme/mask.png" "$WORK/readme/truth.png" ;;
    *\ other.png*)
        (cd "$WORK/readme" && ./tilecut segment -q images/coffee.png -s images/coffee_seeds.png -o other.png)
        ;;
    esac
    made=$(echo "$command" | grep -oE -- '(-o|--cutout|--overlay|>) [a-z]+\.[a-z]+' | sed 's/.* //')
    # shellcheck disable=SC2086 # several names are meant
    (cd "$WORK/readme" && rm -f $made && eval "$command" >"$OUT" 2>"$ERR")
    status=$?
    ran=$((ran + 1))
    [ "$status" = 0 ] || show "$command: should succeed"
    ! grep -q 'no seed contradicts it' "$ERR" || show "$command: corrects nothing"
    # Checks that the files named by -o, --cutout and --overlay have been made.
    for file in $made; do
        [ -s "$WORK/readme/$file" ] || show "$command: no $file"
    done
done <"$WORK/commands"
expect "commands: $ran" test "$ran" -ge 1
! grep -q ' batch ' "$WORK/commands" || expect 'masks of a batch' test -s "$WORK/readme/masks/coffee.png"
done

# Pages whose commands use the reader's own files: this test makes small ones. Commands that need several hosts or GPUs,
# another program, or a browser are left out.
begin 'commands of the pages about files of your own run as written'
mkdir photos truths scans seeds
cp -r "$texts/images" .
"$TILECUT" images/coffee.png -s images/coffee_seeds.png -q -o truth.png --cutout photo.jpg --background teal
cp photo.jpg photos/p1.jpg
cp truth.png truths/p1.png
cp images/coffee_seeds.png seeds/p1.png
"$TILECUT" refine photo.jpg truth.png -q -o drawn.json --format labelme
shape='{"label": "background", "shape_type": "polygon", "points": [[2, 2], [20, 2], [20, 380], [2, 380]]}'
sed -i "s/\"shapes\": *\[/&$shape, /" drawn.json
"$TILECUT" refine photos/p1.jpg truth.png -q -o many.json --format coco
cp many.json results.json
"$TILECUT" make photo --image images/coffee.png -s images/coffee_seeds.png --size 1024 -o slide.ppm \
    --seeds-output strokes.pgm >/dev/null
"$TILECUT" make ball --size 64 -o scan.nii.gz --seeds-output seeds.nii.gz >/dev/null
cp scan.nii.gz scans/a.nii.gz
cp seeds.nii.gz seeds/a.nii.gz
cp slide.ppm huge.ppm
"$TILECUT" scan.nii.gz -s seeds.nii.gz -q -o truth.nii.gz
cp truth.nii.gz network.nii.gz
cp truth.nii.gz kidney.nii.gz
# Makes a film of 40 frames in which a bright square moves to the right, its first five frames, and strokes for some of
# them.
mkdir frames
/usr/bin/python3 - <<'END'
def frame(n, on, off):
    return b"".join(on if 8 <= y < 24 and 4 + n <= x < 20 + n else off for y in range(36) for x in range(64))
def write(name, *what):
    open(name, "wb").write((b"P5" if len(what[1]) == 1 else b"P6") + b" 64 36 255\n" + frame(*what))
for n in range(5):
    write(f"frames/{n}.pgm", n, b"\xc8", b"<")
with open("film.y4m", "wb") as film:
    film.write(b"YUV4MPEG2 W64 H36 F25:1 Cmono\n")
    film.writelines(b"FRAME\n" + frame(n, b"\xc8", b"<") for n in range(40))
for name, n in ("strokes", 0), ("body", 12), ("later", 36):
    write(f"{name}.png", n, b"\0\xff\0", b"\xff\0\0")
write("network.png", 0, b"\2", b"\1")
END
printf '%s\n' '1 background #000000' '2 square #ff0000' >names.txt
for page in annotations parts pipelines volumes scan video; do
    sed -n '/^    [^ ]/p' "$texts/docs/guide/$page.md" | sed 's/^    //' |
        sed -e ':again' -e '/\\$/{N; s/\\\n *//; t again' -e '}' | grep '^tilecut ' |
        grep -v -e cuda -e ' bench ' -e ' edit ' -e grid.max -e 'slide.tif' -e 'field\.' |
        sed -e 's/  \{2,\}[a-z#].*//' >"$WORK/commands"
    ran=0
    while IFS= read -r command; do
        case $command in *--labels*) cp network.png first.png ;; *) cp strokes.png first.png ;; esac
        (tilecut() { "$TILECUT" "$@"; } && eval "$command" >"$OUT" 2>"$ERR")
        status=$?
        ran=$((ran + 1))
        [ "$status" = 0 ] || show "$page.md: $command: should succeed"
    done <"$WORK/commands"
    expect "$page.md: commands: $ran" test "$ran" -ge 1
done
