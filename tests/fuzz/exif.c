/* SPDX-License-Identifier: MIT
 *
 * exif.c - fuzz target: the orientation in EXIF data, and turning a picture by it.
 */
#include "fuzz.h"
#include "image_exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const image_limits limits = {0};
    const int orientation = exif_orientation(data, size);
    image pic = {.width = 3, .height = 2, .channels = 1, .depth = 8, .pixels = calloc(6, 1)};
    failure why = {0};
    MUST(orientation >= 1 && orientation <= 8);
    MUST(pic.pixels && image_orient("fuzz", orientation, &limits, &pic, &why) == EXIT_DONE);
    MUST(pic.width * pic.height == 6 && (pic.width == 2) == (orientation >= 5));
    image_free(&pic);
    return 0;
}
