/* SPDX-License-Identifier: MIT
 *
 * volume_click.c - see volume.h: a volume in which the user has clicked on one place of the object. As in a photo,
 * masks of several sizes are cut in a smaller copy (click_sizes.h). If one of them is clearly better than the mask, it
 * becomes the first guess, and the volume is cut again.
 */
#include <math.h>
#include <stdlib.h>

#include "click_sizes.h"
#include "coarse.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

enum { ACROSS = TC_CLICK_ACROSS };

/* CELLS: the copy has about as many cells; LAMBDA: the default of lambda after a click (docs/lab/volumes.md). */
#define CELLS 30000.0
#define LAMBDA 3

/* Sets *click to true if the foreground seeds are one click: their bounding box is small, and each plane of the box, at
 * right angles to any of the three axes, contains a seed. */
static tilecut_status is_click(const tc_volume *made, const uint8_t *seeds, tc_comm *comm, bool *click)
{
    const tc_own_rows own = tc_own_rows_of(comm, made->image.height);
    const int width = made->image.width, height = made->setup.slice_rows;
    const int64_t above = tc_comm_above(comm) + own.first;
    const tc_slices all = {width, height, (own.end - own.first) / height};
    const uint8_t *const first = seeds + (size_t)own.first * (size_t)width;
    int64_t seen[3 * ACROSS] = {0};
    tc_block box;

    *click = false;
    NEED(tc_box_in_space(first, &all, TILECUT_FOREGROUND, comm, false, &box));
    const int from[3] = {box.x, box.y, box.z}, size[3] = {box.width, box.height, box.depth};
    if (!box.width || size[0] > ACROSS || size[1] > ACROSS || size[2] > ACROSS) return TILECUT_OK;
    for (int i = 0; i < ACROSS * ACROSS * ACROSS; i++) {
        const int at[3] = {i % ACROSS, i / ACROSS % ACROSS, i / (ACROSS * ACROSS)};
        if (at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2]) continue;
        const int64_t row = (int64_t)(from[2] + at[2]) * height + from[1] + at[1] - above;
        if (row < 0 || row >= own.end - own.first) continue;
        if (first[row * width + from[0] + at[0]] != TILECUT_FOREGROUND) continue;
        for (int k = 0; k < 3; k++) seen[k * ACROSS + at[k]]++;
    }
    NEED(tc_comm_allreduce(comm, seen, sizeof seen / sizeof *seen));
    *click = true;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < size[k]; i++) *click &= seen[k * ACROSS + i] > 0;
    return TILECUT_OK;
}

/* Chooses the cells of the copy: whole voxels, with sides of nearly equal length. `steps`: these lengths, divided by
 * the least of them. */
static tc_cell choose_cell(const tilecut_image *image, tc_comm *comm, int slice_rows, const double spacing[3],
                           double steps[3])
{
    const double slices = (double)tc_comm_height(comm, image->height) / slice_rows;
    const double space = image->width * spacing[0] * slice_rows * spacing[1] * slices * spacing[2];
    const double side = cbrt(space / CELLS);
    double least = INFINITY;
    int voxels[3];
    for (int k = 0; k < 3; k++) {
        voxels[k] = (int)fmax(1, floor(side / spacing[k] + 0.5));
        steps[k] = voxels[k] * spacing[k];
        least = fmin(least, steps[k]);
    }
    for (int k = 0; k < 3; k++) steps[k] /= least;
    return (tc_cell){voxels[0], voxels[1], voxels[2], slice_rows};
}

/* The input of one search in a copy, and its result. */
typedef struct search {
    tc_click_cells cells;
    tc_comm *comm;
    const uint8_t *before; /* the volume's mask, in cells */
    int64_t *guess;        /* [words] the mask that is found, a byte a cell */
    size_t words;
} search;

/* Searches. If the volume is in parts, the first part searches for all of them. */
static tilecut_status search_copy(const search *s, const tc_setup *with, bool *found)
{
    int64_t any = 0;
    *found = false;
    if (!s->comm || !tc_has_above(s->comm))
        NEED(tc_guess_by_sizes(&s->cells, tc_solve_small, with->cancel, s->before, (uint8_t *)s->guess, found));
    any = *found;
    NEED(tc_comm_broadcast(s->comm, 0, &any, 1));
    *found = any != 0;
    return *found ? tc_comm_broadcast(s->comm, 0, s->guess, s->words) : TILECUT_OK;
}

/* Makes the mask found around a click the first guess of `with`. */
static void take_guess(const tc_click_cells *cells, const void *guess, tc_setup *with)
{
    with->guess = guess;
    with->guess_width = cells->image.width, with->guess_height = cells->image.height;
    with->guess_slice_rows = cells->slice_rows;
    with->guess_of_all = with->guess_has_evidence = true;
    if (with->lambda_by_strokes) with->lambda = LAMBDA, with->lambda_by_strokes = false;
}

/* Looks for a better mask than `mask` around a click. If there is one, it becomes the first guess of `with`, and *guess
 * is its memory, which the caller frees; otherwise *guess is NULL. */
static tilecut_status guess_by_click(const tc_volume *made, const uint8_t *seeds, tc_comm *comm, const uint8_t *mask,
                                     tc_setup *with, int64_t **guess)
{
    const tilecut_image *const image = &made->image;
    const int height = made->setup.slice_rows;
    tilecut_status status = TILECUT_OK;
    search s = {.comm = comm};
    tc_coarse copy = {0};
    uint8_t *before = NULL;
    bool has_all_classes, found = false;

    const tc_cell cell = choose_cell(image, comm, height, made->setup.spacing, s.cells.spacing);
    TRY(tc_coarse_in_space(&copy, comm, image, seeds, &cell, with->threads, &has_all_classes));
    if (!has_all_classes) goto done;
    TRY(tc_coarse_mask(&before, comm, image, mask, seeds, &cell, with->threads));
    const size_t count = (size_t)copy.image.width * (size_t)copy.image.height;
    s.words = (count + 7) / 8;
    s.guess = *guess = calloc(s.words, sizeof *s.guess);
    if (!*guess) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu cells", count));
    s.before = before;
    s.cells.image = copy.image, s.cells.seeds = copy.seeds;
    s.cells.threads = made->setup.threads;
    s.cells.slice_rows = (height + cell.y - 1) / cell.y;
    TRY(search_copy(&s, with, &found));
    if (found) take_guess(&s.cells, *guess, with);
done:
    if (!found) free(*guess), *guess = NULL;
    free(before);
    tc_coarse_free(&copy);
    return status;
}

bool tc_volume_may_click(const tc_setup *setup)
{
    const tc_colors *const model = tc_colors_find(setup->colors);
    return setup->effort != 1 && setup->iterations >= 0 && !setup->soft_seeds && model && tc_colors_learn(model);
}

/* True if there may be a search around a click, and the whole volume was cut. */
static bool may_look(const tc_volume *made, const tc_setup *setup)
{
    return !made->less && !made->guessed && tc_volume_may_click(setup);
}

tilecut_status tc_volume_learn(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                               const tc_setup *setup)
{
    tilecut_status status = TILECUT_OK;
    tc_setup with = *setup;
    tilecut_report report;
    uint8_t *mask = NULL;
    bool learns;

    with.solver = NULL; /* the graph has to be learnt here, not on a device */
    NEED(tc_volume_open_window(made, voxels, seeds, &with));
    learns = made->setup.iterations >= 0 && tc_colors_learn(made->graph->energy.model);
    if (!learns && may_look(made, &with)) NEED(is_click(made, seeds, NULL, &learns));
    if (!learns) return TILECUT_OK;
    mask = malloc(tc_volume_voxels(voxels));
    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu voxels", tc_volume_voxels(voxels));
    TRY(tc_volume_cut(made, NULL, mask, &report));
    TRY(tc_volume_click(made, voxels, seeds, &with, NULL, mask, &report));
done:
    free(mask);
    return status;
}

tilecut_status tc_volume_click(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                               const tc_setup *setup, struct tc_kept_flow *kept, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    const tilecut_report before = *report;
    tc_setup with = *setup;
    int64_t *guess = NULL;
    tc_comm *const comm = setup->comm ? &made->rows : NULL;
    bool click;

    if (!may_look(made, setup) || tc_comm_height(setup->comm, voxels->depth) == 1) return TILECUT_OK;
    NEED(is_click(made, seeds, comm, &click));
    if (click) NEED(guess_by_click(made, seeds, comm, mask, &with, &guess));
    if (!guess) return TILECUT_OK;
    tc_volume_close(made);
    *report = (tilecut_report){0};
    TRY(tc_volume_open_window(made, voxels, seeds, &with));
    TRY(tc_volume_cut(made, kept, mask, report));
    tc_report_add_times(report, &before);
    made->setup.guess = NULL; /* freed below; the levels are computed already */
    if (made->graph) made->graph->energy.evidence = NULL;
done:
    free(guess);
    return status;
}
