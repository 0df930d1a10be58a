/* SPDX-License-Identifier: MIT
 *
 * image_json.c - recognises annotations: seeds and masks may be given as shapes (JSON, XML or lines of numbers) in
 * place of a picture. The text is passed on as it is.
 */
#include <string.h>
#include <strings.h>

#include "image.h"

/* True for XML of any kind except web pages. */
static bool is_xml(const uint8_t *text, size_t size)
{
    static const char *const starts[] = {"<?xml", "<!--", "<!DOCTYPE svg"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (size >= strlen(starts[i]) && !memcmp(text, starts[i], strlen(starts[i]))) return true;
    const bool letter = size > 1 && (text[1] | 0x20) >= 'a' && (text[1] | 0x20) <= 'z';
    return letter && (size < 5 || strncasecmp((const char *)text, "<html", 5) != 0);
}

/* True if at least half of the non-blank lines consist of five or more numbers. The other lines may be damaged. */
static bool is_numbers(const uint8_t *text, size_t size)
{
    static const char letters[] = "0123456789.eE+-", blanks[] = " \t\r\n";
    enum { LOOKED_AT = 1 << 16, LEAST = 5 };
    int words = 0, lines = 0, good = 0;
    bool numbers = true;
    for (size_t i = 0; i < size && i < LOOKED_AT; i++) {
        const bool blank = text[i] && strchr(blanks, text[i]), last = i + 1 == size || i + 1 == LOOKED_AT;
        if (text[i] < ' ' && !blank) return false;
        words += !blank && (!i || strchr(blanks, text[i - 1]));
        numbers = numbers && (blank || strchr(letters, text[i]));
        if (!last && text[i] != '\n') continue;
        lines += words > 0;
        good += numbers && words >= LEAST;
        words = 0, numbers = true;
    }
    return good > 0 && good >= lines - good;
}

static size_t skip_blanks(const uint8_t *file, size_t size, size_t i)
{
    while (i < size && (file[i] == ' ' || file[i] == '\t' || file[i] == '\r' || file[i] == '\n')) i++;
    return i;
}

static bool probe_json(const uint8_t *file, size_t size)
{
    const size_t i = skip_blanks(file, size, utf8_mark(file, size));
    if (i == size) return false;
    if (file[i] == '{' || file[i] == '[' || (file[i] == 0x1e && i + 1 < size && file[i + 1] == '{')) return true;
    return file[i] == '<' ? is_xml(file + i, size - i) : is_numbers(file + i, size - i);
}

/* True if the character after the opening bracket is one that JSON allows there. In settings and source code it rarely
 * is. */
static bool is_json(const uint8_t *file, size_t size)
{
    const size_t first = skip_blanks(file, size, utf8_mark(file, size)), next = skip_blanks(file, size, first + 1);
    if (next >= size || (file[first] != '{' && file[first] != '[')) return false;
    return memchr(file[first] == '{' ? "\"}" : "\"]{[-0123456789tfn", file[next], file[first] == '{' ? 2 : 18) != NULL;
}

static int decode_json(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *log, failure *why)
{
    (void)log;
    if (!limits->annotations && memchr(file, '<', size < 4 ? size : 4))
        return fail(why, EXIT_INPUT, "%s: is an SVG or XML file; convert it to PNG first", name);
    if (!limits->annotations)
        return fail(why, EXIT_INPUT, "%s: is %s, not a picture; annotations are read as seeds (-s) or as masks", name,
                    is_json(file, size) ? "JSON" : "text");
    if (!bytes_append(&out->text, file, size))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    return EXIT_DONE;
}

const image_format image_json = {
    .name = "JSON",
    .probe = probe_json,
    .decode = decode_json,
};
