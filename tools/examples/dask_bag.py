# SPDX-License-Identifier: MIT
"""Cuts many photos with Dask: a bag of paths, which the binding cuts on the workers.

    python3 dask_bag.py PHOTOS SEEDS MASKS [SCHEDULER]

SCHEDULER is the address of a cluster whose workers see the folders; without it, two workers are started here. The seeds
of a photo have its name in SEEDS: grey, 255 foreground, 0 background, 128 unknown. Prints a line of JSON for each
photo.
"""
import json
import os
import sys


def cut(photo, seeds, masks):
    """Cuts one photo on a worker. A mask gets its name only when it is complete."""
    import numpy
    import tilecut
    from PIL import Image

    name = os.path.splitext(os.path.basename(photo))[0] + ".png"
    picture = Image.open(photo)
    image = numpy.asarray(picture if picture.mode == "L" else picture.convert("RGB"))
    painted = numpy.asarray(Image.open(os.path.join(seeds, name)).convert("L"))
    labels = numpy.zeros(painted.shape, numpy.uint8)
    labels[painted > 223] = tilecut.FOREGROUND
    labels[painted < 32] = tilecut.BACKGROUND
    result = tilecut.segment(image, labels, threads=1)
    part = os.path.join(masks, "." + name)
    Image.fromarray(result.mask).save(part, format="png")
    os.replace(part, os.path.join(masks, name))
    return {"image": photo, "flow": result.flow, "cut": result.cut, "certified": bool(result.report["certified"])}


def main(photos, seeds, masks, scheduler=None):
    import dask.bag
    from distributed import Client, LocalCluster

    os.makedirs(masks, exist_ok=True)
    done = set(os.listdir(masks))
    paths = sorted(os.path.join(photos, name) for name in os.listdir(photos)
                   if os.path.splitext(name)[0] + ".png" not in done)
    cluster = None if scheduler else LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                                                  dashboard_address=None)
    with Client(scheduler or cluster) as client:
        if paths:
            bag = dask.bag.from_sequence(paths, npartitions=8).map(cut, os.path.abspath(seeds), os.path.abspath(masks))
            for report in client.compute(bag, retries=3).result():
                print(json.dumps(report))
    if cluster:
        cluster.close()


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
