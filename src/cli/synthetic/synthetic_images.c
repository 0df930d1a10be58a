/* SPDX-License-Identifier: MIT
 *
 * synthetic_images.c - the families of pictures with seeds: hussein, photo, spot, frame.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "synthetic.h"

static uint8_t to_byte(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static double lambda_of(const family_request *request, double own)
{
    if (request->lambda == 0) return TILECUT_NONE;
    return request->lambda > 0 ? request->lambda : own;
}

/* ---- hussein ---------------------------------------------------------------------------------- */

/* The paper says what to draw, but not how many and how large; these numbers are our choice. */
enum { ELLIPSES = 24, COMPONENTS = 3, PATCH = 32 };
typedef struct component {
    int mean, sigma;
} component;
static const component mixture[2][COMPONENTS] = {{{40, 14}, {85, 16}, {140, 18}},
                                                 {{110, 16}, {165, 18}, {215, 14}}};

/* Marks one ellipse: centre, direction (a, b) of any length, radii. All are relative to the image's side, so that one
 * seed draws the same shapes at every size. */
static void draw_ellipse(uint8_t *inside, int size, chance *dice)
{
    const double cx = (double)chance_below(dice, 4096) * size / 4096;
    const double cy = (double)chance_below(dice, 4096) * size / 4096;
    const double rx = (double)chance_between(dice, 80, 500) * size / 4096;
    const double ry = (double)chance_between(dice, 80, 500) * size / 4096;
    const int a = chance_between(dice, -1000, 1000), b = chance_between(dice, 1, 1000);
    const double norm = (double)a * a + (double)b * b;
    const double reach = rx > ry ? rx : ry;
    for (int y = (int)fmax(0, cy - reach); y < size && y <= cy + reach; y++)
        for (int x = (int)fmax(0, cx - reach); x < size && x <= cx + reach; x++) {
            const double dx = x - cx, dy = y - cy;
            const double u = a * dx + b * dy, v = a * dy - b * dx;
            if (u * u / (rx * rx) + v * v / (ry * ry) <= norm) inside[(size_t)y * (size_t)size + (size_t)x] = 1;
        }
}

static void fill_box(uint8_t *plane, int width, int x0, int y0, int side, uint8_t value)
{
    for (int y = y0; y < y0 + side; y++) memset(plane + (size_t)y * (size_t)width + x0, value, (size_t)side);
}

bool family_hussein(const family_request *request, instance *out)
{
    const int size = request->size, patch = size / 4 < PATCH ? size / 4 : PATCH;
    const int centre = (size - patch) / 2;
    chance shapes = chance_of(request->seed, 4), dice = chance_of(request->seed, 5);
    if (!instance_alloc_pixels(out, size, size, 1)) return false;
    uint8_t *inside = calloc((size_t)size * (size_t)size, 1);
    if (!inside) return false;
    for (int i = 0; i < ELLIPSES; i++) draw_ellipse(inside, size, &shapes);
    fill_box(inside, size, centre, centre, patch, 1);
    fill_box(inside, size, 0, 0, patch, 0);
    for (size_t p = 0; p < (size_t)size * (size_t)size; p++) {
        const component *c = &mixture[inside[p]][chance_below(&dice, COMPONENTS)];
        out->pixels[p] = to_byte(c->mean + chance_bell(&dice, c->sigma));
    }
    free(inside);
    fill_box(out->labels, size, centre, centre, patch, TILECUT_FOREGROUND);
    fill_box(out->labels, size, 0, 0, patch, TILECUT_BACKGROUND);
    out->params.colors = "hist"; /* colours are learnt from the patches, whatever the library's default is */
    out->params.lambda = lambda_of(request, 2.5);
    out->params.data_weight = 1;
    out->params.sigma = 50;
    out->params.soft_seeds = 1;
    return true;
}

/* ---- photo ------------------------------------------------------------------------------------ */

/* Linear interpolation along one axis: the output sample lies between the input samples `first` and `next`. */
typedef struct tap {
    int first, next;
    int weight; /* of `next`, in 256ths */
} tap;

static tap tap_of(int out, int to, int from)
{
    /* centre of the sample, in 1/256 of a source pixel */
    const int64_t at = ((2 * (int64_t)out + 1) * from * 128) / to - 128;
    const int64_t clamped = at < 0 ? 0 : at > (int64_t)(from - 1) * 256 ? (int64_t)(from - 1) * 256 : at;
    const int first = (int)(clamped / 256);
    return (tap){first, first + 1 < from ? first + 1 : first, (int)(clamped % 256)};
}

static void scale_row(const family_photo *photo, instance *out, int y)
{
    const tap v = tap_of(y, out->height, photo->height);
    const size_t stride = (size_t)photo->width * (size_t)photo->channels;
    const uint8_t *above = photo->pixels + (size_t)v.first * stride;
    const uint8_t *below = photo->pixels + (size_t)v.next * stride;
    uint8_t *to = out->pixels + (size_t)y * (size_t)out->width * (size_t)out->channels;
    for (int x = 0; x < out->width; x++) {
        const tap h = tap_of(x, out->width, photo->width);
        for (int c = 0; c < out->channels; c++) {
            const int l = h.first * photo->channels + c, r = h.next * photo->channels + c;
            const int top = above[l] * (256 - h.weight) + above[r] * h.weight;
            const int bottom = below[l] * (256 - h.weight) + below[r] * h.weight;
            *to++ = (uint8_t)((top * (256 - v.weight) + bottom * v.weight + 32768) >> 16);
        }
    }
}

/* Halves a photo until it is less than twice as large as wanted, so that the interpolation afterwards uses every
 * pixel. */
static bool halve(family_photo *photo, uint8_t **owned)
{
    const int width = photo->width / 2, height = photo->height / 2, channels = photo->channels;
    const size_t stride = (size_t)photo->width * (size_t)channels;
    uint8_t *pixels = malloc((size_t)width * (size_t)height * (size_t)channels);
    if (!pixels) return false;
    uint8_t *to = pixels;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width * channels; x++) {
            const uint8_t *a = photo->pixels + 2 * (size_t)y * stride;
            const size_t left = (size_t)(x / channels * 2 * channels + x % channels);
            const size_t right = left + (size_t)channels;
            *to++ = (uint8_t)((a[left] + a[right] + a[stride + left] + a[stride + right] + 2) / 4);
        }
    free(*owned);
    *owned = pixels;
    photo->pixels = pixels;
    photo->width = width;
    photo->height = height;
    return true;
}

static bool scale_pixels(const family_photo *photo, instance *out)
{
    family_photo from = *photo;
    uint8_t *owned = NULL;
    while (from.width >= 2 * out->width && from.height >= 2 * out->height)
        if (!halve(&from, &owned)) {
            free(owned);
            return false;
        }
    for (int y = 0; y < out->height; y++) scale_row(&from, out, y);
    free(owned);
    return true;
}

/* Allocates an instance with the photo's aspect ratio and as many pixels as a square of side `size`. */
static bool alloc_like(const family_photo *photo, int size, instance *out)
{
    const double scale = size / sqrt((double)photo->width * photo->height);
    const int width = (int)(photo->width * scale + 0.5), height = (int)(photo->height * scale + 0.5);
    return instance_alloc_pixels(out, width > 1 ? width : 1, height > 1 ? height : 1, photo->channels);
}

bool family_photo_scaled(const family_request *request, instance *out)
{
    const family_photo *photo = request->photo;
    if (!alloc_like(photo, request->size, out) || !scale_pixels(photo, out)) return false;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            const int64_t sy = (int64_t)y * photo->height / out->height;
            const int64_t sx = (int64_t)x * photo->width / out->width;
            out->labels[(size_t)y * (size_t)out->width + (size_t)x] = photo->labels[sy * photo->width + sx];
        }
    out->params.colors = "hist";
    out->params.lambda = lambda_of(request, 50);
    return true;
}

/* ---- spot and frame --------------------------------------------------------------------------- */

/* Returns a random number for a corner of the lattice in one octave of the texture. */
static int corner(uint64_t seed, int octave, int x, int y)
{
    chance dice = {seed ^ (uint64_t)octave << 56 ^ (uint64_t)(uint32_t)x << 28 ^ (uint64_t)(uint32_t)y};
    return (int)(chance_draw(&dice) >> 56);
}

/* Returns smooth noise of period 2^octave, -128 .. 127. */
static int octave_at(uint64_t seed, int octave, int x, int y)
{
    const int period = 1 << octave, cx = x >> octave, cy = y >> octave;
    const int fx = x & (period - 1), fy = y & (period - 1);
    const int top = corner(seed, octave, cx, cy) * (period - fx) + corner(seed, octave, cx + 1, cy) * fx;
    const int bottom = corner(seed, octave, cx, cy + 1) * (period - fx) + corner(seed, octave, cx + 1, cy + 1) * fx;
    return (int)(((int64_t)top * (period - fy) + (int64_t)bottom * fy) >> 2 * octave) - 128;
}

enum { OCTAVES = 7, NOISE = 3 };

/* Draws an object that is brighter than its background, with texture whose finer detail is weaker, as in photos. */
static void draw_texture(instance *out, uint64_t seed)
{
    const double radius = 0.3 * out->width;
    chance dice = chance_of(seed, 6);
    const uint64_t lattice = chance_draw(&dice);
    uint8_t *to = out->pixels;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            const double dx = x - 0.5 * out->width, dy = y - 0.5 * out->height;
            const int bend = octave_at(lattice, 6, x, y);
            const double edge = radius * (1 + bend / 512.0);
            int v = dx * dx + dy * dy < edge * edge ? 140 : 110;
            for (int octave = 1; octave <= OCTAVES; octave++) v += octave_at(lattice, octave, x, y) * (octave + 1) / 24;
            *to++ = to_byte(v + chance_bell(&dice, NOISE));
        }
}

static bool draw_ground(const family_request *request, instance *out)
{
    if (request->photo) {
        if (!alloc_like(request->photo, request->size, out) || !scale_pixels(request->photo, out)) return false;
    } else {
        if (!instance_alloc_pixels(out, request->size, request->size, 1)) return false;
        draw_texture(out, request->seed);
    }
    out->params.colors = "none";
    out->params.lambda = lambda_of(request, 50);
    return true;
}

static void label_disc(instance *out, int cx, int cy, int radius, uint8_t label)
{
    for (int y = cy - radius; y <= cy + radius; y++)
        for (int x = cx - radius; x <= cx + radius; x++) {
            const int dx = x - cx, dy = y - cy;
            if (x >= 0 && y >= 0 && x < out->width && y < out->height && dx * dx + dy * dy <= radius * radius)
                out->labels[(size_t)y * (size_t)out->width + (size_t)x] = label;
        }
}

bool family_spot(const family_request *request, instance *out)
{
    if (!draw_ground(request, out)) return false;
    const int side = out->width < out->height ? out->width : out->height, radius = side / 64;
    label_disc(out, out->width / 2, out->height / 2, radius, TILECUT_FOREGROUND);
    label_disc(out, 2 * radius, 2 * radius, radius, TILECUT_BACKGROUND);
    return true;
}

bool family_frame(const family_request *request, instance *out)
{
    if (!draw_ground(request, out)) return false;
    const int side = out->width < out->height ? out->width : out->height;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++)
            if (x < 2 || y < 2 || x >= out->width - 2 || y >= out->height - 2)
                out->labels[(size_t)y * (size_t)out->width + (size_t)x] = TILECUT_BACKGROUND;
    label_disc(out, out->width / 2, out->height / 2, side / 16, TILECUT_FOREGROUND);
    return true;
}
