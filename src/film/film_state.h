/* SPDX-License-Identifier: MIT
 *
 * film_state.h - a film inside the library: the frames of a window, what was learnt, and the parts of a window's cut.
 */
#ifndef TC_FILM_STATE_H
#define TC_FILM_STATE_H

#include "film_match.h"
#include "graph.h"
#include "volume.h"

/* Frames whose masks say what later ones look like. */
enum { TC_FILM_PAST = 2 };

struct tilecut_film {
    tilecut_film_shape shape;   /* complete, with defaults                                               */
    tc_setup setup;             /* what the caller wants                                                 */
    tc_setup teach;             /* the same for a frame that teaches, which is cut in the plane          */
    const tc_solver *solver;    /* NULL: to be chosen                                                    */
    size_t pixels;              /* of a frame                                                            */
    int count;                  /* frames held, in order                                                 */
    int ready;                  /* of them, from the first on, with masks that are final                 */
    int again;                  /* of them, from the first on, that an earlier window has cut            */
    bool known;                 /* there is an object                                                    */
    uint8_t *frame;             /* [window][pixels][channels]                                            */
    uint8_t *mask;              /* [window][pixels], 0 or 255                                            */
    uint8_t *seeds;             /* [window][pixels]                                                      */
    uint8_t *level;             /* [window][pixels]: evidence, in levels of wish.h                       */
    tilecut_report *report;     /* [window]                                                              */
    tilecut_graph *graph;       /* of the frame that taught: its tables; NULL: none                      */
    tc_small small[1 + TC_FILM_PAST]; /* the frame at hand, and those before it with their masks; last first */
    int past;                   /* how many before it there are                                          */
    tc_small painted, moved;    /* the frame painted last with its mask, and moved to where the object is */
    int painted_at;             /* its place among the frames held, below 0: no longer there              */
    int dx, dy;                 /* how far the object has gone since, in small pixels                     */
    uint8_t *last;              /* [pixels]: the mask of the frame added last                            */
    int32_t *object, *ground;   /* [small pixels]: distances                                             */
    int32_t *along;             /* [keys]: capacity of a link along time by contrast                     */
    int32_t *capacity;          /* [5][window][pixels]: source, sink, links along x, y and time          */
    tc_volume cut;              /* the window cut last; without size: there is none                      */
};

static inline tilecut_image tc_film_image(const tilecut_film *f, int i)
{
    const size_t channels = (size_t)f->shape.channels;
    return (tilecut_image){.size = sizeof(tilecut_image), .width = f->shape.width, .height = f->shape.height,
                           .channels = f->shape.channels, .depth = 8,
                           .pixels = f->frame + (size_t)i * f->pixels * channels};
}

/* Learns from what is painted on frame i, and from `wish` if it is given, and cuts it alone. */
tilecut_status tc_film_teach(tilecut_film *f, int i, const uint8_t *wish);

/* Finds the evidence of frame i from the frames before it. */
tilecut_status tc_film_evidence(tilecut_film *f, int i);

/* Keeps frame i and its mask for the evidence of the next ones. */
void tc_film_remember(tilecut_film *f, int i);

/* Keeps frame i, on which there are strokes, for all later ones. */
void tc_film_keep(tilecut_film *f, int i);

/* Takes over the masks that a window has given the frames kept; the last of them is frame `last`. */
void tc_film_relabel(tilecut_film *f, int last);

/* Cuts `count` frames from `first` on as a volume, and fills in their masks and reports. */
tilecut_status tc_film_cut(tilecut_film *f, int first, int count);

#endif
