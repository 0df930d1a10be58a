/* SPDX-License-Identifier: MIT
 *
 * seeds_strokes.c - strokes and box of the command line. A stroke covers the pixels whose centre, which has integer
 * coordinates, is within the brush radius of the line through its points. A box covers the pixels whose centre lies
 * in it if pixel x spans x .. x + 1, so integers mean whole pixels.
 */
#include <math.h>

#include "seeds_parts.h"

/* Larger than any image, and small enough for the arithmetic below to be exact enough. */
static const double COORDINATE_MAX = 1e6;

typedef struct span {
    double from, to; /* empty when from > to */
} span;

/* Intersects `s` with the x for which low <= slope * x + offset <= high. */
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

static span join(span a, span b)
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

/* The part of a row in the capsule around a segment: two discs and the rectangle between them. Their union is convex,
 * so the span over all three is exact. */
static span capsule(const double a[2], const double b[2], double radius, double row)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy, y = row - a[1];
    span all = join(disc(a[0], a[1], radius, row), disc(b[0], b[1], radius, row));
    if (length2 == 0) return all;
    const double reach = radius * sqrt(length2);
    span rectangle = {-HUGE_VAL, HUGE_VAL}; /* in x - a.x */
    rectangle = clip(rectangle, dx, y * dy, 0, length2);
    rectangle = clip(rectangle, dy, -y * dx, -reach, reach);
    if (rectangle.from > rectangle.to) return all;
    rectangle.from += a[0];
    rectangle.to += a[0];
    return join(all, rectangle);
}

/* Claims a pixel once, however often strokes of the class cross it; again if the class has lost it to a source that
 * came before this one. */
static void claim_once(claims *all, size_t p, uint8_t bit)
{
    const uint8_t mark = (uint8_t)(BY_STROKE * bit);
    const bool later = all->rank && all->rank[p] < all->source;
    if (!(all->bits[p] & mark) || (later && !(all->bits[p] & bit))) claim(all, p, bit);
    else if (later) all->rank[p] = all->source;
    all->bits[p] |= mark;
}

/* A tolerance includes pixels that are outside only by rounding. */
static const double hair = 1e-9;

/* The rows from `first` on, to before `end`, that a segment can cover. */
static span rows_of(const double a[2], const double b[2], double radius, double first, double end)
{
    return (span){fmax(ceil(fmin(a[1], b[1]) - radius - hair), first),
                  fmin(floor(fmax(a[1], b[1]) + radius + hair), end - 1)};
}

/* The columns that it covers of a row. */
static span columns_of(const double a[2], const double b[2], double radius, double row, int width)
{
    const span s = capsule(a, b, radius, row);
    return (span){fmax(ceil(s.from - hair), 0), fmin(floor(s.to + hair), width - 1)};
}

/* Returns how many pixels of these rows are covered. */
static int64_t paint_segment(const claims *all, const double a[2], const double b[2], double radius, seeds_put *put,
                             void *context)
{
    const span rows = rows_of(a, b, radius, all->above, (double)all->above + all->height);
    int64_t painted = 0;
    for (double row = rows.from; row <= rows.to; row++) {
        const span s = columns_of(a, b, radius, row, all->width);
        if (!(s.from <= s.to)) continue;
        const int64_t count = (int64_t)(s.to - s.from) + 1;
        put(context, (size_t)(row - all->above) * (size_t)all->width + (size_t)s.from, (size_t)count);
        painted += count;
    }
    return painted;
}

/* Whether a stroke covers any pixel of the whole photo. */
static bool is_seen(const claims *all, const seeds_stroke *stroke, double radius)
{
    for (int i = 0; i < stroke->count; i++) {
        const double *const b = stroke->points + 2 * (ptrdiff_t)i, *const a = i ? b - 2 : b;
        const span rows = rows_of(a, b, radius, 0, all->whole_height);
        for (double row = rows.from; row <= rows.to; row++) {
            const span s = columns_of(a, b, radius, row, all->width);
            if (s.from <= s.to) return true;
        }
    }
    return false;
}

/* Whether a point lies in one of `height` rows. */
static bool inside(double x, double y, double above, double width, double height)
{
    return x > -0.5 && x < width - 0.5 && y > above - 0.5 && y < above + height - 0.5;
}

/* A point marks at least the pixel in which it lies, however thin the brush is. */
int64_t seeds_paint_stroke(const claims *all, const seeds_stroke *stroke, double radius, int *outside, seeds_put *put,
                           void *context)
{
    int64_t painted = 0;
    for (int i = 0; i < stroke->count; i++) {
        const double *point = stroke->points + 2 * (ptrdiff_t)i;
        painted += paint_segment(all, i ? point - 2 : point, point, radius, put, context);
        *outside += !inside(point[0], point[1], 0, all->width, all->whole_height);
        if (!inside(point[0], point[1], all->above, all->width, all->height)) continue;
        const size_t row = (size_t)(point[1] + 0.5) - (size_t)all->above;
        put(context, row * (size_t)all->width + (size_t)(point[0] + 0.5), 1);
        painted++;
    }
    return painted;
}

/* Where the strokes of a class are claimed. */
typedef struct brush {
    claims *all;
    uint8_t bit;
} brush;

static void claim_pixels(void *context, size_t first, size_t count)
{
    const brush *const with = context;
    for (size_t p = first; p < first + count; p++) claim_once(with->all, p, with->bit);
}

static int check_stroke(const seeds_stroke *stroke, failure *why)
{
    const char *option = stroke->foreground ? "--fg" : "--bg";
    if (stroke->count < 1) return fail(why, EXIT_USAGE, "%s: has no point; give \"X,Y X,Y ...\"", option);
    for (int i = 0; i < 2 * stroke->count; i++)
        if (!(fabs(stroke->points[i]) <= COORDINATE_MAX))
            return fail(why, EXIT_USAGE, "%s: %g is no coordinate of a pixel; give \"X,Y X,Y ...\"", option,
                        stroke->points[i]);
    return EXIT_DONE;
}

/* Applies the strokes of one class. They are one source, so that error messages name the option. */
static int apply_class(const seeds_request *request, bool foreground, double radius, const char *photo_name,
                       claims *all, notes *log, failure *why)
{
    const char *option = foreground ? "--fg" : "--bg";
    int outside = 0, begun = 0;
    brush with = {all, foreground ? CLAIM_FOREGROUND : CLAIM_BACKGROUND};
    for (int i = 0; i < request->stroke_count; i++) {
        const seeds_stroke *stroke = &request->strokes[i];
        if (stroke->foreground != foreground) continue;
        if (!begun++) claims_begin(all, option, "strokes");
        all->source = seeds_source(request->file_count + i);
        if (!seeds_paint_stroke(all, stroke, radius, &outside, claim_pixels, &with) && !is_seen(all, stroke, radius))
            return fail(why, EXIT_SEEDS, "%s: the stroke at %.12g,%.12g lies outside %s, which is %dx%d; x is 0 to %d "
                        "and y is 0 to %d", option, stroke->points[0], stroke->points[1], photo_name, all->width,
                        all->whole_height, all->width - 1, all->whole_height - 1);
    }
    if (outside)
        note(log, "%s: %d points lie outside %s, which is %dx%d; what they paint there was dropped", option,
             outside, photo_name, all->width, all->whole_height);
    return EXIT_DONE;
}

int seeds_apply_strokes(const seeds_request *request, const char *photo_name, claims *all, notes *log, failure *why)
{
    if (!request->stroke_count) return EXIT_DONE;
    if (!(request->brush >= 0 && request->brush <= COORDINATE_MAX))
        return fail(why, EXIT_USAGE, "--brush: %g is no radius in pixels; give 0 or more", request->brush);
    const double radius = fmax(request->brush, 0.5);
    int status = EXIT_DONE;
    for (int i = 0; i < request->stroke_count && !status; i++) status = check_stroke(&request->strokes[i], why);
    if (!status) status = apply_class(request, true, radius, photo_name, all, log, why);
    if (!status) status = apply_class(request, false, radius, photo_name, all, log, why);
    return status;
}

int seeds_frame_of(const seeds_request *request, const char *photo_name, int width, int height, seeds_frame *out,
                   notes *log, failure *why)
{
    const double *box = request->box;
    for (int i = 0; i < 4; i++)
        if (!isfinite(box[i])) return fail(why, EXIT_USAGE, "--box: needs four finite numbers X,Y,W,H");
    if (box[2] <= 0 || box[3] <= 0)
        return fail(why, EXIT_USAGE, "--box: is empty (%gx%g); width and height must be above 0", box[2], box[3]);
    const double right = box[0] + box[2], bottom = box[1] + box[3];
    if (box[0] >= width || box[1] >= height || right <= 0 || bottom <= 0)
        return fail(why, EXIT_SEEDS, "--box: %.12g,%.12g,%.12g,%.12g lies outside %s, which is %dx%d", box[0], box[1],
                    box[2], box[3], photo_name, width, height);
    /* first and last pixel inside; fmin before the cast, as the numbers may be huge */
    const int x0 = (int)ceil(fmax(box[0] - 0.5, 0)), x1 = (int)ceil(fmin(right - 0.5, width)) - 1,
              y0 = (int)ceil(fmax(box[1] - 0.5, 0)), y1 = (int)ceil(fmin(bottom - 0.5, height)) - 1;
    if (x0 > x1 || y0 > y1)
        return fail(why, EXIT_SEEDS, "--box: %g,%g,%g,%g holds no pixel of %s", box[0], box[1], box[2], box[3],
                    photo_name);
    if (box[0] < 0 || box[1] < 0 || right > width || bottom > height)
        note(log, "--box: reaches beyond %s, which is %dx%d; clipped to %d,%d,%d,%d", photo_name, width, height,
             x0, y0, x1 - x0 + 1, y1 - y0 + 1);
    *out = (seeds_frame){x0, y0, x1, y1};
    return EXIT_DONE;
}

void seeds_claim_outside(const seeds_frame *box, claims *all)
{
    all->source = 0; /* the lowest rank: everything else overrules a box */
    claims_begin(all, "--box", "box");
    for (int row = 0; row < all->height; row++)
        for (int x = 0; x < all->width; x++) {
            const int y = row + all->above;
            if (x < box->x0 || x > box->x1 || y < box->y0 || y > box->y1)
                claim_once(all, (size_t)row * (size_t)all->width + (size_t)x, CLAIM_OUTSIDE);
        }
}

void seeds_claim_free(const seeds_frame *within, claims *all)
{
    all->source = 0;
    for (int row = 0; row < all->height; row++) {
        const int y = row + all->above;
        const bool all_of_it = y < within->y0 || y > within->y1 || within->x0 > within->x1;
        for (int x = 0; x < all->width; x += all_of_it || all->width == 1 ? 1 : all->width - 1) {
            const size_t p = (size_t)row * (size_t)all->width + (size_t)x;
            if (!all->bits[p]) claim(all, p, CLAIM_OUTSIDE);
        }
    }
}

void seeds_apply_border(const seeds_request *request, claims *all, notes *log)
{
    const seeds_frame within = {1, 1, all->width - 2, all->whole_height - 2};
    claims_begin(all, "border", "box");
    seeds_claim_free(&within, all);
    for (int i = 0; i < request->stroke_count; i++)
        if (!request->strokes[i].foreground) {
            note(log, "all strokes are single points, so the border of the photo counts as background, too; a longer "
                 "stroke or --box X,Y,W,H says more");
            return;
        }
    note(log, "no background is named, so the border of the photo counts as background; --bg \"X,Y X,Y\" or --box "
         "X,Y,W,H names it");
}

int seeds_apply_box(const seeds_request *request, const char *photo_name, claims *all, notes *log, failure *why)
{
    seeds_frame box;
    if (!request->box_given) return EXIT_DONE;
    const int status = seeds_frame_of(request, photo_name, all->width, all->whole_height, &box, log, why);
    if (!status) seeds_claim_outside(&box, all);
    all->boxed = true;
    return status;
}
