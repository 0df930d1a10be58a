/* SPDX-License-Identifier: MIT
 *
 * label_cut.h - two-label cuts, from which a labelling is built: each cut decides which pixels take one given label.
 */
#pragma once

#include "graph.h"
#include "labelling.h"
#include "solve.h"

/* What a cut decides for each pixel. A pixel that takes label `alpha` is on the background side of the cut. */
typedef enum tc_label_choice {
    TC_CHOICE_EXPAND, /* the pixel takes `alpha` or keeps its label                                        */
    TC_CHOICE_BEST,   /* the pixel takes `alpha` or gets the cheapest of the other labels in use           */
    TC_CHOICE_PRICE   /* taking `alpha` costs the label's cost less the pixel's price, and not taking it costs nothing;
                         in half quanta */
} tc_label_choice;

/* The box around a group. Only the group's pixels are free; all others in the box keep their label. Pixels outside the
 * box touch no pixel of the group. A group that several parts share is cut by all of them together; each part has its
 * own layers of the box. */
typedef struct tc_label_cut {
    tc_labelling *of;
    tc_comm *comm;        /* the parts that have layers of the box; NULL: only this part */
    int group;            /* the group's number; -1: all pixels that are not fixed, in the whole lattice */
    tc_block box;
    size_t pixels;
    int32_t *source, *sink, *to[TC_LINKS], *from[TC_LINKS]; /* [pixels] */
    bool linked;          /* true: to[] and from[] are filled, as all choices but TC_CHOICE_EXPAND need them */
    uint8_t *mask;        /* [pixels] 0 where the pixel takes `alpha` */
    const int64_t *price; /* [pixels] prices of free pixels, for TC_CHOICE_PRICE */
    void *memory;
    tc_kept_flow kept;    /* for a group: the flow of its last cut, reused by the next cut if that has the same links */
    tc_label_choice choice;
    int alpha;
    bool unused[TILECUT_MAX_LABELS]; /* true: some minimum does without this label, so free pixels never take it */
} tc_label_cut;

/* A callback that works with the open cut of a group. */
typedef tilecut_status tc_label_work(tc_label_cut *cut, void *context);

/* Opens the cut of a group, calls `work` with it, and closes it. Parts that have no layers of a shared group's box only
 * wait meanwhile. */
tilecut_status tc_label_cut_with(tc_labelling *l, int group, tc_label_work *work, void *context);

/* Calls tc_label_cut_with() for every group, or for those with a nonzero wanted[group]. Groups that no other part has
 * are worked on side by side, so `work` must change nothing but its own cut, the group's pixels and what it guards
 * itself. Groups that are large enough for several threads come one after the other. Returns the status of the first
 * group that fails. */
tilecut_status tc_label_cut_each(tc_labelling *l, const int64_t *wanted, tc_label_work *work, void *context);

/* Writes the answer of one cut to cut->mask: of all minimum cuts the one in which the fewest pixels take `alpha`. For a
 * group the solver is skipped if no pixel can gain by taking `alpha`, whatever its neighbours do; then no pixel takes
 * it. */
tilecut_status tc_label_cut_solve(tc_label_cut *cut, tc_label_choice choice, int alpha);

/* Writes the answer in which no free pixel takes `alpha`. */
void tc_label_cut_none(tc_label_cut *cut, tc_label_choice choice, int alpha);

/* Finds cut->unused: labels for which another label in use costs no more at every free pixel, even where they would
 * save links to fixed pixels. So there is a minimum without them; with `every`, no minimum has them. An expansion to
 * such a label lowers the energy only if one to the other label does, unless some free pixel has it already. */
tilecut_status tc_label_cut_find_unused(tc_label_cut *cut, bool every);

/* Finds which labels the free pixels have now. */
tilecut_status tc_label_cut_find_present(const tc_label_cut *cut, bool *has);

/* True if the cut decides the label of pixel i of the lattice. */
static inline bool tc_label_cut_free(const tc_label_cut *cut, size_t i)
{
    return (cut->group < 0 || cut->of->group[i] == cut->group) && !cut->of->fixed[i];
}

/* Adds `more` to a sum to which several threads add. */
static inline void tc_label_add(int64_t *sum, int64_t more)
{
    __atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
}

/* The label of pixel i of the lattice. If the pixel is free in another group, another thread may be changing it. But no
 * link leads from this group to that one, so the answer does not depend on it. */
static inline int tc_label_of(const tc_labelling *l, size_t i)
{
    return __atomic_load_n(&l->label[i], __ATOMIC_RELAXED);
}

/* The number of rows of the box, in all of its slices. */
static inline int tc_label_cut_rows(const tc_label_cut *cut)
{
    return cut->box.height * cut->box.depth;
}

/* The rows of the box that this part has to count. */
static inline tc_own_rows tc_label_cut_own(const tc_label_cut *cut)
{
    const int lines = tc_labelling_flat(cut->of) ? 1 : cut->box.height;
    const tc_own_rows own = tc_own_rows_of(cut->comm, tc_label_cut_rows(cut) / lines);
    return (tc_own_rows){own.first * lines, own.end * lines};
}

/* The number, in the lattice, of the first pixel of row `row` of the box. Rows are counted through all slices. */
static inline size_t tc_label_cut_row(const tc_label_cut *cut, int row)
{
    const tc_labelling *const l = cut->of;
    const int y = cut->box.y + row % cut->box.height, z = cut->box.z + row / cut->box.height;
    return ((size_t)z * (size_t)l->height + (size_t)y) * (size_t)l->width + (size_t)cut->box.x;
}

/* The links of one kind that begin in a row of the box and stay in the box. */
typedef struct tc_label_links {
    int first, end;               /* links begin in columns first .. end - 1; there are none if first == end */
    ptrdiff_t in_lattice, in_box; /* index of a link's end less that of its beginning, in the lattice and in the box */
} tc_label_links;

static inline tc_label_links tc_label_cut_links(const tc_label_cut *cut, int k, int row)
{
    const tc_labelling *const l = cut->of;
    const tc_link_steps s = tc_link_step(l->connectivity, k);
    const int y = row % cut->box.height + s.y, z = row / cut->box.height + s.z;
    const bool within = y >= 0 && y < cut->box.height && z < cut->box.depth;
    const tc_span linked = tc_linked(0, cut->box.width, s.x, cut->box.width);
    return (tc_label_links){linked.first, within ? linked.end : linked.first,
                            ((ptrdiff_t)s.z * l->height + s.y) * l->width + s.x,
                            ((ptrdiff_t)s.z * cut->box.height + s.y) * cut->box.width + s.x};
}

/* Computes the energy of the labelling within the box of `cut`. With `fixed_only`, counts only fixed pixels and the
 * links between them. The second function computes the energy of the whole lattice. */
tilecut_status tc_label_cut_energy(const tc_label_cut *cut, bool fixed_only, int64_t *energy);
tilecut_status tc_labelling_energy_of(tc_labelling *l, bool fixed_only, int64_t *energy);
