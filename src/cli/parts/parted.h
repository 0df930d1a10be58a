/* SPDX-License-Identifier: MIT
 *
 * parted.h - a photo cut in parts: each reads its rows and their seeds, and cuts them together with the others. Parts
 * are threads of this process, or the processes of mpirun.
 */
#ifndef CLI_PARTED_H
#define CLI_PARTED_H

#include "cleanup.h"
#include "devices.h"
#include "inputs.h"
#include "model.h"
#include "options.h"
#include "report.h"
#include "tilecut_parts.h"

typedef struct parted_request {
    const common *common;
    const inputs *in;
    const model *model;
    const cleanup *cleanup;
    const char *photo, *output; /* output: NULL if only --json is wanted */
    const char *format;         /* --format, or NULL */
    bool invert;
    int parts;                  /* --parts, or how many GPUs are listed; 0: neither is given */
    device_list devices;        /* of --device, if it is a list */
    const char *exchange;       /* --exchange: a name of parted_exchange_name(); NULL: not given */
    run *failed;                /* out: of a run that fails, what is known of the photo, and notes */
} parted_request;

/* Whether this process was started by mpirun, as one of several. */
bool parted_by_mpi(void);

/* Cuts, writes the mask, and --json. Under mpirun one process has said what failed by then, and `why` is empty. */
int parted_segment(const parted_request *request, failure *why);

/* Of what was refused before the parts began, which most often is the same in all processes of mpirun: one of them says
 * it, and `why` is empty then. Otherwise, and without mpirun, nothing is done. Returns the status. */
int parted_refuse(int status, failure *why);

/* For a photo that was refused because of the memory that it needs, adds to the sentence how it can be cut in parts on
 * this machine, if it can. */
void parted_advise(const inputs *in, int connectivity, const char *photo, failure *why);

/* The GPUs of this machine, if `--device auto` would take one for this photo, its memory does not suffice, and that of
 * all does; else an empty list. */
void parted_choose_devices(const parted_request *request, notes *log, device_list *list);

/* The ways of rows between GPUs; NULL past the end. */
const char *parted_exchange_name(int index);
const char *parted_exchange_summary(int index);

/* One line for `tilecut info`, in `line`: whether there is NCCL. */
enum { NCCL_LINE = 64 };
const char *parted_nccl_line(char line[NCCL_LINE]);

/* One line for `tilecut info`: whether there is an exchange over MPI. */
const char *parted_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo. Of a volume only exchange, seat and what the part has reported are used. */
typedef struct parted {
    const parted_request *request;
    const tilecut_exchange *exchange;
    struct seat *seat;     /* of parts that work in turn; NULL: all at once */
    int first, rows;       /* own                         */
    int from, count;       /* own and halo                 */
    int64_t width, height; /* of the whole                */
    int channels, depth;
    int threads;           /* of this process; set by cut() */
    run run;               /* of part 0: what is reported */
    seeds seeds;
    bool tiles;            /* of the photo's file */
    bool rows_are_free;    /* of the photo (region.h) */
    uint8_t *pixels, *mask;
    struct region_writer *writer; /* of the mask; NULL: part 0 has it, or nobody        */
    int mask_file;         /* its descriptor                                            */
    bool together;         /* all parts write to it, each its own rows                  */
    tilecut_part_report more;
    int status;
    bool echo;             /* it failed because another part did */
    failure why;
    void (*work)(struct parted *part); /* of parted_run() */
} parted;

/* Runs parts of this process, each in a thread: work() of each of `count` parteds, which are the beginnings of structs
 * of `size` bytes at `parts`. Returns the status, and tells why, of the first one that failed by itself. */
int parted_run(void *parts, size_t size, int count, failure *why);

/* What the library said of a cut: part->status, why and echo. `name`: of what was cut. */
int parted_judge_cut(parted *part, tilecut_status done, const char *name);

/* Fails by itself, with part->why: the others hear of it. Returns `status`. */
int parted_leave(parted *part, int status);

/* The exchange of all parts of this process. */
int parted_open_exchange(const parted_request *request, tilecut_exchange **exchanges, failure *why);
void parted_close_exchange(const parted_request *request, tilecut_exchange *exchanges);

/* Says once if rows between two GPUs go through the host. */
void parted_note_devices(const parted_request *request, notes *log);

/* The threads of a part, while all work or while it works alone. */
int parted_threads(const parted *part, bool alone);

/* All of one part's work. part->status and why; leaves the exchange if it fails by itself. */
void parted_cut(parted *part);

/* Whether there is memory for the rows of this part, and for those of all others in this process. */
int parted_check_memory(parted *part);

/* Whether there is memory for one part at a time only. */
bool parted_must_take_turns(const parted_request *request);

/* All parts call these, in this order. The file of the mask is made before the work, so that it is known to be
 * possible; it has its name after parted_write(), and is removed by parted_close_mask() after a failure. */
int parted_open_mask(parted *part);
int parted_write(parted *part);
void parted_close_mask(parted *part);

/* For parted_write(): brings all rows to part 0, which writes them. */
int parted_relay(parted *part);

/* Refuses files and seeds that are not the same for all parts. */
int parted_compare_files(parted *part);

/* Seeds of own rows and halo, and whether those of all parts suffice. */
int parted_read_seeds(parted *part);

/* Cleans the mask of all parts, if that is asked for. */
int parted_clean(parted *part);

/* Sums over all parts. False: another one has failed. */
bool parted_sum(parted *part, int64_t *values, size_t count);

/* As functions of a tilecut_exchange or a team, whose context is a parted; 0: good. */
int parted_sums(void *context, int64_t *values, size_t count);
int parted_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                 size_t size);

/* What tilecut-mpi.so offers, or memory that all processes of mpirun share. */
typedef struct mpi_exchange {
    tilecut_exchange exchange;
    int (*speaks)(void);    /* whether it is this process that says what went wrong                        */
    int (*end)(int status); /* after all processes have come here; returns the highest status of all       */
} mpi_exchange;

int mpi_open(mpi_exchange *out, failure *why);

/* Ends MPI with a process's own status. One process of those that failed tells why; `why` is empty then. It is told
 * here and not in main(): when the first process ends with a failure mpirun ends all, and drops what they print. */
int parted_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why);

/* The exchange through shared memory. False: processes are on several machines, or asked for MPI, or cannot share. */
bool host_exchange_open(mpi_exchange *out);

#endif
