/* SPDX-License-Identifier: MIT
 *
 * score.h - how well a mask agrees with ground truth.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* In the truth, 0 is background, 255 foreground, and 128 is not judged. A mask is foreground from 128 on.
 * In a mask or truth of 0 and 1 alone, 1 is foreground. Over the
 * judged pixels:
 *   error_rate  wrong / judged
 *   iou         |mask and truth| / |mask or truth| of the foreground; 1 when both are empty
 *   boundary_f  2 P R / (P + R): P the share of the mask's boundary pixels with a boundary pixel of the
 *               truth within 0.0075 of the image's diagonal, R the converse; 1 when neither has any
 * Sources: Martin, Fowlkes & Malik, PAMI 2004 (boundary precision and recall with a distance tolerance);
 * Perazzi et al., CVPR 2016 (F of a segmentation's contour, tolerance 0.008 of the diagonal there). Here a
 * boundary pixel is a foreground pixel with a background pixel among its 4 neighbours, both judged, and
 * distances are Euclidean and exact; pixels may be matched more than once, as with Perazzi et al. */
typedef struct score {
    int64_t labelled, wrong;     /* pixels judged; of these, wrong */
    double error_rate, iou, boundary_f;
} score;

/* Scores one mask. EXIT_INPUT when sizes differ, truth holds other values, or nothing is judged. Names are for
 * messages. */
int score_pair(const image *mask, const char *mask_name, const image *truth, const char *truth_name,
               score *out, failure *why);
/* Two files; one of them may have shapes. */
typedef struct score_pair_of {
    const char *mask, *truth;
    const char *photo; /* the shapes are those of a picture of that name among several; NULL: of the only one */
    bool *missed;      /* out: the mask is a list of results that does not name the photo; NULL: that is refused */
    const bytes *text; /* text of the file with shapes, the truth if `drawn_truth`; NULL: it is read here */
    bool drawn_truth;
    struct annotation_memo *memo; /* what was read from that text before; NULL: the text is read once */
    bool strict;       /* a shape that cannot be read makes the file an error; else it is left out */
} score_pair_of;

/* Scores a pair of files. EXIT_SEEDS: the shapes are about other pictures. */
int score_files(const score_pair_of *of, score *out, notes *log, failure *why);

/* A row per pair of two folders. */
typedef struct score_row {
    char *name;                  /* name of the picture in the folder of masks; owned */
    score score;
} score_row;

typedef struct score_table {
    score_row *row;              /* sorted by name; owned */
    int count;
    score mean;                  /* rates: means over the rows that have them; counts: sums */
    bool strict;                 /* in: see score_pair_of */
} score_table;

/* What folders hold besides pictures: whether a name is of that kind, and the score of a pair of files of either kind.
 * NULL: pictures alone. */
typedef struct score_kind {
    bool (*is_named)(const char *name);
    int (*files)(const char *mask, const char *truth, score *out, notes *log, failure *why);
} score_kind;

/* Pairs every picture MASKS/NAME.* with TRUTHS/NAME.* or TRUTHS/NAME_gt.*; with `deep` also in the folders below, where
 * the name counts from MASKS and TRUTHS on. A mask without truth, or a truth without mask, is left out with a note.
 * EXIT_INPUT when no pair is left, when two truths fit one mask, or when a pair fails (its sentence). */
int score_folders(const char *masks, const char *truths, bool deep, const score_kind *more, score_table *out,
                  notes *log, failure *why);

/* Compares each picture of a folder with what a file has for its name, NAME.* or NAME_gt.*, and has nothing where it
 * knows the picture without shapes. `deep` as above. `swapped`: the folder has the masks, the file is the truth. Other
 * pictures are left out with a note. Errors as above. */
int score_annotations(const char *file, const char *folder, bool swapped, bool deep, score_table *out, notes *log,
                      failure *why);
/* Compares two files of shapes, picture by picture if one of them names several; if not, table->count is 0, and the
 * score is the mean. Pictures that one of them lacks are left out with a note. *both: both are such files; if not,
 * nothing is compared. EXIT_INPUT also if neither says how large a picture is. */
int score_drawn(const char *mask, const char *truth, bool *both, score_table *out, notes *log, failure *why);

/* Notes how many pictures of the truth a list of results does not name, which count as pictures with nothing found. */
void score_note_missed(const char *results, const char *truth, int count, notes *log);
/* Computes the mean of the rows. */
void score_table_mean(score_table *table);
void score_table_free(score_table *table);
