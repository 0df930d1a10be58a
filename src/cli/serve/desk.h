/* SPDX-License-Identifier: MIT
 *
 * desk.h - the photo or the scan that is being edited, the strokes on it, and its cuts: all that the page can request
 * from the program. Its functions may be called from several threads at the same time. Only one tab of the browser can
 * edit at a time, the one that opened the photo last. When another tab takes over, strokes are kept.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "edit.h"
#include "engine.h"
#include "image.h"
#include "message.h"
#include "outputs.h"
#include "scan_desk.h"

/* A file that the page has sent: a scan or, if `scan` is NULL, a photo. */
typedef struct desk_file_read {
    image photo;
    scan_desk *scan;
} desk_file_read;

typedef struct desk {
    /* These are set before the server runs, and only read after that. The functions handle a file that the page sends:
     * one reads it, one chooses `whole` and `small` for it, one frees a scan. */
    const common *common; /* threads, device and solver that the user chose */
    uint64_t memory;      /* bytes of memory that a soft edge may take */
    int (*read)(void *context, const char *name, const uint8_t *bytes, size_t size, desk_file_read *out, failure *why);
    int (*prepare)(void *context, struct desk *d, failure *why);
    void (*close)(scan_desk *scan);
    void *context;

    /* These are replaced together with the photo, while neither a cut nor a cutout is being made. */
    const char *name;     /* the photo's file name without its folder; NULL: no photo is open yet */
    char loaded[256];     /* memory for `name` of a photo that the page has sent */
    image photo;
    tilecut_params whole, small; /* parameters for cutting the photo and the sketch */
    tilecut_memo *memo;   /* data that cuts of the photo keep for later cuts */
    outputs outputs;      /* files to write; only for the photo with which the program was started */
    output *mask_out, *cutout_out, *strokes_out; /* NULL: not wanted  */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    edit sketch;
    bool boxed;
    int box[4];            /* x, y, width, height of the box as the page shows it */
    int tab;               /* number of the tab that may edit, counted from 1 */
    uint8_t *prior;         /* a mask to begin from, or NULL */
    const char *prior_name; /* the file of the prior, if the program read it from one */
    desk_legend legend;    /* labels of `map`; legend.many is false if there is no map */
    uint8_t *map;          /* a label map to begin from, as codes; or NULL */
    bool corrects;         /* true: strokes correct the prior              */
    bool learns;           /* true: learn the colours again after every stroke */
    uint8_t *sent_small, *sent, *mask; /* masks of sketch and photo that the page already has; mask of the last cut */
    int version;           /* is incremented when labels or options change */
    int mask_version;      /* the version for which `mask` was cut; 0: none */
    tilecut_flag cancel;   /* set to stop the running cut */
    pthread_mutex_t turns; /* guards the next five fields; `mutex` is held while a sketch is cut */
    int turn_tab, turn;    /* the running sketch: its tab, and the number that the page gave to it */
    tilecut_flag stop_sketch; /* set to stop the running sketch */
    size_t area;           /* number of pixels of the photo, or of voxels of the scan */
    scan_desk *scan;       /* the scan that is edited; NULL: a photo is edited. Changes only under both locks */
    bool cutting, done;
    int cutouts;           /* number of cutouts in progress */
    int status;            /* exit status of the last cut or of saving */
    failure why;           /* the sentence for `status`                    */
} desk;

/* Initialises a desk without a photo. */
void desk_init(desk *d);
/* Opens `photo`, and takes ownership of its pixels. `first`: initial labels, or NULL. EXIT_RESOURCES: memory ran
 * out. */
int desk_take(desk *d, image *photo, const uint8_t *first, failure *why);
/* Sets a mask to begin from or to correct, as for edit_prior(); `name` is its file. Call it before the server runs. */
int desk_prior(desk *d, const uint8_t *prior, const char *name, failure *why);
/* Edits the scan `taken` instead of a photo, and closes it at the end or when another file replaces it. EXIT_RESOURCES:
 * memory ran out. */
int desk_take_scan(desk *d, scan_desk *taken, failure *why);
void desk_free(desk *d);

/* HTTP statuses of two answers: a newer request has overtaken this one; the cut failed. */
enum { ANSWER_OVERTAKEN = 409, ANSWER_FAILED = 422 };

typedef struct answer {
    int http;   /* status of HTTP: 200, ANSWER_OVERTAKEN, ANSWER_FAILED, or an error (400, 403, 500) with a sentence in
                   `why` */
    bytes data;
    failure why;
} answer;

/* The calls that the page can make, and their names. */
typedef struct desk_call {
    const char *path; /* "/api/open" */
    /* Runs the call. Returns false on failure, with the reason in `out`; if that has none, memory ran out. */
    bool (*run)(desk *d, const message *m, answer *out);
    enum desk_body {
        BODY_NONE, BODY_LABELS, BODY_TWICE, BODY_LINES, BODY_FILE
    } body; /* the data after the lines of the message: none, one byte a pixel, two bytes a pixel, at most
               DESK_LINES_BYTES of lines, a file of at most DESK_FILE_BYTES */
    enum desk_of { OF_BOTH, OF_PHOTO, OF_SCAN } of;
    enum desk_asks {
        ASKS_OWNER, ASKS_ANY, ASKS_UNLOCKED
    } asks; /* which tabs may call: only the one that has the photo or scan; every tab; every tab, and the call takes
               the lock itself */
} desk_call;

enum { DESK_FILE_BYTES = 1 << 29, DESK_LINES_BYTES = 1 << 16 };

extern const desk_call desk_calls[]; /* ends with path NULL */

/* Returns the call named `path`, or NULL. */
const desk_call *desk_find_call(const char *path);

bool desk_has_scan(desk *d);

/* Returns the most bytes that the body of a call may have. */
size_t desk_limit(desk *d, const desk_call *call);

void desk_run(desk *d, const desk_call *call, const message *m, answer *out);
