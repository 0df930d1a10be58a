/* SPDX-License-Identifier: MIT
 *
 * part.h - one part of an image, and how parts find the minimum cut of the whole (docs/design/parts.md).
 *
 * The grid of a part has the part's own rows and a halo, which is one row of the part above and one of the part below.
 * Links out of own pixels into the halo are the part's own. Links out of the halo belong to the neighbours; here they
 * are closed, and the halo has no excess, unless a function says otherwise. So a solver finds a flow within own rows,
 * and that is a flow of the whole image.
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

/* The border between a part and the part above or below it. All arrays are as wide as the image. */
typedef struct tc_side {
    bool exists;
    /* rows of the grid at this border: the neighbour's row in the halo, and the part's own row next to it */
    int halo, own;
    int32_t *level;     /* [width] the level of each pixel of the halo in the last search, or TC_UNREACHED */
    int32_t *out, *in;  /* [kinds][width] data sent to the neighbour, and received from it; in device memory if rows go
                           from device to device */
    uint8_t *reached, *news; /* [width] 1 if an own pixel is reached; 1 if a pixel of the halo is newly reached */
} tc_side;

#define TC_UNREACHED INT32_MAX

typedef struct tc_part {
    tc_comm comm; /* the first field, so that a pointer to it is a pointer to the part */
    tc_comm *cut;  /* the communicator of the image or window that is being cut */
    tilecut_exchange exchange;
    const struct tc_part_backend *backend;
    int width, lines; /* width: pixels in a row; lines: rows of pixels in a row, 1 or those of a slice */
    int kinds;        /* 1, or 3 with diagonals; 9 with 26 neighbours */
    bool volume;      /* true: a row is a slice */
    /* grey values and labels of a volume, or NULL; their memory may be released while the part waits */
    const tc_volume *voxels;
    tc_side side[TC_SIDES];
    int32_t *memory;  /* memory of the arrays of all sides; owned */
    bool direct;      /* true: rows of links go from device to device */

    /* Results of the last search. A pixel has level k if a path to a sink must cross k borders between parts. */
    uint8_t *active;  /* [room] by level: 1 if this part has excess of that level */
    size_t room;
    int highest;      /* highest level of excess in any part; -1: no excess reaches a sink */
    int waves;        /* number of waves of this solve, including the running one */
    int strips, depth; /* in this solve: number of turns of strips; rows of the last strips on each side of a border */

    /* Fields of the backend. On the host: */
    tc_grid *grid;
    tc_flood flood;
    tc_wide_flood wide; /* the flood for 26 neighbours, used instead of `flood` */
    uint32_t *source; /* [tiles][TC_TILE] bit rows of pixels with excess; followed by as many words for `flood` */
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
    tc_proof proof;     /* the proof over own rows            */
    int64_t foreground; /* number of foreground pixels in own rows */
} tc_part_answer;

/* The functions on the grid of a part: one table for a grid on the host, and one for a grid on a device. They read and
 * write the rows of part->side[], but do not communicate with other parts. */
typedef struct tc_part_backend {
    /* Builds the grid with its capacities, and closes the halo as described above. `part` must be open. */
    tilecut_status (*build)(tc_part *part, const tilecut_graph *graph, const tc_solve_params *params);
    void (*close)(tc_part *part);

    /* Solves the grid. If *solver is NULL, a solver is chosen and returned. `again` says that there was a solve before,
     * so few pixels have excess. */
    tilecut_status (*solve)(tc_part *part, const tc_solver **solver, bool again, const tc_solve_params *params,
                            tc_solve_stats *stats);
    /* Makes the halo pixels at level `level` sinks, with room for all flow that the links into them can carry. */
    tilecut_status (*unseal)(tc_part *part, int level);
    /* Writes the flow that went into the halo to side.out, and closes the halo again. */
    tilecut_status (*take_flows)(tc_part *part);
    /* Adds the flow in side.in to the excess of own pixels. Sets *any to true if any of it is not 0. */
    tilecut_status (*put_flows)(tc_part *part, bool *any);
    /* show_residuals() writes the residuals of links into the halo to side.out. set_residuals() gives the links out of
     * the halo the residuals in side.in. */
    tilecut_status (*show_residuals)(tc_part *part);
    tilecut_status (*set_residuals)(tc_part *part);

    /* Begins a search: floods from own sinks. */
    tilecut_status (*search)(tc_part *part, int threads);
    /* Counts the pixels with excess in *all, and how many of them are reached in *reached. */
    tilecut_status (*count)(tc_part *part, int64_t *all, int64_t *reached);
    tilecut_status (*get_reached)(tc_part *part); /* writes side.reached */
    /* On sides with `news`, marks the pixels of the halo in side.news as reached. With `on`, continues the flood from
     * them. */
    tilecut_status (*reach)(tc_part *part, const bool news[TC_SIDES], bool on);

    /* The next two functions are for strips, see tc_part_has_strips(). */
    /* Marks the columns of tiles in which the last search has reached excess within `rows` rows of a border. */
    void (*active)(const tc_part *part, int side, int rows, uint8_t *column);
    /* Copies rows of the grid to host memory (`out`), or back, like tc_rows_copy(). */
    tilecut_status (*copy)(tc_part *part, const tc_strip_rows *rows, float *packed, bool out, int threads);

    /* Certifies own rows. Before this, set_residuals() must have been called. */
    tilecut_status (*prove)(tc_part *part, const tilecut_graph *graph, int threads, tc_part_answer *answer);
    tilecut_status (*mask)(tc_part *part, int threads, uint8_t *mask); /* writes own rows and halo */
} tc_part_backend;

extern const tc_part_backend tc_part_backend_host, tc_part_backend_cuda;

/* The links of one kind from own pixels over one side: their direction, and how far they lead to the right and down
 * within a row or slice. A kind has one direction at the border above and the opposite direction at the border
 * below. */
typedef struct tc_side_link {
    int direction, right, down;
} tc_side_link;

tc_side_link tc_side_link_of(const tc_part *part, int side, int kind);

/* True if strips are possible: not with 26 neighbours, and for a volume only on the host. */
static inline bool tc_part_has_strips(const tc_part *part)
{
    return !part->volume || (part->kinds == 1 && part->grid);
}

/* Opens the part for a graph of all its rows, or of its rows in a window. `cut` is the communicator of the image or the
 * window. */
tilecut_status tc_part_open(tc_part *part, tc_comm *cut, const tc_part_backend *backend, const tilecut_graph *graph);
void tc_part_close(tc_part *part); /* frees everything but `comm` and `exchange` */

/* Exchanges flows over the borders. Sets *arrived to true if own pixels have received any flow. */
tilecut_status tc_part_swap_flows(tc_part *part, bool *arrived);

/* Gives the links out of the halo their residuals, which come from the neighbours. */
tilecut_status tc_part_swap_residuals(tc_part *part);

/* Searches: finds the levels of the halo's pixels and of all pixels with excess. If no excess reaches a sink, the flow
 * is maximal, and the reached pixels, including those of the halo, are the canonical background. */
tilecut_status tc_part_search(tc_part *part, int threads);

/* Finds, together with all parts, a maximum preflow of the whole image and its cut. The part's grid must have been
 * built. */
tilecut_status tc_part_solve(tc_part *part, const tc_solver **solver, const tc_solve_params *params,
                             tc_solve_stats *stats);

/* Does the work of tc_certify() for the whole image, and writes the mask of the part. */
tilecut_status tc_part_conclude(tc_part *part, const tilecut_graph *graph, int threads, uint8_t *mask,
                                tilecut_report *report);
