/* SPDX-License-Identifier: MIT
 *
 * segment_form.h - one job of the program as a verb, for the verbs that begin from different things.
 */
#pragma once

#include <stdbool.h>

#include "failure.h"

typedef struct segment_form {
    const char *verb, *synopsis, *about, *examples;
    bool refines; /* the second operand is the mask to begin from, for which there is --mask otherwise */
} segment_form;

/* Runs it; arguments as of a verb_function. */
int segment_as(const segment_form *form, int argc, char **argv, failure *why);

/* Whether --labels is among the words; no option takes it as its argument. Then `refine` and `batch` are these. */
bool labels_are_meant(int argc, char **argv);
int refine_labels(int argc, char **argv, failure *why);
int batch_labels(int argc, char **argv, failure *why);
