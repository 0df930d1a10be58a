/* SPDX-License-Identifier: MIT
 *
 * job_part.h - cuts a photo or a volume in parts. Each part is a job with some of the rows or slices (job.h); it reads
 * them and their seeds, and all parts compute one cut together. Parts are threads of this process, or the processes of
 * mpirun.
 */
#pragma once

#include "devices.h"
#include "job.h"
#include "tilecut_parts.h"

/* Writes the JSON report of a failed run. Under mpirun only the process that prints the error does so. */
typedef struct failure_report {
    void (*write)(void *context, const failure *why); /* writes the report; NULL: no report */
    void *context;
} failure_report;

/* A job that is cut in parts. */
typedef struct job_division {
    job *job;                   /* the caller's job, which becomes that of the first part */
    int parts;                  /* number of parts: --parts, or the number of GPUs listed; 0: neither is given */
    device_list devices;        /* the GPUs that --device lists; empty if --device is not a list */
    const char *exchange;       /* --exchange, a name of job_part_exchange_name(); NULL: not given */
    failure_report report;      /* if it is set, it writes the report of a failure under mpirun, in place of the one
                                   made from job->run */
} job_division;

/* True if this process is one of several that mpirun started. */
bool job_part_by_mpi(void);

/* Cuts a photo in parts, and writes the mask and the JSON report. division->job is planned for that (job_plan()).
 * Returns the exit status. Under mpirun one process has already printed the error, and `why` is empty. */
int photo_parts_segment(const job_division *division, failure *why);

/* The kind of a job that is planned for photo_parts_segment(). */
extern const job_kind job_of_photo_part;

/* Reports an error found before the parts begin. Under mpirun usually all processes find it, so only one of them prints
 * it, and `why` is empty afterwards. `report` may be NULL. Does nothing if status is 0, or if the error has been
 * printed already. Returns the status. */
int job_part_refuse(int status, const failure_report *report, failure *why);

/* Improves the error sentence of a job that needs too much memory: if parts of it in turn would fit, adds the options
 * for that. */
void job_part_advise(const job *j, failure *why);

/* Decides for `--device auto` if a photo needs several GPUs: sets `list` to all GPUs of this machine if one would be
 * used but lacks the memory for this photo, and all together have enough; else to an empty list. */
void photo_part_choose_devices(const job_division *request, notes *log, device_list *list);

/* The i-th value of --exchange, which says how rows are copied between GPUs, and one line about it; NULL past the
 * end. */
const char *job_part_exchange_name(int index);
const char *job_part_exchange_summary(int index);

/* Writes one line for `tilecut info`, which says if NCCL is available, and returns it. */
enum { NCCL_LINE = 64 };
const char *job_part_nccl_line(char line[NCCL_LINE]);

/* Returns one line for `tilecut info`, which says if an exchange over MPI is available. */
const char *job_part_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo, a volume or a label map. */
typedef struct job_part {
    const job_division *request;
    const tilecut_exchange *exchange;
    struct turn_slot *slot; /* for parts that work in turn (job_part_turns.h); NULL: all parts work at once */
    struct job *job;       /* the part's job: the caller's for part 0 and under mpirun, else `own`. Only what the run
                              of part 0 reports is printed */
    struct job own;
    int layers;            /* number of rows of the whole photo, or of slices of the whole volume */
    int first, rows;       /* the first of the part's own rows or slices, and their number */
    int from, count;       /* first one and number of own rows and halo together */
    int taken;             /* processors gained by undoing mpirun's binding; 0: nothing changed */
    tilecut_part_report more;
    int status;
    bool echo;             /* true: this part failed only because another part did */
    failure why;
    void (*work)(struct job_part *part); /* the function that job_part_by_threads() or job_part_by_ranks() calls */
} job_part;

/* Runs work() of each of request->parts parts in a thread of its own, all at once or in turn. Each part is a struct of
 * `size` bytes, a copy of `first`, that begins with a job_part, which is filled in. `first` becomes what part 0 is in
 * the end. Returns the status and the sentence of the first part that failed by itself, not as an echo of another
 * one. */
typedef struct part_threads {
    void *first;
    size_t size;
    bool in_turn;
    void (*work)(job_part *part);
} part_threads;
int job_part_by_threads(const job_division *request, const part_threads *threads, failure *why);

/* Runs work() of this process's part under mpirun, and ends like job_part_end_together(). */
int job_part_by_ranks(const job_division *request, job_part *part, failure *why);

/* Does engine_choose() for a part, with the part's own device. Under mpirun the processes of a host share its devices
 * out. */
int job_part_choose(const job_division *request, int part, tilecut_params *how, notes *log, failure *why);

/* Sets the part's share of `layers` rows or slices: the fields layers, first, rows, from and count. */
void job_part_share(job_part *part, int layers);

/* Returns the share that job_part_share() set, as the library takes it. */
tilecut_part job_part_of(const job_part *part);

/* Does the steps of a part: steps() returns a status, with part->why. Sets part->status, and makes all other parts fail
 * if this one has failed by itself. */
void job_part_do(job_part *part, int (*steps)(job_part *part));

/* Finishes after the library's cut returned `done`: fills in job->run.parts with the amounts that all parts sent and
 * solved, or sets part->status, why and echo. Returns the status. */
int job_part_end_cut(job_part *part, tilecut_status done);

/* Finishes after a cut that failed: sets part->status, why and echo. Returns the status. */
int job_part_fail_cut(job_part *part, tilecut_status done);

/* Marks this part as failed, with part->why. Makes all other parts fail too, unless the failure is an echo of theirs.
 * Returns `status`. */
int job_part_leave(job_part *part, int status);

/* Open and close the exchanges, one for each part of this process. */
int job_part_open_exchange(const job_division *request, tilecut_exchange **exchanges, failure *why);
void job_part_close_exchange(const job_division *request, tilecut_exchange *exchanges);

/* Adds a note if rows between two of the GPUs must be copied through the host. */
void job_part_note_devices(const job_division *request, notes *log);

/* Returns the number of threads for a part while all parts work, or while this part works `alone`. */
int job_part_threads(const job_part *part, bool alone);

/* Mask or labels that are being sent to part 0. */
typedef struct relay {
    job_part *part;
    const uint8_t *own;      /* mask or labels of the part's own layers, without the halo */
    size_t begin, end, all;  /* the own pixels are begin to end - 1; all: pixels of all parts */
    size_t first, last;      /* `bits` holds the pixels first to last - 1 */
    size_t at;               /* the pixel that part 0 reads next */
    uint64_t *bits;          /* one bit a pixel; owned */
} relay;

/* All parts call relay_begin(), with layers of `layer` pixels, and relay_end(). In between, part 0 calls relay_take()
 * for all pixels in order, 0 or 255 each. relay_end() must be called in any case; it returns the first status that is
 * not EXIT_DONE, and part->why is the error. */
int relay_begin(relay *r, job_part *part, const uint8_t *own, size_t layer);
int relay_take(relay *r, uint8_t *to, size_t size);
int relay_end(relay *r, int status);

/* Checks that all parts read the same files and have the same seeds. */
int job_part_compare_files(job_part *part);

/* Cleans up a mask together with all parts, if the options ask for that: the job's mask, of the part's layers with
 * their halo. On failure part->status is set, and all other parts fail, too. */
int job_part_clean(job_part *part, const cleanup_lattice *lattice);

/* job_part_check_memory() checks that memory suffices for the rows of all parts of this process.
 * job_part_must_take_turns() is true if it does not suffice for all parts at once; job_part_check_turns() checks that
 * it suffices for parts in turn. Both checks return EXIT_DONE or EXIT_RESOURCES. */
int job_part_check_memory(job_part *part, const memory_lattice *lattice);
bool job_part_must_take_turns(const job_division *division);
int job_part_check_turns(const job_division *division, failure *why);

/* Replaces the values by their sums over all parts. Returns false if another part has failed. */
bool job_part_sum(job_part *part, int64_t *values, size_t count);

/* These are the functions sum and swap of a tilecut_exchange or a team; `context` is a job_part. They return 0 on
 * success. */
int job_part_sums(void *context, int64_t *values, size_t count);
int job_part_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                    size_t size);

/* The exchange between processes of mpirun. Its functions come from tilecut-mpi.so, or use shared memory. */
typedef struct mpi_exchange {
    tilecut_exchange exchange;
    int (*speaks)(void);    /* nonzero if this process is the one that prints the error */
    int (*end)(int status); /* waits until all processes have called it; returns their highest status */
} mpi_exchange;

int mpi_open(mpi_exchange *out, failure *why);

/* Ends MPI with this process's own status and failure. One of the processes that failed prints its error; `why` is then
 * empty. The error is printed here and not in main(), because mpirun kills all processes and drops their output as soon
 * as one ends with a failure. Returns the highest status of all processes. */
int job_part_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why);

/* Opens the exchange through shared memory. Returns false if the processes run on several machines, if the user chose a
 * transport of MPI, or if memory cannot be shared. */
bool host_exchange_open(mpi_exchange *out);
