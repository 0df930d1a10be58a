/* SPDX-License-Identifier: MIT
 *
 * exports.c - the functions of the WebAssembly module that the page calls: edit.h for one photo, in memory that
 * JavaScript fills and reads. An instance is either a sketch (web_sketch_begin) or the photo (web_photo); the page has
 * one of each, in separate workers. Functions return an exit status of failure.h, and store a text for web_text().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exports.h"

static struct {
    edit sketch;
    image photo;
    uint8_t *labels, *mask, *prior; /* prior: a mask to begin from, or NULL */
    tilecut_memo *memo;            /* data that cuts of the photo keep for later cuts */
    image cutout;
    failure why;
    char text[EDIT_ANSWER_BYTES];
} web;

web_photo_parts web_parts(void)
{
    return (web_photo_parts){&web.photo, web.labels, web.mask, &web.why, web.text};
}

int web_end(int status)
{
    if (status) memcpy(web.text, web.why.text, sizeof web.why.text);
    return status;
}

static int cut(int status, const edit_answer *answer)
{
    if (!status) edit_describe(answer, web.text);
    return web_end(status);
}

EXPORT(web_alloc) void *web_alloc(size_t bytes) { return malloc(bytes); }
EXPORT(web_free) void web_free(void *memory) { free(memory); }

/* Returns, after a cut, its description (edit_describe); after a failure, its sentence. */
EXPORT(web_text) const char *web_text(void) { return web.text; }

/* Stores the name of a colour model as the text. Returns 0 past the end. */
EXPORT(web_colors) int web_colors(int index)
{
    const char *const name = tilecut_colors_name(index);
    if (name) snprintf(web.text, sizeof web.text, "%s", name);
    return name != NULL;
}

/* ---- a sketch ---- */

EXPORT(web_sketch_begin) int web_sketch_begin(int width, int height, int channels, int depth, int pixels)
{
    return web_end(edit_begin(&web.sketch, width, height, channels, depth, pixels, &web.why));
}

EXPORT(web_sketch_rows) void web_sketch_rows(int y, int rows, int channels, const uint8_t *pixels)
{
    edit_add_rows(&web.sketch, y, rows, channels, pixels);
}

EXPORT(web_sketch_patch) int web_sketch_patch(int x, int y, int width, int height, const uint8_t *labels)
{
    return web_end(edit_patch(&web.sketch, x, y, width, height, labels, &web.why));
}

/* Sets the prior of the sketch: a byte a pixel of the photo, or NULL. */
EXPORT(web_sketch_prior) int web_sketch_prior(const uint8_t *prior)
{
    return web_end(edit_prior(&web.sketch, prior, &web.why));
}

EXPORT(web_sketch_factor) int web_sketch_factor(void) { return web.sketch.factor; }

EXPORT(web_sketch_cut) int web_sketch_cut(const char *text, size_t size)
{
    edit_options options;
    edit_answer answer;
    const tilecut_params how = tilecut_params_default();
    int status = edit_read_options(text, size, &options, &web.why);
    if (!status) status = edit_sketch(&web.sketch, &options, &how, &answer, &web.why);
    return cut(status, &answer);
}

/* Calls edit_unsure() for the labels in web_labels() and the mask in web_mask(). Returns its answer as text. */
EXPORT(web_sketch_unsure) int web_sketch_unsure(const char *text, size_t size)
{
    edit_options options;
    const tilecut_params how = tilecut_params_default();
    int status = edit_read_options(text, size, &options, &web.why);
    if (!status) status = edit_unsure(&web.sketch, &options, &how, web.text, &web.why);
    return web_end(status);
}

/* ---- the photo ---- */

/* Allocates the memory of web_pixels(), web_labels() and web_mask(). */
EXPORT(web_photo) int web_photo(int width, int height, int channels, int depth)
{
    const size_t area = (size_t)width * (size_t)height;
    web.photo = (image){.width = width, .height = height, .channels = channels, .depth = depth, .orientation = 1};
    web.photo.pixels = malloc(area * (size_t)channels * (size_t)(depth / 8));
    web.labels = calloc(area, 1);
    web.mask = calloc(area, 1);
    const bool room = tilecut_memo_create(&web.memo) == TILECUT_OK;
    if (room && web.photo.pixels && web.labels && web.mask) return EXIT_DONE;
    return web_end(fail(&web.why, EXIT_RESOURCES, "not enough memory for a photo of %dx%d", width, height));
}

EXPORT(web_pixels) uint8_t *web_pixels(void) { return web.photo.pixels; }
EXPORT(web_labels) uint8_t *web_labels(void) { return web.photo.pixels ? web.labels : web.sketch.small_labels; }
EXPORT(web_mask) uint8_t *web_mask(void) { return web.photo.pixels ? web.mask : web.sketch.small_mask; }

/* Allocates a mask to begin from, a byte a pixel; wanted = 0 frees it. Returns NULL if memory ran out. */
EXPORT(web_prior) uint8_t *web_prior(int wanted)
{
    free(web.prior);
    web.prior = wanted ? malloc((size_t)web.photo.width * (size_t)web.photo.height) : NULL;
    return web.prior;
}

EXPORT(web_photo_cut) int web_photo_cut(const char *text, size_t size)
{
    edit_options options;
    edit_answer answer;
    tilecut_params how = tilecut_params_default();
    how.prior = web.prior;
    int status = edit_read_options(text, size, &options, &web.why);
    options.memo = web.memo;
    if (!status) status = edit_cut(&web.photo, web.labels, &options, &how, web.mask, &answer, &web.why);
    return cut(status, &answer);
}

/* Returns the cutout made with web_mask(): packed samples of the photo's depth, with an alpha channel added if the
 * photo has none. Valid until the next call; NULL on failure. */
EXPORT(web_cutout) const uint8_t *web_cutout(const char *text, size_t size)
{
    edit_options options;
    int status = edit_read_options(text, size, &options, &web.why);
    image_free(&web.cutout);
    const masked_photo masked = {&web.photo, web.mask, web.labels};
    if (!status) status = edit_cutout(&masked, &options, 1, UINT64_MAX, &web.cutout, &web.why);
    web_end(status);
    return web.cutout.pixels;
}
