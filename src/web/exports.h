/* SPDX-License-Identifier: MIT
 *
 * exports.h - what the files of exports share: the photo and its text live in exports.c.
 */
#pragma once

#include "edit.h"

#define EXPORT(name) __attribute__((export_name(#name)))

typedef struct web_photo_parts {
    const image *photo;
    uint8_t *labels, *mask; /* a byte a pixel, of web_labels() and web_mask() */
    failure *why;           /* the failure whose sentence web_end() makes the text */
    char *text;             /* EDIT_ANSWER_BYTES for an answer in lines       */
} web_photo_parts;

web_photo_parts web_parts(void);

/* Makes the sentence of a failure the text. Returns `status`. */
int web_end(int status);
