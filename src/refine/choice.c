/* SPDX-License-Identifier: MIT
 *
 * choice.c - see choice.h. Means over links are compared, so that a long outline is not worse than a short one. A part
 * that does not touch the outline, such as a hole or an island, is not taken, because there is no evidence against the
 * mask there.
 */
#include "choice.h"

#include <math.h>
#include <stdlib.h>

#include "lattice.h"
#include "status.h"

/* tc_edges_along() measures how far an outline is "off edges": 0 on the sharpest edges, 1 where there is no edge.
 * Deviations are in units of prior_outline.h. See docs/lab/quality.md, "Masks that are good already". */
#define DOUBTED 0.56        /* an outline more off edges than this may be wrong                                  */
#define PIECES_DOUBTED 0.82 /* DOUBTED for an outline of straight pieces that deviate by PIECES_DEVIATION or more */
#define PIECES_DEVIATION 4
#define OFF_EDGES 0.88      /* an outline of pieces that is more off edges than this is judged like any other   */
#define ROUGH_DEVIATION 12  /* an outline that may deviate by this much may be wrong in any case                */
#define PLAIN 0.8           /* an exact outline that is off edges by less than this is fairly good               */
#define CLEAR 0.08          /* a fairly good outline is replaced only by one that is off edges by less than this
                               share of it */
#define ALIKE 0.3           /* colours on both sides of an outline differ by less than this share of those beside the
                               outline of an offer that replaces it */
/* The detail of a mask is how far smoothing moves its outline. An exact outline moves only under two conditions. Its
 * detail is less than DETAIL. And at the new place it is off edges by less than a share of what it was before: the
 * share STEADY - EACH_DETAIL * detail, or STEADIEST if that is more. */
#define DETAIL 0.07
#define STEADY 0.95
#define EACH_DETAIL 12
#define STEADIEST 0.52

/* The corresponding numbers for a single part that an offer would change. */
#define PART_OFF_EDGES 0.5  /* a part is taken only if its old outline is more off edges than this               */
#define PART_BETTER 0.8     /* a part is taken only if its new outline is less than this share of its old one off
                               edges */
#define PART_SAME 0.2       /* a part is taken only if tc_sides_apart() beside its old outline is below this       */
#define PART_FAR_OFF 0.75   /* if its old outline is more off edges than this, PART_ALIKE replaces PART_SAME; a part
                               that is as large as the mask, or larger, is taken only then                         */
#define PART_ALIKE 0.6      /* see PART_FAR_OFF                                                                    */
#define PART_THICK 0.06     /* a part is not taken if its area divided by the length of its old outline is less than
                               this share of the square root of the foreground's area: edges are weak evidence for thin
                               slices along the outline */
enum { REST = 4 }; /* an offer is refused if its foreground is less than 1 / REST of the prior mask's, or if it turns
                      more than 1 / REST of the background into foreground and then covers most of the image */
enum { SPECKS = 20 }; /* a part is also not taken if it is smaller than 1 / SPECKS of the foreground */

/* The sum and number of some links; each link is divided by the mean of the links around the outline. */
typedef struct links {
    double sum;
    int64_t count;
} links;

/* A connected part that an offer would give a new label. `before` and `after` are the links that its outline cuts with
 * the old label, and with the new one. */
typedef struct part {
    links before, after;
    int64_t pixels;
    bool added; /* true: the part would become foreground */
    bool taken;
    int32_t sides; /* index of the colours on both sides of its old outline */
} part;

typedef struct parts {
    const tc_edges *edges;
    const uint8_t *mask, *offer;
    int width, height;
    int32_t *number; /* [pixels] the number of the pixel's part, from 1 on; 0: the pixel does not change */
    size_t *queue;
    part *of;        /* the parts, by their numbers; of[0] is for all pixels that keep their label */
    tc_color_sums (*sides)[2]; /* sums of colours; the index is a part's field `sides` */
    int64_t foreground;
} parts;

/* `along` says how far the outline of the prior mask is off edges. Returns a factor: an offer is better only if its own
 * outline is off edges by less than that factor times `along`. */
static double part_of(const tc_outline *o, double along)
{
    const bool pieces = o->deviation >= PIECES_DEVIATION && along <= OFF_EDGES;
    const double most = fmin(pieces ? 2.5 * (along - PIECES_DOUBTED) : 1.8 * (along - DOUBTED),
                             o->exact && along < PLAIN ? CLEAR : 0.8);
    return fmax(most, o->deviation >= ROUGH_DEVIATION ? 0.38 : 0);
}

tilecut_status tc_choice_find(const tc_edges *edges, const tc_outline *outline, const uint8_t *prior,
                              tc_choice *choice)
{
    const double along = tc_edges_along(edges, prior);
    double worst;
    *choice = (tc_choice){.most = outline->exact ? HUGE_VAL : outline->deviation >= ROUGH_DEVIATION ? 1 : 2};
    if (outline->exact && outline->detail < DETAIL)
        choice->steady = along * fmax(STEADY - EACH_DETAIL * outline->detail, STEADIEST);
    if (outline->cell > TC_OUTLINE_SHARP) return TILECUT_OK;
    choice->below = part_of(outline, along) * along;
    if (!outline->exact) return TILECUT_OK;
    NEED(tc_edges_worst(edges, prior, &worst));
    choice->parts = along >= PLAIN || worst >= PLAIN;
    return TILECUT_OK;
}

bool tc_choice_is_right(const tc_edges *edges, const tc_outline *outline, const uint8_t *prior)
{
    return outline->exact && tc_edges_along(edges, prior) < PLAIN;
}

/* True if so few or so many pixels would be foreground that the colours which an offer was learnt from mean nothing. */
static bool is_unlikely(size_t inside, size_t added, size_t removed, size_t pixels)
{
    const bool lost = REST * (inside - removed) < inside;
    const bool flooded = REST * added > pixels - inside && 2 * (inside + added - removed) > pixels;
    return lost || flooded;
}

bool tc_choice_is_offer(const tc_choice *choice, const tc_edges *edges, const uint8_t *prior, const uint8_t *offer,
                        int64_t *doubted)
{
    const size_t pixels = (size_t)edges->width * (size_t)edges->height;
    size_t inside = 0, added = 0, removed = 0;
    for (size_t p = 0; p < pixels; p++) {
        const bool before = prior[p] >= 128, after = offer[p] >= 128;
        inside += before, added += !before && after, removed += before && !after;
    }
    *doubted = 0;
    if ((double)(added + removed) >= choice->most * (double)inside || tc_edges_along(edges, offer) >= choice->below)
        return false;
    if (is_unlikely(inside, added, removed, pixels) ||
        tc_edges_apart(edges, prior) >= ALIKE * tc_edges_apart(edges, offer))
        *doubted = (int64_t)(added + removed);
    return !*doubted;
}

bool tc_choice_is_near(const tc_choice *choice, const tc_edges *edges, const uint8_t *near)
{
    return tc_edges_along(edges, near) < choice->steady;
}

static void add(links *l, double link)
{
    l->sum += link;
    l->count++;
}

static double mean(const links *l)
{
    return l->count ? l->sum / (double)l->count : 0;
}

static bool changes(const parts *c, size_t p)
{
    return (c->mask[p] != 0) != (c->offer[p] != 0);
}

static void number_from(const parts *c, size_t first, int32_t number)
{
    const tc_block all = {0, 0, 0, c->width, c->height, 1};
    size_t tail = 0;
    c->queue[tail++] = first;
    c->number[first] = number;
    for (size_t head = 0; head < tail; head++)
        for (int d = 0; d < 4; d++) {
            const size_t q = tc_block_neighbour(&all, c->queue[head], 4, d);
            if (q == TC_BLOCK_NONE || c->number[q] || !changes(c, q) || (c->mask[q] != 0) != (c->mask[first] != 0))
                continue;
            c->number[q] = number;
            c->queue[tail++] = q;
        }
}

static tilecut_status find_parts(parts *c, int32_t *count)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    *count = 0;
    for (size_t p = 0; p < pixels; p++)
        if (!c->number[p] && changes(c, p)) number_from(c, p, ++*count);
    c->of = calloc((size_t)*count + 1, sizeof *c->of);
    return c->of ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for %d parts of a mask", *count);
}

/* Counts a link for the parts to which its ends belong. */
static void add_link(parts *c, size_t p, size_t q, int down)
{
    const int32_t ends[2] = {c->number[p], c->number[q]};
    const bool before = (c->mask[p] != 0) != (c->mask[q] != 0), after = (c->offer[p] != 0) != (c->offer[q] != 0);
    if ((!ends[0] && !ends[1]) || (!before && !after)) return;
    const double link = tc_edges_link(c->edges, p, down);
    for (int i = 0; i < 2; i++) {
        if (!ends[i] || (i && ends[1] == ends[0])) continue;
        if (before) add(&c->of[ends[i]].before, link);
        if (after) add(&c->of[ends[i]].after, link);
    }
}

static void measure(parts *c)
{
    const size_t width = (size_t)c->width, pixels = width * (size_t)c->height;
    for (size_t p = 0; p < pixels; p++) {
        c->of[c->number[p]].pixels++;
        c->of[c->number[p]].added = c->mask[p] == 0;
        c->foreground += c->mask[p] != 0;
        if ((p + 1) % width) add_link(c, p, p + 1, 0);
        if (p + width < pixels) add_link(c, p, p + width, 1);
    }
}

/* True if a part is large, and its new outline lies on edges where the old one does not. A part that is added must
 * touch the mask along less than half of its outline, because a thin strip along the mask is more likely a shadow. */
static bool is_on_edges(const parts *c, const part *a)
{
    const double before = mean(&a->before), thick = PART_THICK * sqrt((double)c->foreground);
    if (!a->before.count || !a->after.count || SPECKS * a->pixels <= c->foreground) return false;
    if ((double)a->pixels <= thick * (double)a->before.count) return false;
    if (a->added && a->before.count >= a->after.count) return false;
    if (before <= (a->pixels < c->foreground ? PART_OFF_EDGES : PART_FAR_OFF)) return false;
    return mean(&a->after) < PART_BETTER * before;
}

/* Adds up the colours on both sides of the old outlines of parts. */
static void add_sides(const parts *c)
{
    const size_t width = (size_t)c->width, pixels = width * (size_t)c->height;
    for (size_t p = 0; p < pixels; p++)
        for (int down = 0; down < 2; down++) {
            const size_t q = down ? p + width : p + 1;
            if (down ? q >= pixels : q % width == 0) continue;
            if ((c->mask[p] != 0) == (c->mask[q] != 0)) continue;
            for (int i = 0; i < 2; i++) {
                const part *const a = &c->of[c->number[i ? q : p]];
                if (a->taken) tc_edges_add_sides(c->edges, c->mask, p, down, c->sides[a->sides]);
            }
        }
}

/* Decides which parts are taken, and counts them and their pixels. */
static tilecut_status take(parts *c, int32_t count, int32_t *taken, size_t changed[2])
{
    int32_t asked = 0;
    *taken = 0, changed[0] = changed[1] = 0;
    for (int32_t i = 1; i <= count; i++) {
        c->of[i].taken = is_on_edges(c, &c->of[i]);
        if (c->of[i].taken) c->of[i].sides = asked++;
    }
    if (!asked) return TILECUT_OK;
    c->sides = calloc((size_t)asked, sizeof *c->sides);
    if (!c->sides) return tc_fail(TILECUT_ENOMEM, "no memory for colours of %d parts of a mask", asked);
    add_sides(c);
    for (int32_t i = 1; i <= count; i++) {
        part *const a = &c->of[i];
        const double most = mean(&a->before) > PART_FAR_OFF ? PART_ALIKE : PART_SAME;
        a->taken = a->taken && tc_sides_apart(c->sides[a->sides]) < most;
        if (!a->taken) continue;
        *taken += 1;
        changed[a->added] += (size_t)a->pixels;
    }
    return TILECUT_OK;
}

tilecut_status tc_choose_parts(const tc_edges *edges, uint8_t *offer, uint8_t *mask, int32_t *taken,
                               int64_t *doubted)
{
    parts c = {.edges = edges, .mask = mask, .offer = offer, .width = edges->width, .height = edges->height};
    const size_t pixels = (size_t)c.width * (size_t)c.height;
    tilecut_status status = TILECUT_OK;
    size_t changed[2];
    int32_t count;

    *taken = 0, *doubted = 0;
    c.number = calloc(pixels, sizeof *c.number);
    c.queue = malloc(pixels * sizeof *c.queue);
    if (!c.number || !c.queue) TRY(tc_fail(TILECUT_ENOMEM, "no memory for parts of a mask"));
    TRY(find_parts(&c, &count));
    measure(&c);
    TRY(take(&c, count, taken, changed));
    if (is_unlikely((size_t)c.foreground, changed[1], changed[0], pixels)) {
        *taken = 0, *doubted = (int64_t)(changed[0] + changed[1]);
        goto done;
    }
    for (size_t p = 0; p < pixels; p++) {
        const bool is_taken = c.of[c.number[p]].taken;
        if (is_taken) mask[p] = offer[p];
        offer[p] = is_taken ? 255 : 0;
    }
done:
    free(c.sides);
    free(c.of);
    free(c.queue);
    free(c.number);
    return status;
}
