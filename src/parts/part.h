/* SPDX-License-Identifier: MIT
 *
 * part.h - one part of an image, and how parts find the minimum cut of the whole (docs/design/parts.md).
 *
 * The grid of a part has the part's own rows, and as a halo a row of the part above and one of the part below. Links
 * out of own pixels into the halo are the part's own. Links out of the halo belong to the neighbours; here they are
 * closed, and the halo has no excess, unless a function says otherwise. So a solver finds a flow within own rows, and
 * that is a flow of the whole image.
 *
 * In a volume, a "row" is a slice: its voxels are numbered as in arrays, and `width` is their number. A slice has
 * `lines` rows of pixels; in an image `lines` is 1.
 *
 * The grid lies in host memory or on a CUDA device. tc_part_backend is a table of functions that work on the grid, with
 * one row for each of the two; they do not communicate with other parts. All other code is the same for both.
 */
#pragma once

#include "comm.h"
#include "cut.h"
#include "graph.h"
#include "grid.h"
#include "solver.h"
#include "volume.h"

enum {
    TC_ABOVE, TC_BELOW, TC_SIDES,
    TC_KINDS = 3,     /* kinds of links over a border: straight, and two diagonals */
    TC_WIDE_KINDS = 9 /* kinds of links over a border with 26 neighbours           */
};

/* The border between a part and the one above or below it. All arrays are as wide as the image. */
typedef struct tc_side {
    bool exists;
    /* rows of the grid at this border: the row of the neighbour, and the part's own row beside it */
    int halo, own;
    int32_t *level;     /* [width] level of each pixel of the halo in the last search, or TC_UNREACHED */
    int32_t *out, *in;  /* [kinds][width] data sent to the neighbour, and received from it; in the memory of the
                           device if rows go from device to device                             */
    uint8_t *reached, *news; /* [width] whether an own pixel is reached; whether a pixel of the halo is newly reached */
} tc_side;

#define TC_UNREACHED INT32_MAX

typedef struct tc_part {
    tc_comm comm; /* first, so that a pointer to it is one to the part */
    tc_comm *cut;  /* the communicator of the image or window that is being cut */
    tilecut_exchange exchange;
    const struct tc_part_backend *backend;
    int width, lines; /* pixels of a row; rows of pixels in it: 1, or those of a slice */
    int kinds;        /* 1, or 3 with diagonals; 9 with 26 neighbours */
    bool volume;      /* a row is a slice */
    /* grey values and labels of a volume, or NULL; their memory may be freed while the part waits */
    const tc_volume *voxels;
    tc_side side[TC_SIDES];
    int32_t *memory;  /* holds the arrays of all sides; owned */
    bool direct;      /* rows of links go from device to device */

    /* Results of the last search. A pixel has level k if a path to a sink must cross k borders between parts. */
    uint8_t *active;  /* [room] by level: whether this part has excess there */
    size_t room;
    int highest;      /* highest level of excess in any part; -1: no excess reaches a sink */
    int waves;        /* number of waves of this solve, the running one included */
    int strips, depth; /* in this solve: number of turns of strips; rows of the last strips on each side of a border */

    /* Fields of the backend. On the host: */
    tc_grid *grid;
    tc_flood flood;
    tc_wide_flood wide; /* with 26 neighbours, in place of `flood` */
    uint32_t *source; /* [tiles][TC_TILE] bit rows: pixels with excess; as many words again are for `flood` */
    uint8_t *stale;   /* [rows of tiles] 1: the grid has changed there since the last search */
    /* On a device: */
    struct tc_cuda_part *on_device;
} tc_part;

/* Some rows of pixels of a grid, in some of its columns of tiles. In a volume, rows are numbered through all slices. */
typedef struct tc_strip_rows {
    int first, count;
    const int *column; /* [columns] numbers of columns of tiles, ascending */
    int columns;
} tc_strip_rows;

/* A part's contribution to the answer. */
typedef struct tc_part_answer {
    tc_proof proof;     /* over own rows                      */
    int64_t foreground; /* pixels of own rows                 */
} tc_part_answer;

/* The functions on the grid of a part: one table for a grid on the host, one for a grid on a device. They read and
 * write the rows of part->side[], but do not communicate with other parts. */
typedef struct tc_part_backend {
    /* Builds the grid with its capacities, and closes the halo as described above. `part` is open. */
    tilecut_status (*build)(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params);
    void (*close)(tc_part *part);

    /* Solves. *solver: NULL to choose one, which is returned. `again`: there was a solve before, so few pixels have
     * excess. */
    tilecut_status (*solve)(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats);
    /* Makes the pixels of the halo at level `level` sinks, with room for all that the links into them can carry. */
    tilecut_status (*unseal)(tc_part *part, int level);
    /* Writes to side.out the flow that went into the halo, and closes the halo again. */
    tilecut_status (*take_flows)(tc_part *part);
    /* Adds the flow in side.in to the excess of own pixels. *any: whether any of it is not 0. */
    tilecut_status (*put_flows)(tc_part *part, bool *any);
    /* show: writes to side.out the residuals of links into the halo. set: gives the links out of the halo the residuals
     * in side.in. */
    tilecut_status (*show_residuals)(tc_part *part);
    tilecut_status (*set_residuals)(tc_part *part);

    /* Begins a search: floods from own sinks. */
    tilecut_status (*search)(tc_part *part, int threads);
    /* Counts pixels with excess: *all, and *reached of them. */
    tilecut_status (*count)(tc_part *part, int64_t *all, int64_t *reached);
    tilecut_status (*tell)(tc_part *part); /* writes side.reached */
    /* On sides with `news`, marks the pixels of the halo in side.news as reached. If `on`, floods on from them. */
    tilecut_status (*reach)(tc_part *part, const bool news[TC_SIDES], bool on);

    /* The next two are for strips, see tc_part_has_strips(). */
    /* Marks the columns of tiles in which, within `rows` rows of a border, the last search has reached excess. */
    void (*active)(const tc_part *part, int side, int rows, uint8_t *column);
    /* Copies rows of the grid to host memory (`out`), or back, like tc_rows_copy(). */
    tilecut_status (*copy)(tc_part *part, const tc_strip_rows *rows, float *packed, bool out, int threads);

    /* Certifies own rows. Before, set_residuals() must have given links out of the halo their residuals. */
    tilecut_status (*prove)(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer);
    tilecut_status (*mask)(tc_part *part, int threads, uint8_t *mask); /* writes own rows and halo */
} tc_part_backend;

extern const tc_part_backend tc_part_backend_host, tc_part_backend_cuda;

/* The links of one kind from own pixels over one side: their direction, and how far they lead to the right and down
 * within a row or slice. A kind has one direction at the border above and the opposite one at the border below. */
typedef struct tc_side_link {
    int direction, right, down;
} tc_side_link;

tc_side_link tc_side_link_of(const tc_part *part, int side, int kind);

/* Whether strips are possible: not with 26 neighbours, and for a volume only on the host. */
static inline bool tc_part_has_strips(const tc_part *part)
{
    return !part->volume || (part->kinds == 1 && part->grid);
}

/* Opens the part for a graph of all its rows, or of its rows in a window. `cut` is the communicator of the image or the
 * window. */
tilecut_status tc_part_open(tc_part *part, tc_comm *cut, const tc_part_backend *backend, const tilecut_graph *graph);
void tc_part_close(tc_part *part); /* frees all but `comm` and `exchange` */

/* Exchanges flows over the borders. *arrived: whether own pixels have received any flow. */
tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived);

/* Gives the links out of the halo their residuals, which come from the neighbours. */
tilecut_status tc_part_swap_residuals(tc_part *part);

/* Searches: finds the levels of the halo's pixels and of all pixels with excess. If no excess reaches a sink, the flow
 * is maximal, and the reached pixels, halo included, are the canonical background. */
tilecut_status tc_part_search(tc_part *part, int threads);

/* Finds, together with all parts, a maximum preflow of the whole image and its cut. The part's grid has been built. */
tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* tc_certify() for the whole image, and the mask of the part. */
tilecut_status tc_part_conclude(tc_part *part, const tilecut_graph *graph, int threads, uint8_t *mask,
                                tilecut_report *report);
