/* SPDX-License-Identifier: MIT
 *
 * seeds_color.c - the formats that are read by colour. Both use one rule: a pixel belongs to a stroke if it is within
 * the tolerance of a stroke colour, and nearer to it than to the other stroke colour and to the colour on which it was
 * painted. That is the canvas for `color`, and the photo's own pixel for `diff`.
 */
#include <stdio.h>
#include <string.h>

#include "seeds_parts.h"

enum { CANVAS_TOLERANCE = 32, JPEG_SPECKS = 16 };
enum kind { ON_CANVAS, FOREGROUND_STROKE, BACKGROUND_STROKE, BLEND, STRAY };

typedef struct strokes {
    uint32_t fg, bg; /* NO_COLOR: none */
    int tolerance;
} strokes;

static int distance_or_far(uint32_t rgb, uint32_t color)
{
    return color == NO_COLOR ? 256 : rgb_distance(rgb, color);
}

/* True if `rgb` lies near the straight line between two colours, as the smooth edge of a stroke does. */
static bool is_blend(uint32_t rgb, uint32_t a, uint32_t b)
{
    if (a == NO_COLOR || b == NO_COLOR) return false;
    double along = 0, length = 0;
    for (int c = 0; c < 3; c++) {
        const double d = argb_channel(b, c) - argb_channel(a, c);
        along += d * (argb_channel(rgb, c) - argb_channel(a, c));
        length += d * d;
    }
    const double t = length > 0 ? along / length : 0, at = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int c = 0; c < 3; c++) {
        const double on = argb_channel(a, c) + at * (argb_channel(b, c) - argb_channel(a, c));
        const double off = argb_channel(rgb, c) - on;
        if (off > CANVAS_TOLERANCE || off < -CANVAS_TOLERANCE) return false;
    }
    return true;
}

static enum kind classify(const strokes *s, uint32_t rgb, uint32_t canvas)
{
    const int fg = distance_or_far(rgb, s->fg), bg = distance_or_far(rgb, s->bg),
              under = distance_or_far(rgb, canvas);
    if (fg <= s->tolerance && fg < bg && fg < under) return FOREGROUND_STROKE;
    if (bg <= s->tolerance && bg < fg && bg < under) return BACKGROUND_STROKE;
    if (under <= CANVAS_TOLERANCE) return ON_CANVAS;
    if (is_blend(rgb, canvas, s->fg) || is_blend(rgb, canvas, s->bg) || is_blend(rgb, s->fg, s->bg)) return BLEND;
    return STRAY;
}

static bool near_any_hue(uint32_t rgb, int tolerance)
{
    for (int h = HUE_GREEN; h <= HUE_BLUE; h++)
        if (rgb_distance(rgb, seeds_hue_rgb[h]) <= tolerance) return true;
    return false;
}

/* Finds the opaque canvas: the most frequent colour that cannot be a stroke. Returns NO_COLOR if the canvas is
 * transparent. */
static uint32_t find_canvas(const seeds_request *request, const picture *pic)
{
    const contents *s = &pic->contents;
    const seeds_color *fg = &request->fg_color, *bg = &request->bg_color;
    if (s->transparent * 2 >= s->pixels) return NO_COLOR;
    for (int i = 0; i < CONTENTS_COMMON && s->common[i].count; i++) {
        const uint32_t rgb = s->common[i].rgb;
        if (fg->given && rgb_distance(rgb, rgb_of(fg->rgb)) <= request->tolerance) continue;
        if (bg->given && rgb_distance(rgb, rgb_of(bg->rgb)) <= request->tolerance) continue;
        if (!fg->given && !bg->given && near_any_hue(rgb, request->tolerance)) continue;
        return rgb;
    }
    return NO_COLOR;
}

/* True if white and black may count as stroke colours: neither of them can be the canvas. */
static bool may_be_black_and_white(const picture *pic, uint32_t canvas)
{
    if (pic->format == SEEDS_DIFF) return false;
    if (canvas == NO_COLOR) return pic->contents.transparent > 0;
    return rgb_distance(canvas, (uint32_t)argb_channel(canvas, 1) * 0x010101) <= 16 &&
           rgb_distance(canvas, 0xffffff) > CANVAS_TOLERANCE && rgb_distance(canvas, 0) > CANVAS_TOLERANCE;
}

/* Returns the colour on which pixel p was painted. */
static inline uint32_t canvas_at(const picture *pic, uint32_t canvas, const image *photo, size_t p)
{
    return pic->format == SEEDS_DIFF ? picture_argb(photo, p) & 0xffffff : canvas;
}

static void count_hues(const picture *pic, uint32_t canvas, const image *photo, int tolerance, hues *out)
{
    const int last_hue = may_be_black_and_white(pic, canvas) ? HUE_BLACK : HUE_BLUE;
    int64_t count[HUES] = {0};
    for (size_t p = 0; p < (size_t)pic->contents.pixels; p++) {
        const uint32_t argb = picture_argb(&pic->image, p), rgb = argb & 0xffffff;
        if (argb_transparent(argb)) continue;
        const uint32_t under = canvas_at(pic, canvas, photo, p);
        if (rgb == under) continue;
        int best = -1, least = distance_or_far(rgb, under);
        for (int h = 0; h <= last_hue; h++) {
            const int d = rgb_distance(rgb, seeds_hue_rgb[h]);
            if (d <= tolerance && d < least) least = d, best = h;
        }
        if (best >= 0) count[best]++;
    }
    for (int h = 0; h < HUES; h++)
        if (count[h] >= (pic->image.lossy ? JPEG_SPECKS : 1)) out->count[h] += count[h];
}

/* True if `rgb`, painted on `under`, can be a stroke in a pure or a given colour, or the smooth edge of one. */
static bool may_be_stroke(const seeds_request *request, uint32_t rgb, uint32_t under)
{
    const seeds_color *named[2] = {&request->fg_color, &request->bg_color};
    for (int h = 0; h < HUES + 2; h++) {
        if (h >= HUES && !named[h - HUES]->given) continue;
        const uint32_t color = h < HUES ? seeds_hue_rgb[h] : rgb_of(named[h - HUES]->rgb);
        if (rgb_distance(rgb, color) <= request->tolerance || is_blend(rgb, under, color)) return true;
    }
    return false;
}

/* Refuses a picture that was taken for strokes but holds a photograph, before the colours of the photograph count as
 * strokes. */
static int check_reading(const seeds_reading *r, const picture *pic, uint32_t canvas)
{
    int64_t painted = 0, strange = 0;
    for (size_t p = 0; p < (size_t)pic->contents.pixels; p++) {
        const uint32_t argb = picture_argb(&pic->image, p), rgb = argb & 0xffffff;
        const uint32_t under = canvas_at(pic, canvas, r->photo, p);
        if (argb_transparent(argb) || distance_or_far(rgb, under) <= CANVAS_TOLERANCE) continue;
        painted++;
        strange += !may_be_stroke(r->request, rgb, under);
    }
    if (pic->format == SEEDS_DIFF && !painted)
        return fail(r->why, EXIT_SEEDS, "%s: has no strokes, it equals %s; paint some over this copy", pic->name,
                    r->photo_name);
    if (pic->format == SEEDS_DIFF && strange * 2 > pic->contents.pixels)
        return fail(r->why, EXIT_SEEDS, "%s: differs from %s in most pixels; --seeds-format diff needs the same photo, "
                    "unscaled and unedited, with strokes painted over", pic->name, r->photo_name);
    if (!pic->named && strange * 2 > painted && pic->contents.colors >= CONTENTS_MANY)
        return fail(r->why, EXIT_SEEDS, "%s: holds thousands of colours beside its canvas; if it is the photo with "
                    "strokes painted over, name --seeds-format diff", pic->name);
    return EXIT_DONE;
}

/* Describes a picture for an error message: its frequent colours, or one that differs from the photo. */
static void describe_picture(const picture *pic, uint32_t canvas, const image *photo, const claims *all, char *text,
                             size_t room)
{
    char place[SEEDS_PLACE];
    text[0] = '\0';
    if (pic->format != SEEDS_DIFF) {
        contents_describe(&pic->contents, canvas, text, room);
        return;
    }
    for (size_t p = 0; p < (size_t)pic->contents.pixels; p++) {
        const uint32_t argb = picture_argb(&pic->image, p), rgb = argb & 0xffffff;
        if (argb_transparent(argb) || rgb_distance(rgb, canvas_at(pic, canvas, photo, p)) <= CANVAS_TOLERANCE) continue;
        snprintf(text, room, "#%06x at %s", (unsigned)rgb, picture_place(pic, all, p, place));
        return;
    }
}

typedef struct tally {
    int64_t count[STRAY + 1];
    size_t first_stray;
} tally;

static void claim_strokes(picture *pic, uint32_t canvas, const image *photo, const strokes *pair, claims *all,
                          tally *sum)
{
    uint32_t last_rgb = NO_COLOR, last_under = NO_COLOR;
    enum kind kind = ON_CANVAS;
    memset(sum, 0, sizeof *sum);
    for (size_t p = 0; p < (size_t)pic->contents.pixels; p++) {
        const uint32_t argb = picture_argb(&pic->image, p), rgb = argb & 0xffffff;
        if (argb_transparent(argb)) continue;
        const uint32_t under = canvas_at(pic, canvas, photo, p);
        if (rgb != last_rgb || under != last_under) kind = classify(pair, rgb, under);
        last_rgb = rgb;
        last_under = under;
        if (kind == STRAY && !sum->count[STRAY]) sum->first_stray = p;
        sum->count[kind]++;
        if (kind != FOREGROUND_STROKE && kind != BACKGROUND_STROKE) continue;
        const int64_t at = picture_index(pic, all, p);
        if (at >= 0) claim(all, (size_t)at, kind == FOREGROUND_STROKE ? CLAIM_FOREGROUND : CLAIM_BACKGROUND);
    }
}

/* Adds notes about painted pixels that belong to no stroke: specks, or a third colour. */
static void note_strays(const picture *pic, const claims *all, const tally *sum, notes *log)
{
    const int64_t stray = sum->count[STRAY];
    const size_t p = sum->first_stray;
    char place[SEEDS_PLACE];
    if (!stray) return;
    note(log, "%s: %lld %s are in neither stroke colour (such as #%06x at %s) and were taken as unknown%s", pic->name,
         (long long)stray, all->slice ? "voxels" : "pixels", (unsigned)(picture_argb(&pic->image, p) & 0xffffff),
         picture_place(pic, all, p, place),
         pic->image.lossy ? ", as JPEG blurs edges"
                          : "; --fg-color, --bg-color and --seed-tol say which count");
}

int seeds_read_colors(const seeds_reading *r, picture *pictures, int count, const int64_t painted[2], claims *all,
                      seeds *out)
{
    const seeds_request *const request = r->request;
    const image *const photo = r->photo;
    hues seen = {.found = all->found, .name = pictures[0].name, .foreground = painted[1], .background = painted[0]};
    int status = EXIT_DONE;
    for (int i = 0; i < count && !status; i++) {
        const uint32_t canvas = find_canvas(request, &pictures[i]);
        status = check_reading(r, &pictures[i], canvas);
        count_hues(&pictures[i], canvas, photo, request->tolerance, &seen);
    }
    if (status) return status;
    describe_picture(&pictures[0], find_canvas(request, &pictures[0]), photo, all, all->found,
                     sizeof all->found);

    status = seeds_choose_pair(request, &seen, &out->fg_color, &out->bg_color, r->why);
    const strokes pair = {out->fg_color.given ? rgb_of(out->fg_color.rgb) : NO_COLOR,
                          out->bg_color.given ? rgb_of(out->bg_color.rgb) : NO_COLOR, request->tolerance};
    if (!status && pair.fg == pair.bg)
        status = fail(r->why, EXIT_USAGE, "--fg-color and --bg-color are both #%06x; they must differ",
                      (unsigned)pair.fg);
    for (int i = 0; i < count && !status; i++) {
        tally sum;
        all->source = seeds_source(pictures[i].file);
        seeds_part *part = claims_begin(all, pictures[i].name, seeds_kinds[pictures[i].format].name);
        claim_strokes(&pictures[i], find_canvas(request, &pictures[i]), photo, &pair, all, &sum);
        part->ignored = claims_share(all, sum.count[STRAY]);
        note_strays(&pictures[i], all, &sum, r->log);
    }
    return status;
}
