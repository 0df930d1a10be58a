/* SPDX-License-Identifier: MIT
 *
 * coarse_search.c - the search in a smaller copy, see search.h.
 */
#include <math.h>
#include <stdlib.h>

#include "iterate.h"
#include "search.h"
#include "solve.h"
#include "status.h"
#include "unseen_parts.h"

/* Returns the factor by which the copy may be smaller on each side so that a search in it usually finds the same mask.
 * 1: no copy is needed, or none is wanted. */
static int factor_for(double width, double height, int effort)
{
    const double enough = 120000; /* pixels */
    const double factor = ceil(sqrt(width * height / enough));
    return effort > 1 ? (int)factor : 1;
}

int tc_copy_factor(const tc_run *run)
{
    const tilecut_image *const image = run->source.image;
    const int height = tc_comm_height(run->params->comm, image->height);
    if (run->graph ? tc_graph_is_volume(run->graph) : run->params->slice_rows > 0) return 1;
    return run->params->prior ? 1 : factor_for(image->width, height, run->params->effort);
}

/* In an image in parts, each part has its own rows of a guess. Turns it into a guess for the cells of the smaller copy,
 * which each part has as a whole. The caller frees *cells. */
static tilecut_status shrink_guess(tc_setup *params, tc_comm *comm, int width, int height, uint8_t **cells)
{
    const size_t words = ((size_t)width * (size_t)height + 7) / 8;
    if (!comm || !params->guess || params->guess_of_all) return TILECUT_OK;
    *cells = calloc(words, 8);
    if (!*cells) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess");
    for (int y = 0; y < height; y++) {
        const int row = (int)((2 * (int64_t)y + 1) * comm->height / (2 * height)) - comm->above;
        const uint8_t *const from = params->guess + (ptrdiff_t)row * params->guess_width;
        if (row < comm->first || row >= comm->first + comm->rows) continue;
        for (int x = 0; x < width; x++)
            (*cells)[(size_t)y * (size_t)width + (size_t)x] =
                from[(2 * (int64_t)x + 1) * params->guess_width / (2 * width)] != 0;
    }
    NEED(tc_comm_allreduce(comm, (int64_t *)(void *)*cells, words));
    params->guess = *cells;
    params->guess_width = width;
    params->guess_height = height;
    return TILECUT_OK;
}

/* ---- The copy --------------------------------------------------------------------------------- */

/* A run in a copy of the image. */
typedef struct copy {
    tc_setup params;
    int factor, width, height;
    tc_run *run;
    tc_coarse own; /* pixels and seeds of the copy, if the learner has its copy on a device */
    uint8_t *memory, *masks[TC_RUN_MASKS];
} copy;

static void copy_leave(copy *c)
{
    tc_run_delete(c->run);
    free(c->memory);
    c->run = NULL, c->memory = NULL;
}

/* Finds the pixels and seeds of the copy, on the host. */
static tilecut_status cells_of(copy *c, const tc_run *of, const tc_coarse **cells)
{
    tc_fetched fetched = {.image = *of->source.image, .seeds = of->source.seeds};
    tilecut_status status = TILECUT_OK;
    bool has_all_classes; /* copying loses no seeds, because the learner has made the same copy */
    *cells = c->run->coarse.seeds ? &c->run->coarse : &c->own;
    if ((*cells)->seeds) return TILECUT_OK;
    TRY(tc_source_fetch(&of->source, of->params, &fetched));
    TRY(tc_coarse_init(&c->own, of->params->comm, &fetched.image, fetched.seeds, c->factor, c->params.threads,
                       &has_all_classes));
done:
    free(fetched.memory);
    return status;
}

/* Makes the run and searches in the copy. *found is false if the copy would lose seeds. */
static tilecut_status copy_search(copy *c, const tc_run *of, int most, bool *found)
{
    enum { PREPARED = 1 << 21 }; /* preparing this many pixels takes one thread about as long as the search */
    NEED(tc_run_new(&c->run));
    NEED(tc_run_open(c->run, &c->params, c->params.connectivity, c->width, c->height, NULL));
    c->run->kept = &c->run->own_kept;
    c->run->learner = of->learner;
    NEED(of->learner->shrink(of, c->factor, c->run, found));
    if (!*found) return TILECUT_OK;
    if (of->put_off && of->pixels <= PREPARED) c->run->larger = of->energy;
    NEED(tc_run_masks(c->run, c->masks, &c->memory));
    c->run->looks = tc_run_looks(c->run);
    if (c->run->looks && !of->learner->look) NEED(cells_of(c, of, &c->run->scene));
    return tc_run_search(c->run, most);
}

/* ---- Parts that no stroke names --------------------------------------------------------------- */

/* True if colours were learnt from strokes alone, and the search may use its full effort. */
static bool may_lack_names(const copy *c)
{
    const tc_run *const run = c->run;
    return run->painted && !run->guessed && !run->gave_up && !c->params.guess && !c->params.soft_seeds &&
           tc_colors_find(c->params.colors)->starts > 1;
}

/* Finds whether the strokes are short compared with the mask of the copy. */
static tilecut_status are_short(const copy *c, const tc_run *of, bool *shorts)
{
    const int width = of->source.image->width;
    const tc_own_rows own = tc_own_rows_of(of->params->comm, of->source.image->height);
    const double foreground = (double)c->run->report.foreground * c->factor * c->factor;
    tc_extent strokes = of->strokes; /* the bounding box of the strokes, if the learner has found it */
    if (!of->learner->keeps_masks) {
        strokes = tc_extent_of(of->source.seeds + (size_t)own.first * (size_t)width, width, own.end - own.first,
                               TILECUT_FOREGROUND);
        NEED(tc_extent_across(&strokes, of->params->comm));
    }
    *shorts = tc_strokes_are_short(&strokes, foreground);
    return TILECUT_OK;
}

/* The input of cut_cells(), and its times. */
typedef struct cutting {
    const tc_setup *params;
    tilecut_report report;
} cutting;

/* Cuts on the host, because learning from a guess is done there. */
static tilecut_status cut_cells(void *context, const tilecut_image *cells, const uint8_t *seeds, const uint8_t *guess,
                                uint8_t *mask)
{
    cutting *const c = context;
    tc_setup setup = *c->params;
    setup.solver = NULL;
    setup.guess = guess;
    setup.guess_width = cells->width, setup.guess_height = cells->height;
    return tc_segment_whole(&(tc_source){.image = cells, .seeds = seeds}, &setup, mask, &c->report);
}

/* Searches for parts of the object whose colours no stroke shows. *guess is NULL if there are none; the caller frees
 * it. *report has the times of this search. */
static tilecut_status find_unseen(copy *c, const tc_run *of, uint8_t **guess, tilecut_report *report)
{
    const size_t count = (size_t)c->width * (size_t)c->height;
    cutting by = {.params = &c->params};
    uint8_t *mask = NULL, *with = NULL;
    tilecut_status status = TILECUT_OK;
    const tc_coarse *cells;
    bool go_on, found = false;

    *guess = NULL;
    if (!may_lack_names(c)) return TILECUT_OK;
    NEED(are_short(c, of, &go_on));
    if (!go_on) return TILECUT_OK;
    TRY(cells_of(c, of, &cells));
    mask = malloc(count), with = malloc(count);
    if (!mask || !with) TRY(tc_fail(TILECUT_ENOMEM, "no memory for masks of %zu cells", count));
    TRY(c->run->learner->deliver(c->run, mask));
    TRY(tc_unseen_parts_find(&cells->image, cells->seeds, mask, cut_cells, &by, with, &found));
    *report = by.report;
    if (found) *guess = with, with = NULL;
done:
    free(mask);
    free(with);
    return status;
}

/* ---- All of it -------------------------------------------------------------------------------- */

tilecut_status tc_copy_search(tc_run *run, int factor, int most, tilecut_report *report, bool *found)
{
    const tilecut_image *const image = run->source.image;
    const int all = tc_comm_height(run->params->comm, image->height);
    copy c = {.params = *run->params, .factor = factor, .width = (image->width + factor - 1) / factor,
              .height = (all + factor - 1) / factor};
    uint8_t *cells = NULL, *unseen = NULL;
    tilecut_report before = {0}, looking = {0};
    tilecut_status status = TILECUT_OK;

    c.params.lambda /= factor; /* a cell stands for factor^2 pixels, but its side for only factor links */
    c.params.comm = NULL;     /* each part of an image has the whole copy, so it cuts alone */
    c.params.draft = true;
    TRY(shrink_guess(&c.params, run->params->comm, c.width, c.height, &cells));
    TRY(copy_search(&c, run, most, found));
    if (!*found) goto done;
    TRY(find_unseen(&c, run, &unseen, &looking));
    if (unseen) {
        before = c.run->report;
        copy_leave(&c);
        c.params.guess = unseen;
        c.params.guess_width = c.width, c.params.guess_height = c.height;
        TRY(copy_search(&c, run, most, found));
    }
    run->gave_up = c.run->gave_up;
    if (!run->gave_up) TRY(run->learner->learn_from_copy(run, c.run, factor));
    *report = c.run->report;
    tc_report_add_times(report, &before);
    tc_report_add_times(report, &looking);
done:
    copy_leave(&c);
    tc_coarse_free(&c.own);
    free(cells);
    free(unseen);
    return status;
}
