/* SPDX-License-Identifier: MIT
 *
 * tiled_job.h - cuts a photo in parts. Each part reads its own rows and their seeds; all parts compute one cut
 * together. Parts are threads of this process, or the processes of mpirun.
 */
#pragma once

#include "devices.h"
#include "job.h"
#include "tilecut_parts.h"

/* Writes the JSON of a run that failed. Under mpirun only the process that prints the sentence does. */
typedef struct job_teller {
    void (*tell)(void *context, const failure *why); /* NULL: there is nothing to write */
    void *context;
} job_teller;

typedef struct tiled_job {
    const job_request *job;     /* how the photo is read, learnt and written */
    const char *photo, *output; /* output: NULL if only --json is wanted */
    int parts;                  /* --parts, or the number of GPUs listed; 0: neither is given */
    device_list devices;        /* the GPUs that --device lists; empty if it is no list */
    const char *exchange;       /* --exchange: a name of tiled_job_exchange_name(); NULL: not given */
    run *failed;                /* out, if the run fails: the photo's size as far as it was read, and notes */
    job_teller teller;          /* in place of what part->run says, if it is given */
} tiled_job;

/* Whether this process was started by mpirun, as one of several. */
bool tiled_job_by_mpi(void);

/* Cuts, and writes the mask and --json. Returns the exit status. Under mpirun one process has already printed what
 * failed, and `why` is empty. */
int tiled_job_segment(const tiled_job *request, failure *why);

/* Reports an error found before the parts begin. Under mpirun most often all processes find it, so only one of them
 * prints it, and `why` is empty afterwards. `teller` may be NULL. Does nothing if status is 0, or under mpirun if the
 * error has been printed already. Returns the status. */
int tiled_job_refuse(int status, const job_teller *teller, failure *why);

/* After a photo was refused because it needs too much memory: if it can be cut in parts on this machine, adds to the
 * error sentence the options that do so. */
void tiled_job_advise(const inputs *in, int connectivity, const char *photo, failure *why);

/* For `--device auto`: lists all GPUs of this machine if it would choose one, that one has too little memory for this
 * photo, and all together have enough; else returns an empty list. */
void tiled_job_choose_devices(const tiled_job *request, notes *log, device_list *list);

/* Names and summaries of the values of --exchange, the ways that rows take between GPUs; NULL past the end. */
const char *tiled_job_exchange_name(int index);
const char *tiled_job_exchange_summary(int index);

/* One line for `tilecut info`, in `line`: whether there is NCCL. */
enum { NCCL_LINE = 64 };
const char *tiled_job_nccl_line(char line[NCCL_LINE]);

/* One line for `tilecut info`: whether there is an exchange over MPI. */
const char *tiled_job_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo or a volume. Of a volume request to rows, and the results: more, status, echo and why. */
typedef struct job_part {
    const tiled_job *request;
    const tilecut_exchange *exchange;
    struct seat *seat;     /* for parts that work in turn (tiled_job_turns.h); NULL: all work at once */
    run *run;              /* the report; only that of part 0 is shown */
    int layers;            /* rows of the whole photo, slices of the whole volume */
    int first, rows;       /* own rows or slices: the first one, and their number */
    int from, count;       /* first and number of own rows with halo */
    int64_t width;         /* of the whole photo                */
    int channels, depth;
    int threads;           /* threads of this process; set by cut() */
    int taken;             /* processors that mpirun had not bound this process to; 0: none */
    struct run own_run;    /* of a photo                        */
    seeds seeds;
    notes found;           /* about the photo's file; noted when all parts have read it */
    bool tiles;            /* the photo's file has tiles        */
    georeference place;    /* of the whole photo on earth       */
    uint8_t *pixels, *mask; /* pixels and mask of own rows and halo */
    struct region_writer *writer; /* writes the mask; NULL: this part does not write to the file */
    int mask_file;         /* descriptor of the mask's file                             */
    bool together;         /* each part writes its own rows; else part 0 writes all     */
    tilecut_part_report more;
    int status;
    bool echo;             /* this part failed because another part did */
    failure why;
    void (*work)(struct job_part *part); /* the function that tiled_job_by_threads() or tiled_job_by_ranks() runs */
} job_part;

/* Runs work() of each of request->parts parts in a thread of its own, all at once or in turn. `parts`: an array of
 * structs of `size` bytes, each of which begins with a job_part, which is filled in. Returns the status and the
 * sentence of the first part whose failure was not an echo. */
typedef struct job_crew {
    void *parts;
    size_t size;
    bool in_turn;
    void (*work)(job_part *part);
} job_crew;
int tiled_job_by_threads(const tiled_job *request, const job_crew *crew, failure *why);

/* Runs work() of this process's part under mpirun, and ends as tiled_job_end_together() does. */
int tiled_job_by_ranks(const tiled_job *request, job_part *part, failure *why);

/* engine_choose() for a part, with its own device. Under mpirun a host's devices are shared out among its processes. */
int tiled_job_choose(const tiled_job *request, int part, tilecut_params *how, notes *log, failure *why);

/* Sets the part's share of that many rows or slices: layers, first, rows, from and count. */
void tiled_job_share(job_part *part, int layers);

/* The share of tiled_job_share() in the form that the library takes. */
tilecut_part tiled_job_part(const job_part *part);

/* Takes the library's status of a cut: fills in run->parts with what all parts sent and solved, or sets part->status,
 * why and echo. Returns the status. */
int tiled_job_end_cut(job_part *part, tilecut_status done);

/* Of a cut that failed: sets part->status, why and echo. Returns the status. */
int tiled_job_fail_cut(job_part *part, tilecut_status done);

/* Marks this part as failed, with part->why. Unless that is an echo, makes all other parts fail, too. Returns
 * `status`. */
int tiled_job_leave(job_part *part, int status);

/* Opens and closes the exchanges, one for each part of this process. */
int tiled_job_open_exchange(const tiled_job *request, tilecut_exchange **exchanges, failure *why);
void tiled_job_close_exchange(const tiled_job *request, tilecut_exchange *exchanges);

/* Adds a note if rows between two of the GPUs must go through the host. */
void tiled_job_note_devices(const tiled_job *request, notes *log);

/* The number of threads for a part while all parts work, or while it works `alone`. */
int tiled_job_threads(const job_part *part, bool alone);

/* Where the whole photo lies on earth; NULL: it does not say, or nothing of it is to be kept. */
const georeference *tiled_job_place(const job_part *part);

/* Checks that there is memory for the rows of all parts of this process. Returns 0 or EXIT_RESOURCES. */
int tiled_job_check_memory(job_part *part, const struct region_shape *shape);

/* Whether there is memory for one part at a time only. */
bool tiled_job_must_take_turns(const tiled_job *request);

/* All parts call these, in this order. The file of the mask is created before the cut, so that an error shows early. It
 * gets its name in tiled_job_write(); after a failure tiled_job_close_mask() removes it. */
int tiled_job_open_mask(job_part *part);
int tiled_job_write(job_part *part);
void tiled_job_close_mask(job_part *part);

/* For tiled_job_write(): sends all rows to part 0, which writes them. */
int tiled_job_relay(job_part *part);

/* A mask or labels on the way to part 0. */
typedef struct relay {
    job_part *part;
    const uint8_t *own;      /* mask or labels of own layers, without the halo     */
    size_t begin, end, all;  /* own pixels: begin to end - 1 of all                */
    size_t first, last;      /* pixels in `bits`: first to last - 1                */
    size_t at;               /* the pixel that part 0 takes next                   */
    uint64_t *bits;          /* a bit a pixel; owned                               */
} relay;

/* All parts begin and end, with layers of `layer` pixels; in between part 0 takes all pixels from first to last, 0 or
 * 255 each. relay_end() in any case; it returns the first status that is not EXIT_DONE, of which part->why tells. */
int relay_begin(relay *r, job_part *part, const uint8_t *own, size_t layer);
int relay_take(relay *r, uint8_t *to, size_t size);
int relay_end(relay *r, int status);

/* Checks that all parts read the same files and have the same seeds. */
int tiled_job_compare_files(job_part *part);

/* Reads the seeds of own rows and halo, and checks that the seeds of all parts suffice. */
int tiled_job_read_seeds(job_part *part);

/* Cleans the mask together with all parts, if the options ask for that: that of a photo, or of the part's layers with
 * their halo. On failure part->status is set, and all other parts fail, too. */
int tiled_job_clean(job_part *part);
int tiled_job_clean_layers(job_part *part, const uint8_t *labels, const cleanup_lattice *lattice, uint8_t *mask);

/* Replaces the values by their sums over all parts. Returns false if another part has failed. */
bool tiled_job_sum(job_part *part, int64_t *values, size_t count);

/* The functions sum and swap of a tilecut_exchange or a team, where `context` is a job_part. They return 0 if all is
 * well. */
int tiled_job_sums(void *context, int64_t *values, size_t count);
int tiled_job_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
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
int tiled_job_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why);

/* Opens the exchange through shared memory. Returns false if the processes run on several machines, if the user asked
 * for a transport of MPI, or if memory cannot be shared. */
bool host_exchange_open(mpi_exchange *out);
