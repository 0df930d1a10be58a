/* SPDX-License-Identifier: MIT
 *
 * image_heif_missing.c - replaces image_heif.c, heif_reader.c and heif_writer.c if libheif was not found when the
 * program was built.
 */
#include "heif_brands.h"
#include "image.h"

const image_format image_heic = {
    .name = "HEIC",
    .line = "HEIC  no            built without libheif",
    .probe = heif_probe_heic,
    .without = "libheif",
};

const image_format image_avif = {
    .name = "AVIF",
    .line = "AVIF  no            built without libheif",
    .extensions = {"avif"},
    .probe = heif_probe_avif,
    .without = "libheif",
};
