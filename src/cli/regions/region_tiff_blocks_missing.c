/* SPDX-License-Identifier: MIT
 *
 * region_tiff_blocks_missing.c - stands in for region_tiff_blocks.c where zlib was not found.
 */
#include "region.h"

int region_tiff_write_together(const region_team *team, const char *name, int file, failure *why)
{
    (void)team, (void)file;
    return fail(why, EXIT_RESOURCES, "%s: packing a TIFF in parts needs zlib, not found when this was built; "
                "name a .pgm", name);
}
