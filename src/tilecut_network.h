/* SPDX-License-Identifier: MIT
 *
 * tilecut_network.h - maximum flow and minimum cut of graphs of any shape, by the same library as tilecut.h.
 *
 *   tilecut_network_create()   makes a network of arcs in the caller's arrays
 *   tilecut_network_solve()    maximum flow, minimum cut, and, if wanted, the flow of each arc
 *   tilecut_network_match()    the largest number of pairs in a bipartite graph
 *   tilecut_network_assign()   the cheapest pairs, one for each row
 *   tilecut_network_levels()   breadth-first search: how many arcs away each node is
 *
 * All numbers are integers: capacities and flows have 64 bits, and input that could overflow is refused. Of all
 * minimum cuts, the one with the fewest nodes on the side of the sinks is returned. A node lies on that side if and
 * only if it still reaches a sink in the residual graph. This cut is unique, so every solver returns it with any
 * number of threads. Each run proves its answer from the caller's capacities: the flow is feasible, and its value
 * equals the cost of the cut.
 *
 * Statuses, error sentences, flags to cancel, and the rule for structs that begin with `size` are those of tilecut.h.
 * The functions are re-entrant, print nothing and read no files.
 */
#ifndef TILECUT_NETWORK_H
#define TILECUT_NETWORK_H

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A capacity without limit. A path of such arcs from a source to a sink is refused with TILECUT_ERANGE. */
#define TILECUT_INFINITE INT64_MAX

/* Nodes are numbered from 0. There are at most TILECUT_NETWORK_NODES nodes, and half as many arcs. */
#define TILECUT_NETWORK_NODES INT32_MAX
#define TILECUT_NETWORK_ARCS (INT32_MAX / 2)

/* Arcs in arrays owned by the caller. They are only read, and must not change while the network exists. Parallel
 * arcs, arcs in both directions and loops are allowed; loops, arcs into sources and arcs out of sinks carry no flow.
 * Arc a goes from tail[a] to head[a]. If tail is NULL, arcs first[v] .. first[v + 1] - 1 leave node v (rows of a
 * sparse matrix). */
typedef struct tilecut_network_arcs {
    size_t size;              /* sizeof(tilecut_network_arcs), or 0: see tilecut_types.h               */
    int64_t nodes;            /* 2 .. TILECUT_NETWORK_NODES                                            */
    int64_t arcs;             /* 0 .. TILECUT_NETWORK_ARCS                                             */
    const int32_t *tail;      /* [arcs], or NULL: the tails follow from `first`                        */
    const int32_t *first;     /* [nodes + 1] ascending, from 0 to arcs; only read if tail is NULL */
    const int32_t *head;      /* [arcs]                                                                */
    const int64_t *capacity;  /* [arcs] 0 .. TILECUT_INFINITE; NULL: 1 each                            */
    const int32_t *sources;   /* [source_count]                                                         */
    const int32_t *sinks;     /* [sink_count] none of them is a source                                  */
    int64_t source_count, sink_count; /* 1 .. TILECUT_NETWORK_NODES                                    */
    int64_t threads;          /* threads that check the arcs in tilecut_network_create(), 1 .. 256; 0: 1 */
} tilecut_network_arcs;

/* `tilecut_network_params params = {0};` is a complete setup. */
typedef struct tilecut_network_params {
    size_t size;                /* sizeof(tilecut_network_params), or 0                               */
    const char *solver;         /* a tilecut_network_solver_name(); for matchings a tilecut_network_matcher_name(),
                                   for assignments a tilecut_network_assigner_name(); NULL or "auto": chosen
                                   automatically */
    const tilecut_flag *cancel; /* NULL, or a flag that makes the call return TILECUT_ECANCELLED soon */
    int64_t threads;            /* worker threads, 1 .. 256; 0: 1                                     */
} tilecut_network_params;

/* Figures about a run; set on success. Before the call it must be {0}, or have its size set. Times are wall-clock
 * milliseconds. */
typedef struct tilecut_network_report {
    size_t size;            /* the caller's: sizeof(tilecut_network_report), or 0                     */
    int64_t flow, cut;      /* maximum flow, and cost of the cut; both are equal                      */
    int64_t sink_side;      /* number of nodes on the side of the sinks                               */
    const char *solver;     /* the solver that ran ("auto" resolved); static storage                  */
    int64_t threads;        /* how many threads the solver could use                                  */
    int64_t certified;      /* 1                                                                      */
    double build_ms;        /* time to sort arcs by their nodes, and to add reverse arcs              */
    double solve_ms;        /* time to find a maximum preflow, or a flow                              */
    double flow_ms;         /* time to return stuck excess to the sources; 0 if no flow was requested */
    double certify_ms;      /* time for cut and certificate                                           */
    double bytes_per_arc;   /* memory of the call per arc, without the caller's arrays                */
    int64_t pushes, relabels, rounds; /* as counted by the solver; 0: it does not count them          */
} tilecut_network_report;

/* A network before it is solved. Opaque; it refers to the caller's arrays, and is not changed by solving. */
typedef struct tilecut_network tilecut_network;

/* Returns the network in *network, which the caller owns; NULL on failure. Errors: EINVAL, with a sentence that names
 * the first arc or terminal that breaks its contract; ERANGE if capacities are so large that sums of flow may not fit
 * into 64 bits; ENOMEM. */
TILECUT_API tilecut_status tilecut_network_create(tilecut_network **network, const tilecut_network_arcs *arcs);
TILECUT_API void tilecut_network_destroy(tilecut_network *network); /* NULL is allowed */

/* Finds a maximum flow and the minimum cut.
 *   params   NULL for all defaults
 *   side     out, may be NULL: one byte per node, 0 on the side of the sinks, 255 on that of the sources
 *   flow     out, may be NULL: [arcs] the flow of each arc, 0 .. its capacity; inflow equals outflow at every node that
 *            is no terminal. It takes longer, because the cut alone needs only a preflow
 *   report   out, may be NULL
 * Outputs are written only after success. Errors: EINVAL, ENOMEM, ECANCELLED, ERANGE (the flow has no limit),
 * EUNPROVEN; ENODEVICE and EDEVICE from solvers for CUDA. Sources: Goldberg & Tarjan 1988; Cherkassky & Goldberg 1997;
 * Boykov & Kolmogorov 2004; docs/design/networks.md has the sources of each solver. */
TILECUT_API tilecut_status tilecut_network_solve(const tilecut_network *network, const tilecut_network_params *params,
                                                 uint8_t *side, int64_t *flow, tilecut_network_report *report);

/* Row `index` of the table of solvers: its name, and one line about it; NULL past the end. Static storage. */
TILECUT_API const char *tilecut_network_solver_name(int index);
TILECUT_API const char *tilecut_network_solver_summary(int index);

/* Returns "cuda" for a solver that needs a CUDA device (it uses the first device of the process), else "cpu". If there
 * is no device, solving returns TILECUT_ENODEVICE. NULL past the end. */
TILECUT_API const char *tilecut_network_solver_device(int index);

/* ---- Pairs: matching and assignment ----------------------------------------------------------- */

/* The edges of a bipartite graph in arrays owned by the caller, only read. Edge e joins row row[e] and column
 * column[e]. If row is NULL, edges first[r] .. first[r + 1] - 1 are those of row r (a sparse matrix). Parallel edges
 * are allowed. */
typedef struct tilecut_network_edges {
    size_t size;             /* sizeof(tilecut_network_edges), or 0                                       */
    int64_t rows, columns;   /* 1 .. TILECUT_NETWORK_ARCS each                                            */
    int64_t edges;           /* 0 .. TILECUT_NETWORK_ARCS                                                 */
    const int32_t *row;      /* [edges], or NULL: the rows follow from `first`                            */
    const int32_t *first;    /* [rows + 1] ascending, from 0 to edges; only read if row is NULL           */
    const int32_t *column;   /* [edges]; NULL: a full matrix, in which every row has an edge to every column, in
                                order */
    const int64_t *cost;     /* [edges] for tilecut_network_assign(), may be negative; not read in matching */
} tilecut_network_edges;

typedef struct tilecut_network_pairs_report {
    size_t size;         /* the caller's: sizeof(tilecut_network_pairs_report), or 0                    */
    int64_t pairs;       /* number of pairs in the matching, or in the assignment                       */
    int64_t cost;        /* cost of the assignment, which is the sum of its edges and the sum of its prices; 0 for a
                            matching */
    int64_t first_pairs; /* number of pairs that a first, cheap step found; 0: there was no such step   */
    int64_t certified;   /* 1                                                                           */
    double build_ms, solve_ms, certify_ms;
    const char *solver;  /* the method that ran ("auto" resolved); static storage                        */
} tilecut_network_pairs_report;

/* Finds the largest number of pairs of a row and a column such that no row or column is in two pairs.
 *   params      NULL for all defaults
 *   column_of   out: [rows] the column of each row, -1: none. May be NULL
 *   cover       out: [rows + columns] 1 for the rows, then the columns, in a smallest set that touches every edge
 *               (Koenig). The set has as many members as there are pairs, which proves both. It is the same for every
 *               largest matching. May be NULL
 *   report      out, may be NULL
 * Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN; ENODEVICE and EDEVICE from methods for CUDA. Sources: Hopcroft & Karp
 * 1973; Karp & Sipser 1981; Pothen & Fan 1990; Duff, Kaya & Ucar 2011; Azad, Buluc & Pothen 2015. */
TILECUT_API tilecut_status tilecut_network_match(const tilecut_network_edges *edges,
                                                 const tilecut_network_params *params, int32_t *column_of,
                                                 uint8_t *cover, tilecut_network_pairs_report *report);

/* Row `index` of the table of methods of matching: its name, and one line about it; NULL past the end. Static
 * storage. */
TILECUT_API const char *tilecut_network_matcher_name(int index);
TILECUT_API const char *tilecut_network_matcher_summary(int index);

/* Returns "cuda" for a method that needs a CUDA device, else "cpu": see tilecut_network_solver_device(). */
TILECUT_API const char *tilecut_network_matcher_device(int index);

/* Gives every row a column of its own, so that the sum of the costs of the chosen edges is minimal. If there are more
 * rows than columns, every column gets a row of its own instead.
 *   column_of   out: [rows] -1: none, if there are more rows than columns. May be NULL
 *   price       out: [rows + columns] prices u of rows, then v of columns: u + v <= cost for every edge, and equal for
 *               chosen edges. If there are more columns than rows, v <= 0, and v is 0 for columns without a row; if
 *               there are more rows, the same is true of u. The sum of all prices is the cost, which proves the
 *               assignment. May be NULL
 * Errors: EINVAL, also if there is no such assignment; ERANGE for a cost beyond +-2^58 / (rows + columns), because sums
 * of such costs may not fit into 64 bits; ENOMEM, ECANCELLED, EUNPROVEN; ENODEVICE and EDEVICE from methods for CUDA.
 * Sources: Jonker & Volgenant, Computing 38, 1987; Goldberg & Kennedy, Math. Program. 71, 1995; Lupinska 2011. */
TILECUT_API tilecut_status tilecut_network_assign(const tilecut_network_edges *edges,
                                                  const tilecut_network_params *params, int32_t *column_of,
                                                  int64_t *price, tilecut_network_pairs_report *report);

/* Row `index` of the table of methods of assignment: its name, and one line about it; NULL past the end. Static
 * storage. If the method that was requested cannot be used, the first one runs; the report names the method that
 * ran. */
TILECUT_API const char *tilecut_network_assigner_name(int index);
TILECUT_API const char *tilecut_network_assigner_summary(int index);
TILECUT_API const char *tilecut_network_assigner_device(int index); /* as for methods of matching */

/* ---- Breadth-first search --------------------------------------------------------------------- */

typedef struct tilecut_network_levels_report {
    size_t size;        /* the caller's: sizeof(tilecut_network_levels_report), or 0                 */
    int64_t reached;    /* number of nodes reached, including the first one                          */
    int64_t deepest;    /* the last level that has a node; the first node has level 0                */
    int64_t downs, ups; /* levels found from their own nodes, and levels found from nodes not yet reached */
    int64_t certified;  /* 1                                                                         */
    double build_ms, solve_ms, certify_ms;
} tilecut_network_levels_report;

/* Finds the distance, in arcs, from node `from` to each node. Rows and columns of `edges` are the same nodes, so their
 * numbers must be equal; edge e is an arc from its row to its column. Costs are not read.
 *   params   NULL for all defaults; solver: "both" (the default, also "auto") or another tilecut_network_levels_way();
 *            threads and cancel are used. If rows are given by `first`, "both" goes only down, and uses them in place
 *   level    out: [rows] the level of each node, -1: not reached. May be NULL. The result is the same for every method
 *            and number of threads
 *   report   out, may be NULL
 * Outputs are written only after success. Errors: EINVAL, ENOMEM, ECANCELLED, EUNPROVEN (the proof: no arc leads more
 * than one level down, and every node is entered from the level above it); ENODEVICE and EDEVICE from methods for CUDA.
 * Source: Beamer, Asanovic & Patterson 2012. */
TILECUT_API tilecut_status tilecut_network_levels(const tilecut_network_edges *edges, int64_t from,
                                                  const tilecut_network_params *params, int32_t *level,
                                                  tilecut_network_levels_report *report);

/* The methods of search: name, and one line about it; NULL past the end. Static storage. */
TILECUT_API const char *tilecut_network_levels_way(int index);
TILECUT_API const char *tilecut_network_levels_summary(int index);
TILECUT_API const char *tilecut_network_levels_device(int index); /* as for methods of matching */

#ifdef __cplusplus
}
#endif
#endif
