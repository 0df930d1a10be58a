/* SPDX-License-Identifier: MIT
 *
 * tiled_job.h - cuts a photo in parts. Each part reads its own rows and their seeds; all parts compute one cut
 * together. Parts are threads of this process, or the processes of mpirun.
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

typedef struct tiled_job {
    const job_request *job;     /* how to read the photo, learn from it and write the results */
    const char *photo, *output; /* files of the photo and of the mask; output is NULL if only --json is wanted */
    int parts;                  /* number of parts: --parts, or the number of GPUs listed; 0: neither is given */
    device_list devices;        /* the GPUs that --device lists; empty if --device is not a list */
    const char *exchange;       /* --exchange, a name of tiled_job_exchange_name(); NULL: not given */
    run *failed;                /* out, if the run fails: the notes, and the photo's size if it was read */
    failure_report report;      /* if it is set, it writes the report of a failure, in place of the one made from
                                   part->run */
} tiled_job;

/* True if this process is one of several that mpirun started. */
bool tiled_job_by_mpi(void);

/* Cuts the photo, and writes the mask and the JSON report. Returns the exit status. Under mpirun one process has
 * already printed the error, and `why` is empty. */
int tiled_job_segment(const tiled_job *request, failure *why);

/* Reports an error found before the parts begin. Under mpirun usually all processes find it, so only one of them prints
 * it, and `why` is empty afterwards. `report` may be NULL. Does nothing if status is 0, or if the error has been
 * printed already. Returns the status. */
int tiled_job_refuse(int status, const failure_report *report, failure *why);

/* Improves the error sentence of a photo that needs too much memory: if the photo can be cut in parts on this machine,
 * adds the options that do so. */
void tiled_job_advise(const tiled_job *request, failure *why);

/* Decides for `--device auto` if a photo needs several GPUs: sets `list` to all GPUs of this machine if one would be
 * used but lacks the memory for this photo, and all together have enough; else to an empty list. */
void tiled_job_choose_devices(const tiled_job *request, notes *log, device_list *list);

/* The i-th value of --exchange, which says how rows are copied between GPUs, and one line about it; NULL past the
 * end. */
const char *tiled_job_exchange_name(int index);
const char *tiled_job_exchange_summary(int index);

/* Writes one line for `tilecut info`, which says if NCCL is available, and returns it. */
enum { NCCL_LINE = 64 };
const char *tiled_job_nccl_line(char line[NCCL_LINE]);

/* Returns one line for `tilecut info`, which says if an exchange over MPI is available. */
const char *tiled_job_mpi_line(void);

/* ---- for the files of this folder ---- */

/* One part of a photo or a volume. A volume uses only the fields from request to rows, and more, status, echo and
 * why. */
typedef struct job_part {
    const tiled_job *request;
    const tilecut_exchange *exchange;
    struct turn_slot *slot; /* for parts that work in turn (tiled_job_turns.h); NULL: all parts work at once */
    run *run;              /* the report; only that of part 0 is printed */
    int layers;            /* number of rows of the whole photo, or of slices of the whole volume */
    int first, rows;       /* the first of the part's own rows or slices, and their number */
    int from, count;       /* first one and number of own rows and halo together */
    int64_t width;         /* of the whole photo                */
    int channels, depth;
    int threads;           /* threads for this process; set by cut() */
    int taken;             /* processors gained by undoing mpirun's binding; 0: nothing changed */
    struct run own_run;    /* of a photo                        */
    seeds seeds;
    notes found;           /* notes about the photo's file, kept until all parts have read it */
    bool tiles;            /* true: the photo's file has tiles  */
    int orientation;       /* its EXIF orientation              */
    georeference place;    /* where the whole photo lies on earth */
    uint32_t density[2];   /* pixels per metre of the photo; 0: unknown, or not to be written */
    uint8_t *pixels, *mask; /* pixels and mask of the own rows and the halo */
    struct region_writer *writer; /* writes the mask; NULL: this part does not write */
    int mask_file;         /* file descriptor of the mask */
    bool together;         /* true: each part writes its own rows; else part 0 writes all rows */
    bool by_rows;          /* true: part 0 writes rows as they come; else it gathers the whole mask first */
    tilecut_part_report more;
    int status;
    bool echo;             /* true: this part failed only because another part did */
    failure why;
    void (*work)(struct job_part *part); /* the function that tiled_job_by_threads() or tiled_job_by_ranks() calls */
} job_part;

/* Runs work() of each of request->parts parts in a thread of its own, all at once or in turn. `parts` is an array of
 * structs of `size` bytes; each begins with a job_part, which is filled in. Returns the status and the sentence of the
 * first part that failed by itself, not as an echo of another one. */
typedef struct part_threads {
    void *parts;
    size_t size;
    bool in_turn;
    void (*work)(job_part *part);
} part_threads;
int tiled_job_by_threads(const tiled_job *request, const part_threads *threads, failure *why);

/* Runs work() of this process's part under mpirun, and ends like tiled_job_end_together(). */
int tiled_job_by_ranks(const tiled_job *request, job_part *part, failure *why);

/* Does engine_choose() for a part, with the part's own device. Under mpirun the processes of a host share its devices
 * out. */
int tiled_job_choose(const tiled_job *request, int part, tilecut_params *how, notes *log, failure *why);

/* Sets the part's share of `layers` rows or slices: the fields layers, first, rows, from and count. */
void tiled_job_share(job_part *part, int layers);

/* Returns the share that tiled_job_share() set, as the library takes it. */
tilecut_part tiled_job_part(const job_part *part);

/* Finishes after the library's cut returned `done`: fills in run->parts with the amounts that all parts sent and
 * solved, or sets part->status, why and echo. Returns the status. */
int tiled_job_end_cut(job_part *part, tilecut_status done);

/* Finishes after a cut that failed: sets part->status, why and echo. Returns the status. */
int tiled_job_fail_cut(job_part *part, tilecut_status done);

/* Marks this part as failed, with part->why. Makes all other parts fail too, unless the failure is an echo of theirs.
 * Returns `status`. */
int tiled_job_leave(job_part *part, int status);

/* Open and close the exchanges, one for each part of this process. */
int tiled_job_open_exchange(const tiled_job *request, tilecut_exchange **exchanges, failure *why);
void tiled_job_close_exchange(const tiled_job *request, tilecut_exchange *exchanges);

/* Adds a note if rows between two of the GPUs must be copied through the host. */
void tiled_job_note_devices(const tiled_job *request, notes *log);

/* Returns the number of threads for a part while all parts work, or while this part works `alone`. */
int tiled_job_threads(const job_part *part, bool alone);

/* Returns where the whole photo lies on earth, or NULL if that is unknown or is not to be written. */
const georeference *tiled_job_place(const job_part *part);

/* Checks that memory suffices for the rows of all parts of this process. Returns 0 or EXIT_RESOURCES. */
int tiled_job_check_memory(job_part *part, const struct region_shape *shape);

/* True if memory suffices for only one part at a time. */
bool tiled_job_must_take_turns(const tiled_job *request);

/* All parts call these three, in this order. The file of the mask is created before the cut, so that an error shows
 * early. tiled_job_write() gives it its name; after a failure tiled_job_close_mask() removes it. */
int tiled_job_open_mask(job_part *part);
int tiled_job_write(job_part *part);
void tiled_job_close_mask(job_part *part);

/* Part of tiled_job_write(): sends all rows to part 0, which writes them. */
int tiled_job_relay(job_part *part);

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
int tiled_job_compare_files(job_part *part);

/* Reads the seeds of the own rows and the halo, and checks that the seeds of all parts together suffice. */
int tiled_job_read_seeds(job_part *part);

/* Clean up a mask together with all parts, if the options ask for that: the mask of a photo, or that of the part's
 * layers with their halo. On failure part->status is set, and all other parts fail, too. */
int tiled_job_clean(job_part *part);
int tiled_job_clean_layers(job_part *part, const uint8_t *labels, const cleanup_lattice *lattice, uint8_t *mask);

/* Replaces the values by their sums over all parts. Returns false if another part has failed. */
bool tiled_job_sum(job_part *part, int64_t *values, size_t count);

/* These are the functions sum and swap of a tilecut_exchange or a team; `context` is a job_part. They return 0 on
 * success. */
int tiled_job_sums(void *context, int64_t *values, size_t count);
int tiled_job_swaps(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
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
int tiled_job_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why);

/* Opens the exchange through shared memory. Returns false if the processes run on several machines, if the user chose a
 * transport of MPI, or if memory cannot be shared. */
bool host_exchange_open(mpi_exchange *out);
