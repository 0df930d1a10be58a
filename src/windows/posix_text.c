/* SPDX-License-Identifier: MIT
 *
 * posix_text.c - functions for text that Windows lacks (posix.h).
 */
#include "posix.h"

void *posix_memmem(const void *in, size_t room, const void *what, size_t size)
{
    const char *const text = in;
    for (size_t i = 0; size <= room && i <= room - size; i++)
        if (!memcmp(text + i, what, size)) return (void *)(uintptr_t)(text + i);
    return NULL;
}

char *posix_strndup(const char *text, size_t size)
{
    const size_t length = strnlen(text, size);
    char *const copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *posix_strsep(char **rest, const char *marks)
{
    char *const word = *rest;
    if (!word) return NULL;
    char *const end = word + strcspn(word, marks);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return word;
}

char *posix_strcasestr(const char *in, const char *what)
{
    const size_t size = strlen(what);
    for (; *in; in++)
        if (!strncasecmp(in, what, size)) return (char *)(uintptr_t)in;
    return size ? NULL : (char *)(uintptr_t)in;
}
