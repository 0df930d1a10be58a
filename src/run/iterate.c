/* SPDX-License-Identifier: MIT
 *
 * iterate.c - the alternation of GrabCut (Rother, Kolmogorov & Blake 2004). A cut teaches the colour model, the new
 * model changes the terminals, and the graph is cut again, starting from the flow it has. Written once, with the
 * functions of a backend.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_evidence.h"
#include "cuda_backend.h"
#include "iterate.h"
#include "large.h"
#include "parallel.h"
#include "solve.h"
#include "status.h"

/* Whether the last cut differs from masks[0]; of an image in parts: whether it does in any part. */
static tilecut_status find_changed(const tc_run *run, bool *changed)
{
    *changed = run->masks[0] ? memcmp(run->masks[0], run->masks[1], run->pixels) != 0 : run->changed;
    return tc_comm_any(run->params->comm, changed);
}

/* Cuts into masks[1], without islands. */
static tilecut_status cut_into(tc_run *run, uint8_t *mask, tilecut_report *result)
{
    NEED(tc_run_cut(run, mask, result));
    if (run->gave_up || !tc_run_drops_islands(run)) return TILECUT_OK;
    const int64_t all = result->foreground;
    NEED(run->learner->drop_islands(run, mask, result));
    result->islands = all - result->foreground;
    return TILECUT_OK;
}

/* One iteration: learns from masks[0] and cuts into masks[1]. Both are kept if the mask has changed and, without
 * strokes, if the energy has not risen; otherwise *more becomes false. With strokes the energy may rise, because the
 * strokes' colours have a fixed share of the model, whatever the mask is. */
static tilecut_status iterate(tc_run *run, bool *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report next;
    bool changed = false;

    *more = false;
    TRY(run->learner->relearn(run));
    TRY(cut_into(run, run->masks[1], &next));
    const double energy = next.energy + run->shared;
    if (!run->gave_up) TRY(find_changed(run, &changed));
    *more = changed && (run->painted || energy <= tc_final_energy(&run->report));
    if (*more) {
        run->learner->keep(run);
        tc_report_iterated(&run->report, &next, energy);
    } else {
        tc_report_add_times(&run->report, &next);
    }
done:
    if (!*more) run->learner->drop(run);
    return status;
}

/* Iterates as long as that helps, until there have been `most` iterations. */
static tilecut_status iterate_on(tc_run *run, int most)
{
    bool more = true;
    while (more && run->report.iterations < most) NEED(iterate(run, &more));
    return TILECUT_OK;
}

/* Cuts what the run has learnt. This is the first answer. */
static tilecut_status cut_learnt(tc_run *run)
{
    NEED(cut_into(run, run->masks[1], &run->report));
    if (run->gave_up) return TILECUT_OK;
    run->report.iteration_energy[0] = run->report.energy + run->shared;
    run->learner->keep(run);
    return TILECUT_OK;
}

/* Cuts, and then iterates up to `most` times. */
static tilecut_status cut_and_iterate(tc_run *run, int most)
{
    NEED(cut_learnt(run));
    if (!run->gave_up) NEED(iterate_on(run, most));
    return TILECUT_OK;
}

/* The most iterations, for a model of colours. */
static int iterations_for(const tc_setup *params, bool guessed)
{
    enum { OF_A_GUESS = 5, OF_A_WISH = 2, OF_STROKES = 3 };
    if (params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return params->prior ? OF_A_WISH : guessed ? OF_A_GUESS : OF_STROKES;
}

/* The effort of the search. There is none from a prior mask, or if the model has only one start. With strokes alone
 * there are no moves. */
static int effort_on(const tc_setup *params, bool guessed)
{
    if (params->prior || tc_colors_find(params->colors)->starts == 1) return 1;
    return guessed || params->effort < 2 ? params->effort : 2;
}

/* ---- The search for a lower minimum ------------------------------------------------------------ */

/* How much lower the energy of another minimum must be to be taken, in nats a pixel (quality.md). In a box without
 * strokes a lower energy is not enough: there tc_box_is_better() must agree. */
#define SLIGHTLY 0.002
#define CLEARLY 0.07

static double nats(const tc_run *run)
{
    const double weight = run->energy ? run->energy->data_weight : run->params->data_weight;
    const tc_comm *const comm = run->energy ? run->energy->comm : run->params->comm;
    const double pixels = comm ? (double)run->source.image->width * comm->height : (double)run->pixels;
    return weight * pixels;
}

/* The run is not on the stack, because a call may use only 64 KB of stack. */
tilecut_status tc_run_beside(tc_run **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for another model to try");
}

void tc_run_leave(tc_run *run)
{
    if (run) tc_run_close(run);
    free(run);
}

/* Compares the mask of a run with the image and its box. The run must have a scene. */
static tilecut_status look(const tc_run *run, tc_box_evidence *seen)
{
    const tc_coarse *const scene = run->scene;
    tc_comm *const comm = run->params->comm;
    const size_t pixels = (size_t)scene->image.width * (size_t)scene->image.height;
    uint8_t *const mask = malloc(run->pixels > pixels ? run->pixels : pixels);
    tilecut_status status = TILECUT_OK;
    tc_coarse all = {0};
    bool will_do;

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu pixels", pixels);
    TRY(run->learner->deliver(run, mask));
    if (comm) { /* of all parts */
        const tilecut_image *const image = run->source.image;
        const tilecut_image rows = {.width = image->width, .height = image->height, .channels = 1, .depth = 8,
                                    .pixels = mask};
        TRY(tc_coarse_init(&all, comm, &rows, run->source.seeds, 1, run->params->threads, &will_do));
    }
    if (!tc_box_look(&scene->image, scene->seeds, comm ? all.image.pixels : mask, run->params->threads, seen))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory to count colours"));
done:
    tc_coarse_free(&all);
    free(mask);
    return status;
}

/* The energy after at most `most` iterations. */
static double energy_after(const tilecut_report *report, int most)
{
    return report->iteration_energy[report->iterations < most ? report->iterations : most];
}

/* Replaces `run` by `other` if the energy of `other` is lower by more than `margin` and, in a box, if its mask is also
 * better by tc_box_is_better(). If the mask of `run` is nearly empty or nearly fills its box, the energies do not
 * matter. */
static tilecut_status take_lower(tc_run *run, tc_run *other, double margin, bool *taken)
{
    tc_box_evidence before = {0}, after = {0};
    run->gave_up |= other->gave_up;
    *taken = !run->gave_up && tc_final_energy(&other->report) < tc_final_energy(&run->report) - margin;
    if (run->scene && !run->gave_up) {
        NEED(look(run, &before));
        NEED(look(other, &after));
        *taken = tc_box_is_better(&after, &before) && (*taken || tc_box_says_nothing(before.filled));
    }
    tc_report_add_times(*taken ? &other->report : &run->report, *taken ? &run->report : &other->report);
    if (*taken) run->learner->take(run, other);
    return TILECUT_OK;
}

/* ---- Branches --------------------------------------------------------------------------------- */

/* Cuts `other`, a branch of `from`, and iterates; for a large move only if the first cut has less energy than
 * `from`. */
static tilecut_status grow(const tc_run *from, tc_branch what, int most, tc_run *other)
{
    NEED(cut_learnt(other));
    const bool worse = tc_final_energy(&other->report) >= tc_final_energy(&from->report);
    return other->gave_up || (what.kind == TC_OTHER_MOVE && worse) ? TILECUT_OK : iterate_on(other, most);
}

/* A branch that a thread of its own tries. */
typedef struct tc_beside {
    tc_branch what;
    int most;
    tc_run *run; /* NULL: another run has taken it over, or it has not begun */
    bool trunk;  /* true: `run` is the main run itself, not a branch of it   */
    tc_energy *larger; /* neither a branch nor the run: an energy that this thread prepares */
    uint8_t *memory, *masks[TC_RUN_MASKS];
    tilecut_status status;
    char sentence[320];
} tc_beside;

/* Branches that are tried at the same time on several threads, before the search needs them. */
enum { BESIDE = 16, BESIDE_ON_DEVICE = 10, BESIDE_PIXELS = 1 << 22 /* most pixels of these on a device */ };
typedef struct tc_ahead {
    tc_run from; /* the run from which they branch off: a copy, which does not change meanwhile */
    tilecut_graph graph;
    int count;
    tc_beside beside[BESIDE];
    tc_kept kept[BESIDE]; /* the flow that each thread keeps */
} tc_ahead;

static tilecut_status fork_beside(const tc_ahead *a, tc_beside *b)
{
    NEED(tc_run_beside(&b->run));
    return a->from.learner->fork(&a->from, b->what, b->run);
}

static tilecut_status grow_beside(tc_ahead *a, tc_beside *b, int worker)
{
    /* this branch was made already, for a learner that keeps masks */
    if (b->run) return grow(&a->from, b->what, b->most, b->run);
    NEED(fork_beside(a, b));
    b->memory = tc_large_alloc(TC_RUN_MASKS * b->run->pixels);
    if (!b->memory) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    for (size_t i = 0; i < TC_RUN_MASKS; i++) b->masks[i] = b->memory + i * b->run->pixels;
    b->run->masks = b->masks;
    b->run->kept = &a->kept[worker];
    return grow(&a->from, b->what, b->most, b->run);
}

static void grow_one(void *context, int i, int worker)
{
    tc_ahead *const a = context;
    tc_beside *const b = &a->beside[i];
    if (b->larger) b->status = tc_energy_prepare(b->larger);
    else b->status = b->trunk ? cut_and_iterate(b->run, b->most) : grow_beside(a, b, worker);
    if (b->status != TILECUT_OK) snprintf(b->sentence, sizeof b->sentence, "%s", tc_sentence());
}

/* Frees the branches that nobody has taken over, and the masks of all branches. */
static void forget(tc_ahead *a)
{
    for (int i = 0; i < a->count; i++) {
        if (!a->beside[i].trunk) tc_run_leave(a->beside[i].run);
        free(a->beside[i].memory);
        a->beside[i] = (tc_beside){.run = NULL};
    }
    a->count = 0;
}

static void ahead_free(tc_ahead *a)
{
    if (!a) return;
    forget(a);
    for (int i = 0; i < BESIDE; i++) tc_kept_free(&a->kept[i]);
    free(a);
}

/* Whether several branches of `run` are tried at a time: on the host, if the graph is too small for two threads, and on
 * a device. */
static bool goes_side_by_side(const tc_run *run)
{
    if (run->learner->keeps_masks) return run->params->threads > 1;
    return run->learner == &tc_backend_host && run->params->threads > 1 && run->solve_params.threads == 1 &&
           !run->params->comm && !(run->solver && run->solver->can & TC_ON_CUDA);
}

/* Tries `count` branches of `run`, beginning with `first`. If `trunk` >= 0, the run itself is cut and iterated beside
 * them, at most `trunk` times. */
static tilecut_status try_ahead(tc_ahead *a, tc_run *run, tc_branch first, int count, int most, int trunk)
{
    const bool device = run->learner->keeps_masks;
    forget(a);
    a->from = *run;
    if (!device) {
        a->graph = *run->graph;
        a->from.graph = &a->graph;
        a->from.energy = &a->graph.energy;
    }
    if (trunk >= 0) a->beside[a->count++] = (tc_beside){.run = run, .most = trunk, .trunk = true};
    const int branches = count < BESIDE - a->count ? count : BESIDE - a->count;
    for (int i = 0; i < branches; i++)
        a->beside[a->count++] = (tc_beside){.what = {first.kind, first.number + i, branches}, .most = most};
    if (trunk >= 0 && run->larger && a->count < BESIDE) a->beside[a->count++] = (tc_beside){.larger = run->larger};
    /* now, because the main run will change what the branches start from */
    for (int i = 0; device && i < a->count; i++)
        if (!a->beside[i].trunk) NEED(fork_beside(a, &a->beside[i]));
    tc_parallel_apart(run->params->threads, a->count, grow_one, a);
    for (int i = 0; i < a->count; i++) /* an error text belongs to its thread; repeats it in this thread */
        if (a->beside[i].status != TILECUT_OK) return tc_fail(a->beside[i].status, "%s", a->beside[i].sentence);
    return TILECUT_OK;
}

/* Finds a branch that was tried ahead; NULL: it was not. */
static tc_beside *find_ahead(tc_ahead *a, tc_branch what)
{
    for (int i = 0; a && i < a->count; i++) {
        tc_beside *const b = &a->beside[i];
        if (b->run && !b->trunk && b->what.kind == what.kind && b->what.number == what.number) return b;
    }
    return NULL;
}

/* Makes *other a branch of `run` that is cut and iterated, and from now on uses the flow of `run`. *other is NULL at
 * first; call tc_run_leave() on it also after a failure, and before `a` is used again. */
static tilecut_status take_branch(tc_ahead *a, const tc_run *run, tc_branch what, int most, tc_run **other)
{
    tc_beside *const b = find_ahead(a, what);
    if (b) {
        *other = b->run;
        b->run = NULL;
        if (!run->learner->keeps_masks) (*other)->kept = run->kept;
        return TILECUT_OK;
    }
    NEED(tc_run_beside(other));
    NEED(run->learner->fork(run, what, *other));
    return grow(run, what, most, *other);
}

/* Tries one more start. It is taken if its energy is lower by more than `margin`. */
static tilecut_status try_start(tc_ahead *a, tc_run *run, int start, int most, double margin)
{
    tilecut_status status = TILECUT_OK;
    bool taken;
    tc_run *other = NULL;
    TRY(take_branch(a, run, (tc_branch){.kind = TC_OTHER_START, .number = start}, most, &other));
    TRY(take_lower(run, other, margin, &taken));
done:
    tc_run_leave(other);
    return status;
}

/* Tries a large move: the colours of one part of the foreground's model, or those of all others, are taught as
 * background. If the first cut has more energy the move is given up, otherwise it is iterated. `left`: this move and
 * those that follow. */
static tilecut_status try_move(tc_ahead *a, tc_run *run, int move, int left, int most, bool *taken)
{
    const tc_branch what = {.kind = TC_OTHER_MOVE, .number = move};
    const int fit = (int)(BESIDE_PIXELS / run->pixels), on_device = fit < 4 ? 4 : fit;
    const int most_ahead = !run->learner->keeps_masks   ? run->params->threads
                           : on_device < BESIDE_ON_DEVICE ? on_device
                                                         : BESIDE_ON_DEVICE;
    const int ahead = left < most_ahead ? left : most_ahead;
    tilecut_status status = TILECUT_OK;
    tc_run *other = NULL;
    if (goes_side_by_side(run) && !find_ahead(a, what)) TRY(try_ahead(a, run, what, ahead, most, -1));
    TRY(take_branch(a, run, what, most, &other));
    TRY(take_lower(run, other, SLIGHTLY * nats(run), taken));
done:
    tc_run_leave(other);
    if (*taken) forget(a);
    return status;
}

/* Makes moves as long as one of them helps. The result is taken only if its energy is clearly lower; slightly lower
 * masks are as often worse to look at. Uses four masks. */
static tilecut_status explore(tc_ahead *a, tc_run *run, int most)
{
    const int moves = 2 * tc_colors_find(run->params->colors)->parts;
    tilecut_status status = TILECUT_OK;
    bool taken = false;
    tc_run *other = NULL;
    forget(a);
    TRY(take_branch(a, run, (tc_branch){.kind = TC_AS_IT_IS}, most, &other));
    other->scene = NULL; /* during the moves, energies alone decide */
    for (int move = 0, in_vain = 0; in_vain < moves && !other->gave_up; move = (move + 1) % moves) {
        const int left = moves - in_vain < moves - move ? moves - in_vain : moves - move;
        TRY(try_move(a, other, move, left, most, &taken));
        in_vain = taken ? 0 : in_vain + 1;
    }
    other->scene = run->scene;
    TRY(take_lower(run, other, CLEARLY * nats(run), &taken));
done:
    tc_run_leave(other);
    return status;
}

/* Of the branches with other starts that are tried ahead, the one of least energy after `first` iterations. */
static int best_ahead(tc_ahead *a, int starts, int first)
{
    int best = 1;
    double least = HUGE_VAL;
    for (int start = 1; start < starts; start++) {
        const tc_beside *const b = find_ahead(a, (tc_branch){.kind = TC_OTHER_START, .number = start});
        if (b && b->run->gave_up) return start; /* the whole search gives up */
        const double energy = b ? energy_after(&b->run->report, first) : HUGE_VAL;
        if (energy < least) best = start, least = energy;
    }
    return best;
}

/* Tries other first guesses in a box without strokes. They are compared by energy after a few iterations; the best one
 * iterates on, and replaces `run` if its mask looks better. If they were tried ahead to the end, there is nothing to go
 * on with. */
static tilecut_status try_guesses(tc_ahead *a, tc_run *run, int starts, int first, int most, bool to_the_end)
{
    const int from = to_the_end ? best_ahead(a, starts, first) : 1;
    tilecut_status status = TILECUT_OK;
    bool taken;
    tc_run *other = NULL;
    TRY(take_branch(a, run, (tc_branch){.kind = TC_OTHER_START, .number = from}, first, &other));
    other->scene = NULL;
    for (int start = 2; !to_the_end && start < starts && !other->gave_up; start++)
        TRY(try_start(a, other, start, first, 0));
    if (!to_the_end && !other->gave_up && other->report.iterations == first) TRY(iterate_on(other, most));
    other->scene = run->scene;
    TRY(take_lower(run, other, 0, &taken));
done:
    tc_run_leave(other);
    return status;
}

/* Cuts, iterates, and then looks for another minimum of less energy. The first guess at the foreground is often half
 * wrong, and which of several minima the iterations end in is luck (quality.md). Strokes alone have two starts: at
 * first, pixels without strokes are either left out of learning or learnt as background. Both iterate to the end,
 * because their energies mislead before that. */
static tilecut_status search(tc_ahead *a, tc_run *run, int most)
{
    enum { TRIED = 2, OF_STROKES = 2 }; /* iterations after which starts from a guess are compared; number of starts */
    const bool guessed = run->guessed;
    const int effort = effort_on(run->params, guessed);
    const int known = guessed ? tc_colors_find(run->params->colors)->starts : OF_STROKES;
    const int starts = effort > 1 && !run->params->guess ? known : 1;
    const int tried = most > TRIED ? TRIED : most;
    const int first = guessed && starts > 1 && !run->scene ? tried : most;
    const double margin = guessed ? 0 : SLIGHTLY * nats(run);
    const bool beside = starts > 1 && goes_side_by_side(run);
    /* with a thread for each start all go on to the end, before it is known which one has to */
    const bool to_the_end = beside && run->scene && run->params->threads >= starts;

    if (beside)
        NEED(try_ahead(a, run, (tc_branch){.kind = TC_OTHER_START, .number = 1}, starts - 1,
                       run->scene && !to_the_end ? tried : first, first));
    else NEED(cut_and_iterate(run, first));
    if (run->scene && starts > 1 && !run->gave_up) NEED(try_guesses(a, run, starts, tried, most, to_the_end));
    for (int start = 1; !run->scene && start < starts && !run->gave_up; start++)
        NEED(try_start(a, run, start, first, margin));
    /* more iterations would change nothing otherwise */
    if (!run->gave_up && run->report.iterations == first) NEED(iterate_on(run, most));
    if (!run->gave_up && effort > 2) NEED(explore(a, run, most));
    return TILECUT_OK;
}

tilecut_status tc_run_search(tc_run *run, int most)
{
    tc_ahead *const ahead = calloc(1, sizeof *ahead);
    if (!ahead) return tc_fail(TILECUT_ENOMEM, "no memory for other models to try");
    const tilecut_status status = search(ahead, run, most);
    ahead_free(ahead);
    return status;
}

bool tc_run_looks(const tc_run *run)
{
    return run->guessed && !run->painted && effort_on(run->params, true) > 1;
}

/* ---- The whole, once -------------------------------------------------------------------------- */

tilecut_status tc_run_masks(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory)
{
    run->masks = masks;
    run->again = true;
    for (size_t i = 0; i < TC_RUN_MASKS; i++) masks[i] = NULL;
    if (run->learner->keeps_masks) return TILECUT_OK;
    *memory = tc_large_alloc(TC_RUN_MASKS * run->pixels);
    if (!*memory) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    for (size_t i = 0; i < TC_RUN_MASKS; i++) masks[i] = *memory + i * run->pixels;
    return TILECUT_OK;
}

/* Whether the run has a graph of its own, learnt and cut on the host, and the image is not in parts. Then a single cut
 * may free memory that more cuts would need. */
static bool is_cut_by_host(const tc_run *run)
{
    const bool own = run->own || (run->graph && tc_graph_is_volume(run->graph) && !run->again);
    return run->learner == &tc_backend_host && own && !run->params->comm;
}

/* Cuts once, on the host, with the model learnt in a smaller copy. The mask from the copy is not needed any more. */
static tilecut_status cut_once(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory)
{
    if (!is_cut_by_host(run)) return TILECUT_OK;
    run->once = true;
    free(*memory);
    *memory = NULL;
    return tc_run_masks(run, masks, memory);
}

/* Searches in the image itself, not in a smaller copy. */
static tilecut_status search_on_host(tc_run *run, int most)
{
    tc_fetched fetched = {.image = *run->source.image, .seeds = run->source.seeds};
    tilecut_status status = TILECUT_OK;
    tc_coarse scene = {0};
    bool will_do;
    if (!tc_run_looks(run)) return tc_run_search(run, most);
    TRY(tc_source_fetch(&run->source, &fetched));
    TRY(tc_coarse_init(&scene, run->params->comm, &fetched.image, fetched.seeds, 1, run->params->threads, &will_do));
    run->scene = &scene;
    status = tc_run_search(run, most);
    run->scene = NULL;
done:
    tc_coarse_free(&scene);
    free(fetched.memory);
    return status;
}

tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask)
{
    const int most = run->learns ? iterations_for(run->params, run->guessed) : 0, factor = tc_copy_factor(run);
    uint8_t *memory = NULL, *masks[TC_RUN_MASKS];
    tilecut_status status = TILECUT_OK;
    tilecut_report result;
    bool found = false;

    run->report = run->facts;
    run->once = most == 0 && is_cut_by_host(run);
    if (most == 0) return run->learns_only ? TILECUT_OK : cut_into(run, mask, &run->report);
    TRY(tc_run_masks(run, masks, &memory));
    if (factor > 1) TRY(tc_copy_search(run, factor, most, &result, &found));
    if (found && run->params->iterations <= 0 && run->learns_only) goto done;
    if (found && run->params->iterations <= 0) TRY(cut_once(run, masks, &memory));
    if (!found && !run->gave_up && run->put_off) TRY(run->learner->learn_now(run));
    if (found && !run->gave_up) {
        TRY(cut_and_iterate(
            run, run->params->iterations)); /* more iterations change hardly a pixel, so only those asked for */
        tc_report_add_times(&run->report, &result);
    } else if (!run->gave_up) {
        TRY(search_on_host(run, most));
    }
    if (!run->gave_up) TRY(run->learner->deliver(run, mask));
done:
    if (run->gave_up) tc_kept_free(run->kept); /* the next learner cannot use it */
    free(memory);
    return status;
}

/* ---- By each learner in turn ------------------------------------------------------------------- */

/* Whether a model is learnt from a smaller copy. */
static bool learns_smaller(const tc_run *run)
{
    const tc_setup *const params = run->params;
    return params->iterations >= 0 && tc_colors_learn(tc_colors_find(params->colors)) && tc_copy_factor(run) > 1;
}

/* Makes a run in which `learner` learns. On entry *result has the times of learners that have given up. */
static tilecut_status segment_by(const tc_backend *learner, const tc_source *source, const tc_setup *params,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *result, bool *gave_up)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    const double bytes_before = result->bytes_per_pixel;
    tilecut_status status = TILECUT_OK;
    tc_fetched fetched = {.image = *source->image, .seeds = source->seeds};
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, source->image->width, source->image->height, kept));
    if (!learner->reads_device_memory) TRY(tc_source_fetch(source, &fetched));
    run.learner = learner;
    run.source = fetched.mask ? (tc_source){.image = &fetched.image, .seeds = fetched.seeds} : *source;
    run.smaller = learns_smaller(&run);
    TRY(learner->learn(&run));
    TRY(tc_run_iterate(&run, fetched.mask ? fetched.mask : mask));
    *gave_up = run.gave_up;
    if (fetched.mask && source->stream && !run.gave_up) TRY(tc_cuda_copy(mask, fetched.mask, pixels, *source->stream));
    tc_report_add_times(&run.report, result);
    *result = run.report;
    if (result->bytes_per_pixel < bytes_before) result->bytes_per_pixel = bytes_before;
done:
    tc_run_close(&run);
    free(fetched.memory);
    return status;
}

tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = source->image;
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    bool gave_up = true;
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    for (; gave_up; row++)
        if ((*row)->learns(&run)) TRY(segment_by(*row, source, setup, &kept, mask, report, &gave_up));
done:
    tc_kept_free(&kept);
    return status;
}

tilecut_status tc_segment_learn(const tc_source *source, const tc_setup *setup, uint8_t *room, tilecut_graph **graph)
{
    const tilecut_image *const image = source->image;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    run.learner = &tc_backend_host;
    run.source = *source;
    run.learns_only = true;
    run.smaller = learns_smaller(&run);
    TRY(run.learner->learn(&run));
    TRY(tc_run_iterate(&run, room));
    *graph = run.own;
    run.own = NULL;
done:
    tc_run_close(&run);
    tc_kept_free(&kept);
    return status;
}
