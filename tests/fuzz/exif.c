/* SPDX-License-Identifier: MIT
 *
 * exif.c - fuzz target: EXIF data: reading the orientation from it or from XMP, turning a picture accordingly, and the
 * part that is kept.
 */
#include "fuzz.h"
#include "image_exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const image_limits limits = {0};
    const int orientation = exif_orientation(data, size, data, size);
    image pic = {.width = 3, .height = 2, .channels = 1, .depth = 8, .pixels = calloc(6, 1)};
    failure why = {0};
    MUST(orientation >= 1 && orientation <= 8);
    MUST(exif_keep("fuzz", data, size, &pic, &why) == EXIT_DONE);
    MUST(!pic.density[0] == !pic.density[1]);
    MUST(pic.pixels && image_orient("fuzz", orientation, &limits, &pic, &why) == EXIT_DONE);
    MUST(pic.width * pic.height == 6 && (pic.width == 2) == (orientation >= 5));
    MUST(!pic.exif || orientation == 1 || exif_orientation(pic.exif, pic.exif_size, NULL, 0) == 1);
    image_free(&pic);
    return 0;
}
