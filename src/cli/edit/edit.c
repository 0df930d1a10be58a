/* SPDX-License-Identifier: MIT
 *
 * edit.c - see edit.h. The sketch is a small copy of the photo. Each of its pixels stands for a cell, a block of photo
 * pixels, and has their mean colour. Its label is that of the strokes in the cell, the more frequent one if there are
 * two; without strokes, it is that of the box.
 */
#include "edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paint.h"
#include "pixel.h"

/* ---- the sketch ------------------------------------------------------------------------------- */

/* In so small a copy a third training changes next to nothing, and further guesses for a box hardly improve the mask.
 * Both take longer than a user who is painting would wait. */
enum { SKETCH_ITERATIONS = 2 };

static int cells(int side, int factor) { return (side + factor - 1) / factor; }

int edit_begin(edit *e, int width, int height, int channels, int depth, int64_t pixels, failure *why)
{
    *e = (edit){.width = width, .height = height, .factor = 1};
    while ((int64_t)cells(width, e->factor) * cells(height, e->factor) > pixels) e->factor++;
    const int w = cells(width, e->factor), h = cells(height, e->factor), colors = channels > 2 ? 3 : 1;
    const size_t area = (size_t)w * (size_t)h;
    e->small = (image){.width = w, .height = h, .channels = colors, .depth = depth, .orientation = 1};
    e->small.pixels = malloc(area * (size_t)colors * (size_t)(depth / 8));
    e->labels = calloc((size_t)width * (size_t)height, 1);
    e->small_labels = calloc(area, 1);
    e->small_mask = calloc(area, 1);
    if (e->small.pixels && e->labels && e->small_labels && e->small_mask) return EXIT_DONE;
    edit_end(e);
    return fail(why, EXIT_RESOURCES, "not enough memory to edit a photo of %dx%d", width, height);
}

void edit_end(edit *e)
{
    image_free(&e->small);
    free(e->labels);
    free(e->small_labels);
    free(e->small_mask);
    free(e->small_prior);
    *e = (edit){0};
}

/* Returns the mean of channel `c` over a cell of w * h pixels that begins at pixel `first`. */
static uint32_t mean(const image *rows, size_t first, int w, int h, int c)
{
    uint64_t sum = 0;
    const uint64_t count = (uint64_t)w * (uint64_t)h;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            sum += sample_at(rows, (first + (size_t)y * (size_t)rows->width + (size_t)x) * (size_t)rows->channels +
                                       (size_t)c);
    return (uint32_t)((sum + count / 2) / count);
}

static int min_int(int a, int b) { return a < b ? a : b; }

void edit_add_rows(edit *e, int y, int rows, int channels, const uint8_t *pixels)
{
    /* The cast only drops const: struct image may own its pixels, but these are only read. */
    const image from = {.width = e->width, .height = rows, .channels = channels, .depth = e->small.depth,
                        .pixels = (uint8_t *)(uintptr_t)pixels};
    const int f = e->factor;
    for (int top = 0; top < rows; top += f)
        for (int left = 0; left < e->width; left += f) {
            const size_t cell = (size_t)((y + top) / f) * (size_t)e->small.width + (size_t)(left / f);
            const size_t first = (size_t)top * (size_t)e->width + (size_t)left;
            for (int c = 0; c < e->small.channels; c++)
                sample_set(&e->small, cell * (size_t)e->small.channels + (size_t)c,
                           mean(&from, first, min_int(f, e->width - left), min_int(f, rows - top), c));
        }
}

static uint8_t label_of_cell(const edit *e, int cx, int cy)
{
    int count[TILECUT_OUTSIDE + 1] = {0};
    const int f = e->factor, right = min_int((cx + 1) * f, e->width), bottom = min_int((cy + 1) * f, e->height);
    for (int y = cy * f; y < bottom; y++)
        for (int x = cx * f; x < right; x++) count[e->labels[(size_t)y * (size_t)e->width + (size_t)x]]++;
    const int fore = count[TILECUT_FOREGROUND], back = count[TILECUT_BACKGROUND];
    if (fore || back) return fore > back ? TILECUT_FOREGROUND : fore < back ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    return count[TILECUT_OUTSIDE] ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
}

int edit_patch(edit *e, int x, int y, int width, int height, const uint8_t *labels, failure *why)
{
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > e->width - x || height > e->height - y)
        return fail(why, EXIT_USAGE, "strokes: %d,%d,%d,%d is not within %dx%d", x, y, width, height, e->width,
                    e->height);
    const size_t count = (size_t)width * (size_t)height;
    for (size_t i = 0; i < count; i++)
        if (labels[i] > TILECUT_OUTSIDE) return fail(why, EXIT_USAGE, "strokes: %d is no label", labels[i]);
    for (int row = 0; row < height; row++)
        memcpy(e->labels + (size_t)(y + row) * (size_t)e->width + (size_t)x, labels + (size_t)row * (size_t)width,
               (size_t)width);
    for (int cy = y / e->factor; cy <= (y + height - 1) / e->factor; cy++)
        for (int cx = x / e->factor; cx <= (x + width - 1) / e->factor; cx++)
            e->small_labels[(size_t)cy * (size_t)e->small.width + (size_t)cx] = label_of_cell(e, cx, cy);
    return EXIT_DONE;
}

int edit_prior(edit *e, const uint8_t *prior, failure *why)
{
    const int f = e->factor, w = e->small.width, h = e->small.height;
    free(e->small_prior);
    e->small_prior = prior ? malloc((size_t)w * (size_t)h) : NULL;
    if (!prior) return EXIT_DONE;
    if (!e->small_prior) return fail(why, EXIT_RESOURCES, "not enough memory for the mask");
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int rows = min_int(f, e->height - y * f), columns = min_int(f, e->width - x * f);
            const image from = {.width = e->width, .height = rows, .channels = 1, .depth = 8,
                                .pixels = (uint8_t *)(uintptr_t)prior};
            const size_t first = (size_t)(y * f) * (size_t)e->width + (size_t)(x * f);
            e->small_prior[(size_t)y * (size_t)w + (size_t)x] = (uint8_t)mean(&from, first, columns, rows, 0);
        }
    return EXIT_DONE;
}

void edit_shrink_cleanup(cleanup *what, int64_t cell)
{
    what->min_area = (int)((what->min_area + cell - 1) / cell);
    what->fill_holes = (int)(what->fill_holes / cell);
}

/* Returns the options for the small copy. */
static edit_options small_options(const edit *e, const edit_options *options)
{
    edit_options small = *options;
    edit_shrink_cleanup(&small.cleanup, (int64_t)e->factor * e->factor);
    const int learnt = small.model.iterations;
    if (learnt == 0 || learnt > SKETCH_ITERATIONS) small.model.iterations = SKETCH_ITERATIONS;
    small.model.effort = 1;
    return small;
}

int edit_sketch(edit *e, const edit_options *options, const tilecut_params *own_params, edit_answer *answer,
                failure *why)
{
    const edit_options small = small_options(e, options);
    tilecut_params params = *own_params;
    params.prior = e->small_prior;
    return edit_cut(&e->small, e->small_labels, &small, &params, e->small_mask, answer, why);
}

int edit_unsure(const edit *e, const edit_options *options, const tilecut_params *own_params,
                char text[EDIT_ANSWER_BYTES], failure *why)
{
    const int f = e->factor;
    tilecut_params params = *own_params;
    tilecut_graph *graph = NULL;
    tilecut_doubt doubt = {0};
    tilecut_image view;
    uint8_t *copy = NULL, *const learnt = malloc((size_t)e->small.width * (size_t)e->small.height);
    model_apply(&options->model, &params);
    if (!learnt || !matting_opaque(&e->small, &view, &copy, NULL)) {
        free(learnt);
        return fail(why, EXIT_RESOURCES, "not enough memory for a mask");
    }
    if (options->corrects) params.prior = e->small_mask, params.prior_weight = TILECUT_NONE;
    tilecut_status status = tilecut_graph_from_image(&graph, &view, e->small_labels, &params);
    if (status == TILECUT_OK && !options->corrects) status = tilecut_graph_segment(graph, &params, learnt, NULL);
    if (status == TILECUT_OK) status = tilecut_confidence(graph, e->small_mask, &params, NULL, &doubt);
    tilecut_graph_destroy(graph);
    free(learnt);
    free(copy);
    if (status != TILECUT_OK) return edit_failure(status, why);
    const bool any = doubt.x >= 0;
    snprintf(text, EDIT_ANSWER_BYTES, "unsure\t%.0f\nx\t%d\ny\t%d\nlabel\t%d\npixels\t%.0f\n", 100 * doubt.unsure,
             any ? min_int(doubt.x * f + f / 2, e->width - 1) : -1,
             any ? min_int(doubt.y * f + f / 2, e->height - 1) : -1, doubt.label, doubt.gain * f * f);
    return EXIT_DONE;
}

/* ---- the photo -------------------------------------------------------------------------------- */

int edit_failure(tilecut_status status, failure *why)
{
    const int as = status == TILECUT_EINVAL || status == TILECUT_ERANGE      ? EXIT_USAGE
                   : status == TILECUT_ESEEDS                                ? EXIT_SEEDS
                   : status == TILECUT_EUNPROVEN                             ? EXIT_UNPROVEN
                   : status == TILECUT_ECANCELLED                            ? EXIT_RUNTIME
                                                                             : EXIT_RESOURCES;
    return fail(why, as, "%s", *tilecut_error_detail() ? tilecut_error_detail() : tilecut_strerror(status));
}

int edit_cut(const image *photo, const uint8_t *labels, const edit_options *options, const tilecut_params *own_params,
             uint8_t *mask, edit_answer *answer, failure *why)
{
    tilecut_params params = *own_params;
    tilecut_image view;
    uint8_t *copy;
    *answer = (edit_answer){0};
    model_apply(&options->model, &params);
    if (!matting_opaque(photo, &view, &copy, NULL)) return fail(why, EXIT_RESOURCES, "not enough memory for the photo");
    const bool corrects = options->corrects && own_params->prior;
    const int by = !corrects ? TILECUT_ANEW : options->learns ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES;
    const size_t pixels = (size_t)photo->width * (size_t)photo->height;
    for (size_t p = 0; p < pixels && corrects; p++) mask[p] = own_params->prior[p] >= 128 ? 255 : 0;
    const tilecut_status status =
        tilecut_memo_cut(options->memo, &view, labels, &params, by, mask, &answer->report);
    free(copy);
    if (status != TILECUT_OK) return edit_failure(status, why);
    const cleanup_lattice rows = {.width = photo->width, .height = photo->height};
    if (cleanup_wanted(&options->cleanup) &&
        !cleanup_mask(&options->cleanup, labels, &rows, mask, &answer->cleaned))
        return fail(why, EXIT_RESOURCES, "not enough memory to clean the mask");
    return EXIT_DONE;
}

static int make_matte(const masked_photo *of, const matting_request *request, matte *soft, failure *why)
{
    tilecut_image view;
    uint8_t *copy;
    int64_t band;
    if (!matting_opaque(of->photo, &view, &copy, NULL))
        return fail(why, EXIT_RESOURCES, "not enough memory for the photo");
    const int status = matting_make(of, &view, request, soft, &band, why);
    free(copy);
    return status;
}

int edit_finish(const image *photo, const uint8_t *labels, const edit_options *options, const uint8_t *prior,
                uint8_t *mask, failure *why)
{
    tilecut_image view;
    uint8_t *copy;
    if (!options->snap) return EXIT_DONE;
    if (!matting_opaque(photo, &view, &copy, NULL)) return fail(why, EXIT_RESOURCES, "not enough memory for the photo");
    const tilecut_status status = tilecut_snap(&view, labels, options->corrects ? NULL : prior, mask, NULL);
    free(copy);
    return status == TILECUT_OK ? EXIT_DONE : edit_failure(status, why);
}

int edit_cutout(const masked_photo *of, const edit_options *options, int threads, uint64_t memory, image *out,
                failure *why)
{
    const matting_request request = {&options->edge, threads, !options->keep_colors, memory};
    matte soft = {0};
    if (options->edge.kind == EDGE_HARD) return paint_cutout(of->photo, of->mask, NULL, NULL, false, out, why);
    int status = make_matte(of, &request, &soft, why);
    if (!status) status = paint_cutout(of->photo, of->mask, &soft, NULL, false, out, why);
    matte_free(&soft);
    return status;
}
