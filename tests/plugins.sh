#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the plug-ins of tools/plugins in the programs that they are for, and the recipes of docs/guide/recipes.md, and
# compares their masks with those of the program. What is not installed is skipped and named. In .ci/nightly.
#
#   plugins.sh [--require]     with --require it is a failure if one of these programs is not there
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
TILECUT=${TILECUT:-$root/build/release/tilecut}
GIMP_PLUGIN=${GIMP_PLUGIN:-$root/build/release/gimp/tilecut-gimp/tilecut-gimp}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $2"
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
        tail -n 20 "$dir/log"
    fi
}
here() { # COMMAND PACKAGE
    command -v "$1" >/dev/null && return
    echo "skipped: $1 is not there (Debian package $2)"
    skipped=$((skipped + 1))
    return 1
}
PATH=$(cd "$(dirname "$TILECUT")" && pwd):$PATH HOME=$dir/home LC_ALL=C.UTF-8
export PATH HOME LC_ALL
mkdir "$HOME"
cp images/coffee.png images/coffee_seeds.png "$dir"
cd "$dir" || exit 1
: >log
# Two pictures have the same samples in the channels named, as PIL reads them.
same() { # PICTURE PICTURE [CHANNEL]
    /usr/bin/python3 - "$@" <<'PY' >>log 2>&1
import sys, PIL.Image
one, two = (PIL.Image.open(path) for path in sys.argv[1:3])
if len(sys.argv) > 3:
    one = one.getchannel(sys.argv[3])
if one.convert("L").tobytes() != two.convert("L").tobytes() or one.size != two.size:
    sys.exit(f"{sys.argv[1]} is not {sys.argv[2]}")
PY
}

# ---- GIMP ----------------------------------------------------------------------------------------

# A failure ends Script-Fu's batch, so each try is one of its own.
gimp_runs() { # SCRIPT
    gimp-console -i -d -f -b "(let* ((image (car (gimp-file-load 1 \"coffee.png\" \"coffee.png\")))
        (photo (car (gimp-image-get-active-layer image))))
        (define (save drawable to) (file-png-save 1 image drawable to to 0 9 0 0 0 0 0)) $1)" -b '(gimp-quit 0)' \
        >>log 2>&1
}
gimp_refuses() { # SCRIPT WHAT
    : >said
    gimp-console -i -d -f -b "(let* ((image (car (gimp-file-load 1 \"coffee.png\" \"coffee.png\")))
        (photo (car (gimp-image-get-active-layer image)))) $1)" -b '(gimp-quit 0)' >said 2>&1
    cat said >>log
    grep -qF "$2" said
    verdict $? "GIMP: $2"
}
if here gimp-console gimp; then
    plugged=$HOME/.config/GIMP/2.10/plug-ins/tilecut-gimp
    mkdir -p "$plugged"
    cp "$GIMP_PLUGIN" "$plugged"
    tilecut segment coffee.png -s coffee_seeds.png -q -o strokes.png --alpha alpha.png --edge soft
    tilecut segment coffee.png --box 170,40,330,330 -q -o box.png
    gimp_runs '(define strokes (car (gimp-file-load-layer 1 image "coffee_seeds.png")))
        (gimp-image-insert-layer image strokes 0 -1) (plug-in-tilecut 1 image photo strokes 0)
        (save (car (gimp-layer-get-mask photo)) "gimp-strokes.png")'
    same gimp-strokes.png strokes.png
    verdict $? 'GIMP: a layer of strokes gives the mask of the program'
    gimp_runs '(define strokes (car (gimp-file-load-layer 1 image "coffee_seeds.png")))
        (gimp-image-insert-layer image strokes 0 -1) (gimp-item-set-name strokes "Strokes")
        (plug-in-tilecut 1 image photo -1 1) (gimp-layer-remove-mask photo 0) (save photo "gimp-soft.png")'
    same gimp-soft.png alpha.png A
    verdict $? 'GIMP: a layer called strokes is found, and the soft edge is that of --alpha'
    gimp_runs '(gimp-image-select-rectangle image 2 170 40 330 330) (plug-in-tilecut 1 image photo -1 0)
        (save (car (gimp-layer-get-mask photo)) "gimp-box.png")'
    same gimp-box.png box.png
    verdict $? 'GIMP: a selection gives the mask of the box'
    # The layer cropped and moved: what counts is where strokes lie on the photo.
    gimp_runs '(define strokes (car (gimp-file-load-layer 1 image "coffee_seeds.png")))
        (gimp-image-insert-layer image strokes 0 -1) (gimp-image-crop image 600 400 0 0)
        (gimp-layer-resize strokes 500 380 -40 -10) (gimp-image-resize image 700 500 50 60)
        (plug-in-tilecut 1 image photo strokes 0) (save (car (gimp-layer-get-mask photo)) "gimp-moved.png")'
    /usr/bin/python3 - <<'PY' >>log 2>&1
import PIL.Image
seeds = PIL.Image.open("coffee_seeds.png")
seen = PIL.Image.new("L", seeds.size, 128)
seen.paste(seeds.crop((40, 10, 540, 390)), (40, 10))
seen.save("cropped_seeds.png")
PY
    tilecut segment coffee.png -s cropped_seeds.png -q -o cropped.png
    same gimp-moved.png cropped.png
    verdict $? 'GIMP: layers of other sizes and places'
    gimp_runs '(gimp-context-set-antialias FALSE) (gimp-image-select-ellipse image 2 185 60 290 290)
        (save (car (gimp-image-get-selection image)) "before.png") (plug-in-tilecut-refine-selection 1 image photo)
        (save (car (gimp-image-get-selection image)) "gimp-refined.png")'
    tilecut refine coffee.png before.png -q -o refined.png
    same gimp-refined.png refined.png
    verdict $? 'GIMP: a refined selection is the mask of `tilecut refine`'
    gimp_refuses '(plug-in-tilecut 1 image photo -1 0)' 'select the object roughly'
    gimp_refuses '(plug-in-tilecut-refine-selection 1 image photo)' 'there is no selection to be refined'
    gimp_refuses '(plug-in-tilecut 1 image photo photo 0)' 'the strokes cannot be their own photo'
    gimp_refuses '(gimp-image-select-rectangle image 2 9 9 99 99) (plug-in-tilecut 1 image photo -1 7)' 'edge is 0, 1 or 2'
    gimp_refuses '(gimp-layer-add-mask photo (car (gimp-layer-create-mask photo 0)))
        (gimp-image-select-rectangle image 2 9 9 99 99) (plug-in-tilecut 1 image photo -1 0)' 'has a mask already'
fi

echo "plugins: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ] && { [ $skipped = 0 ] || [ "${1:-}" != --require ]; }
