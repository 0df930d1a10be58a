/* SPDX-License-Identifier: MIT
 *
 * exports.h - declarations shared by the exports; the photo and its text are in exports.c.
 */
#pragma once

#include "edit.h"

/* Before a function that JavaScript calls. It has no prototype, which would only repeat the definition. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define EXPORT(name) __attribute__((export_name(#name)))

typedef struct web_photo_parts {
    const image *photo;
    uint8_t *labels, *mask; /* the memory that web_labels() and web_mask() return, a byte a pixel */
    failure *why;           /* the failure whose sentence web_end() stores as the text */
    char *text;             /* a buffer of EDIT_ANSWER_BYTES for an answer in lines */
} web_photo_parts;

web_photo_parts web_parts(void);

/* Stores the sentence of a failure as the text. Returns `status`. */
int web_end(int status);
