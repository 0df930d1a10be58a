/* SPDX-License-Identifier: MIT */
#include "frame_list.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folders.h"
#include "image.h"
#include "numbers.h"

/* ---- Order ------------------------------------------------------------------------------------- */

/* Compares the numbers, of any length, at *a and *b, and moves both behind them. */
static int order_of_numbers(const char **a, const char **b)
{
    const char *p = *a, *q = *b;
    while (*p == '0') p++;
    while (*q == '0') q++;
    size_t m = 0, n = 0;
    while (is_digit(p[m])) m++;
    while (is_digit(q[n])) n++;
    *a = p + m, *b = q + n;
    if (m != n) return m < n ? -1 : 1;
    return strncmp(p, q, m);
}

/* Compares names so that "frame2" comes before "frame10". Different names never compare equal. */
static int order_of(const char *a, const char *b)
{
    const char *p = a, *q = b;
    while (*p && *q) {
        if (is_digit(*p) && is_digit(*q)) {
            const int numbers = order_of_numbers(&p, &q);
            if (numbers) return numbers;
        } else {
            if (*p != *q) break;
            p++, q++;
        }
    }
    const int rest = (unsigned char)*p - (unsigned char)*q;
    return rest ? rest : strcmp(a, b);
}

const char *frame_stem(const char *path, size_t *length)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const char *const dot = strrchr(name, '.');
    *length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

/* ---- Lists ------------------------------------------------------------------------------------- */

void frame_list_free(frame_list *list)
{
    for (int i = 0; i < list->count; i++) free(list->name[i]);
    free(list->name);
    *list = (frame_list){0};
}

static int add_frame(frame_list *list, const char *folder, const char *name, failure *why)
{
    const bool more = (list->count & (list->count - 1)) == 0; /* room doubles */
    char **const names = more ? realloc(list->name, (2 * (size_t)list->count + 1) * sizeof *names) : list->name;
    char *const path = folders_join(folder, name);
    if (names) list->name = names;
    if (!names || !path) {
        free(path);
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for the names of frames", name);
    }
    list->name[list->count++] = path;
    return EXIT_DONE;
}

/* The parts of a name with %d or %04d. */
typedef struct numbered {
    size_t before; /* length of the part before the number */
    int width;     /* minimal number of digits, filled up with 0 */
    const char *after;
} numbered;

static bool read_numbered(const char *name, numbered *out)
{
    const char *const percent = strchr(name, '%'), *at = percent;
    if (!percent) return false;
    *out = (numbered){.before = (size_t)(percent - name), .width = 1};
    at++;
    if (*at == '0' && is_digit(at[1])) {
        out->width = at[1] - '0';
        at += 2;
    }
    out->after = at + 1;
    return *at == 'd' && !strchr(out->after, '%');
}

/* Returns the number at that place in the file's name, or -1 if there is none. */
static long long number_in(const char *file, const char *name, const numbered *pattern)
{
    const char *const at = file + pattern->before;
    size_t digits = 0;
    if (strncmp(file, name, pattern->before) != 0) return -1;
    while (is_digit(at[digits])) digits++;
    const bool padded = *at == '0' && digits > 1;
    if (digits < (size_t)pattern->width || digits > 9 || (padded && digits != (size_t)pattern->width)) return -1;
    return strcmp(at + digits, pattern->after) ? -1 : strtoll(at, NULL, 10);
}

enum wanted_names { PICTURES, FITTING, NUMBERED };

static bool belongs(const char *file, enum wanted_names kind, const char *name, const numbered *pattern)
{
    if (*file == '.') return false;
    if (kind == NUMBERED) return number_in(file, name, pattern) >= 0;
    return kind == FITTING ? fnmatch(name, file, 0) == 0 : image_has_extension(file);
}

static int by_order(const void *a, const void *b)
{
    return order_of(*(char *const *)a, *(char *const *)b);
}

static int list_folder(frame_list *list, const char *folder, const char *shown, enum wanted_names kind,
                       const char *name, const numbered *pattern, failure *why)
{
    DIR *const all = opendir(*folder ? folder : ".");
    int status = EXIT_DONE;
    if (!all) return fail(why, EXIT_INPUT, "%s: cannot be read as a folder: %s", *folder ? folder : ".",
                          strerror(errno));
    for (const struct dirent *one; !status && (one = readdir(all)) != NULL;)
        if (belongs(one->d_name, kind, name, pattern)) status = add_frame(list, folder, one->d_name, why);
    closedir(all);
    if (!status && !list->count)
        return fail(why, EXIT_INPUT, kind == PICTURES ? "%s: holds no picture" : "%s: no file has such a name", shown);
    if (!status) qsort(list->name, (size_t)list->count, sizeof *list->name, by_order);
    return status;
}

/* Refuses gaps between the numbers, because a missing frame would shift all later strokes. */
static int check_gaps(const frame_list *list, const char *name, const numbered *pattern, failure *why)
{
    for (int i = 1; i < list->count; i++) {
        size_t length;
        const long long last = number_in(frame_stem(list->name[i - 1], &length), name, pattern);
        if (number_in(frame_stem(list->name[i], &length), name, pattern) != last + 1)
            return fail(why, EXIT_INPUT, "%s: after it number %lld is missing; %s comes next", list->name[i - 1],
                        last + 1, list->name[i]);
    }
    return EXIT_DONE;
}

static int find_named(frame_list *list, const char *path, failure *why)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    char folder[PATH_MAX] = "";
    numbered pattern = {0};
    const bool numbers = read_numbered(name, &pattern);
    if (!numbers && !strpbrk(name, "*?")) return EXIT_DONE;
    if (slash && !folders_of(path, folder)) return fail(why, EXIT_INPUT, "%s: its name is too long", path);
    const int status = list_folder(list, folder, path, numbers ? NUMBERED : FITTING, name, &pattern, why);
    if (status || !numbers) return status;
    return check_gaps(list, name, &pattern, why);
}

int frame_list_find(frame_list *list, const char *const *words, int count, failure *why)
{
    struct stat about;
    int status = EXIT_DONE;
    if (count > 1) {
        for (int i = 0; !status && i < count; i++) status = add_frame(list, "", words[i], why);
        return status;
    }
    if (!count || !strcmp(words[0], "-")) return EXIT_DONE;
    if (stat(words[0], &about) != 0) return find_named(list, words[0], why);
    if (S_ISDIR(about.st_mode)) return list_folder(list, words[0], words[0], PICTURES, NULL, NULL, why);
    return image_has_extension(words[0]) ? add_frame(list, "", words[0], why) : EXIT_DONE;
}
