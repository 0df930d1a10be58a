/* SPDX-License-Identifier: MIT
 *
 * label_map.h - a label map as a picture: its pixels are label numbers, as grey values or as indices of a palette.
 */
#pragma once

#include "image.h"

/* True if the picture holds label numbers, not colours. */
static inline bool label_map_numbers(const image *map)
{
    return map->index || map->channels < 3;
}

static inline int label_map_number(const image *map, size_t p)
{
    const size_t at = p * (size_t)map->channels;
    if (map->index) return map->index[p];
    return map->depth == 8 ? map->pixels[at] : ((const uint16_t *)(void *)map->pixels)[at];
}
