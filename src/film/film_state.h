/* SPDX-License-Identifier: MIT
 *
 * film_state.h - a film inside the library: the frames of a window, what was learnt, and the parts of a window's cut.
 */
#pragma once

#include "film_match.h"
#include "film_motion.h"
#include "graph.h"
#include "volume.h"

/* Frames whose masks say what later ones look like. */
enum { TC_FILM_PAST = 2 };

/* An object on its way through the frames, forwards or backwards in time. */
typedef struct tc_track {
    int step;                   /* 1: forwards; -1: backwards                                             */
    tilecut_graph *graph;       /* the graph of the frame learnt from, with its tables; NULL: nothing is known */
    int32_t *along;             /* [keys]: capacity of a link along time by contrast                      */
    tc_small small[1 + TC_FILM_PAST]; /* the frame at hand, and those before it with their masks; last first */
    int past;                   /* how many frames before it are held                                     */
    tc_small painted, moved;    /* the frame painted last with its mask; the same, moved along with the object */
    int painted_at;             /* its place among the frames held, below 0: no longer there               */
    int dx, dy;                 /* how far the object has gone since, in small pixels                      */
    uint8_t *last;              /* [pixels]: the mask of the frame before                                  */
} tc_track;

typedef struct tc_film_arrays {
    int32_t *memory;            /* [5][pixels of a window]: source, sink, links along x, y and time; owned */
} tc_film_arrays;

/* What came with a frame. Of one with a prior mask, `level` has that until it is begun. */
typedef struct tc_marks {
    bool painted, both, prior;   /* painted by strokes; by strokes of both classes                        */
} tc_marks;

struct tilecut_film {
    tilecut_film_shape shape;   /* complete, with defaults                                               */
    tc_setup setup;             /* what the caller wants                                                 */
    tc_setup teach;             /* the setup for a frame to learn from, which is cut as an image         */
    size_t pixels;              /* of a frame                                                            */
    int room;                   /* frames that can be held: those of a window, and those ahead of it     */
    int count;                  /* frames held, in order                                                 */
    int begun;                  /* of them, from the first on, that have a mask                          */
    int ready;                  /* of them, from the first on, with masks that are final                 */
    int again;                  /* of them, from the first on, that an earlier window has cut            */
    int from;                   /* the painted frame that the trail backwards comes from; below 0: there is none */
    uint8_t *frame;             /* [room][pixels][channels]                                              */
    uint8_t *mask;              /* [room][pixels], 0 or 255                                              */
    uint8_t *seeds;             /* [room][pixels]                                                        */
    uint8_t *level;             /* [room][pixels]: evidence, in levels of prior.h                         */
    uint8_t *mixed;             /* [pixels]: evidence of the trail forwards, where there are both        */
    tc_marks *marked;           /* [room]: what came with the frame                                      */
    tilecut_report *report;     /* [room]                                                                */
    uint8_t *sure;              /* [room][pixels]: how sure masks are; NULL: nobody has asked yet        */
    tilecut_doubt *doubt;       /* [room] summaries of `sure`                                            */
    int looked;                 /* frames, from the first on, of which `sure` is known                   */
    bool doubted;               /* of these, `doubt` is known, too                                       */
    tc_track forward, back;       /* forwards, and from the next painted frame backwards                    */
    tc_small next;              /* the frame after the current one */
    int32_t *object, *ground;   /* [small pixels]: distances                                             */
    int32_t *along, *apart;     /* [small pixels]: distances to what moves as the object does, and as the ground */
    bool taken;                 /* the first frame's mask was taken: the frame goes with the next call    */
    tilecut_graph alone;        /* that frame, if it was asked for                                       */
    tilecut_graph cut;          /* the window cut last; width 0: there is none                           */
    tc_film_arrays *window;     /* its capacities, if they were asked for                                */
};

static inline tilecut_image tc_film_image(const tilecut_film *f, int i)
{
    const size_t channels = (size_t)f->shape.channels;
    return (tilecut_image){.size = sizeof(tilecut_image), .width = f->shape.width, .height = f->shape.height,
                           .channels = f->shape.channels, .depth = 8,
                           .pixels = f->frame + (size_t)i * f->pixels * channels};
}

tc_marks tc_film_marks(const uint8_t *seeds, size_t pixels, bool painted, bool prior);

/* Begins frames, and cuts windows, as long as there are `ahead` frames behind the one to be begun. */
tilecut_status tc_film_go_on(tilecut_film *f, int ahead);

/* The trail with the colours of frame i: of the painted frame that is nearer. */
const tc_track *tc_film_colors(const tilecut_film *f, int i);

/* Cuts the frames that are begun and not final. The first `final` of the frames held are final afterwards. */
tilecut_status tc_film_cut_window(tilecut_film *f, int final);

/* Takes memory for a trail through frames of that size. ENOMEM. */
tilecut_status tc_track_init(tc_track *t, int width, int height, int step);
void tc_track_free(tc_track *t);

/* Learns from what is painted on frame i, and from `prior` if it is given, and cuts it alone. */
tilecut_status tc_film_teach(tilecut_film *f, tc_track *t, int i, const uint8_t *prior);

/* Finds the evidence of frame i from the frames before it on that trail: levels, one a pixel. */
tilecut_status tc_film_evidence(tilecut_film *f, tc_track *t, int i, uint8_t *level);

/* Keeps frame i and its mask for the evidence of the next ones. */
void tc_film_remember(tilecut_film *f, tc_track *t, int i);

/* Keeps frame i, on which there are strokes, for all later ones. */
void tc_film_keep(tilecut_film *f, tc_track *t, int i);

/* Takes over the masks that a window has given the frames kept; the last of them is frame `last`. */
void tc_film_relabel(tilecut_film *f, tc_track *t, int last);

/* The graph of frame i alone, into f->alone. EINVAL: nothing is known of the object there. */
tilecut_status tc_film_alone(tilecut_film *f, int i);

/* How sure the masks that are final are, into f->sure, unless it is known, and, if it is asked for, into f->doubt: of
 * the frames that have a mask, as one volume. */
tilecut_status tc_film_look(tilecut_film *f, bool doubt);

/* Cuts `count` frames from `first` on as a volume, and fills in their masks and reports. */
tilecut_status tc_film_cut(tilecut_film *f, const tc_track *t, int first, int count);
