# SPDX-License-Identifier: MIT
"""Cuts an object in 3D Slicer, from segments painted in its Segment Editor.

Install tilecut where Slicer's Python finds it (docs/guide/volumes.md#in-3d-slicer). These lines in Slicer's Python
console paint the segment "cut":

    exec(open("slicer_cut.py").read())
    cut("Scan", "Segmentation", "object", "background")

If the segment "cut" exists already and is wrong only in some parts, paint more strokes in the two segments and add
`correct=True`: this changes the segment only where it contradicts the strokes. A scripted module can call the same
function from its logic.
"""


def segment_id(segmentation, name):
    """Returns the id of a segment with this name. A KeyError lists the existing names."""
    found = segmentation.GetSegmentIdBySegmentName(name)
    if not found:
        there = [segmentation.GetNthSegment(k).GetName() for k in range(segmentation.GetNumberOfSegments())]
        raise KeyError(f"there is no segment {name!r}; there are {', '.join(map(repr, there)) or 'none'}")
    return found


def cut(scan, segments, foreground, background, into="cut", correct=False, **options):
    """The first arguments are the names of a scan, a segmentation and its segments. Further options are those of
    tilecut.segment_volume()."""
    import numpy
    import slicer
    import tilecut

    volume, node = slicer.util.getNode(scan), slicer.util.getNode(segments)
    segmentation = node.GetSegmentation()
    voxels = slicer.util.arrayFromVolume(volume)
    if voxels.ndim != 3:
        raise ValueError(f"{scan!r} has several values a voxel; one is right")
    if voxels.dtype not in (numpy.uint8, numpy.uint16, numpy.int16):
        voxels = voxels.astype(numpy.float32)
    seeds = numpy.zeros(voxels.shape, numpy.uint8)
    for name, label in ((background, tilecut.BACKGROUND), (foreground, tilecut.FOREGROUND)):
        painted = slicer.util.arrayFromSegmentBinaryLabelmap(node, segment_id(segmentation, name), volume)
        if painted is not None:
            seeds[painted > 0] = label
    if correct:
        before = slicer.util.arrayFromSegmentBinaryLabelmap(node, segment_id(segmentation, into), volume)
        options["previous"] = numpy.where(before > 0, 255, 0).astype(numpy.uint8)
    # Slicer's spacing is in the order x, y, z; the array's axes are z, y, x
    spacing = tuple(reversed(volume.GetSpacing()))
    found = tilecut.segment_volume(numpy.ascontiguousarray(voxels), seeds, spacing=spacing, **options)
    place = segmentation.GetSegmentIdBySegmentName(into) or segmentation.AddEmptySegment(into, into)
    slicer.util.updateSegmentBinaryLabelmapFromArray(found.mask // 255, node, place, volume)
    return found.report
