/* SPDX-License-Identifier: MIT
 *
 * seeds_strokes.c - strokes of the command line. A stroke covers the pixels or voxels whose centre, which has integer
 * coordinates, is within the brush radius of the line through its points. In a volume the radius is in voxels of the
 * finest axis: the brush is a ball in space, so it covers fewer slices where these are far apart.
 */
#include <math.h>

#include "seeds_parts.h"

/* Larger than any image, but small enough that the arithmetic below stays exact enough. */
static const double COORDINATE_MAX = 1e6;

typedef struct span {
    double from, to; /* the interval from .. to; it is empty if from > to */
} span;

/* Intersects `s` with the interval of x where low <= slope * x + offset <= high. */
static span clip(span s, double slope, double offset, double low, double high)
{
    if (slope == 0) {
        if (offset < low || offset > high) s.to = -HUGE_VAL;
        return s;
    }
    const double a = (low - offset) / slope, b = (high - offset) / slope;
    s.from = fmax(s.from, fmin(a, b));
    s.to = fmin(s.to, fmax(a, b));
    return s;
}

static span join_spans(span a, span b)
{
    if (a.from > a.to) return b;
    if (b.from > b.to) return a;
    return (span){fmin(a.from, b.from), fmax(a.to, b.to)};
}

static span disc(double x, double y, double radius, double row)
{
    const double rest = radius * radius - (row - y) * (row - y);
    const double half = rest >= 0 ? sqrt(rest) : -1;
    return (span){x - half, x + half};
}

/* Returns the part of a row within the capsule around a segment: two discs and the rectangle between them. The capsule
 * is convex, so one span describes it exactly. */
static span capsule(const double a[2], const double b[2], double radius, double row)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy, y = row - a[1];
    span all = join_spans(disc(a[0], a[1], radius, row), disc(b[0], b[1], radius, row));
    if (length2 == 0) return all;
    const double reach = radius * sqrt(length2);
    span rectangle = {-HUGE_VAL, HUGE_VAL}; /* in x - a.x */
    rectangle = clip(rectangle, dx, y * dy, 0, length2);
    rectangle = clip(rectangle, dy, -y * dx, -reach, reach);
    if (rectangle.from > rectangle.to) return all;
    rectangle.from += a[0];
    rectangle.to += a[0];
    return join_spans(all, rectangle);
}

/* Claims a pixel once per class, even if several strokes of that class cross it. If another class of an earlier source
 * had overruled it there, claims the pixel again. */
static void claim_once(claims *all, size_t p, uint8_t bit)
{
    const uint8_t mark = (uint8_t)(BY_STROKE * bit);
    const bool later = all->rank && all->rank[p] < all->source;
    if (!(all->bits[p] & mark) || (later && !(all->bits[p] & bit))) claim(all, p, bit);
    else if (later) all->rank[p] = all->source;
    all->bits[p] |= mark;
}

/* A tolerance that includes pixels which only rounding puts outside. */
static const double hair = 1e-9;

/* Returns the rows from `first` up to, but without, `end` that a segment can cover. */
static span rows_of(const double a[2], const double b[2], double radius, double first, double end)
{
    return (span){fmax(ceil(fmin(a[1], b[1]) - radius - hair), first),
                  fmin(floor(fmax(a[1], b[1]) + radius + hair), end - 1)};
}

/* Returns the columns of a row that a segment covers. */
static span columns_of(const double a[2], const double b[2], double radius, double row, int width)
{
    const span s = capsule(a, b, radius, row);
    return (span){fmax(ceil(s.from - hair), 0), fmin(floor(s.to + hair), width - 1)};
}

/* Passes the pixels that a segment covers in rows `first` .. `end` - 1 of a photo to put(), which may be NULL. Returns
 * how many they are. */
static int64_t paint_flat(const claims *all, const double a[2], const double b[2], double radius,
                          const int64_t within[2], seeds_put *put, void *context)
{
    const span rows = rows_of(a, b, radius, (double)within[0], (double)within[1]);
    int64_t painted = 0;
    for (double row = rows.from; row <= rows.to; row++) {
        const span s = columns_of(a, b, radius, row, all->width);
        if (!(s.from <= s.to)) continue;
        const int64_t count = (int64_t)(s.to - s.from) + 1;
        const size_t first = (size_t)((int64_t)row - all->above) * (size_t)all->width + (size_t)s.from;
        if (put) put(context, first, (size_t)count);
        painted += count;
    }
    return painted;
}

/* Returns the squared distance of a point from the segment between a and b. */
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

/* Does what paint_flat() does, in a volume: passes the voxels within the radius of the segment, in units of the finest
 * axis. */
static int64_t paint_solid(const claims *all, const double a[3], const double b[3], double radius,
                           const int64_t within[2], seeds_put *put, void *context)
{
    const double size[3] = {all->width, all->slice, (double)(all->whole_height / all->slice)};
    int64_t from[3], to[3], painted = 0;
    for (int k = 0; k < 3; k++) {
        const double reach = radius / all->scale[k] + 0.5;
        from[k] = (int64_t)fmin(fmax(ceil(fmin(a[k], b[k]) - reach), 0), size[k]);
        to[k] = (int64_t)fmax(fmin(floor(fmax(a[k], b[k]) + reach), size[k] - 1), -1);
    }
    for (int64_t z = from[2]; z <= to[2]; z++)
        for (int64_t y = from[1]; y <= to[1]; y++) {
            const int64_t row = z * all->slice + y;
            if (row < within[0] || row >= within[1]) continue;
            for (int64_t x = from[0]; x <= to[0]; x++) {
                const double p[3] = {(double)x, (double)y, (double)z};
                if (distance2(a, b, p, all->scale) > radius * radius + hair) continue;
                if (put) put(context, (size_t)(row - all->above) * (size_t)all->width + (size_t)x, 1);
                painted++;
            }
        }
    return painted;
}

/* Returns the row of the whole in which a point lies, or -1 if it lies outside. */
static int64_t row_of_point(const claims *all, const double *point)
{
    const int64_t side = all->slice ? all->slice : all->whole_height;
    const double size[3] = {all->width, (double)side, (double)(all->whole_height / side)};
    for (int k = 0; k < (all->slice ? 3 : 2); k++)
        if (!(point[k] > -0.5 && point[k] < size[k] - 0.5)) return -1;
    return (all->slice ? (int64_t)(point[2] + 0.5) * side : 0) + (int64_t)(point[1] + 0.5);
}

/* Paints a stroke. Each point marks at least the pixel in which it lies, however thin the brush is. */
static int64_t paint(const claims *all, const seeds_stroke *stroke, double radius, const int64_t within[2],
                     seeds_put *put, void *context)
{
    const int axes = all->slice ? 3 : 2;
    int64_t painted = 0;
    for (int i = 0; i < stroke->count; i++) {
        const double *const point = stroke->points + axes * (ptrdiff_t)i, *const before = i ? point - axes : point;
        const int64_t row = row_of_point(all, point);
        painted += all->slice ? paint_solid(all, before, point, radius, within, put, context)
                              : paint_flat(all, before, point, radius, within, put, context);
        if (row < within[0] || row >= within[1]) continue;
        if (put) put(context, (size_t)(row - all->above) * (size_t)all->width + (size_t)(point[0] + 0.5), 1);
        painted++;
    }
    return painted;
}

int64_t seeds_paint_stroke(const claims *all, const seeds_stroke *stroke, double radius, int *outside, seeds_put *put,
                           void *context)
{
    for (int i = 0; i < stroke->count; i++)
        *outside += row_of_point(all, stroke->points + (all->slice ? 3 : 2) * (ptrdiff_t)i) < 0;
    return paint(all, stroke, radius, (int64_t[]){all->above, all->above + all->height}, put, context);
}

/* ---- Strokes of the command line ----------------------------------------------------------------- */

static void claim_pixels(void *context, size_t first, size_t count)
{
    claims *const all = context;
    const uint8_t bit = all->part[all->current].name[2] == 'f' ? CLAIM_FOREGROUND : CLAIM_BACKGROUND; /* "--fg" */
    for (size_t p = first; p < first + count; p++) claim_once(all, p, bit);
}

static int check_stroke(const seeds_stroke *stroke, const char *option, bool volume, failure *why)
{
    const char *const form = volume ? "X,Y,Z X,Y,Z ..." : "X,Y X,Y ...";
    if (stroke->count < 1) return fail(why, EXIT_USAGE, "%s: has no point; give \"%s\"", option, form);
    for (int i = 0; i < (volume ? 3 : 2) * stroke->count; i++)
        if (!(fabs(stroke->points[i]) <= COORDINATE_MAX))
            return fail(why, EXIT_USAGE, "%s: %g is no coordinate of a %s; give \"%s\"", option, stroke->points[i],
                        volume ? "voxel" : "pixel", form);
    return EXIT_DONE;
}

static int refuse_outside(const claims *all, const seeds_stroke *stroke, const char *option, const char *name,
                          failure *why)
{
    const double *const at = stroke->points;
    char size[SEEDS_PLACE];
    (void)seeds_size(all, size);
    if (!all->slice)
        return fail(why, EXIT_SEEDS, "%s: the stroke at %.12g,%.12g lies outside %s, which is %s; x is 0 to %d and y "
                    "is 0 to %lld", option, at[0], at[1], name, size, all->width - 1, (long long)all->whole_height - 1);
    return fail(why, EXIT_SEEDS, "%s: the stroke at %.12g,%.12g,%.12g lies outside %s, which is %s; x is 0 to %d, y is "
                "0 to %d and z is 0 to %lld", option, at[0], at[1], at[2], name, size, all->width - 1, all->slice - 1,
                (long long)all->whole_height / all->slice - 1);
}

static int apply_stroke(const seeds_request *request, int i, const char *name, claims *all, int *outside, failure *why)
{
    const seeds_stroke *const stroke = &request->strokes[i];
    const char *const option = stroke->foreground ? "--fg" : "--bg";
    const double radius = fmax(request->brush, 0.5);
    const int64_t whole[2] = {0, all->whole_height};
    const int status = check_stroke(stroke, option, all->slice > 0, why);
    all->source = seeds_source(request->file_count + i);
    if (status || seeds_paint_stroke(all, stroke, radius, outside, claim_pixels, all)) return status;
    return paint(all, stroke, radius, whole, NULL, NULL) ? EXIT_DONE
                                                         : refuse_outside(all, stroke, option, name, why);
}

/* Applies the strokes in their order, because a later one may win. All strokes of one class are one source, so that
 * messages name the option. */
int seeds_apply_strokes(const seeds_request *request, const char *name, claims *all, notes *log, failure *why)
{
    static const char *const options[2] = {"--bg", "--fg"};
    int status = EXIT_DONE, part[2] = {-1, -1}, outside[2] = {0, 0}; /* first the background's, then the foreground's */
    char size[SEEDS_PLACE];
    if (!request->stroke_count) return EXIT_DONE;
    if (!(request->brush >= 0 && request->brush <= COORDINATE_MAX))
        return fail(why, EXIT_USAGE, "--brush: %g is no radius in pixels; give 0 or more", request->brush);
    for (int class = 1; class >= 0; class--)
        for (int i = 0; i < request->stroke_count && part[class] < 0; i++)
            if (request->strokes[i].foreground == (class == 1)) {
                claims_begin(all, options[class], "strokes");
                part[class] = all->current;
            }
    for (int i = 0; i < request->stroke_count && !status; i++) {
        const int class = request->strokes[i].foreground;
        all->current = part[class];
        status = apply_stroke(request, i, name, all, &outside[class], why);
    }
    for (int class = 1; class >= 0 && !status; class--)
        if (outside[class])
            note(log, "%s: %d points lie outside %s, which is %s; what they paint there was dropped", options[class],
                 outside[class], name, seeds_size(all, size));
    return status;
}
