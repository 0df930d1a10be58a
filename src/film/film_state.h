/* SPDX-License-Identifier: MIT
 *
 * film_state.h - a film inside the library: the frames of a window, the learnt models, and the parts of a window's cut.
 */
#pragma once

#include "film_match.h"
#include "film_motion.h"
#include "graph.h"
#include "volume.h"

/* The number of earlier frames whose masks give evidence for the appearance of later ones. */
enum { TC_FILM_PAST = 2 };

/* The track of an object through the frames, forwards or backwards in time. */
typedef struct tc_track {
    int step;                   /* 1: forwards; -1: backwards                                             */
    tilecut_graph *graph;       /* the graph of the frame from which the track was learnt, with its tables; NULL:
                                   nothing is known */
    int32_t *along;             /* [keys] capacity of a link along time, by contrast                      */
    tc_small small[1 + TC_FILM_PAST]; /* the present frame, then earlier frames with their masks, the latest first */
    int past;                   /* number of earlier frames in `small`                                    */
    tc_small painted, moved;    /* the last frame with strokes, with its mask; the same frame, moved along with the
                                   object */
    int painted_at;             /* its index among the frames held; < 0 if it is no longer held            */
    int dx, dy;                 /* the object's movement since frame painted_at, in small pixels           */
    uint8_t *last;              /* [pixels] the mask of the frame before                                   */
} tc_track;

typedef struct tc_film_arrays {
    int32_t *memory;            /* [5][pixels of a window] source, sink, links along x, y and time; owned */
} tc_film_arrays;

/* The caller's input for a frame. If that includes a prior mask, `level` holds it until the frame is begun. */
typedef struct tc_marks {
    bool painted, both, prior;   /* painted: it has strokes; both: strokes of both classes; prior: a prior mask */
} tc_marks;

struct tilecut_film {
    tilecut_film_shape shape;   /* complete, with defaults                                               */
    tc_setup setup;             /* the caller's options                                                  */
    tc_setup training;          /* the setup for a frame from which a model is learnt; such a frame is cut as an
                                   image */
    size_t pixels;              /* pixels of a frame                                                     */
    int room;                   /* how many frames can be held: those of a window, and those ahead of it */
    int count;                  /* number of frames held; they are in order                              */
    int begun;                  /* frames 0 .. begun - 1 have a mask                                     */
    int ready;                  /* frames 0 .. ready - 1 have their final masks                          */
    int again;                  /* frames 0 .. again - 1 were cut by an earlier window, too               */
    int from;                   /* the frame with strokes from which the backward track comes; < 0 if there is none */
    uint8_t *frame;             /* [room][pixels][channels]                                              */
    uint8_t *mask;              /* [room][pixels], 0 or 255                                              */
    uint8_t *seeds;             /* [room][pixels]                                                        */
    uint8_t *level;             /* [room][pixels] evidence, in levels of prior.h                          */
    uint8_t *mixed;             /* [pixels] evidence of the forward track, where both tracks exist       */
    tc_marks *marked;           /* [room] the caller's input for each frame                              */
    tilecut_report *report;     /* [room]                                                                */
    uint8_t *sure;              /* [room][pixels] how sure the masks are; NULL: not computed yet         */
    tilecut_doubt *doubt;       /* [room] summaries of `sure`                                            */
    int looked;                 /* for how many frames, counted from the first, `sure` is valid          */
    bool doubted;               /* true: `doubt` is valid for the same frames as `sure`                  */
    tc_track forward, back;       /* the forward track, and the track backwards from the next frame with strokes */
    tc_small next;              /* the frame after the current one */
    int32_t *object, *ground;   /* [small pixels] distances to patches of the object and of the background */
    int32_t *along, *apart;     /* [small pixels] distances to patches that move as the object does, and as the
                                   background does */
    bool taken;                 /* the caller has taken the first frame's mask, so the next call drops the frame */
    tilecut_graph alone;        /* the graph of that frame, if the caller asked for it                   */
    tilecut_graph cut;          /* the graph of the window that was cut last; width 0: there is none     */
    tc_film_arrays *window;     /* the capacities of that graph, if they were asked for                  */
};

static inline tilecut_image tc_film_image(const tilecut_film *f, int i)
{
    const size_t channels = (size_t)f->shape.channels;
    return (tilecut_image){.size = sizeof(tilecut_image), .width = f->shape.width, .height = f->shape.height,
                           .channels = f->shape.channels, .depth = 8,
                           .pixels = f->frame + (size_t)i * f->pixels * channels};
}

tc_marks tc_film_marks(const uint8_t *seeds, size_t pixels, bool painted, bool prior);

/* Begins frames and cuts windows, as long as `ahead` frames are held after the frame to be begun. */
tilecut_status tc_film_go_on(tilecut_film *f, int ahead);

/* Returns the track whose colours suit frame i: that of the nearer frame with strokes. */
const tc_track *tc_film_colors(const tilecut_film *f, int i);

/* Cuts the frames that are begun and not final. Afterwards the first `final` of the frames held are final. */
tilecut_status tc_film_cut_window(tilecut_film *f, int final);

/* Allocates a track through frames of that size. Errors: ENOMEM. */
tilecut_status tc_track_init(tc_track *t, int width, int height, int step);
void tc_track_free(tc_track *t);

/* Learns from the strokes of frame i, and from `prior` if it is given, and cuts that frame alone. */
tilecut_status tc_film_learn(tilecut_film *f, tc_track *t, int i, const uint8_t *prior);

/* Finds the evidence for frame i from the frames before it on the track: one level per pixel. */
tilecut_status tc_film_evidence(tilecut_film *f, tc_track *t, int i, uint8_t *level);

/* Keeps frame i and its mask as evidence for the next frames. */
void tc_film_remember(tilecut_film *f, tc_track *t, int i);

/* Keeps frame i, which has strokes, as evidence for all later frames. */
void tc_film_keep(tilecut_film *f, tc_track *t, int i);

/* Replaces the masks of the frames kept by those of a window that has been cut; the last of them is frame `last`. */
void tc_film_relabel(tilecut_film *f, tc_track *t, int last);

/* Makes the graph of frame i alone in f->alone. Returns EINVAL if nothing is known of the object there. */
tilecut_status tc_film_alone(tilecut_film *f, int i);

/* Computes how sure the final masks are, in f->sure, unless it is known already. With `doubt`, also computes f->doubt
 * from the frames that have a mask, as one volume. */
tilecut_status tc_film_look(tilecut_film *f, bool doubt);

/* Cuts `count` frames, beginning with frame `first`, as a volume, and sets their masks and reports. */
tilecut_status tc_film_cut(tilecut_film *f, const tc_track *t, int first, int count);
