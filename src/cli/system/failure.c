/* SPDX-License-Identifier: MIT
 *
 * failure.c - formats messages as one printable line, whatever names they contain.
 */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True for invisible characters that change how other text is shown: direction marks and overrides, line and paragraph
 * separators, characters without width. */
static bool turns_text(unsigned code)
{
    return code == 0x61c || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

/* Returns the length of the printable UTF-8 character at `s`, or 0. Control characters (C0, DEL, C1), stray bytes,
 * overlong forms and surrogates are not printable, because a terminal might act on them. */
static size_t printable(const unsigned char *s)
{
    if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7f;
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    unsigned code = s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    static const unsigned least[5] = {0, 0, 0xa0, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || turns_text(code)) return 0;
    return length;
}

static void make_printable(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        const size_t length = printable(s);
        if (!length) *s = '?';
        s += length ? length : 1;
    }
}

/* Shortens a long path in the middle, because the error stands at the end of the line. */
static void shorten(const char *text, char *out, size_t room)
{
    const size_t length = strlen(text);
    if (length < room) {
        memcpy(out, text, length + 1);
        return;
    }
    const size_t head = room / 3, tail = room - 1 - head - 3;
    memcpy(out, text, head);
    memcpy(out + head, "...", 3);
    memcpy(out + head + 3, text + length - tail, tail + 1);
}

static void format_line(char *out, size_t room, const char *format, va_list arguments)
{
    char stack[1024], *text = stack;
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(stack, sizeof stack, format, arguments);
    char *const heap = length >= (int)sizeof stack ? malloc((size_t)length + 1) : NULL;
    if (heap) {
        vsnprintf(heap, (size_t)length + 1, format, again);
        text = heap;
    }
    va_end(again);
    if (length < 0) stack[0] = '\0';
    shorten(text, out, room);
    make_printable(out);
    free(heap);
}

const char *printable_name(const char *text, char line[PRINTABLE_ROOM])
{
    shorten(text, line, PRINTABLE_ROOM);
    make_printable(line);
    return line;
}

int (fail)(failure *why, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    why->status = status;
    format_line(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return status;
}

int fail_at_line(failure *why, const char *name, int64_t line, const char *format, ...)
{
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!line) return fail(why, EXIT_INPUT, "%.250s: %s", name, text);
    return fail(why, EXIT_INPUT, "%.200s: line %lld: %s", name, (long long)line, text);
}

void note(notes *list, const char *format, ...)
{
    if (!list) return;
    char line[640];
    va_list arguments;
    va_start(arguments, format);
    format_line(line, sizeof line, format, arguments);
    va_end(arguments);
    /* without memory for a note, the note is dropped and the run goes on */
    char **const text = realloc(list->text, ((size_t)list->count + 1) * sizeof *text);
    if (!text) return;
    list->text = text;
    char *const copy = strdup(line);
    if (copy) list->text[list->count++] = copy;
}

void notes_show(const notes *list, bool quiet)
{
    for (int i = 0; !quiet && i < list->count; i++) fprintf(stderr, "tilecut: note: %s\n", list->text[i]);
}

void notes_free(notes *list)
{
    for (int i = 0; i < list->count; i++) free(list->text[i]);
    free(list->text);
    list->text = NULL;
    list->count = 0;
}

int fail_memory(const char *name, const char *what, uint64_t need, uint64_t most, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: %s and needs %.1f MB of memory; at most %.1f MB are allowed", name, what,
                (double)((need + 99999) / 100000) / 10, (double)(most / 100000) / 10);
}
