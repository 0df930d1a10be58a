/* SPDX-License-Identifier: MIT */
#include "coco_runs.h"

/* 7 groups of 5 bits are 35 bits, enough for any difference */
enum { FIRST = 48, BITS = 5, MORE = 32, SIGN = 16, GROUPS = 7 };

bool coco_runs_write(const uint32_t *runs, size_t count, bytes *text)
{
    for (size_t i = 0; i < count; i++) {
        int64_t rest = (int64_t)runs[i] - (i > 2 ? (int64_t)runs[i - 2] : 0);
        bool more = true;
        while (more) {
            const int group = (int)((uint64_t)rest & (MORE - 1));
            /* This is an arithmetic shift; a plain division would round negative numbers towards zero. */
            rest = rest >= 0 ? rest / MORE : -((-rest + MORE - 1) / MORE);
            more = group & SIGN ? rest != -1 : rest != 0;
            const char letter = (char)(FIRST + group + (more ? MORE : 0));
            if (!bytes_append(text, &letter, 1)) return false;
        }
    }
    return true;
}

bool coco_runs_read(const char **text, int64_t two_before, uint32_t *run)
{
    int64_t value = 0;
    for (int i = 0; i < GROUPS; i++) {
        const int letter = (unsigned char)**text;
        if (letter < FIRST || letter >= FIRST + 2 * MORE) return false;
        ++*text;
        const int64_t group = (letter - FIRST) & (MORE - 1);
        value |= (int64_t)((uint64_t)group << (BITS * i));
        if ((letter - FIRST) & MORE) continue;
        if (group & SIGN) value -= INT64_C(1) << (BITS * (i + 1));
        value += two_before;
        if (value < 0 || value > UINT32_MAX) return false;
        *run = (uint32_t)value;
        return true;
    }
    return false;
}
