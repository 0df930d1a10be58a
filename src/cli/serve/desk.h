/* SPDX-License-Identifier: MIT
 *
 * desk.h - the photo or the scan that is being edited, what is painted on it, and its cuts: everything that the page
 * asks of the program. Its functions may be called from several threads at the same time. What is edited belongs to
 * one tab of the browser, the one that opened it last. When another tab takes over, strokes are kept.
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

/* A file that the page has sent: a scan, or if there is none a photo. */
typedef struct desk_file_read {
    image photo;
    scan_desk *scan;
} desk_file_read;

typedef struct desk {
    /* Set before the server runs, and only read after that. The functions serve a file that the page sends: one reads
     * it, one chooses `whole` and `small` for it, one frees a scan. */
    const common *common; /* threads, device, solver as the user asked */
    uint64_t memory;      /* bytes that a soft edge may take            */
    int (*read)(void *context, const char *name, const uint8_t *bytes, size_t size, desk_file_read *out, failure *why);
    int (*prepare)(void *context, struct desk *d, failure *why);
    void (*close)(scan_desk *scan);
    void *context;

    /* Replaced together with the photo, while neither a cut nor a cutout is being made. */
    const char *name;     /* the photo's file name without its folder; NULL: there is no photo yet */
    char loaded[256];     /* room for `name`, if the page has sent the photo */
    image photo;
    tilecut_params whole, small; /* parameters for the photo and for the sketch */
    tilecut_memo *memo;   /* what cuts of the photo keep for the next ones */
    outputs outputs;      /* files to write; only for the photo that the program was started with */
    output *mask_out, *cutout_out, *strokes_out; /* NULL: not wanted  */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    edit sketch;
    bool boxed;
    int box[4];            /* x, y, width, height: as the page shows it    */
    int tab;               /* the tab that may edit; counts from 1         */
    uint8_t *prior;         /* a mask to begin from, or NULL                */
    const char *prior_name; /* the prior's file, if the program has read it */
    desk_legend legend;    /* of `map`; legend.many is false if there is none */
    uint8_t *map;          /* a label map to begin from, as codes; or NULL */
    bool corrects;         /* strokes correct the prior                    */
    bool learns;           /* every stroke also trains the colours anew    */
    uint8_t *sent_small, *sent, *mask; /* masks that the page has, of sketch and photo; the last cut's          */
    int version;           /* counts changes of labels or options          */
    int mask_version;      /* the version that `mask` belongs to; 0: none  */
    tilecut_flag cancel;   /* raised to stop the running cut               */
    pthread_mutex_t turns; /* guards the next five; `mutex` is held while a sketch is cut */
    int turn_tab, turn;    /* the running sketch: its tab, and the number that the page gave it    */
    tilecut_flag hurry;    /* raised to stop the running sketch            */
    size_t area;           /* pixels of the photo, voxels of the scan      */
    scan_desk *scan;       /* the scan that is edited; NULL: it is a photo. Changes under both locks    */
    bool cutting, done;
    int cutouts;           /* number of cutouts being made                 */
    int status;            /* exit status of the last cut, or of saving    */
    failure why;           /* the sentence for `status`                    */
} desk;

/* A desk without a photo. */
void desk_init(desk *d);
/* Takes ownership of the pixels of `photo`. `first`: labels to begin with, or NULL. EXIT_RESOURCES: no memory. */
int desk_take(desk *d, image *photo, const uint8_t *first, failure *why);
/* Sets a mask to begin from, or to correct, as edit_prior() takes it; `name` is its file. Call it before the server
 * runs. */
int desk_prior(desk *d, const uint8_t *prior, const char *name, failure *why);
/* Edits `taken`, a scan, instead of a photo, and closes it at the end, or when another file takes its place.
 * EXIT_RESOURCES: no memory. */
int desk_take_scan(desk *d, scan_desk *taken, failure *why);
void desk_free(desk *d);

/* HTTP statuses of two answers: a newer request overtook this one; the cut failed. */
enum { ANSWER_OVERTAKEN = 409, ANSWER_FAILED = 422 };

typedef struct answer {
    int http;   /* 200, one of the two above, or another status of HTTP: 400, 403, 500; the sentence is in `why` */
    bytes data;
    failure why;
} answer;

/* The calls that the page can make, by name. */
typedef struct desk_call {
    const char *path; /* "/api/open" */
    /* False: `out` says why; if it says nothing, there was no memory for the answer. */
    bool (*run)(desk *d, const message *m, answer *out);
    enum desk_body {
        BODY_NONE, BODY_LABELS, BODY_TWICE, BODY_LINES, BODY_FILE
    } body; /* after the lines of the message: nothing, a byte for each pixel, two bytes for each, DESK_LINES_BYTES of
               lines, a file of DESK_FILE_BYTES; at most */
    enum desk_of { OF_BOTH, OF_PHOTO, OF_SCAN } of;
    enum desk_asks {
        ASKS_OWNER, ASKS_ANY, ASKS_UNLOCKED
    } asks; /* only for the tab that has the photo or scan; for any tab; for any, and takes the lock itself */
} desk_call;

enum { DESK_FILE_BYTES = 1 << 29, DESK_LINES_BYTES = 1 << 16 };

extern const desk_call desk_calls[]; /* ends with path NULL */

/* The call named `path`. NULL: there is none. */
const desk_call *desk_find_call(const char *path);

bool desk_has_scan(desk *d);

/* The most bytes that the body of a call may have. */
size_t desk_limit(desk *d, const desk_call *call);

void desk_run(desk *d, const desk_call *call, const message *m, answer *out);
