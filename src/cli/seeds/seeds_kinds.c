/* SPDX-License-Identifier: MIT
 *
 * seeds_kinds.c - the table of formats of seeds, and the meaning of their numbers.
 */
#include "seeds_parts.h"
#include "tilecut.h"

int seeds_label_trimap(int v, int depth)
{
    (void)depth;
    return v < 0 || v > 255 ? -1 : v <= BLACK_MAX ? TILECUT_BACKGROUND : v >= WHITE_MIN ? TILECUT_FOREGROUND
                                                                                        : TILECUT_UNKNOWN;
}

int seeds_label_grabcut(int v, int depth)
{
    (void)depth;
    return v == 0 ? TILECUT_BACKGROUND : v == 1 ? TILECUT_FOREGROUND : v == 2 || v == 3 ? TILECUT_UNKNOWN : -1;
}

int seeds_label_labels(int v, int depth)
{
    const bool unknown = v == 0 || v == 255 || (depth == 16 && v == 65535);
    return v == 1 ? TILECUT_FOREGROUND : v == 2 ? TILECUT_BACKGROUND : unknown ? TILECUT_UNKNOWN : -1;
}

#define VALUES(NAME, name, summary, sentence, foreground, background)                                                \
    {#name, summary, seeds_label_##name, sentence, foreground, background},
#define WHOLE(NAME, name, summary, foreground, background) {#name, summary, NULL, NULL, foreground, background},
const seeds_kind seeds_kinds[] = {
#include "seeds.def"
};
#undef VALUES
#undef WHOLE
