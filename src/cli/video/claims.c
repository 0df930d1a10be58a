/* SPDX-License-Identifier: MIT */
#include "claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "engine.h"
#include "tilecut_labels.h"

/* The capacities of a pixel are below 2^24 together, so as costs they are below 2^19. NEVER, the cost of a forbidden
 * label, is more than all of them. */
enum { FEWER_BITS = 5, NEVER = 1 << 20 };

typedef struct joint_cut {
    objects *o;
    const uint8_t *painted;
    uint8_t *core;            /* [pixels of the frame] 1: the pixel keeps its label, see mark_cores() */
    int x, y, width, height;  /* bounding box of the claimed pixels, enlarged by one pixel on each side */
    int links;                /* number of link directions: 2 or 4 */
    int count, who[256];      /* the objects that claim pixels; label k + 1 of the cut is object who[k], 0 is everything
                                 else */
    int label[256];           /* label of each object in the cut; 0: the object claims no pixel */
    double unit;              /* units of the model in one unit of cost */
    size_t pixels;            /* of the box                                                                   */
    int32_t *cost, *link[TILECUT_LINKS]; /* [count + 1][pixels]; [pixels]                                     */
    int32_t *row;             /* [2 + links][width of the frame] capacities of one object */
    uint8_t *result;          /* [pixels]                                                                     */
    void *memory;
} joint_cut;

/* Returns the index of pixel (x, y) in a frame. */
static size_t frame_pixel(const joint_cut *c, int x, int y)
{
    return (size_t)y * (size_t)c->o->of->width + (size_t)x;
}

/* Returns how many objects claim a pixel that has no seed. */
static int claims_of(const joint_cut *c, size_t p)
{
    int claims = 0;
    for (int i = 0; i < c->o->count; i++) claims += c->o->of[i].mask[p] != 0;
    return c->core[p] || (c->painted && c->painted[p]) ? 0 : claims;
}

/* Marks the core of an object in the previous frame, as far as the object still claims it. Between objects of similar
 * colours nothing shows where their border is, so a cut without cores might give all pixels to one of them. */
static bool mark_core(const joint_cut *c, int i, uint8_t *near)
{
    const objects *const o = c->o;
    const int width = o->of->width, height = o->of->height;
    const size_t pixels = (size_t)width * (size_t)height;
    size_t area = 0, marked = 0;
    for (size_t p = 0; p < pixels; p++) area += o->before[p] == o->number[i];
    for (double radius = sqrt((double)area) / 4; radius >= 1 && !marked; radius /= 2) {
        for (size_t p = 0; p < pixels; p++) near[p] = o->before[p] != o->number[i];
        if (!distance_within(near, width, height, radius, near)) return false;
        for (size_t p = 0; p < pixels; p++)
            if (!near[p] && o->of[i].mask[p]) c->core[p] = 1, marked++;
    }
    return true;
}

/* Finds the box and the objects that claim pixels in it. Returns false if no pixel is contested. */
static bool find_claims(joint_cut *c)
{
    const follow *const f = c->o->of;
    int x0 = f->width, y0 = f->height, x1 = -1, y1 = -1;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const size_t p = frame_pixel(c, x, y);
            if (claims_of(c, p) < 2) continue;
            if (x < x0) x0 = x;
            if (x > x1) x1 = x;
            if (y < y0) y0 = y;
            if (y > y1) y1 = y;
            for (int i = 0; i < c->o->count; i++)
                if (f[i].mask[p] && !c->label[i]) c->who[c->count++] = i, c->label[i] = c->count;
        }
    c->x = x0 > 0 ? x0 - 1 : 0, c->y = y0 > 0 ? y0 - 1 : 0;
    c->width = (x1 + 1 < f->width ? x1 + 2 : f->width) - c->x;
    c->height = (y1 + 1 < f->height ? y1 + 2 : f->height) - c->y;
    return x1 >= 0;
}

static int open_joint_cut(joint_cut *c, failure *why)
{
    int width, height, connectivity;
    const size_t labels = (size_t)c->count + 1;
    tilecut_graph_size(c->o->of[c->who[0]].costs, &width, &height, &connectivity);
    c->links = connectivity / 2, c->pixels = (size_t)c->width * (size_t)c->height;
    for (int k = 0; k < c->count; k++) c->unit = fmax(c->unit, tilecut_graph_quantum(c->o->of[c->who[k]].costs));
    c->unit *= 1 << FEWER_BITS;
    const size_t numbers = (labels + (size_t)c->links) * c->pixels + (size_t)(2 + c->links) * (size_t)width;
    c->memory = malloc(numbers * sizeof *c->cost + c->pixels);
    if (!c->memory) return fail(why, EXIT_RESOURCES, "not enough memory to share out %zu pixels", c->pixels);
    c->cost = c->memory;
    int32_t *next = c->cost + labels * c->pixels;
    for (int k = 0; k < c->links; k++, next += c->pixels) c->link[k] = next;
    memset(c->link[0], 0, (size_t)c->links * c->pixels * sizeof *c->cost);
    c->row = next, c->result = (uint8_t *)(next + (size_t)(2 + c->links) * (size_t)width);
    return EXIT_DONE;
}

/* Makes uncontested pixels keep their labels. */
static void keep_labels(const joint_cut *c)
{
    for (size_t i = 0; i < ((size_t)c->count + 1) * c->pixels; i++) c->cost[i] = NEVER;
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++) {
            const size_t p = frame_pixel(c, c->x + x, c->y + y);
            int label = 0;
            for (int k = 0; k < c->count; k++)
                if (c->o->map[p] == c->o->number[c->who[k]]) label = k + 1;
            if (claims_of(c, p) < 2) c->cost[(size_t)label * c->pixels + (size_t)(y * c->width + x)] = 0;
        }
}

/* Adds the capacities of row y in the graph of one object: the costs of its claimed pixels, and its share of each
 * link. */
static tilecut_status add_row(const joint_cut *c, int k, int y)
{
    const follow *const f = &c->o->of[c->who[k]];
    const size_t width = (size_t)f->width;
    const double scale = tilecut_graph_quantum(f->costs) / c->unit;
    tilecut_row row = {.size = sizeof row, .source = c->row, .sink = c->row + width};
    for (int d = 0; d < c->links; d++) row.to[d] = c->row + (size_t)(2 + d) * width;
    const tilecut_status status = tilecut_graph_row(f->costs, c->y + y, &row);
    for (int x = 0; x < c->width && status == TILECUT_OK; x++) {
        const int at = c->x + x;
        const size_t i = (size_t)y * (size_t)c->width + (size_t)x, p = frame_pixel(c, at, c->y + y);
        for (int d = 0; d < c->links; d++) c->link[d][i] += (int32_t)lrint(scale * row.to[d][at] / c->count);
        if (f->mask[p] && claims_of(c, p) > 1)
            c->cost[(size_t)(k + 1) * c->pixels + i] = (int32_t)lrint(scale * (row.sink[at] - row.source[at]));
    }
    return status;
}

static int solve(const joint_cut *c, failure *why)
{
    const objects *const o = c->o;
    tilecut_params params = o->of->params;
    const tilecut_labels_params how = {.bound_rounds = TILECUT_NONE};
    tilecut_labels_arrays arrays = {.width = c->width, .height = c->height, .labels = c->count + 1, .costs = c->cost};
    tilecut_status status = TILECUT_OK;
    keep_labels(c);
    for (int k = 0; k < c->count; k++)
        for (int y = 0; y < c->height && status == TILECUT_OK; y++) status = add_row(c, k, y);
    for (int d = 0; d < c->links; d++) arrays.links[d] = c->link[d];
    params.mask_stride = 0, params.prior = NULL;
    if (status == TILECUT_OK) status = tilecut_labels_solve(&arrays, &params, &how, c->result, NULL);
    if (status != TILECUT_OK) return engine_failure(status, NULL, why);
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++) {
            const size_t p = frame_pixel(c, c->x + x, c->y + y);
            const int label = c->result[y * c->width + x];
            if (label && claims_of(c, p) > 1) o->map[p] = o->number[c->who[label - 1]];
        }
    return EXIT_DONE;
}

int claims_settle(objects *o, const uint8_t *painted, failure *why)
{
    joint_cut c = {.o = o, .painted = painted};
    const size_t pixels = (size_t)o->of->width * (size_t)o->of->height;
    c.core = calloc(2, pixels);
    bool room = c.core;
    for (int i = 0; room && i < o->count; i++) room = mark_core(&c, i, c.core + pixels);
    int status = room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory to share out a frame");
    if (!status && find_claims(&c)) {
        status = open_joint_cut(&c, why);
        if (!status) status = solve(&c, why);
    }
    free(c.core);
    free(c.memory);
    return status;
}
