/* SPDX-License-Identifier: MIT
 *
 * seeds_kinds.c - the table of formats of seeds, and the meaning of their numbers.
 */
#include "seeds_parts.h"
#include "tilecut.h"

int seeds_label_trimap(int v)
{
    return v < 0 || v > 255 ? -1 : v <= BLACK_MAX ? TILECUT_BACKGROUND : v >= WHITE_MIN ? TILECUT_FOREGROUND
                                                                                        : TILECUT_UNKNOWN;
}

int seeds_label_grabcut(int v)
{
    return v == 0 ? TILECUT_BACKGROUND : v == 1 ? TILECUT_FOREGROUND : v == 2 || v == 3 ? TILECUT_UNKNOWN : -1;
}

int seeds_label_number(double v)
{
    return v == 0 || v == UINT8_MAX || v == UINT16_MAX ? 0 : v > 0 && v < UINT8_MAX && v == (int)v ? (int)v : -1;
}

int seeds_label_labels(int v)
{
    const int label = seeds_label_number(v);
    return label == 1 ? TILECUT_FOREGROUND : label == 2 ? TILECUT_BACKGROUND : label == 0 ? TILECUT_UNKNOWN : -1;
}

#define VALUES(NAME, name, summary, sentence, foreground, background)                                                \
    {#name, summary, seeds_label_##name, sentence, foreground, background},
#define WHOLE(NAME, name, summary, foreground, background) {#name, summary, NULL, NULL, foreground, background},
const seeds_kind seeds_kinds[] = {
#include "seeds.def"
};
#undef VALUES
#undef WHOLE
