/* SPDX-License-Identifier: MIT
 *
 * search.c - the search for a lower minimum than the one that the first iterations reach.
 */
#include "search.h"

#include <math.h>
#include <stdlib.h>

#include "box_evidence.h"
#include "solve.h"
#include "status.h"

/* Returns the effort of the search. There is none if learning starts from a prior mask, or if the model has only one
 * start. With strokes alone there are no moves. */
static int effort_on(const tc_setup *params, bool guessed)
{
    if (params->prior || tc_colors_find(params->colors)->starts == 1) return 1;
    return guessed || params->effort < 2 ? params->effort : 2;
}

/* How much lower the energy of another minimum must be for it to be taken, in nats a pixel (quality.md). In a box
 * without strokes a lower energy is not enough: there tc_box_is_better() must be true, too. */
#define SLIGHTLY 0.002
#define CLEARLY 0.07

static double nats(const tc_run *run)
{
    const double weight = run->energy ? run->energy->data_weight : run->params->data_weight;
    const tc_comm *const comm = run->energy ? run->energy->comm : run->params->comm;
    const double pixels = comm ? (double)run->source.image->width * comm->height : (double)run->pixels;
    return weight * pixels;
}

/* Compares the mask of a run with the image and its box on the host. The run must have a scene. */
static tilecut_status look_here(const tc_run *run, tc_box_evidence *seen)
{
    const tc_coarse *const scene = run->scene;
    tc_comm *const comm = run->params->comm;
    const size_t pixels = (size_t)scene->image.width * (size_t)scene->image.height;
    uint8_t *const mask = malloc(run->pixels > pixels ? run->pixels : pixels);
    tilecut_status status = TILECUT_OK;
    tc_coarse all = {0};
    bool has_all_classes;

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu pixels", pixels);
    TRY(run->learner->deliver(run, mask));
    if (comm) { /* in parts, the scene is a smaller copy of the whole image */
        const tilecut_image *const image = run->source.image;
        const tilecut_image rows = {.width = image->width, .height = image->height, .channels = 1, .depth = 8,
                                    .pixels = mask};
        TRY(tc_coarse_init(&all, comm, &rows, run->source.seeds, 1, run->params->threads, &has_all_classes));
    }
    if (!tc_box_look(&scene->image, scene->seeds, comm ? all.image.pixels : mask, run->params->threads, seen))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory to count colours"));
done:
    tc_coarse_free(&all);
    free(mask);
    return status;
}

/* Compares the mask of a run with the image and its box. */
static tilecut_status look(const tc_run *run, tc_box_evidence *seen)
{
    return run->learner->look ? run->learner->look(run, seen) : look_here(run, seen);
}

/* The energy after at most `most` iterations. */
static double energy_after(const tilecut_report *report, int most)
{
    return report->iteration_energy[report->iterations < most ? report->iterations : most];
}

/* Replaces `run` by `other` if the energy of `other` is lower by more than `margin` and, in a box, if
 * tc_box_is_better() also finds its mask better. If the mask of `run` is nearly empty or nearly fills its box, the
 * energies do not matter. */
static tilecut_status take_lower(tc_run *run, tc_run *other, double margin, bool *taken)
{
    tc_box_evidence before = {0}, after = {0};
    run->gave_up |= other->gave_up;
    *taken = !run->gave_up && tc_final_energy(&other->report) < tc_final_energy(&run->report) - margin;
    if (run->looks && !run->gave_up) {
        NEED(look(run, &before));
        NEED(look(other, &after));
        *taken = tc_box_is_better(&after, &before) && (*taken || tc_box_mask_is_trivial(before.filled));
    }
    tc_report_add_times(*taken ? &other->report : &run->report, *taken ? &run->report : &other->report);
    if (*taken) run->learner->take(run, other);
    return TILECUT_OK;
}

/* Tries one more start, and takes it if its energy is lower by more than `margin`. */
static tilecut_status try_start(tc_branches *a, tc_run *run, int start, int most, double margin)
{
    tilecut_status status = TILECUT_OK;
    bool taken;
    tc_run *other = NULL;
    TRY(tc_take_branch(a, run, (tc_branch){.kind = TC_OTHER_START, .number = start}, most, &other));
    TRY(take_lower(run, other, margin, &taken));
done:
    tc_run_delete(other);
    return status;
}

/* Tries a large move: the colours of one part of the foreground's model, or those of all other parts, are learnt as
 * background. If the first cut has more energy the move is given up, otherwise it is iterated. `left` counts this move
 * and those that follow. */
static tilecut_status try_move(tc_branches *a, tc_run *run, int move, int left, int most, bool *taken)
{
    const tc_branch what = {.kind = TC_OTHER_MOVE, .number = move};
    const int most_ahead = tc_most_branches(run), ahead = left < most_ahead ? left : most_ahead;
    tilecut_status status = TILECUT_OK;
    tc_run *other = NULL;
    if (tc_tries_branches_at_once(run) && !tc_find_branch(a, what)) TRY(tc_try_branches(a, run, what, ahead, most, -1));
    TRY(tc_take_branch(a, run, what, most, &other));
    TRY(take_lower(run, other, SLIGHTLY * nats(run), taken));
done:
    tc_run_delete(other);
    if (*taken) tc_branches_clear(a);
    return status;
}

/* Makes moves as long as one of them helps. The result is taken only if its energy is clearly lower, because slightly
 * lower masks look worse as often as better. Uses four masks. */
static tilecut_status explore(tc_branches *a, tc_run *run, int most)
{
    const int moves = 2 * tc_colors_find(run->params->colors)->parts;
    tilecut_status status = TILECUT_OK;
    bool taken = false;
    tc_run *other = NULL;
    tc_branches_clear(a);
    TRY(tc_take_branch(a, run, (tc_branch){.kind = TC_AS_IT_IS}, most, &other));
    other->looks = false; /* during the moves, energies alone decide */
    for (int move = 0, in_vain = 0; in_vain < moves && !other->gave_up; move = (move + 1) % moves) {
        const int left = moves - in_vain < moves - move ? moves - in_vain : moves - move;
        TRY(try_move(a, other, move, left, most, &taken));
        in_vain = taken ? 0 : in_vain + 1;
    }
    other->looks = run->looks;
    TRY(take_lower(run, other, CLEARLY * nats(run), &taken));
done:
    tc_run_delete(other);
    return status;
}

/* Returns the branch with the least energy after `first` iterations, among those with other starts that are tried in
 * advance. */
static int best_branch(tc_branches *a, int starts, int first)
{
    int best = 1;
    double least = HUGE_VAL;
    for (int start = 1; start < starts; start++) {
        const tc_run *const run = tc_find_branch(a, (tc_branch){.kind = TC_OTHER_START, .number = start});
        if (run && run->gave_up) return start; /* the whole search gives up */
        const double energy = run ? energy_after(&run->report, first) : HUGE_VAL;
        if (energy < least) best = start, least = energy;
    }
    return best;
}

/* Tries other first guesses in a box without strokes. They are compared by energy after a few iterations. The best one
 * is iterated further, and replaces `run` if its mask looks better. With `to_the_end`, all were iterated to the end in
 * advance. */
static tilecut_status try_guesses(tc_branches *a, tc_run *run, int starts, int first, int most, bool to_the_end)
{
    const int from = to_the_end ? best_branch(a, starts, first) : 1;
    tilecut_status status = TILECUT_OK;
    bool taken;
    tc_run *other = NULL;
    TRY(tc_take_branch(a, run, (tc_branch){.kind = TC_OTHER_START, .number = from}, first, &other));
    other->looks = false;
    for (int start = 2; !to_the_end && start < starts && !other->gave_up; start++)
        TRY(try_start(a, other, start, first, 0));
    if (!to_the_end && !other->gave_up && other->report.iterations == first) TRY(tc_iterate_on(other, most));
    other->looks = run->looks;
    TRY(take_lower(run, other, 0, &taken));
done:
    tc_run_delete(other);
    return status;
}

/* Cuts, iterates, and then looks for another minimum of less energy. The first guess at the foreground is often half
 * wrong, and it is a matter of luck in which of several minima the iterations end (quality.md). Strokes alone have two
 * starts: at first, pixels without strokes are either left out of learning or learnt as background. Both iterate to the
 * end, because their energies mislead before that. */
static tilecut_status search(tc_branches *a, tc_run *run, int most)
{
    enum { TRIED = 2, OF_STROKES = 2 }; /* the number of iterations after which starts from a guess are compared; the
                                           number of starts with strokes */
    const bool guessed = run->guessed;
    const int effort = effort_on(run->params, guessed);
    const int known = guessed ? tc_colors_find(run->params->colors)->starts : OF_STROKES;
    const int starts = effort > 1 && !run->params->guess ? known : 1;
    const int tried = most > TRIED ? TRIED : most;
    const int first = guessed && starts > 1 && !run->looks ? tried : most;
    const double margin = guessed ? 0 : SLIGHTLY * nats(run);
    const bool beside = starts > 1 && tc_tries_branches_at_once(run);
    /* with a thread for each start, all starts are iterated to the end, without waiting to see which one is best */
    const bool to_the_end = beside && run->looks && run->params->threads >= starts;

    if (beside)
        NEED(tc_try_branches(a, run, (tc_branch){.kind = TC_OTHER_START, .number = 1}, starts - 1,
                       run->looks && !to_the_end ? tried : first, first));
    else NEED(tc_cut_and_iterate(run, first));
    if (run->looks && starts > 1 && !run->gave_up) NEED(try_guesses(a, run, starts, tried, most, to_the_end));
    for (int start = 1; !run->looks && start < starts && !run->gave_up; start++)
        NEED(try_start(a, run, start, first, margin));
    /* if there were fewer iterations, the last one changed nothing, so more would not either */
    if (!run->gave_up && run->report.iterations == first) NEED(tc_iterate_on(run, most));
    if (!run->gave_up && effort > 2) NEED(explore(a, run, most));
    return TILECUT_OK;
}

tilecut_status tc_run_search(tc_run *run, int most)
{
    tc_branches *const ahead = tc_branches_new();
    if (!ahead) return tc_fail(TILECUT_ENOMEM, "no memory for other models to try");
    const tilecut_status status = search(ahead, run, most);
    tc_branches_free(ahead);
    return status;
}

bool tc_run_looks(const tc_run *run)
{
    return run->guessed && !run->painted && effort_on(run->params, true) > 1;
}
