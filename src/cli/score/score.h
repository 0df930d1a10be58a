/* SPDX-License-Identifier: MIT
 *
 * score.h - measures how well masks agree with ground truth.
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
    int64_t labelled, wrong;     /* pixels judged, and those of them that are wrong */
    double error_rate, iou, boundary_f;
} score;

/* Scores one mask. EXIT_INPUT if sizes differ, if the truth has other values, or if no pixel is judged. The names are
 * for messages. */
int score_pair(const image *mask, const char *mask_name, const image *truth, const char *truth_name,
               score *out, failure *why);
/* Two files to compare; one of them may have shapes. */
typedef struct score_pair_of {
    const char *mask, *truth;
    const char *photo; /* use the shapes of the picture of that name; NULL: the file describes only one picture */
    bool *missed;      /* out: true if the mask is a list of results that does not name the photo; NULL: such a list is
                          refused */
    const bytes *text; /* text of the file with shapes, which is the truth if drawn_truth is set; NULL: the file is read
                          here */
    bool drawn_truth;
    struct annotation_memo *memo; /* keeps parsed annotations between calls; NULL: the text is read once only */
    shape_rules rules;
} score_pair_of;

/* Scores a pair of files. EXIT_SEEDS: the shapes describe other pictures. */
int score_files(const score_pair_of *of, score *out, notes *log, failure *why);

/* The score of one pair of files from two folders. */
typedef struct score_row {
    char *name;                  /* name of the picture within the folder of masks; owned */
    score score;
} score_row;

typedef struct score_table {
    score_row *row;              /* sorted by name; owned */
    int count;
    score mean;                  /* mean of each rate over the rows that have it, and sum of each count */
    shape_rules rules;           /* in */
} score_table;

/* A kind of file that folders may hold besides pictures: is_named() recognises its names, and files() scores a pair of
 * files of either kind. NULL: only pictures. */
typedef struct score_kind {
    bool (*is_named)(const char *name);
    int (*files)(const char *mask, const char *truth, score *out, notes *log, failure *why);
} score_kind;

/* Pairs each picture MASKS/NAME.* with TRUTHS/NAME.* or TRUTHS/NAME_gt.*. `deep` includes subfolders; NAME is then the
 * path below MASKS and TRUTHS. A mask without truth, or a truth without mask, is left out with a note. EXIT_INPUT if no
 * pair is left, if two truths fit one mask, or if a pair fails (with the sentence of that pair). */
int score_folders(const char *masks, const char *truths, bool deep, const score_kind *more, score_table *out,
                  notes *log, failure *why);

/* Compares each picture NAME.* or NAME_gt.* of a folder with the shapes that a file has for that name; no shapes mean
 * an empty mask if the file lists the picture. `deep` includes subfolders. `swapped`: the folder has the masks and the
 * file is the truth. Pictures that the file does not list are left out with a note. Errors as for score_folders(). */
int score_annotations(const char *file, const char *folder, bool swapped, bool deep, score_table *out, notes *log,
                      failure *why);
/* Compares two files of shapes, picture by picture if one of them names several; if not, table->count is 0, and the
 * score is the mean. Pictures that one of them lacks are left out with a note. Sets *both to true if both files are
 * files of shapes; otherwise nothing is compared. EXIT_INPUT also if no file gives the size of a picture. */
int score_drawn(const char *mask, const char *truth, bool *both, score_table *out, notes *log, failure *why);

/* Adds a note with the number of pictures of the truth that a list of results does not name; they count as empty
 * masks. */
void score_note_missed(const char *results, const char *truth, int count, notes *log);
/* Computes the mean over the rows. */
void score_table_mean(score_table *table);
void score_table_free(score_table *table);
