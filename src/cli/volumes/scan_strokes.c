/* SPDX-License-Identifier: MIT
 *
 * scan_strokes.c - strokes and a box in a volume. A stroke covers the voxels within the brush's radius of the lines
 * through its points. The radius counts voxels of the finest axis: it is a ball in the patient, and flat where slices
 * are far apart.
 */
#include <math.h>

#include "scan_seeds.h"
#include "tilecut.h"

/* A stroke's brush: distances along the axes in units of the finest, and the radius in these. */
typedef struct brush {
    double scale[3], radius;
} brush;

static brush make_brush(const scan_marks *m)
{
    const double *const s = m->scan->spacing;
    const double least = s[0] > 0 ? fmin(s[0], fmin(s[1], s[2])) : 1;
    brush b = {.radius = fmax(m->in->request.brush, 0.5)};
    for (int k = 0; k < 3; k++) b.scale[k] = s[0] > 0 ? s[k] / least : 1;
    return b;
}

/* The squared distance of a point from the line between a and b. */
static double distance2(const double a[3], const double b[3], const double p[3], const double scale[3])
{
    double along = 0, length = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        along += (p[k] - a[k]) * (b[k] - a[k]) * scale[k] * scale[k];
        length += (b[k] - a[k]) * (b[k] - a[k]) * scale[k] * scale[k];
    }
    const double t = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
    for (int k = 0; k < 3; k++) {
        const double d = (p[k] - a[k] - t * (b[k] - a[k])) * scale[k];
        sum += d * d;
    }
    return sum;
}

/* Marks the voxels within the radius of the line, and those in which its ends lie. */
static int64_t paint_line(scan_marks *m, const brush *with, const double a[3], const double b[3], uint8_t bit)
{
    const int size[3] = {m->scan->width, m->scan->height, scan_slices(m->scan)};
    int from[3], to[3];
    int64_t painted = 0;
    for (int k = 0; k < 3; k++) {
        const double reach = with->radius / with->scale[k] + 0.5;
        from[k] = (int)fmin(fmax(ceil(fmin(a[k], b[k]) - reach), 0), size[k]);
        to[k] = (int)fmax(fmin(floor(fmax(a[k], b[k]) + reach), size[k] - 1), -1);
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++) {
                const double p[3] = {x, y, z};
                const bool here = fabs(p[0] - b[0]) <= 0.5 && fabs(p[1] - b[1]) <= 0.5 && fabs(p[2] - b[2]) <= 0.5;
                if (!here && distance2(a, b, p, with->scale) > with->radius * with->radius + 1e-9) continue;
                scan_mark(m, x, y, z, bit);
                painted++;
            }
    return painted;
}

static int apply_stroke(scan_marks *m, const seeds_stroke *stroke, const brush *with, failure *why)
{
    const scan *const s = m->scan;
    const char *const word = stroke->foreground ? "--fg" : "--bg";
    int64_t painted = 0;
    if (!stroke->spatial)
        return fail(why, EXIT_USAGE, "%s: %s is a volume, whose points have three coordinates; give \"X,Y,Z X,Y,Z\"",
                    word, m->name);
    for (int i = 0; i < stroke->count; i++) {
        const double *const point = stroke->points + 3 * (ptrdiff_t)i;
        painted += paint_line(m, with, i ? point - 3 : point, point, stroke->foreground ? MARK_FOREGROUND
                              : MARK_BACKGROUND);
    }
    if (painted) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: the stroke at %.12g,%.12g,%.12g lies outside %s, which is %dx%dx%d", word,
                stroke->points[0], stroke->points[1], stroke->points[2], m->name, s->width, s->height, scan_slices(s));
}

/* In their order, as a later one may win. All of one class are one part. */
int scan_apply_strokes(scan_marks *m, failure *why)
{
    const seeds_request *const request = &m->in->request;
    const brush with = make_brush(m);
    int status = EXIT_DONE;
    seeds_part *part[2] = {NULL, NULL}; /* of background and foreground */
    for (int foreground = 1; foreground >= 0; foreground--)
        for (int i = 0; i < request->stroke_count && !part[foreground]; i++)
            if (request->strokes[i].foreground == (foreground != 0)) {
                scan_begin_part(m, foreground ? "--fg" : "--bg", "strokes");
                part[foreground] = m->part;
            }
    for (int i = 0; i < request->stroke_count && !status; i++) {
        m->part = part[request->strokes[i].foreground];
        status = apply_stroke(m, &request->strokes[i], &with, why);
    }
    return status;
}

int scan_apply_box(scan_marks *m, failure *why)
{
    const seeds_request *const request = &m->in->request;
    const double *const box = request->volume_box;
    const int size[3] = {m->scan->width, m->scan->height, scan_slices(m->scan)};
    int from[3], to[3]; /* the first voxel inside, the first behind it */
    if (request->box_given)
        return fail(why, EXIT_USAGE, "--box: %s is a volume, whose boxes have six numbers; give X,Y,Z,W,H,D", m->name);
    if (!request->volume_box_given) return EXIT_DONE;
    for (int k = 0; k < 3; k++) {
        from[k] = (int)fmin(ceil(fmax(box[k] - 0.5, 0)), size[k]);
        to[k] = (int)ceil(fmax(fmin(box[k] + box[k + 3] - 0.5, size[k]), 0));
        if (from[k] < to[k]) continue;
        return fail(why, EXIT_SEEDS, "--box: %.12g,%.12g,%.12g,%.12g,%.12g,%.12g holds no voxel of %s, which is "
                    "%dx%dx%d", box[0], box[1], box[2], box[3], box[4], box[5], m->name, size[0], size[1], size[2]);
    }
    scan_begin_part(m, "--box", "box");
    for (int z = m->scan->above + m->own.first; z < m->scan->above + m->own.end; z++)
        for (int y = 0; y < size[1]; y++)
            for (int x = 0; x < size[0]; x++)
                if (x < from[0] || x >= to[0] || y < from[1] || y >= to[1] || z < from[2] || z >= to[2])
                    scan_mark(m, x, y, z, MARK_OUTSIDE);
    return EXIT_DONE;
}
