/* SPDX-License-Identifier: MIT
 *
 * iterate.c - GrabCut's alternation (Rother, Kolmogorov & Blake 2004): a cut teaches the colour model, the model makes
 * other terminals, and those are cut again, from the flow that is there. Written once, on the verbs of a backend.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "iterate.h"
#include "solve.h"
#include "status.h"

/* Whether the last cut is another answer than that of masks[0]. */
static bool changed(const tc_run *run)
{
    return run->masks[0] ? memcmp(run->masks[0], run->masks[1], run->pixels) != 0 : run->changed;
}

/* A cut into masks[1], and of it what hangs together with the strokes, where those have taught the colours: the colours
 * of an object occur elsewhere, too. In a box the guess stands for itself. */
static tilecut_status cut_into(tc_run *run, uint8_t *mask, tilecut_report *told)
{
    tilecut_status status = TILECUT_OK;
    TRY(tc_run_cut(run, mask, told));
    if (!run->painted || run->guessed || run->gave_up || run->params->islands) goto done;
    const int64_t all = told->foreground;
    TRY(run->learner->drop_islands(run, mask, told));
    told->islands = all - told->foreground;
done:
    return status;
}

/* The energy of the answer so far, with what all labellings cost. */
static double energy_of(const tc_run *run)
{
    return run->told.iteration_energy[run->told.iterations];
}

/* One iteration: learnt from masks[0] and cut into masks[1]. Both are taken over if that changes a pixel and, as long
 * as no stroke teaches, costs no more than before; else *more becomes false. With strokes the energy may rise: their
 * colours have a share of the model that does not follow from what they cover. */
static tilecut_status iterate(tc_run *run, bool *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report next;

    *more = false;
    TRY(run->learner->relearn(run));
    TRY(cut_into(run, run->masks[1], &next));
    const double energy = next.energy + run->shared;
    *more = !run->gave_up && changed(run) && (run->painted || energy <= energy_of(run));
    if (*more) {
        run->learner->keep(run);
        tc_report_iterated(&run->told, &next, energy);
    } else {
        tc_report_add_times(&run->told, &next);
    }
done:
    if (!*more) run->learner->drop(run);
    return status;
}

/* As long as that helps, until there have been `most`. */
static tilecut_status iterate_on(tc_run *run, int most)
{
    tilecut_status status = TILECUT_OK;
    bool more = true;
    while (more && run->told.iterations < most) TRY(iterate(run, &more));
done:
    return status;
}

/* Cuts what the run has learnt: the first answer. */
static tilecut_status cut(tc_run *run)
{
    tilecut_status status = TILECUT_OK;
    TRY(cut_into(run, run->masks[1], &run->told));
    if (run->gave_up) goto done;
    run->told.iteration_energy[0] = run->told.energy + run->shared;
    run->learner->keep(run);
done:
    return status;
}

/* Cuts and iterates, `most` times in all. */
static tilecut_status begin(tc_run *run, int most)
{
    tilecut_status status = TILECUT_OK;
    TRY(cut(run));
    if (!run->gave_up) TRY(iterate_on(run, most));
done:
    return status;
}

/* How many iterations at most, of a model of colours. */
static int iterations_for(const tc_setup *params, bool guessed)
{
    enum { OF_A_GUESS = 5, OF_A_WISH = 2, OF_STROKES = 3 };
    if (params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return params->wish ? OF_A_WISH : guessed ? OF_A_GUESS : OF_STROKES;
}

/* The effort of a search for other minima: there is none where strokes are all there is, or starts are all alike. */
static int effort_on(const tc_setup *params, bool guessed)
{
    return !guessed || params->wish || tc_colors_find(params->colors)->starts == 1 ? 1 : params->effort;
}

/* ---- The search for a lower minimum ------------------------------------------------------------ */

/* How much lower another minimum is to be, in nats a pixel (quality.md). */
#define SLIGHTLY 0.002
#define CLEARLY 0.04

static double nats(const tc_run *run)
{
    const double weight = run->energy ? run->energy->data_weight : run->params->data_weight;
    return weight * (double)run->pixels;
}

/* `other` and its answer take the place of `run` if they come to less by more than `margin`. */
static bool take_lower(tc_run *run, tc_run *other, double margin)
{
    run->gave_up |= other->gave_up;
    if (run->gave_up || energy_of(other) >= energy_of(run) - margin) {
        tc_report_add_times(&run->told, &other->told);
        return false;
    }
    tc_report_add_times(&other->told, &run->told);
    run->learner->take(run, other);
    return true;
}

/* One more start. */
static tilecut_status try_start(tc_run *run, int start, int most)
{
    tilecut_status status = TILECUT_OK;
    tc_run other;
    TRY(run->learner->fork(run, (tc_branch){TC_OTHER_START, start}, &other));
    TRY(begin(&other, most));
    take_lower(run, &other, 0);
done:
    tc_run_close(&other);
    return status;
}

/* A large move: what has the colours of one part of the foreground's model, or of all others, is taught as background.
 * What comes to more at once is given up, what comes to less goes on. */
static tilecut_status try_move(tc_run *run, int move, int most, bool *taken)
{
    tilecut_status status = TILECUT_OK;
    tc_run other;
    TRY(run->learner->fork(run, (tc_branch){TC_OTHER_MOVE, move}, &other));
    TRY(cut(&other));
    if (!other.gave_up && energy_of(&other) < energy_of(run)) TRY(iterate_on(&other, most));
    *taken = take_lower(run, &other, SLIGHTLY * nats(run));
done:
    tc_run_close(&other);
    return status;
}

/* Moves, as long as one of them helps; where they lead is taken if it is clearly lower: what is only slightly so is
 * as often worse to look at. Four masks. */
static tilecut_status explore(tc_run *run, int most)
{
    const int moves = 2 * tc_colors_find(run->params->colors)->parts;
    tilecut_status status = TILECUT_OK;
    bool taken = false;
    tc_run other;
    TRY(run->learner->fork(run, (tc_branch){TC_AS_IT_IS, 0}, &other));
    TRY(begin(&other, most));
    for (int move = 0, in_vain = 0; in_vain < moves && !other.gave_up; move = (move + 1) % moves) {
        TRY(try_move(&other, move, most, &taken));
        in_vain = taken ? 0 : in_vain + 1;
    }
    take_lower(run, &other, CLEARLY * nats(run));
done:
    tc_run_close(&other);
    return status;
}

/* Cuts, iterates and, as the first guess at the foreground is often half wrong and it takes luck to end in the better
 * of several minima, looks for another of less energy (quality.md). */
static tilecut_status search(tc_run *run, int most)
{
    enum { TRIED = 2 }; /* iterations, after which the starts are compared */
    const int effort = effort_on(run->params, run->guessed);
    const int starts = effort > 1 ? tc_colors_find(run->params->colors)->starts : 1;
    const int first = starts > 1 && most > TRIED ? TRIED : most;
    tilecut_status status = TILECUT_OK;

    TRY(begin(run, first));
    for (int start = 1; start < starts && !run->gave_up; start++) TRY(try_start(run, start, first));
    if (!run->gave_up && run->told.iterations == first) TRY(iterate_on(run, most)); /* else it has come to rest */
    if (!run->gave_up && effort > 2) TRY(explore(run, most));
done:
    return status;
}

/* ---- In a smaller copy ------------------------------------------------------------------------- */

enum { MASKS = 4 }; /* that a search takes */

/* Memory for them, *memory to be freed, where they do not stay with the learner. */
static tilecut_status take_masks(tc_run *run, uint8_t *masks[MASKS], uint8_t **memory)
{
    run->masks = masks;
    run->again = true;
    for (size_t i = 0; i < MASKS; i++) masks[i] = NULL;
    if (run->learner->keeps_masks) return TILECUT_OK;
    *memory = malloc(MASKS * run->pixels);
    if (!*memory) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    for (size_t i = 0; i < MASKS; i++) masks[i] = *memory + i * run->pixels;
    return TILECUT_OK;
}

/* How much smaller an image may be for a search to find the same, as a rule: 1 where there is none, or no need. */
static int factor_for(const tilecut_image *image, int effort)
{
    const double enough = 120000; /* pixels */
    const double factor = ceil(sqrt((double)image->width * image->height / enough));
    return effort > 1 ? (int)factor : 1;
}

/* A search in a copy that is `factor` times smaller, from whose answer `run` goes on at full size. *found: false where
 * the copy loses what is seeded. */
static tilecut_status search_coarse(tc_run *run, int factor, int most, tilecut_report *told, bool *found)
{
    const tilecut_image *const image = run->source.image;
    const int width = (image->width + factor - 1) / factor, height = (image->height + factor - 1) / factor;
    uint8_t *memory = NULL, *masks[MASKS];
    tc_setup params = *run->params;
    tilecut_status status = TILECUT_OK;
    tc_run small;

    params.lambda /= factor; /* a cell is worth factor^2 pixels, its side factor links */
    TRY(tc_run_open(&small, &params, params.connectivity, width, height, NULL));
    small.kept = &small.own_kept;
    small.learner = run->learner;
    TRY(run->learner->shrink(run, factor, &small, found));
    if (!*found) goto done;
    TRY(take_masks(&small, masks, &memory));
    TRY(search(&small, most));
    run->gave_up = small.gave_up;
    if (!run->gave_up) TRY(run->learner->teach(run, &small, factor));
    *told = small.told;
done:
    tc_run_close(&small);
    free(memory);
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------- */

tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask)
{
    const int most = run->learns ? iterations_for(run->params, run->guessed) : 0;
    const int factor = run->params->wish ? 1 : factor_for(run->source.image, run->params->effort);
    uint8_t *memory = NULL, *masks[MASKS];
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    bool found = false;

    run->told = run->facts;
    if (most == 0) return cut_into(run, mask, &run->told);
    TRY(take_masks(run, masks, &memory));
    if (factor > 1) TRY(search_coarse(run, factor, most, &told, &found));
    if (found && !run->gave_up) {
        TRY(begin(run, run->params->iterations)); /* hardly a pixel changes here: only if it was asked for */
        tc_report_add_times(&run->told, &told);
    } else if (!run->gave_up) {
        TRY(search(run, most));
    }
    if (!run->gave_up) TRY(run->learner->deliver(run, mask));
done:
    if (run->gave_up) tc_kept_free(run->kept); /* of the learner's lessons, and nobody else's */
    free(memory);
    return status;
}
