/* SPDX-License-Identifier: MIT
 *
 * memory.c - see memory.h. One table lists everything that takes memory. Its sums are mostly up to a quarter above the
 * peaks in docs/lab/parts.md, because an estimate that is a little too high is better than running out of memory
 * half-way.
 */
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tilecut_parts.h"

/* ---- The table -------------------------------------------------------------------------------- */

/* The situations in which a row of the table counts. WHOLE: an undivided cut; READ: a part that must decode the whole
 * file; ONCE: all parts are in memory at once; LEARN and SOLVE: the two phases of parts that work in turn; LABELS:
 * several labels; CORRECT: the correction of a mask, which is an undivided cut, too. */
enum {
    WHOLE = 1, READ = 2, ONCE = 4, LEARN = 8, SOLVE = 16, LABELS = 32, CORRECT = 64, TURN = LEARN | SOLVE,
    CUT = WHOLE | ONCE | SOLVE
};

/* The quantities by which the bytes of a row are multiplied.
 * - For one part: PIXEL, its pixels or voxels with halo; TILED, the same in whole tiles; STRIP, the tiles along a
 *   border that it solves together with the next part; BORDER, the pixels of a layer at each border; KEPT, bytes that
 *   stay allocated after they were freed; PART, 1.
 * - For all parts that work in turn: ALL_PIXELS; ALL_TILED, the voxels of their tiles; PARTS, their number; LAYERS, the
 *   pixels of one layer per part.
 * - For an undivided cut: COLORED, 1 for a photo in colour, less for a small one; WIDE_COLORED, its pixels if a sample
 *   has more than 8 bits.
 * - For several labels: LABELLED, pixels times labels; LEARNT, WIDE_LEARNT and COLORED_LEARNERS, the number of labels
 *   learnt at once besides the first, times PIXEL, WIDE_COLORED and COLORED.
 * - RUN is always 1. */
enum {
    PIXEL, TILED, STRIP, BORDER, KEPT, PART, ALL_PIXELS, ALL_TILED, PARTS, LAYERS, RUN, COLORED, WIDE_COLORED, LABELLED,
    LEARNT, WIDE_LEARNT, COLORED_LEARNERS, AMOUNTS
};

enum { MB = 1 << 20 };

static const struct row {
    int when, of;
    double bytes[4]; /* bytes per unit with 4 and 8 neighbours (photos), 6 and 26 (volumes) */
} table[] = {
    {WHOLE | LABELS, TILED, {35, 53, 50, 126}},            /* the grid and the solver's arrays */
    {ONCE | SOLVE, TILED, {40, 56, 50, 126}},
    /* seeds, mask, nearness; if the parts of a volume work in turn, only nearness is in memory */
    {WHOLE | LABELS | ONCE, PIXEL, {2, 2, 3, 3}},
    {SOLVE, PIXEL, {2, 2, 0, 0}},
    {ONCE, PIXEL, {0, 0, 1, 1}},                           /* labels of a part and its halo */
    {ONCE, STRIP, {28, 44, 50, 0}},
    {ONCE, BORDER, {0, 0, 14, 78}},                        /* flow over a border of a part                            */
    {ONCE, PART, {12 * MB, 12 * MB, MB, MB}},              /* mostly tables of colours                                */
    {ONCE, KEPT, {0, 0, 1, 1}},                            /* freed memory of strips and messages that malloc() keeps */
    /* tables of colours; at most 0.79 MB was measured for a volume */
    {LEARN, PARTS, {12 * MB, 12 * MB, 8e5, 8e5}},
    /* the remaining tables of colours, with some pages of their file */
    {SOLVE, PARTS, {12 * MB, 12 * MB, 3e5, 8e5}},
    {SOLVE, LAYERS, {0, 0, 28, 156}},                      /* flow over the borders of all parts */
    /* photos: seeds, masks, marks of reached pixels; volumes: nearness */
    {READ | TURN, ALL_PIXELS, {6, 6, 1, 1}},
    /* marks of reached voxels, of excess, and of residual capacity to the sink */
    {TURN, ALL_TILED, {0, 0, 0.5, 0.5}},
    {ONCE, RUN, {5 * MB, 5 * MB, 9 * MB, 9 * MB}},         /* the program and its libraries                   */
    {WHOLE | LABELS, RUN, {12 * MB, 12 * MB, 16 * MB, 16 * MB}},
    {TURN, RUN, {0, 0, 9 * MB, 9 * MB}},
    {WHOLE | LABELS, COLORED, {8 * MB, 8 * MB, 0, 0}},     /* tables of colours */
    {WHOLE | LABELS, WIDE_COLORED, {10, 10, 0, 0}},
    /* at most: if the change, or the seeds that contradict the mask, extend over the whole. Two thirds of it are the
     * capacities of the strokes' graph, the rest is masks */
    {CORRECT, PIXEL, {24, 36, 24, 66}},
    {LABELS, PIXEL, {22, 32, 24, 90}},                     /* capacities of the cuts that several labels share */
    {LABELS, LABELLED, {4, 4, 4, 4}},                      /* costs of a label */
    {LABELS, LEARNT, {8, 8, 8, 8}},
    {LABELS, WIDE_LEARNT, {8, 8, 0, 0}},
    {LABELS, COLORED_LEARNERS, {10 * MB, 10 * MB, 0, 0}},
};

typedef double amounts[AMOUNTS];

static bool is_volume(const memory_lattice *l)
{
    return l->connectivity == 6 || l->connectivity == 26;
}

/* Returns the bytes in the situation `when`: the sum over all rows that count then. */
static double bytes_of(const memory_lattice *l, int when, const amounts many)
{
    const int column = 2 * is_volume(l) + (l->connectivity == 8 || l->connectivity == 26);
    /* if the parts of a volume work in turn, its voxels are in files */
    const bool in_memory = !is_volume(l) || !(when & TURN);
    double sum = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].when & when) sum += table[i].bytes[column] * many[table[i].of];
    /* the library makes a copy of colours of 16 bits, with the range of values that --range says */
    const bool copied = is_volume(l) && l->sample == 6;
    if (in_memory) sum += many[PIXEL] * (double)(copied ? 2 * l->sample : l->sample);
    if (when & (CUT | LABELS)) sum += (many[PIXEL] + many[ALL_PIXELS]) * (double)l->beside;
    return sum;
}

/* ---- Lattices --------------------------------------------------------------------------------- */

int64_t memory_layers(const memory_lattice *l)
{
    return is_volume(l) ? l->depth : l->height;
}

static int64_t in_tiles(int64_t side)
{
    enum { TILE = 32 };
    return (side + TILE - 1) / TILE * TILE;
}

/* Returns the number of pixels in `layers` layers; tiled_of() rounds up to whole tiles. */
static int64_t pixels_of(const memory_lattice *l, int64_t layers)
{
    return l->width * layers * (is_volume(l) ? l->height : 1);
}

static int64_t tiled_of(const memory_lattice *l, int64_t layers)
{
    return in_tiles(l->width) * (is_volume(l) ? in_tiles(l->height) * layers : in_tiles(layers));
}

/* Sets the quantities of a part with `own` layers of its own and `borders` borders to other parts. */
static void measure_part(const memory_lattice *l, int64_t own, int borders, amounts many)
{
    many[PIXEL] = (double)pixels_of(l, own + borders);
    many[TILED] = (double)tiled_of(l, own + borders);
    many[BORDER] = (double)pixels_of(l, borders);
    /* Measured for noise in 2 to 11 parts: 1 to 4 MB per part, if a part has 60,000 voxels or more. */
    many[KEPT] = 46 * many[TILED] < 4 * MB ? 46 * many[TILED] : 4 * MB;
    many[PART] = 1;
}

/* Returns the peak of one part in bytes: the largest of reading, cutting and writing, which follow each other.
 * `writes`: the part writes for all. */
static double peak_of_part(const memory_lattice *l, int when, const amounts many, bool writes)
{
    const uint64_t each = writes && l->write_whole > l->read_whole ? l->write_whole : l->read_whole;
    const double whole = (double)pixels_of(l, memory_layers(l)) * (double)each;
    const double cutting = bytes_of(l, when, many), other = whole > 0 ? whole + bytes_of(l, READ, many) : 0;
    return cutting > other ? cutting : other;
}

/* Sets the quantities of an undivided lattice. */
static void measure_whole(const memory_lattice *l, amounts many)
{
    enum { MANY_COLORS = 1 << 19 }; /* a photo of so many pixels may fill the tables of colours */
    measure_part(l, memory_layers(l), 0, many);
    many[RUN] = !l->another;
    many[COLORED] = !l->colored ? 0 : many[PIXEL] < MANY_COLORS ? many[PIXEL] / MANY_COLORS : 1;
    many[WIDE_COLORED] = l->colored && l->wide ? many[PIXEL] : 0;
}

uint64_t memory_whole(const memory_lattice *l)
{
    amounts many = {0};
    measure_whole(l, many);
    return (uint64_t)bytes_of(l, l->corrects ? WHOLE | CORRECT : WHOLE, many);
}

uint64_t memory_labels(const memory_lattice *l, int labels, int threads)
{
    enum { AT_A_TIME = 1 << 23 }; /* pixels that are learnt at once, summed over labels: as tilecut_labels() does */
    amounts many = {0};
    measure_whole(l, many);
    double learners = many[PIXEL] > AT_A_TIME / 2 ? 1 : AT_A_TIME / (many[PIXEL] + 1);
    if (learners > threads) learners = threads;
    if (learners > labels - 1) learners = labels > 1 ? labels - 1 : 1;
    learners = learners < 1 ? 0 : (double)(int)learners - 1;
    many[LABELLED] = labels * many[PIXEL];
    many[LEARNT] = learners * many[PIXEL];
    many[WIDE_LEARNT] = learners * many[WIDE_COLORED];
    many[COLORED_LEARNERS] = learners * many[COLORED];
    return (uint64_t)bytes_of(l, LABELS, many);
}

uint64_t memory_at_once(const memory_lattice *l, int parts, int first, int count)
{
    const amounts program = {[RUN] = 1};
    const int64_t layers = memory_layers(l), most = is_volume(l) ? 64 : 512, some = layers / parts;
    double sum = bytes_of(l, ONCE, program);
    for (int i = first; i < first + count; i++) {
        const bool above = i > 0, below = i + 1 < parts;
        /* the height of a strip is set in src/parts/strips.h */
        amounts many = {[STRIP] = below ? (double)tiled_of(l, some < most ? some : most) : 0};
        int before, own;
        tilecut_part_rows((int)layers, parts, i, &before, &own);
        measure_part(l, own, above + below, many);
        sum += peak_of_part(l, ONCE, many, i == 0);
    }
    return (uint64_t)sum;
}

uint64_t memory_in_turn(const memory_lattice *l, int parts)
{
    const int64_t layers = memory_layers(l);
    amounts many = {[RUN] = 1, [PARTS] = parts, [LAYERS] = (double)(parts * pixels_of(l, 1)),
                    [ALL_PIXELS] = (double)pixels_of(l, layers),
                    [ALL_TILED] = (double)tiled_of(l, layers + 2 * (parts - 1))};
    const double learning = bytes_of(l, LEARN, many);
    measure_part(l, (layers + parts - 1) / parts, parts < 3 ? parts - 1 : 2, many);
    const double peak = peak_of_part(l, SOLVE, many, true);
    return (uint64_t)(peak > learning ? peak : learning);
}

uint64_t memory_need(const void *plan, const int64_t size[3], uint64_t sample)
{
    const memory_plan *const p = plan;
    memory_lattice l = p->lattice;
    l.width = size[0], l.height = size[1], l.depth = size[2], l.sample = sample;
    l.colored = !is_volume(&l) && sample > 2, l.wide = sample > 4;
    return p->parts ? memory_at_once(&l, p->parts, p->first, p->count) : memory_whole(&l);
}

/* ---- Sentences -------------------------------------------------------------------------------- */

int memory_refuse(const char *name, const memory_lattice *l, int parts, bool in_turn, uint64_t need, uint64_t most,
                  failure *why)
{
    char what[96], depth[16] = "", how[48] = "";
    if (is_volume(l)) snprintf(depth, sizeof depth, "x%" PRId64, l->depth);
    if (parts) snprintf(how, sizeof how, ", in %d part%s%s,", parts, parts == 1 ? "" : "s", in_turn ? ", in turn" : "");
    snprintf(what, sizeof what, "is %" PRId64 "x%" PRId64 "%s%s", l->width, l->height, depth, how);
    return fail_memory(name, what, need, most, why);
}

void memory_advise(const memory_lattice *l, uint64_t most, failure *why)
{
    enum { MOST_PARTS = 256 };
    const failure before = *why;
    if (strlen(before.text) > sizeof before.text / 2) return;
    for (int parts = 2; parts <= MOST_PARTS && parts <= memory_layers(l); parts++) {
        const uint64_t megabytes = (memory_in_turn(l, parts) + MB - 1) / MB;
        if (megabytes > most / MB) continue;
        (void)fail(why, before.status, "%s; --parts %d --max-memory %" PRIu64 "M cuts it in parts, from disk",
                   before.text, parts, megabytes);
        return;
    }
}
