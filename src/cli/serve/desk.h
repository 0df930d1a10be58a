/* SPDX-License-Identifier: MIT
 *
 * desk.h - the photo that is being edited, with what is painted on it and the cuts of it: what the page asks the
 * program for. Its functions may be called from several threads at a time. One tab of the browser has the photo, the
 * one that opened it last; strokes are kept when another takes over.
 */
#ifndef CLI_DESK_H
#define CLI_DESK_H

#include <pthread.h>
#include <stdbool.h>

#include "edit.h"
#include "engine.h"
#include "image.h"
#include "message.h"
#include "outputs.h"

typedef struct desk {
    /* Set before the server runs, and only read then. */
    const char *name;     /* of the photo, without its folder */
    image photo;
    const common *common; /* threads, device, solver as asked for      */
    tilecut_params whole, small; /* for the photo and for the sketch   */
    outputs outputs;
    output *mask_out, *cutout_out, *strokes_out; /* NULL: not asked for */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    edit sketch;
    bool boxed;
    int box[4];            /* x, y, width, height: as the page shows it    */
    int tab;               /* that has the photo; counts from 1            */
    uint8_t *wish;         /* a mask to begin from, or NULL               */
    const char *wish_name; /* its file, if the program has read it        */
    uint8_t *sent_small, *sent, *mask; /* what the page has, and the last cut's */
    int version;           /* counts changes of labels or options          */
    int mask_version;      /* that `mask` is of; 0: there is none          */
    tilecut_flag cancel;   /* raised for the cut that runs                 */
    bool cutting, done;
    int status;            /* of the last cut, or of saving                */
    failure why;           /* that goes with it                            */
} desk;

/* `photo` moves in; labels of `first` (NULL: none) are where painting begins. EXIT_RESOURCES: no memory. */
int desk_init(desk *d, image *photo, const uint8_t *first, failure *why);
/* A mask to begin from, as edit_wish() takes it, of the file `name`; before the server runs. */
int desk_wish(desk *d, const uint8_t *wish, const char *name, failure *why);
void desk_free(desk *d);

/* What a call answers with. */
enum { ANSWER_OVERTAKEN = 409, ANSWER_FAILED = 422 };

typedef struct answer {
    int http;   /* 200, one of the two above, or what HTTP calls it: 400, 403, 500; the sentence is in `why` */
    bytes data;
    failure why;
} answer;

/* The calls, by name: message in, answer out. */
typedef struct desk_call {
    const char *path; /* "/api/open" */
    void (*run)(desk *d, const message *m, answer *out);
    bool labels;      /* its body may hold a byte a pixel; else only the lines */
} desk_call;

extern const desk_call desk_calls[]; /* ends with path NULL */

/* Bytes that the body of a call may have. */
size_t desk_limit(const desk *d, const desk_call *call);

#endif
