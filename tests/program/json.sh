# SPDX-License-Identifier: MIT
#
# The JSON report of a run.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"
KEYS='version image width height channels depth seeds format foreground background unknown dropped conflicts
lambda beta quantum connectivity colors iterations solver device fallback threads flow cut certified energy
foreground_fraction mask_sha256 ms read model graph copy solve certify write total bytes_per_pixel peak_bytes
warnings error'

# With jq the report is checked to be well-formed; without jq only the keys are checked.
well_formed() {
    command -v jq >/dev/null || return 0
    jq -e . "$1" >/dev/null
}

begin 'every key, in success and in failure'
works "$P" -s "$S" -o mask.pgm --json report.json
ends 4 "$P" -s "$IN/only_fg.png" -o mask2.png --json failed.json
for key in $KEYS; do
    expect "$key" has "\"$key\": " report.json
    # A failed run has no keys for steps that it has not reached.
    case $key in
    format | foreground | background | unknown | dropped | conflicts) ;;
    *) expect "$key in failure" has "\"$key\": " failed.json ;;
    esac
done
expect 'well-formed' well_formed report.json
expect 'failure well-formed' well_formed failed.json
expect 'error is null' has '"error": null' report.json
expect 'error is told' has '"error": {"code": 4, "text": ' failed.json
expect 'flow is cut' test "$(value flow report.json)" = "$(value cut report.json)"
expect 'certified' test "$(value certified report.json)" = true
expect 'no NaN' lacks nan report.json
if command -v sha256sum >/dev/null; then
    sum=$(tail -c 6144 mask.pgm | sha256sum)
    expect 'digest of the mask' test "$(value mask_sha256 report.json)" = "${sum%% *}"
fi

begin 'the peak is that of the process, not of who started it'
# shellcheck disable=SC2016 # expanded by the inner shell
sh -c 'held=$(head -c 100000000 /dev/zero | tr "\\0" x); exec "$@"' sh "$TILECUT" "$P" -s "$S" -o m.png \
    --json report.json
expect 'less than the shell held' test "$(value peak_bytes report.json)" -lt 90000000
expect 'more than nothing' test "$(value peak_bytes report.json)" -gt 1000000

begin 'names are escaped'
odd=$(printf 'a"b\\c\td\351\303\251.png')
cp "$P" "$odd"
works "$odd" -s "$S" -o m.png --json report.json
expect 'escaped' has "$(printf '"image": "a\\"b\\\\c\\u0009d\\ufffd\303\251.png"')" report.json
expect 'well-formed' well_formed report.json

begin 'the error object of wrong usage'
ends 2 "$P" -s "$S" -o m.png --lambda nan --json report.json
expect 'code' has '"error": {"code": 2, "text": "--lambda' report.json
run "$P" -s "$S" -o m.png --json "$S" --lambda nan
expect 'never onto an input' test "$(head -c 4 "$S" | tail -c 3)" = PNG
run "$IN/missing.png" -s "$S" -o m.png --json report.json
expect 'code 3' has '"error": {"code": 3' report.json
