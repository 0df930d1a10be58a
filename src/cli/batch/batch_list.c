/* SPDX-License-Identifier: MIT
 *
 * batch_list.c - see batch_list.h: patterns and lists. batch_walk.c goes through folders, batch_check.c compares
 * results with inputs.
 */
#include "batch_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

/* ---- patterns --------------------------------------------------------------------------------- */

typedef struct piece {
    const char *text;
    size_t length;
} piece;

enum { STEM, NAME, EXT, DIR, SUB, PLACEHOLDERS };

static const char *const placeholders[PLACEHOLDERS] = {"{stem}", "{name}", "{ext}", "{dir}", "{sub}"};

static int placeholder_at(const char *text)
{
    for (int i = 0; i < PLACEHOLDERS; i++)
        if (!strncmp(text, placeholders[i], strlen(placeholders[i]))) return i;
    return -1;
}

static int check_pattern(const char *option, const char *pattern, failure *why)
{
    for (const char *at = pattern ? strchr(pattern, '{') : NULL; at; at = strchr(at + 1, '{'))
        if (placeholder_at(at) < 0)
            return fail(why, EXIT_USAGE, "%s: %s: after { comes stem, name, ext, dir or sub, and }", option, pattern);
    return EXIT_DONE;
}

int batch_names_check(const batch_names *names, failure *why)
{
    int status = check_pattern("--name", names->mask, why);
    if (!status) status = check_pattern("--cutout", names->cutout, why);
    if (!status) status = check_pattern("--overlay", names->overlay, why);
    for (int i = 0; !status && i < names->seed_count; i++) status = check_pattern("--seeds", names->seeds[i], why);
    return status;
}

static void take_apart(const char *photo, const char *sub, piece value[PLACEHOLDERS])
{
    const char *const slash = strrchr(photo, '/'), *const name = slash ? slash + 1 : photo;
    const char *const last = strrchr(name, '.'), *const dot = last && last != name ? last : name + strlen(name);
    value[STEM] = (piece){name, (size_t)(dot - name)};
    value[NAME] = (piece){name, strlen(name)};
    value[EXT] = *dot ? (piece){dot + 1, strlen(dot + 1)} : (piece){"", 0};
    value[DIR] = slash ? (piece){photo, slash == photo ? 1 : (size_t)(slash - photo)} : (piece){".", 1};
    value[SUB] = (piece){sub, strlen(sub)};
}

/* NULL: no memory. */
static char *expand(const char *folder, const char *pattern, const char *photo, const char *sub)
{
    piece value[PLACEHOLDERS];
    bytes out = {0};
    bool room = !folder || (bytes_append(&out, folder, strlen(folder)) && bytes_append(&out, "/", 1));

    take_apart(photo, sub, value);
    while (room && *pattern) {
        const int which = *pattern == '{' ? placeholder_at(pattern) : -1;
        if (which < 0) {
            room = bytes_append(&out, pattern++, 1);
        } else {
            room = bytes_append(&out, value[which].text, value[which].length);
            pattern += strlen(placeholders[which]);
            if (which == SUB && !*sub && *pattern == '/') pattern++; /* "{sub}/x" is "x" then, not "/x" */
        }
    }
    if (room && bytes_append(&out, "", 1)) return (char *)out.data;
    bytes_free(&out);
    return NULL;
}

/* ---- the list --------------------------------------------------------------------------------- */

void batch_item_free(batch_item *item)
{
    for (int i = 0; item->seeds && i < item->seed_count; i++) free(item->seeds[i]);
    free(item->seeds);
    free(item->photo);
    free(item->mask);
    free(item->cutout);
    free(item->overlay);
}

void batch_list_free(batch_list *list)
{
    for (int i = 0; i < list->count; i++) batch_item_free(&list->item[i]);
    free(list->item);
    *list = (batch_list){0};
}

static bool fill_seeds(batch_item *item, const batch_names *names, const char *sub, const char *seeds)
{
    item->seed_count = seeds ? 1 : names->seed_count;
    if (!item->seed_count) return true;
    item->seeds = calloc((size_t)item->seed_count, sizeof *item->seeds);
    for (int i = 0; item->seeds && i < item->seed_count; i++) {
        item->seeds[i] = seeds ? strdup(seeds) : expand(NULL, names->seeds[i], item->photo, sub);
        if (!item->seeds[i]) return false;
    }
    return item->seeds != NULL;
}

static bool fill_item(batch_item *item, const batch_names *names, const char *photo, const char *sub,
                      const char *seeds, const char *mask)
{
    item->photo = strdup(photo);
    if (!item->photo || !fill_seeds(item, names, sub, seeds)) return false;
    item->mask = mask ? strdup(mask) : expand(names->folder, names->mask, photo, sub);
    if (!item->mask) return false;
    if (names->cutout && !(item->cutout = expand(names->folder, names->cutout, photo, sub))) return false;
    return !names->overlay || (item->overlay = expand(names->folder, names->overlay, photo, sub)) != NULL;
}

static bool make_room(batch_list *list)
{
    if (list->count < list->room) return true;
    const int room = list->room ? 2 * list->room : 64;
    batch_item *const item = realloc(list->item, (size_t)room * sizeof *item);
    if (!item) return false;
    list->item = item;
    list->room = room;
    return true;
}

int batch_list_add(batch_list *list, const batch_names *names, const char *photo, const char *sub, const char *seeds,
                   const char *mask, const char *from, failure *why)
{
    batch_item item = {0};
    const char *const before = from ? from : photo;
    if (!strcmp(photo, "-") || (seeds && !strcmp(seeds, "-")) || (mask && !strcmp(mask, "-")))
        return fail(why, from ? EXIT_INPUT : EXIT_USAGE,
                    "%s: a batch reads and writes files, not standard input or output", before);
    if ((!mask || names->cutout || names->overlay) && !names->folder)
        return fail(why, from ? EXIT_INPUT : EXIT_USAGE,
                    "%s: nothing says where its results go; name a folder with -O", before);
    if (make_room(list) && fill_item(&item, names, photo, sub, seeds, mask)) {
        list->item[list->count++] = item;
        return EXIT_DONE;
    }
    batch_item_free(&item);
    return fail(why, EXIT_RESOURCES, "not enough memory for the list of %d jobs", list->count + 1);
}

/* ---- lists in files --------------------------------------------------------------------------- */

/* Splits a line at its tabs; the line is changed. Returns the number of fields, at most `most` + 1. */
static int split(char *line, char **field, int most)
{
    int count = 0;
    for (char *at = line; at; count++) {
        char *const tab = strchr(at, '\t');
        if (count < most) field[count] = at;
        if (count == most) return most + 1;
        if (tab) *tab = '\0';
        at = tab ? tab + 1 : NULL;
    }
    return count;
}

static int parse_line(batch_list *list, const batch_names *names, const char *from, char *line, failure *why)
{
    enum { FIELDS = 3 };
    char *field[FIELDS] = {NULL, NULL, NULL};
    const int count = split(line, field, FIELDS);
    if (count > FIELDS)
        return fail(why, EXIT_INPUT, "%s: has more than %d fields; a line is photo, seeds and mask, with tabs between",
                    from, FIELDS);
    if (!*field[0]) return fail(why, EXIT_INPUT, "%s: names no photo; a line is photo, seeds and mask, with tabs "
                                "between", from);
    for (int i = 1; i < FIELDS; i++)
        if (field[i] && !*field[i]) field[i] = NULL;
    return batch_list_add(list, names, field[0], "", field[1], field[2], from, why);
}

int batch_list_parse(batch_list *list, const batch_names *names, const char *name, const uint8_t *text, size_t size,
                     failure *why)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf}; /* of UTF-8, as editors leave it */
    int status = EXIT_DONE;
    size_t at = size >= sizeof mark && !memcmp(text, mark, sizeof mark) ? sizeof mark : 0;

    for (long number = 1; !status && at < size; number++) {
        const uint8_t *const end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        const uint8_t *const begin = text + at;
        char from[320];
        at += length + (end != NULL);
        if (length && begin[length - 1] == '\r') length--;
        if (!length || *begin == '#') continue;
        snprintf(from, sizeof from, "%.200s: line %ld", name, number);
        if (memchr(begin, 0, length))
            return fail(why, EXIT_INPUT, "%s: holds a zero byte; a list is text, one photo a line", from);
        char *const line = strndup((const char *)begin, length);
        status = line ? parse_line(list, names, from, line, why) : fail(why, EXIT_RESOURCES, "not enough memory");
        free(line);
    }
    return status;
}
