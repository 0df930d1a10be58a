/* SPDX-License-Identifier: MIT
 *
 * parted.h - cuts a photo in parts. Each part reads its own rows and their seeds; all parts compute one cut together.
 * Parts are threads of this process, or the processes of mpirun.
 */
#ifndef CLI_PARTED_H
#define CLI_PARTED_H

#include "devices.h"
#include "job.h"
#include "tilecut_parts.h"

typedef struct parted_request {
    const job_request *job;     /* how it is read, learnt and written */
    const char *photo, *output; /* output: NULL if only --json is wanted */
    int parts;                  /* --parts, or the number of GPUs listed; 0: neither is given */
    device_list devices;        /* the GPUs that --device lists; empty if it is no list */
    const char *exchange;       /* --exchange: a name of parted_exchange_name(); NULL: not given */
    run *failed;                /* out, if the run fails: the photo's size as far as it was read, and notes */
} parted_request;

/* Whether this process was started by mpirun, as one of several. */
bool parted_by_mpi(void);

/* Cuts, and writes the mask and --json. Returns the exit status. Under mpirun one process has already printed what
 * failed, and `why` is empty. */
int parted_segment(const parted_request *request, failure *why);

/* Reports an error found before the parts begin. Under mpirun most often all processes find it, so only one of them
 * prints it, and `why` is empty afterwards. Does nothing if status is 0 or without mpirun. Returns the status. */
int parted_refuse(int status, failure *why);

/* After a photo was refused because it needs too much memory: if it can be cut in parts on this machine, adds to the
 * error sentence the options that do so. */
void parted_advise(const inputs *in, int connectivity, const char *photo, failure *why);

/* For `--device auto`: lists all GPUs of this machine if it would choose one, that one has too little memory for this
 * photo, and all together have enough; else returns an empty list. */
void parted_choose_devices(const parted_request *request, notes *log, device_list *list);

/* Names and summaries of the values of --exchange, the ways that rows take between GPUs; NULL past the end. */
const char *parted_exchange_name(int index);
const char *parted_exchange_summary(int index);

/* One line for `tilecut info`, in `line`: whether there is NCCL. */
enum { NCCL_LINE = 64 };
const char *parted_nccl_line(char line[NCCL_LINE]);

/* One line for `tilecut info`: whether there is an exchange over MPI. */
const char *parted_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo or a volume. Of a volume request to rows, and the results: more, status, echo and why. */
typedef struct parted {
    const parted_request *request;
    const tilecut_exchange *exchange;
    struct seat *seat;     /* for parts that work in turn (parted_turns.h); NULL: all work at once */
    run *run;              /* the report; only that of part 0 is shown */
    int layers;            /* rows of the whole photo, slices of the whole volume */
    int first, rows;       /* own ones: the first one, and their number */
    int from, count;       /* the same for own rows and halo    */
    int64_t width;         /* of the whole photo                */
    int channels, depth;
    int threads;           /* of this process; set by cut()     */
    int taken;             /* processors that mpirun had not bound this process to; 0: none */
    struct run own_run;    /* of a photo                        */
    seeds seeds;
    bool tiles;            /* the photo's file has tiles        */
    uint8_t *pixels, *mask; /* of own rows and halo             */
    struct region_writer *writer; /* of the mask; NULL: this part does not write to the file */
    int mask_file;         /* descriptor of the mask's file                             */
    bool together;         /* each part writes its own rows; else part 0 writes all     */
    tilecut_part_report more;
    int status;
    bool echo;             /* it failed because another part did */
    failure why;
    void (*work)(struct parted *part); /* of parted_by_threads() or parted_by_ranks() */
} parted;

/* Runs work() of each of request->parts parts in a thread of its own, all at once or in turn. `parts`: an array of
 * structs of `size` bytes, each of which begins with a parted, which is filled in. Returns the status and the sentence
 * of the first part whose failure was not an echo. */
typedef struct parted_crew {
    void *parts;
    size_t size;
    bool in_turn;
    void (*work)(parted *part);
} parted_crew;
int parted_by_threads(const parted_request *request, const parted_crew *crew, failure *why);

/* Runs work() of this process's part under mpirun, and ends as parted_end_together() does. */
int parted_by_ranks(const parted_request *request, parted *part, failure *why);

/* engine_choose() for a part, with its own device. Under mpirun a host's devices are shared out among its processes. */
int parted_choose(const parted_request *request, int part, tilecut_params *how, notes *log, failure *why);

/* Fills in run->parts after a cut: what all parts sent and solved. */
int parted_count_traffic(parted *part);

/* Sets part->status, why and echo from the library's status of a cut. `name`: the photo or volume. Returns the status.
 */
int parted_judge_cut(parted *part, tilecut_status done, const char *name);

/* Marks this part as failed, with part->why. Unless that is an echo, makes all other parts fail, too. Returns
 * `status`. */
int parted_leave(parted *part, int status);

/* Opens and closes the exchanges, one for each part of this process. */
int parted_open_exchange(const parted_request *request, tilecut_exchange **exchanges, failure *why);
void parted_close_exchange(const parted_request *request, tilecut_exchange *exchanges);

/* Adds a note if rows between two of the GPUs must go through the host. */
void parted_note_devices(const parted_request *request, notes *log);

/* The number of threads for a part while all parts work, or while it works `alone`. */
int parted_threads(const parted *part, bool alone);

/* Checks that there is memory for the rows of all parts of this process. Returns 0 or EXIT_RESOURCES. */
int parted_check_memory(parted *part, const struct region_shape *shape);

/* Whether there is memory for one part at a time only. */
bool parted_must_take_turns(const parted_request *request);

/* All parts call these, in this order. The file of the mask is created before the cut, so that an error shows early. It
 * gets its name in parted_write(); after a failure parted_close_mask() removes it. */
int parted_open_mask(parted *part);
int parted_write(parted *part);
void parted_close_mask(parted *part);

/* For parted_write(): sends all rows to part 0, which writes them. */
int parted_relay(parted *part);

/* A mask or labels on the way to part 0. */
typedef struct relay {
    parted *part;
    const uint8_t *own;      /* of own layers, without the halo                    */
    size_t begin, end, all;  /* own pixels: begin to end - 1 of all                */
    size_t first, last;      /* pixels in `bits`: first to last - 1                */
    size_t at;               /* the pixel that part 0 takes next                   */
    uint64_t *bits;          /* a bit a pixel; owned                               */
} relay;

/* All parts begin and end, with layers of `layer` pixels; in between part 0 takes all pixels from first to last, 0 or
 * 255 each. relay_end() in any case; it returns the first status that is not EXIT_DONE, of which part->why tells. */
int relay_begin(relay *r, parted *part, const uint8_t *own, size_t layer);
int relay_take(relay *r, uint8_t *to, size_t size);
int relay_end(relay *r, int status);

/* Checks that all parts read the same files and have the same seeds. */
int parted_compare_files(parted *part);

/* Reads the seeds of own rows and halo, and checks that the seeds of all parts suffice. */
int parted_read_seeds(parted *part);

/* Cleans the mask together with all parts, if the options ask for that. */
int parted_clean(parted *part);

/* Replaces the values by their sums over all parts. Returns false if another part has failed. */
bool parted_sum(parted *part, int64_t *values, size_t count);

/* The functions sum and swap of a tilecut_exchange or a team, where `context` is a parted. They return 0 on success. */
int parted_sums(void *context, int64_t *values, size_t count);
int parted_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                 size_t size);

/* The exchange between processes of mpirun: from tilecut-mpi.so, or through shared memory. */
typedef struct mpi_exchange {
    tilecut_exchange exchange;
    int (*speaks)(void);    /* whether this process is the one that prints what went wrong                 */
    int (*end)(int status); /* waits until all processes call it; returns the highest status of all        */
} mpi_exchange;

int mpi_open(mpi_exchange *out, failure *why);

/* Ends MPI, with this process's own status and failure. Of the processes that failed, one prints why, and `why` is
 * empty then. It prints here and not in main(), because mpirun kills all processes and drops their output as soon as
 * the first one ends with a failure. Returns the highest status of all. */
int parted_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why);

/* Opens the exchange through shared memory. Returns false if the processes run on several machines, if the user asked
 * for a transport of MPI, or if memory cannot be shared. */
bool host_exchange_open(mpi_exchange *out);

#endif
