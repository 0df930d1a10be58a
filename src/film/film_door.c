/* SPDX-License-Identifier: MIT
 *
 * film_door.c - the functions on films of tilecut_volume.h: checks and stores the frames; film_order.c works on them.
 */
#include <stdlib.h>
#include <string.h>

#include "thread_pool.h"
#include "film_state.h"
#include "sized.h"
#include "solve.h"
#include "status.h"

/* ---- Making ------------------------------------------------------------------------------------- */

static double weight(double given, double standard)
{
    return given == TILECUT_NONE ? 0 : given == 0 ? standard : given;
}

static tilecut_status read_shape(tilecut_film_shape *s, const tilecut_film_shape *given)
{
    NEED(tc_sized_read(s, sizeof *s, sizeof *s, given, "tilecut_film_shape"));
    if (s->channels != 1 && s->channels != 3)
        return tc_fail(TILECUT_EINVAL, "frames of %d channels; 1 and 3 are understood", s->channels);
    if (s->window < 0 || s->window > TILECUT_MAX_WINDOW)
        return tc_fail(TILECUT_EINVAL, "a window of %d frames; it has 1 to %d", s->window, TILECUT_MAX_WINDOW);
    if (!s->window) s->window = 6;
    s->overlap = s->overlap == TILECUT_NONE ? 0 : s->overlap == 0 ? s->window / 2 : s->overlap;
    if (s->overlap < 0 || s->overlap >= s->window)
        return tc_fail(TILECUT_EINVAL, "windows of %d frames that overlap by %d; less than a window is possible",
                       s->window, s->overlap);
    if (s->ahead < 0 || s->ahead > TILECUT_MAX_AHEAD)
        return tc_fail(TILECUT_EINVAL, "%d frames ahead; 0 to %d are possible", s->ahead, TILECUT_MAX_AHEAD);
    s->time = weight(s->time, 0.2), s->carry = weight(s->carry, 8);
    if (!(s->time >= 0 && s->time <= 4))
        return tc_fail(TILECUT_EINVAL, "links along time weigh %g; 0 to 4 are possible", s->time);
    if (!(s->carry >= 0 && s->carry <= 1e12))
        return tc_fail(TILECUT_EINVAL, "carry is %g; 0 to 1e12 are possible", s->carry);
    return tc_volume_check_size(s->width, s->height, s->window);
}

static tilecut_status take_maps(tilecut_film *f)
{
    const size_t small = (size_t)f->next.width * (size_t)f->next.height;
    f->object = malloc(4 * small * sizeof *f->object);
    if (!f->object) return tc_fail(TILECUT_ENOMEM, "no memory for evidence of %zu pixels", small);
    f->ground = f->object + small, f->along = f->ground + small, f->apart = f->along + small;
    return TILECUT_OK;
}

static tilecut_status alloc_film(tilecut_film *f)
{
    const int width = f->shape.width, height = f->shape.height;
    f->from = -1;
    f->room = f->shape.window + f->shape.ahead;
    const size_t n = (size_t)f->room, all = n * f->pixels;
    NEED(tc_small_init(&f->next, width, height));
    NEED(take_maps(f));
    NEED(tc_track_init(&f->forward, width, height, 1));
    if (f->shape.ahead) NEED(tc_track_init(&f->back, width, height, -1));
    f->frame = malloc(all * (size_t)f->shape.channels);
    f->mask = calloc(all, 1);
    f->seeds = calloc(all, 1);
    f->level = malloc(all);
    f->mixed = malloc(f->pixels);
    f->marked = calloc(n, sizeof *f->marked);
    f->report = calloc(n, sizeof *f->report);
    f->window = calloc(1, sizeof *f->window);
    if (!f->frame || !f->mask || !f->seeds || !f->level || !f->mixed || !f->marked || !f->report || !f->window)
        return tc_fail(TILECUT_ENOMEM, "no memory for %zu frames of %dx%d", n, width, height);
    return TILECUT_OK;
}

tilecut_status tilecut_film_create(tilecut_film **film, const tilecut_film_shape *shape, const tilecut_params *params)
{
    tilecut_status status = TILECUT_OK;
    tilecut_params wanted = {0};
    const tc_solver *solver;
    tilecut_film *f = NULL;

    if (!film) return tc_fail(TILECUT_EINVAL, "film is NULL");
    *film = NULL;
    if (!shape) return tc_fail(TILECUT_EINVAL, "shape is NULL");
    f = calloc(1, sizeof *f);
    if (!f) return tc_fail(TILECUT_ENOMEM, "no memory for a film");
    TRY(read_shape(&f->shape, shape));
    if (params) TRY(TC_READ(&wanted, params, params));
    wanted.size = sizeof wanted;
    if (wanted.connectivity == 6) wanted.connectivity = 0;
    TRY(tc_setup_resolve(&f->setup, &wanted));
    if (f->setup.connectivity != 4) TRY(tc_fail(TILECUT_EINVAL, "pixels of a film have 6 neighbours"));
    if (f->setup.prior) TRY(tc_fail(TILECUT_EINVAL, "a prior is of one frame; give it when the frame is added"));
    TRY(tc_setup_check_prior(&f->setup, false));
    TRY(tc_run_solver(&f->setup, 6, f->shape.width, f->shape.height, &solver));
    f->pixels = (size_t)f->shape.width * (size_t)f->shape.height;
    TRY(alloc_film(f));
    wanted.solver = NULL; /* the solver may be one for volumes only */
    wanted.seeds_stride = wanted.mask_stride = 0, wanted.prior_weight = 0;
    TRY(tc_setup_resolve(&f->training, &wanted));
    *film = f;
    return TILECUT_OK;
done:
    tilecut_film_destroy(f);
    return status;
}

void tilecut_film_destroy(tilecut_film *film)
{
    if (!film) return;
    tc_track_free(&film->forward);
    tc_track_free(&film->back);
    tc_small_free(&film->next);
    free(film->frame), free(film->mask), free(film->seeds), free(film->level), free(film->mixed);
    free(film->marked), free(film->report), free(film->object), free(film->sure), free(film->doubt);
    if (film->window) free(film->window->memory);
    free(film->window);
    free(film);
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* Removes the first `gone` frames, and moves the others to the front. */
static void slide(tilecut_film *f, int gone)
{
    const size_t left = (size_t)(f->count - gone), from = (size_t)gone, channels = (size_t)f->shape.channels;
    memmove(f->frame, f->frame + from * f->pixels * channels, left * f->pixels * channels);
    memmove(f->mask, f->mask + from * f->pixels, left * f->pixels);
    memmove(f->seeds, f->seeds + from * f->pixels, left * f->pixels);
    memmove(f->level, f->level + from * f->pixels, left * f->pixels);
    memmove(f->marked, f->marked + from, left * sizeof *f->marked);
    memmove(f->report, f->report + from, left * sizeof *f->report);
    f->looked = f->looked > gone ? f->looked - gone : 0;
    if (f->looked) {
        memmove(f->sure, f->sure + from * f->pixels, (size_t)f->looked * f->pixels);
        memmove(f->doubt, f->doubt + from, (size_t)f->looked * sizeof *f->doubt);
    }
    f->count -= gone, f->begun -= gone;
    f->forward.painted_at -= gone, f->from -= gone;
    f->again = f->again > gone ? f->again - gone : 0;
}

/* Drops a frame whose mask was taken. */
static void drop_frame(tilecut_film *f)
{
    if (f->taken) slide(f, 1);
    f->taken = false;
}

/* Checks the strokes of a frame. Strokes of one class alone are useful only if something is known of the object
 * already. */
static tilecut_status check_first(const tilecut_film *f, const tc_marks *marks)
{
    bool known = f->forward.graph || !marks->painted || marks->both || marks->prior;
    for (int i = f->begun; i < f->count; i++) known |= f->marked[i].both || f->marked[i].prior;
    if (known) return TILECUT_OK;
    return tc_fail(TILECUT_ESEEDS, "the first strokes of a film have one class; they need foreground and background");
}

tilecut_status tilecut_film_add(tilecut_film *film, const tilecut_image *image, const uint8_t *seeds,
                                const uint8_t *prior, int *ready)
{
    tilecut_image whole;

    if (!film) return tc_fail(TILECUT_EINVAL, "film is NULL");
    drop_frame(film);
    if (film->ready) return tc_fail(TILECUT_EINVAL, "%d masks wait to be taken before the next frame", film->ready);
    const tilecut_film_shape *const s = &film->shape;
    NEED(tc_image_read(&whole, image));
    if (whole.width != s->width || whole.height != s->height || whole.channels != s->channels || whole.depth != 8)
        return tc_fail(TILECUT_EINVAL, "a frame of %dx%d, %d channels of %d bits; the film has %dx%d, %d of 8",
                       whole.width, whole.height, whole.channels, whole.depth, s->width, s->height, s->channels);
    const size_t row = tc_image_row_bytes(&whole);
    const int i = film->count;
    const size_t at = (size_t)i * film->pixels;
    if (seeds) NEED(tc_energy_check_labelled(seeds, film->pixels));
    tc_copy_rows(film->frame + (size_t)i * (size_t)s->height * row, 0, whole.pixels, whole.stride, row,
                 (size_t)s->height);
    if (seeds) memcpy(film->seeds + at, seeds, film->pixels);
    else memset(film->seeds + at, TILECUT_UNKNOWN, film->pixels);
    const tc_marks marks = tc_film_marks(film->seeds + at, film->pixels, seeds != NULL, prior != NULL);
    NEED(check_first(film, &marks));
    if (prior) memcpy(film->level + at, prior, film->pixels); /* a frame's evidence is not needed until it is begun */
    film->marked[i] = marks;
    film->count++;
    tc_thread_pool *const pool = tc_thread_pool_open(film->setup.threads);
    const tilecut_status status = tc_film_go_on(film, s->ahead);
    tc_thread_pool_close(pool);
    if (status != TILECUT_OK && film->begun <= i) film->count = i;
    NEED(status);
    if (ready) *ready = film->ready;
    return TILECUT_OK;
}

/* Cuts the frames that are left. */
static tilecut_status finish(tilecut_film *f)
{
    NEED(tc_film_go_on(f, 0));
    return f->begun > f->again && f->forward.graph ? tc_film_cut_window(f, f->begun) : TILECUT_OK;
}

tilecut_status tilecut_film_end(tilecut_film *film, int *ready)
{
    if (!film) return tc_fail(TILECUT_EINVAL, "film is NULL");
    drop_frame(film);
    tc_thread_pool *const pool = tc_thread_pool_open(film->setup.threads);
    const tilecut_status status = finish(film);
    tc_thread_pool_close(pool);
    NEED(status);
    film->ready = film->count;
    if (ready) *ready = film->ready;
    return TILECUT_OK;
}

tilecut_status tilecut_film_take(tilecut_film *film, uint8_t *mask, tilecut_report *report)
{
    if (!film || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", film ? "mask" : "film");
    NEED(tc_sized_check(report, "tilecut_report"));
    drop_frame(film);
    if (!film->ready) return tc_fail(TILECUT_EINVAL, "no mask waits; add frames, or end the film");
    tilecut_report result = film->report[0];
    result.foreground = 0;
    for (size_t p = 0; p < film->pixels; p++) result.foreground += film->mask[p] != 0;
    memcpy(mask, film->mask, film->pixels);
    TC_WRITE(report, &result, report);
    film->ready--;
    film->cut.width = 0;
    film->taken = true;
    return TILECUT_OK;
}

tilecut_status tilecut_film_graph(tilecut_film *film, const tilecut_graph **graph)
{
    if (!film || !graph) return tc_fail(TILECUT_EINVAL, "%s is NULL", film ? "graph" : "film");
    *graph = NULL;
    if (!film->taken) return tc_fail(TILECUT_EINVAL, "no mask was taken since the last frame was added");
    NEED(tc_film_alone(film, 0));
    *graph = &film->alone;
    return TILECUT_OK;
}

tilecut_status tilecut_film_confidence(tilecut_film *film, uint8_t *sure, tilecut_doubt *doubt)
{
    if (!film) return tc_fail(TILECUT_EINVAL, "film is NULL");
    NEED(tc_sized_check(doubt, "tilecut_doubt"));
    drop_frame(film);
    if (!film->ready) return tc_fail(TILECUT_EINVAL, "no mask waits; add frames, or end the film");
    if (!film->looked || (doubt && !film->doubted)) {
        tc_thread_pool *const pool = tc_thread_pool_open(film->setup.threads);
        const tilecut_status status = tc_film_look(film, doubt != NULL);
        tc_thread_pool_close(pool);
        NEED(status);
    }
    if (sure) memcpy(sure, film->sure, film->pixels);
    TC_WRITE(doubt, film->doubt, doubt);
    return TILECUT_OK;
}

tilecut_status tilecut_film_window(const tilecut_film *film, tilecut_volume_arrays *arrays)
{
    if (!film || !arrays) return tc_fail(TILECUT_EINVAL, "%s is NULL", film ? "arrays" : "film");
    NEED(tc_sized_check(arrays, "tilecut_volume_arrays"));
    const tilecut_graph *const cut = &film->cut;
    if (!cut->width) return tc_fail(TILECUT_EINVAL, "no window has been cut since the last mask was taken");
    const size_t pixels = tc_graph_pixels(cut);
    free(film->window->memory);
    int32_t *const c = film->window->memory = malloc(5 * pixels * sizeof *c);
    if (!c) return tc_fail(TILECUT_ENOMEM, "no memory for the capacities of %zu pixels", pixels);
    NEED(tc_volume_write(cut, film->setup.threads, c));
    const int32_t *const along[] = {c + 2 * pixels, c + 3 * pixels, c + 4 * pixels};
    const tilecut_volume_arrays all = {.size = sizeof all, .width = cut->width, .height = cut->height,
                                       .depth = cut->depth, .source = c, .sink = c + pixels,
                                       .to = {along[0], along[1], along[2]}, .from = {along[0], along[1], along[2]}};
    tc_sized_write(arrays, sizeof *arrays, &all, sizeof all);
    return TILECUT_OK;
}
