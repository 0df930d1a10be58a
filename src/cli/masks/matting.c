/* SPDX-License-Identifier: MIT */
#include "matting.h"

#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "memory.h"
#include "pixel.h"

static void set_kind(edge_style *edge, const char *name, edge_kind kind)
{
    if (edge->said) edge->again = edge->said;
    edge->said = name;
    edge->kind = kind;
}

const char *edge_parse(const char *text, void *field)
{
    static const struct { const char *name; edge_kind kind; } kinds[] = {
        {"hard", EDGE_HARD}, {"soft", EDGE_SOFT}, {"matte", EDGE_MATTE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(text, kinds[i].name)) return set_kind(field, "edge", kinds[i].kind), NULL;
    return "hard, soft or matte";
}

const char *edge_parse_feather(const char *text, void *field)
{
    edge_style *const edge = field;
    int64_t radius;
    if (!parse_integer(text, 0, EDGE_MOST, &radius)) return "a whole number of pixels from 0 to 32";
    edge->radius = (int)radius;
    set_kind(edge, "feather", radius ? EDGE_FEATHER : EDGE_HARD);
    return NULL;
}

const char *edge_parse_matte(const char *text, void *field)
{
    const bool seeds = !strcmp(text, "seeds");
    if (!seeds && strcmp(text, "auto") != 0) return "auto or seeds";
    set_kind(field, "matte", seeds ? EDGE_SEEDS : EDGE_MATTE);
    return NULL;
}

const char *outline_parse(const char *text, void *field)
{
    outline_kind *const kind = field;
    *kind = !strcmp(text, "exact") ? OUTLINE_EXACT : !strcmp(text, "smooth") ? OUTLINE_SMOOTH : OUTLINE_USUAL;
    return *kind ? NULL : "exact or smooth";
}

int edge_check(const edge_style *edge, failure *why)
{
    if (!edge->again) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--%s: and --%s both say what edge the cutout has; give one of them", edge->said,
                edge->again);
}

bool matting_opaque(const image *photo, tilecut_image *view, uint8_t **copy, size_t *transparent)
{
    const size_t sample = (size_t)photo->depth / 8, pixel = (size_t)photo->channels * sample, kept = pixel - sample;
    size_t seen = 0;
    *copy = NULL;
    *view = (tilecut_image){.width = photo->width, .height = photo->height, .channels = photo->channels,
                            .depth = photo->depth, .pixels = photo->pixels};
    if (photo->channels % 2 == 0) {
        view->channels--;
        view->pixels = *copy = malloc(image_area(photo) * kept);
        for (size_t p = 0; *copy && p < image_area(photo); p++) {
            const uint8_t *const from = photo->pixels + p * pixel;
            memcpy(*copy + p * kept, from, kept);
            seen += from[kept] != 0xff || from[pixel - 1] != 0xff;
        }
    }
    if (transparent) *transparent = seen;
    return view->pixels != NULL;
}

int matting_opaque_noted(const image *photo, const char *name, tilecut_image *view, uint8_t **copy, notes *log,
                         failure *why)
{
    size_t transparent;
    if (!matting_opaque(photo, view, copy, &transparent))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its pixels", name);
    if (transparent)
        note(log, "%s: is transparent in %zu pixels; their colours are used as if they were opaque", name, transparent);
    return EXIT_DONE;
}

/* Turns a failure of the library into an exit status and a sentence. */
static int refused(tilecut_status status, failure *why)
{
    return fail(why, status == TILECUT_ESEEDS ? EXIT_SEEDS : EXIT_RESOURCES, "the edge of the cutout: %s",
                tilecut_error_detail());
}

/* Makes a trimap of a mask: pixels within `radius` of the other label become unknown, unless they have a seed. */
static bool widen(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds, int radius, uint8_t *trimap)
{
    const int width = opaque->width, height = opaque->height;
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const outside = malloc(pixels);
    bool room = outside && distance_within(mask, width, height, radius, trimap);
    for (size_t p = 0; room && p < pixels; p++) outside[p] = !mask[p];
    room = room && distance_within(outside, width, height, radius, outside);
    for (size_t p = 0; room && p < pixels; p++)
        trimap[p] = trimap[p] && outside[p] && !(seeds && seeds[p]) ? TILECUT_MATTE_UNKNOWN
                    : mask[p]                                       ? TILECUT_MATTE_FOREGROUND
                                                                    : TILECUT_MATTE_BACKGROUND;
    free(outside);
    return room;
}

/* Makes a trimap whose band has `radius` pixels on either side of the cut. Makes the band narrower if no pixel of one
 * label would stay known. */
static int find_wide_band(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds, int radius,
                          uint8_t *trimap, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    bool room = true, known = false;
    for (; room && !known && radius >= 0; radius--) {
        room = widen(opaque, mask, seeds, radius, trimap);
        known = room && memchr(trimap, TILECUT_MATTE_FOREGROUND, pixels) &&
                memchr(trimap, TILECUT_MATTE_BACKGROUND, pixels);
    }
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for the soft edge");
}

static int find_band(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                     const matting_request *request, uint8_t *trimap, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    const edge_style *const edge = request->edge;
    if (edge->kind == EDGE_FEATHER) return find_wide_band(opaque, mask, seeds, edge->radius, trimap, why);
    for (size_t p = 0; p < pixels; p++)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has taken memory for it
        trimap[p] = seeds[p] == TILECUT_UNKNOWN      ? TILECUT_MATTE_UNKNOWN
                    : seeds[p] == TILECUT_FOREGROUND ? TILECUT_MATTE_FOREGROUND
                                                     : TILECUT_MATTE_BACKGROUND;
    return EXIT_DONE;
}

/* Refuses a band of `band` pixels if matting it takes more memory than allowed. */
static int check_band(const tilecut_image *opaque, const matting_request *request, int64_t band, failure *why)
{
    const uint64_t pixels = (uint64_t)opaque->width * (uint64_t)opaque->height;
    const uint64_t need = pixels * (MEMORY_EDGE + MEMORY_MATTING) + (uint64_t)band * MEMORY_BAND;
    if (need <= request->memory) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "--%s: a band of %lld pixels takes about %.0f MB of memory but %.0f MB are there; "
                "seed more of the photo, or use --edge soft", request->edge->kind == EDGE_FEATHER ? "feather" : "matte",
                (long long)band, (double)need / 1e6, (double)request->memory / 1e6);
}

static int64_t count_unknown(const uint8_t *trimap, size_t pixels)
{
    int64_t count = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has taken memory for it
    for (size_t p = 0; p < pixels; p++) count += trimap[p] == TILECUT_MATTE_UNKNOWN;
    return count;
}

/* Computes alpha. If the trimap has no band, for instance for a mask of one label, alpha is that of the trimap. */
static int find_alpha(const tilecut_image *opaque, const uint8_t *trimap, const matting_request *request, int64_t *band,
                      uint16_t *alpha, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    *band = count_unknown(trimap, pixels);
    STEP(check_band(opaque, request, *band, why));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the same
    for (size_t p = 0; p < pixels; p++) alpha[p] = trimap[p] == TILECUT_MATTE_FOREGROUND ? 65535 : 0;
    if (!*band) return EXIT_DONE;
    const tilecut_status status = tilecut_matte(opaque, trimap, request->threads, alpha);
    if (status == TILECUT_ESEEDS && request->edge->kind == EDGE_SEEDS)
        return fail(why, EXIT_SEEDS, "--matte: seeds is for seeds of both classes, and none of these is %s; add "
                    "--fg and --bg \"X,Y X,Y\", or take --matte auto",
                    memchr(trimap, TILECUT_MATTE_FOREGROUND, pixels) ? "background" : "foreground");
    return status == TILECUT_OK ? EXIT_DONE : refused(status, why);
}

/* Makes a copy of the photo with the object's colours in `colors`, which have no alpha. */
static bool store_colors(const image *photo, const tilecut_image *opaque, const uint8_t *colors, image *out)
{
    const size_t pixels = image_area(photo), sample = (size_t)photo->depth / 8;
    const size_t to = (size_t)photo->channels * sample, from = (size_t)opaque->channels * sample;
    *out = (image){.width = photo->width, .height = photo->height, .channels = photo->channels, .depth = photo->depth,
                   .pixels = malloc(pixels * to)};
    if (!out->pixels) return false;
    if (to > from) memcpy(out->pixels, photo->pixels, pixels * to); /* this keeps the photo's alpha */
    for (size_t p = 0; p < pixels; p++) memcpy(out->pixels + p * to, colors + p * from, from);
    return true;
}

void matte_free(matte *m)
{
    image_free(&m->alpha);
    image_free(&m->colors);
    *m = (matte){0};
}

static void store_alpha(const uint16_t *alpha, image *out)
{
    for (size_t p = 0; p < image_area(out); p++)
        sample_set(out, p, out->depth == 16 ? alpha[p] : (alpha[p] * 255U + 32767) / 65535);
}

typedef struct matting_room {
    uint8_t *trimap; /* NULL for EDGE_SOFT */
    uint16_t *alpha;
    uint8_t *colors; /* NULL: not asked for */
} matting_room;

/* Computes the plain soft edge, or for EDGE_MATTE one that is matted at hair. *band becomes the number of
 * soft pixels. */
static int make_plain(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                      const matting_request *request, matting_room *room, int64_t *band, failure *why)
{
    const size_t pixels = (size_t)opaque->width * (size_t)opaque->height;
    const int threads = request->threads;
    tilecut_status status = TILECUT_OK;
    if (request->edge->kind == EDGE_MATTE && pixels * (MEMORY_EDGE + MEMORY_MATTING + MEMORY_BAND) > request->memory) {
        /* count the pixels that may be matted */
        status = tilecut_matte_band(opaque, mask, seeds, threads, room->trimap);
        if (status == TILECUT_OK) STEP(check_band(opaque, request, count_unknown(room->trimap, pixels), why));
    }
    if (status == TILECUT_OK && request->edge->kind == EDGE_MATTE)
        status = tilecut_edge_matte(opaque, mask, seeds, threads, room->alpha, room->colors);
    else if (status == TILECUT_OK)
        status = tilecut_edge(opaque, mask, threads, room->alpha, room->colors);
    if (status != TILECUT_OK) return refused(status, why);
    *band = 0;
    for (size_t p = 0; p < pixels; p++) *band += room->alpha[p] > 0 && room->alpha[p] < 65535;
    return EXIT_DONE;
}

static int make_matted(const tilecut_image *opaque, const uint8_t *mask, const uint8_t *seeds,
                       const matting_request *request, matting_room *room, int64_t *band, failure *why)
{
    STEP(find_band(opaque, mask, seeds, request, room->trimap, why));
    STEP(find_alpha(opaque, room->trimap, request, band, room->alpha, why));
    if (!room->colors) return EXIT_DONE;
    const tilecut_status made = tilecut_matte_colors(opaque, room->alpha, request->threads, room->colors);
    return made == TILECUT_OK ? EXIT_DONE : refused(made, why);
}

int matting_make(const masked_photo *of, const tilecut_image *opaque, const matting_request *request, matte *out,
                 int64_t *band, failure *why)
{
    const image *const photo = of->photo;
    const size_t pixels = image_area(photo), sample = (size_t)photo->depth / 8;
    const edge_kind kind = request->edge->kind;
    matting_room r = {.trimap = kind == EDGE_SOFT ? NULL : malloc(pixels), .alpha = malloc(pixels * sizeof *r.alpha),
                      .colors = request->clean ? malloc(pixels * (size_t)opaque->channels * sample) : NULL};
    int status = EXIT_DONE;
    *out = (matte){.alpha = {.width = photo->width, .height = photo->height, .channels = 1, .depth = photo->depth,
                             .pixels = malloc(pixels * sample)}};
    bool room = (kind == EDGE_SOFT || r.trimap) && (r.colors || !request->clean) && r.alpha && out->alpha.pixels;
    if (room && (kind == EDGE_SOFT || kind == EDGE_MATTE))
        status = make_plain(opaque, of->mask, of->seeds, request, &r, band, why);
    else if (room)
        status = make_matted(opaque, of->mask, of->seeds, request, &r, band, why);
    free(r.trimap);
    if (room && !status) store_alpha(r.alpha, &out->alpha);
    free(r.alpha);
    if (room && !status && r.colors) room = store_colors(photo, opaque, r.colors, &out->colors);
    free(r.colors);
    if (!room) status = fail(why, EXIT_RESOURCES, "not enough memory for the soft edge");
    if (status) matte_free(out);
    return status;
}
