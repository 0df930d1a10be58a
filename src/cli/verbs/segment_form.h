/* SPDX-License-Identifier: MIT
 *
 * segment_form.h - runs one job as a verb; the verbs that share it begin from different inputs.
 */
#pragma once

#include <stdbool.h>

#include "failure.h"
#include "tilecut.h"

typedef struct segment_form {
    const char *verb, *synopsis, *about, *examples;
    bool checks;  /* true: reads and prints findings, but cuts nothing unless --suggest is given */
    bool refines; /* true: the second operand is the initial mask, as --mask is in `segment` */
} segment_form;

/* What `check` has read. */
typedef struct checked {
    struct job *job;       /* its photo, or of a scan its seeds and figures */
    struct scan_job *scan; /* NULL: a photo */
    int parts;             /* --parts; 0: undivided */
    bool suggest;          /* --suggest */
} checked;

/* Prints the findings of `check`. Cuts first if a stroke is to be suggested; `how` is for that. */
int check_report(const checked *what, const tilecut_params *how, failure *why);

/* Runs the verb; arguments as for a verb_function. */
int segment_as(const segment_form *form, int argc, char **argv, failure *why);

/* labels_are_meant() is true if --labels is among the words; it cannot be the argument of another option. Then the
 * other two take the place of `refine` and `batch`. */
bool labels_are_meant(int argc, char **argv);
int refine_labels(int argc, char **argv, failure *why);
int batch_labels(int argc, char **argv, failure *why);
