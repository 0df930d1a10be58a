#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the plug-ins of tools/plugins in their programs, and the recipes of docs/guide/recipes.md, and compares their
# masks with those of tilecut. Programs that are not installed are skipped and named. Part of .ci/nightly.
#
#   plugins.sh [--require]     with --require a missing program is a failure
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
# Succeeds if two pictures have the same samples in the named channel, as PIL reads them.
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

# An error ends a batch of Script-Fu, so each attempt starts GIMP anew.
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
    # The layer is cropped and moved. The strokes must count where they lie on the photo.
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
    gimp_refuses '(gimp-image-select-rectangle image 2 9 9 99 99) (plug-in-tilecut 1 image photo -1 7)' \
        'edge is 0, 1 or 2'
    gimp_refuses '(gimp-layer-add-mask photo (car (gimp-layer-create-mask photo 0)))
        (gimp-image-select-rectangle image 2 9 9 99 99) (plug-in-tilecut 1 image photo -1 0)' 'has a mask already'
fi

# ---- QGIS and GDAL -------------------------------------------------------------------------------

algorithm() { # STROKES OUT [PARAMETER=VALUE ...]
    QT_QPA_PLATFORM=offscreen /usr/bin/python3 "$root/tests/plugins_qgis.py" \
        "$root/tools/plugins/qgis/tilecut_algorithm.py" field.tif "$@" 2>>log
}
burn() { # POLYGONS OUT.tif
    gdal_rasterize -q -burn 255 -ot Byte -te 500000 5399800 500300 5400000 -ts 600 400 "$1" "$2" >>log 2>&1
}
if here gdal_translate gdal-bin; then
    gdal_translate -q -a_srs EPSG:32633 -a_ullr 500000 5400000 500300 5399800 coffee.png field.tif
    cat >drawn.geojson <<'END'
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}},
 "features": [
 {"type": "Feature", "properties": {"label": "cup"}, "geometry": {"type": "LineString",
  "coordinates": [[500130, 5399900], [500190, 5399900], [500190, 5399860]]}},
 {"type": "Feature", "properties": {"label": "background"}, "geometry": {"type": "MultiLineString", "coordinates":
  [[[500010, 5399990], [500290, 5399990]], [[500010, 5399810], [500290, 5399810], [500290, 5399990]]]}}]}
END
    tilecut segment field.tif -s drawn.geojson --brush 4 -q -o field-mask.tif
    tilecut segment field.tif -s drawn.geojson --brush 4 -q -o field.geojson
    for file in field field-mask; do
        gdalinfo $file.tif | grep -E '^(Origin|Pixel Size|Upper|Lower|Center)|ID\["EPSG",32633' >$file.place
    done
    grep -q 'Origin = (500000' field.place && cmp field.place field-mask.place >>log
    verdict $? 'GDAL: gdalinfo finds the mask where the photo lies'
    burn field.geojson burnt.tif
    same burnt.tif field-mask.tif
    verdict $? 'GDAL: gdal_rasterize makes the mask of the GeoJSON'
    if ! /usr/bin/python3 -c 'import qgis.core' 2>>log; then
        here qgis-in-python python3-qgis
    else
        ogr2ogr -t_srs EPSG:4326 degrees.gpkg drawn.geojson
        for strokes in drawn.geojson degrees.gpkg; do
            algorithm $strokes $strokes.out.gpkg FIELD=label >said
            grep -qx 'EPSG:32633 1' said && burn $strokes.out.gpkg qgis.tif && same qgis.tif field-mask.tif
            verdict $? "QGIS: strokes in $strokes give the mask of the program"
        done
        for words in 'PROGRAM=no-such-program:no-such-program cannot be started' 'OPTIONS=--fast:no such option' \
            'FIELD=none:there is no field'; do
            ! algorithm drawn.geojson refused.gpkg "FIELD=label" "${words%%:*}" >said &&
                grep -q "${words#*:}" said && [ ! -e refused.gpkg ]
            verdict $? "QGIS: ${words%%:*} is refused"
            cat said >>log
        done
    fi
fi

# ---- Recipes -------------------------------------------------------------------------------------

recipe() { # CHAPTER: its indented lines, as they stand, in a folder of their own
    mkdir "$1"
    cp coffee.png "$1/photo.png"
    cp coffee_seeds.png "$1/strokes.png"
    sed -n "/^## $1\$/,/^## [^#]/s/^    //p" "$root/docs/guide/recipes.md" >"$1/commands"
    [ -s "$1/commands" ] && (cd "$1" && sh -eu commands) >>log 2>&1
}
holds() { # PYTHON: with pixels(FILE) as a list of rows
    /usr/bin/python3 -c 'import sys
import numpy, PIL.Image
def pixels(name, mode="L"): return numpy.array(PIL.Image.open(name).convert(mode)).astype(int)
mask = pixels("strokes-mask.png") > 127
assert '"$1" >>log 2>&1
}
tilecut segment coffee.png -s coffee_seeds.png -q -o strokes-mask.png
if here convert imagemagick; then
    recipe ImageMagick && holds '(pixels("ImageMagick/portrait.png") == pixels("coffee.png"))[mask].all() \
        and (pixels("ImageMagick/portrait.png") != pixels("coffee.png"))[~mask].any() \
        and (pixels("ImageMagick/white.png") == 255)[~mask].all()'
    verdict $? 'ImageMagick: the object is the photo, what is around it is not'
fi
if here inkscape inkscape; then
    recipe Inkscape && [ -s Inkscape/outline.pdf ] &&
        holds '(numpy.array(PIL.Image.open("Inkscape/outline.png").getchannel("A")) > 127)[mask].mean() > .999'
    verdict $? 'Inkscape: the smooth outline has the shape of the mask'
    tilecut segment coffee.png -s coffee_seeds.png -q -o exact.svg --outline exact
    inkscape exact.svg --export-width=600 --export-filename=exact.png >>log 2>&1
    holds '((numpy.array(PIL.Image.open("exact.png").getchannel("A")) > 127) == mask).all()'
    verdict $? 'Inkscape: the exact outline is the mask'
fi
if here imagej imagej && here xvfb-run xvfb; then
    recipe ImageJ # whose exit status is 1 when all is well
    holds 'open("ImageJ/area.csv").read().split()[-1].split(",")[1] == str(mask.sum())'
    verdict $? 'ImageJ: the area is that of the mask'
fi
if here darktable-cli darktable; then
    recipe darktable && holds '(pixels("darktable/mask.png") > 127)[mask].mean() > .97 and \
        PIL.Image.open("darktable/cutout.png").size == (600, 400)'
    verdict $? 'darktable: what it has developed is cut'
fi
if here labelme_json_to_dataset labelme; then
    recipe labelme && holds '(pixels("labelme/dataset/label.png", "P") > 0)[mask].all() and \
        not ((pixels("labelme/dataset/label.png", "P") > 0) & ~(mask | numpy.roll(mask, 1, 0) | numpy.roll(mask, 1, 1) \
        | numpy.roll(mask, (1, 1), (0, 1)))).any()'
    verdict $? 'labelme: draws the polygons that were written, with their edges'
    tilecut score labelme/photo.json strokes-mask.png -q --json - | grep -q '"iou": 1[,.]'
    verdict $? 'labelme: the file is read as the mask'
fi

echo "plugins: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ] && { [ $skipped = 0 ] || [ "${1:-}" != --require ]; }
