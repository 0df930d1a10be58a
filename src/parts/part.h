/* SPDX-License-Identifier: MIT
 *
 * part.h - one part of an image, and how parts find the minimum cut of the whole (docs/design/parts.md).
 *
 * The grid of a part has the part's own rows, and as a halo a row of the part above and one of the part below. Links
 * out of own pixels into the halo are the part's own. Links out of the halo belong to the neighbours; here they are
 * closed, and the halo has no excess, unless a function says otherwise. So a solver finds a flow within own rows, and
 * that is a flow of the whole image.
 *
 * Of a volume, a row is a slice: its voxels are numbered as in arrays, and `width` is how many it has. A slice has
 * `lines` rows of pixels; a row of an image is one.
 *
 * The grid lies in host memory or on a CUDA device. What is done to it between two meetings of the parts is a table of
 * functions, with a row for either: tc_part_backend. All else is the same.
 */
#ifndef TC_PART_H
#define TC_PART_H

#include "comm.h"
#include "cut.h"
#include "graph.h"
#include "grid.h"
#include "solver.h"
#include "volume.h"

enum {
    TC_ABOVE, TC_BELOW, TC_SIDES,
    TC_KINDS = 3,     /* of links across: straight, and two diagonals */
    TC_WIDE_KINDS = 9 /* the same of 26 neighbours                    */
};

/* The border between a part and the one above or below it. All arrays are as wide as the image. */
typedef struct tc_side {
    bool there;
    int halo, own;       /* rows of the grid: the neighbour's, and the part's own beside it    */
    int32_t *level;     /* of the halo's pixels, in the last search; TC_UNREACHED              */
    int32_t *out, *in;  /* [kinds][width] what is sent to the neighbour, and received from it; if rows go
                           from device to device, these are in the memory of the device      */
    uint8_t *told, *news; /* [width] own pixels that are reached; the halo's, for the first time */
} tc_side;

#define TC_UNREACHED INT32_MAX

struct tc_cuda_volume;

typedef struct tc_part {
    tc_comm comm; /* first, so that a pointer to it is one to the part */
    tc_comm *cut;  /* what is being cut: all, or a window of it         */
    tilecut_exchange exchange;
    const struct tc_part_backend *backend;
    int width, lines; /* pixels of a row; how many rows of pixels those are: of a slice several */
    int kinds;        /* 1, or 3 with diagonals; 9 with 26 neighbours */
    bool volume;      /* a row is a slice */
    const tc_volume *voxels; /* of a volume, grey values and labels that may rest; NULL: there are none */
    tc_side side[TC_SIDES];
    int32_t *memory;  /* of all sides */
    bool direct;      /* rows of links go from device to device */

    /* What the last search found. Level k: on the way to a sink, k borders between parts have to be crossed. */
    uint8_t *active;  /* [room] by level: whether this part has excess there */
    size_t room;
    int highest;      /* level of excess in any part; -1: no excess reaches a sink */
    int waves;        /* of this solve, the running one included */
    int strips, depth; /* of this solve: how many turns of strips there were, and the rows of the last on either side */

    /* Of the backend. On the host: */
    tc_grid *grid;    /* of a graph from arrays also if it is cut on a device, to build and to prove it */
    tc_flood flood;
    tc_wide_flood wide; /* of 26 neighbours, in place of `flood` */
    uint32_t *source; /* [tiles][TC_TILE] bit rows: pixels with excess; after them room for those of the flood */
    uint8_t *stale;   /* [rows of tiles] of the grid that have changed since the last search */
    /* On a device: */
    struct tc_cuda_part *there;
    struct tc_cuda_volume *learnt; /* a volume there, until the part has taken it */
} tc_part;

/* Some rows of pixels of a grid, of some of its columns of tiles. Those of a volume are numbered through all slices. */
typedef struct tc_strip_rows {
    int first, count;
    const int *column; /* [columns] in their order */
    int columns;
} tc_strip_rows;

/* What a part adds to the answer. */
typedef struct tc_part_answer {
    tc_proof proof;     /* over own rows                      */
    int64_t foreground; /* pixels of own rows                 */
} tc_part_answer;

/* Where the grid of a part lies. The functions read and write the rows of part->side[], but call no other part. */
typedef struct tc_part_backend {
    /* Builds the grid with its capacities, and makes the halo as it is said above. `part` is open. */
    tilecut_status (*build)(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params);
    void (*close)(tc_part *part);

    /* Solves. *solver: NULL to choose one for the first time. `again`: few pixels have excess. */
    tilecut_status (*solve)(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats);
    /* Gives the pixels of the halo whose level is `level` room for all that links into them can carry. */
    tilecut_status (*unseal)(tc_part *part, int level);
    /* Reads what went into the halo into side.out, and closes the halo again. */
    tilecut_status (*take_flows)(tc_part *part);
    /* Adds side.in to own pixels. *any: whether it is anything. */
    tilecut_status (*put_flows)(tc_part *part, bool *any);
    /* side.out: residuals of links into the halo; and links out of the halo get those of side.in. */
    tilecut_status (*show_residuals)(tc_part *part);
    tilecut_status (*set_residuals)(tc_part *part);

    /* Begins a search: floods from own sinks. */
    tilecut_status (*search)(tc_part *part, int threads);
    /* Counts pixels with excess: *all, and *reached of them. */
    tilecut_status (*count)(tc_part *part, int64_t *all, int64_t *reached);
    tilecut_status (*tell)(tc_part *part); /* side.told */
    /* Pixels of the halo in side.news are reached, on sides with `news`. With `on` it floods on from them. */
    tilecut_status (*reach)(tc_part *part, const bool news[TC_SIDES], bool on);

    /* These three are for strips: tc_part_has_strips(). */
    /* Marks the columns of tiles in which, within `rows` rows of a border, the last search has reached excess. */
    void (*active)(const tc_part *part, int side, int rows, uint8_t *column);
    /* Copies rows of the grid to memory of the host, and from there, as tc_rows_pack() and tc_rows_unpack() do. */
    tilecut_status (*pack)(tc_part *part, const tc_strip_rows *rows, float *packed, int threads);
    tilecut_status (*unpack)(tc_part *part, const tc_strip_rows *rows, float *packed, int threads);

    /* Of own rows; links out of the halo have the residuals of the neighbours. */
    tilecut_status (*prove)(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer);
    tilecut_status (*mask)(tc_part *part, int threads, uint8_t *mask); /* halo included */
} tc_part_backend;

extern const tc_part_backend tc_part_backend_host, tc_part_backend_cuda;

/* The links of a kind out of own pixels to a side: their direction, and how far to the right and down they lead. The
 * same kinds above and below are opposite directions. */
typedef struct tc_side_link {
    int direction, right, down;
} tc_side_link;

tc_side_link tc_side_link_of(const tc_part *part, int side, int kind);

/* Not of 26 neighbours, and of a volume not on a device. */
static inline bool tc_part_has_strips(const tc_part *part)
{
    return !part->volume || (part->kinds == 1 && part->grid);
}

/* For the graph of `cut`, which is of the whole part, or of those of its rows that lie in a window. */
tilecut_status tc_part_open(tc_part *part, tc_comm *cut, const tc_part_backend *backend, const tilecut_graph *graph);
void tc_part_close(tc_part *part); /* all but `whole` and `exchange` */

/* Swaps flows across the borders. *arrived: whether some has come to own pixels. */
tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived);

/* Gives links out of the halo their residuals, which the neighbours have. */
tilecut_status tc_part_swap_residuals(tc_part *part);

/* Finds the level of each pixel of the halo, and of all excess. If none of it reaches a sink, what is reached is the
 * canonical background, halo included. */
tilecut_status tc_part_search(tc_part *part, int threads);

/* Finds a maximum preflow of the whole image, and its cut. The grid is the part's, as built. */
tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* tc_certify() for the whole image, and the mask of the part. */
tilecut_status tc_part_conclude(tc_part *part, const tilecut_graph *graph, int threads, uint8_t *mask,
                                tilecut_report *report);

#endif
