/* SPDX-License-Identifier: MIT
 *
 * dicom_probe.h - recognises DICOM: "DICM" after 128 arbitrary bytes (PS3.10, 7.1), or, in older files, an element of
 * one of the first groups with its type in letters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool dicom_probe(const uint8_t *begin, size_t size)
{
    static const char types[] = "UL UI SH CS LO DA TM OB";
    if (size >= 132 && !memcmp(begin + 128, "DICM", 4)) return true;
    if (size < 132 || (begin[0] != 2 && begin[0] != 8) || begin[1] || begin[3]) return false;
    for (const char *type = types; *type; type += type[2] ? 3 : 2)
        if (!memcmp(begin + 4, type, 2)) return true;
    return false;
}
