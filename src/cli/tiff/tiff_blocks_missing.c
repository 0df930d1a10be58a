/* SPDX-License-Identifier: MIT
 *
 * tiff_blocks_missing.c - stands in for tiff_blocks.c where zlib was not found.
 */
#include "image_tiff.h"

int tiff_write_together(const struct region_team *team, const char *name, int file, failure *why)
{
    (void)team, (void)file;
    return fail(why, EXIT_RESOURCES, "%s: packing a TIFF in parts needs zlib, not found when this was built; "
                "name a .pgm", name);
}
