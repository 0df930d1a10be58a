/* SPDX-License-Identifier: MIT */
#include "cleanup.h"

const option cleanup_options[] = {
    OPTION_HEADING("Clean-up of the mask, in this order; what is seeded stays"),
    {.name = "keep-largest", .volumes = VOLUMES_TOO, .brief = "drop all but the largest region",
     .help = "drop all foreground but the largest region",
     .at = offsetof(cleanup, keep_largest)},
    {.name = "min-area", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "drop foreground regions of fewer than N pixels", .parse = option_count,
     .at = offsetof(cleanup, min_area)},
    {.name = "fill-holes", .volumes = VOLUMES_TOO, .argument = "N", .brief = "fill holes of at most N pixels",
     .help = "fill holes of at most N pixels", .parse = option_count,
     .at = offsetof(cleanup, fill_holes)},
    {.name = "connected", .volumes = VOLUMES_TOO, .help = "drop foreground regions without a foreground seed",
     .at = offsetof(cleanup, connected)},
    OPTIONS_END
};

bool cleanup_wanted(const cleanup *what)
{
    return what->keep_largest || what->min_area || what->fill_holes || what->connected;
}

tilecut_cleaning cleanup_of(const cleanup *what, const cleanup_lattice *of)
{
    return (tilecut_cleaning){.width = of->width, .height = of->height, .depth = of->depth,
                              .connectivity = of->connectivity, .keep_largest = what->keep_largest,
                              .connected = what->connected, .min_area = what->min_area,
                              .fill_holes = what->fill_holes};
}

bool cleanup_mask(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *of, uint8_t *mask,
                  tilecut_cleaned *done)
{
    const tilecut_cleaning how = cleanup_of(what, of);
    return tilecut_clean(&how, seeds, mask, done) == TILECUT_OK;
}
