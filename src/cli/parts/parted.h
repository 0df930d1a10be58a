/* SPDX-License-Identifier: MIT
 *
 * parted.h - a photo cut in parts: each reads its rows and their seeds, and cuts them together with the others. Parts
 * are threads of this process, or the processes of mpirun.
 */
#ifndef CLI_PARTED_H
#define CLI_PARTED_H

#include "inputs.h"
#include "model.h"
#include "options.h"
#include "report.h"
#include "tilecut_parts.h"

typedef struct parted_request {
    const common *common;
    const inputs *in;
    const model *model;
    const char *photo, *output; /* output: NULL if only --json is wanted */
    bool invert;
    int parts;                  /* --parts; 0: not given */
} parted_request;

/* Whether this process was started by mpirun, as one of several. */
bool parted_by_mpi(void);

/* Cuts, writes the mask, and --json. Under mpirun one process has said what failed by then, and `why` is empty. */
int parted_segment(const parted_request *request, failure *why);

/* One line for `tilecut info`: whether there is an exchange over MPI. */
const char *parted_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo. */
typedef struct parted {
    const parted_request *request;
    const tilecut_exchange *exchange;
    struct seat *seat;     /* of parts that work in turn; NULL: all at once */
    int first, rows;       /* own                         */
    int from, count;       /* own and rim                 */
    int64_t width, height; /* of the whole                */
    int channels, depth;
    run run;               /* of part 0: what is reported */
    seeds seeds;
    uint8_t *pixels, *mask;
    tilecut_part_report more;
    int status;
    bool echo;             /* it failed because another part did */
    failure why;
} parted;

/* All of one part's work. part->status and why; leaves the exchange if it fails by itself. */
void parted_cut(parted *part);

/* Brings the mask to part 0, which writes it. All parts call it. */
int parted_write(parted *part);

/* Sums over all parts. False: another one has failed. */
bool parted_sum(parted *part, int64_t *values, size_t count);

/* What tilecut-mpi.so offers. */
typedef struct mpi_exchange {
    tilecut_exchange exchange;
    int (*speaks)(void);
    int (*end)(int status);
} mpi_exchange;

int mpi_open(mpi_exchange *out, failure *why);

#endif
