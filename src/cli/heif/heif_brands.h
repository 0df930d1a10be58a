/* SPDX-License-Identifier: MIT
 *
 * heif_brands.h - recognises HEIC and AVIF by the first box of the file, "ftyp". It names the file's format, and
 * formats that the file is compatible with, in words of four letters (ISO/IEC 23008-12).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True if the four letters at `at` are one of `words`, which are separated by blanks. */
static inline bool heif_is_one(const uint8_t *at, const char *words)
{
    for (; *words; words += words[4] ? 5 : 4)
        if (!memcmp(at, words, 4)) return true;
    return false;
}

/* True if the file is AVIF: the first word, or one of those that follow, says so. */
static inline bool heif_probe_avif(const uint8_t *file, size_t size)
{
    static const char ours[] = "avif avis mif1 msf1";
    if (size < 12 || memcmp(file + 4, "ftyp", 4) != 0 || !heif_is_one(file + 8, ours)) return false;
    const size_t said = (size_t)file[2] << 8 | file[3], end = file[0] || file[1] || said > size ? size : said;
    for (size_t at = 8; at + 4 <= end && at < 256; at += at == 8 ? 8 : 4)
        if (heif_is_one(file + at, "avif avis")) return true;
    return false;
}

static inline bool heif_probe_heic(const uint8_t *file, size_t size)
{
    static const char ours[] = "heic heix hevc hevx heim heis hevm hevs mif1 msf1";
    return size >= 12 && !memcmp(file + 4, "ftyp", 4) && heif_is_one(file + 8, ours) && !heif_probe_avif(file, size);
}
