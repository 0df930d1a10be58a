/* SPDX-License-Identifier: MIT
 *
 * synthetic_photo.h - reads a photo and its seeds from files, in the form that the families of instances take.
 */
#pragma once

#include "failure.h"
#include "synthetic.h"
#include "inputs.h"

typedef struct loaded_photo {
    family_photo photo;      /* points to the members below */
    uint8_t *pixels;         /* owned             */
    seeds seeds;
} loaded_photo;

/* Reads `path` and, if `with_seeds`, the seeds that `in` names. Drops transparency and reduces 16 bits to 8. */
int loaded_photo_read(const inputs *in, const char *path, bool with_seeds, loaded_photo *out, notes *log, failure *why);
void loaded_photo_free(loaded_photo *photo);
