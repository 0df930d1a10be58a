/* SPDX-License-Identifier: MIT
 *
 * annotation_pictures.c - finds the photo among the pictures that a file describes. The file names a picture by a path
 * on another computer, by an address, or by a number, and the photo may have been moved or converted since. So names
 * are compared from their end: first the file's name, then the folders above it.
 */
#include <stdlib.h>
#include <string.h>

#include "annotation.h"

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* Copies a name for the comparison. If it is an address, drops the query and fragment after ? or #. NULL: no memory. */
static char *plain(const char *name)
{
    char *const out = strdup(name);
    if (out && strstr(name, "://")) out[strcspn(out, "?#")] = '\0';
    return out;
}

/* Decodes percent escapes such as %20, in place. */
static void unescape(char *name)
{
    char *to = name;
    for (const char *from = name; *from; from++) {
        char digits[3] = {from[0] == '%' ? from[1] : '\0', from[0] == '%' && from[1] ? from[2] : '\0', '\0'}, *end;
        const long code = strtol(digits, &end, 16);
        const bool coded = digits[1] && end == digits + 2 && code > 0;
        *to++ = coded ? (char)code : *from;
        if (coded) from += 2;
    }
    *to = '\0';
}

static size_t stem_length(const char *base)
{
    const char *const dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

/* Counts how many folders above two files have equal names, from the file upwards. *other becomes true if the count
 * ended at two different names, not at the end of a path. */
static int folders_alike(const char *a, const char *a_base, const char *b, const char *b_base, bool *other)
{
    int count = 0;
    const char *p = a_base, *q = b_base;
    *other = false;
    while (p - 1 > a && q - 1 > b) {
        const char *const p_end = p - 1, *const q_end = q - 1;
        for (p = p_end; p > a && !is_slash(p[-1]);) p--;
        for (q = q_end; q > b && !is_slash(q[-1]);) q--;
        *other = p_end - p != q_end - q || strncmp(p, q, (size_t)(p_end - p)) != 0;
        if (*other) return count;
        count++;
    }
    return count;
}

/* True if the photo's name ends with this number, as "COCO_val2014_000000000139.jpg" ends with 139. */
static bool has_number(const char *base, const char *number)
{
    size_t end = stem_length(base), first = end;
    while (first > 0 && base[first - 1] >= '0' && base[first - 1] <= '9') first--;
    while (first + 1 < end && base[first] == '0') first++;
    return end > first && strlen(number) == end - first && !strncmp(base + first, number, end - first);
}

/* Returns the photo's full path, so that its folders can be compared even if the user did not give them. If there is no
 * such file, returns the path as given. */
static const char *photo_of(const annotation_request *request, annotation_pictures *all)
{
    if (!all->photo) all->photo = realpath(request->photo, NULL);
    if (!all->photo) all->photo = strdup(request->photo);
    if (!all->photo) all->no_memory = true;
    return all->photo;
}

enum { NUMBER = 1, STEM = 2, EXACT = 1 << 16, FOLDER = 4, FREE = 2 };

/* Ranks a name that plain() has prepared. */
static int rank_plain(const char *photo, const char *base, const char *name)
{
    const char *const its = annotation_base(name);
    const size_t stem = stem_length(base);
    bool other;
    /* Lists of results often name pictures without an extension. */
    const bool same_stem = !strncmp(its, base, stem) && (stem_length(its) == stem || strlen(its) == stem);
    if (!*its || (strcmp(its, base) != 0 && !same_stem)) return 0;
    const int folders = folders_alike(name, its, photo, base, &other);
    return (strcmp(its, base) ? STEM : EXACT) + FOLDER * folders + (other ? 0 : FREE);
}

int annotation_rank(const annotation_request *request, annotation_pictures *all, const char *name)
{
    const char *const photo = request->photo ? photo_of(request, all) : NULL;
    all->names = request->names;
    if (!photo) return 0;
    const char *const base = annotation_base(photo);
    if (*name == '#' && request->id && *request->id) return strcmp(name, request->id) ? 0 : NUMBER;
    if (*name == '#') return has_number(base, name + 1) ? NUMBER : 0;
    char *const one = plain(name);
    if (!one) return all->no_memory = true, 0;
    const int rank = rank_plain(photo, base, one);
    unescape(one);
    const int decoded = rank_plain(photo, base, one);
    free(one);
    return decoded > rank ? decoded : rank;
}

void annotation_offer(annotation_pictures *all, const char *name, int rank)
{
    const char *const id = all->id ? all->id : *name == '#' ? name : "";
    if (all->names && *name && !(bytes_append(all->names, name, strlen(name) + 1) &&
                                 bytes_append(all->names, id, strlen(id) + 1)))
        all->no_memory = true;
    if (all->name && !strcmp(all->name, name)) return;
    all->several |= all->name != NULL;
    if (all->name && rank < all->best) return;
    char **const to = all->name && rank == all->best ? &all->rival : &all->name;
    if (to == &all->name) {
        free(all->rival);
        all->rival = NULL;
        all->best = rank;
    }
    free(*to);
    *to = strdup(name);
    if (!*to) all->no_memory = true;
}

/* True if one of the two names, without extensions, begins with the other, as photo_gt.png with photo.jpg. */
static bool begins_alike(const char *name, const char *mask)
{
    const char *const one = annotation_base(name), *const other = annotation_base(mask);
    const size_t a = stem_length(one), b = stem_length(other);
    return !strncmp(one, other, a < b ? a : b);
}

int annotation_decide(const annotation_request *request, const annotation_pictures *all, notes *log, failure *why)
{
    const char *const photo = request->photo;
    if (all->no_memory) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its names", request->name);
    const bool named = all->name && all->name[0] && all->name[0] != '#';
    if (!all->several && named && !all->best && photo && !(request->of_mask && begins_alike(all->name, photo)))
        note(log, "%s: is about one picture, of another name than %s", request->name, photo);
    if (!all->several && (all->best || !request->by_name)) return EXIT_DONE;
    if (!all->several)
        return fail(why, EXIT_SEEDS, "%s: is about one picture, and not by the name of %.200s", request->name, photo);
    if (photo && !all->best && all->name && *all->name == '#')
        return fail(why, EXIT_SEEDS, "%s: knows its pictures by numbers (image_id), and the name of %.200s has none of "
                    "these", request->name, photo);
    if (!photo || !all->best)
        return fail(why, EXIT_SEEDS, "%s: is about several pictures, and %s%.200s", request->name,
                    photo ? "none of them has the name of " : "which of them is meant is not told here",
                    photo ? photo : "");
    if (!all->rival) return EXIT_DONE;
    const int status = request->by_name ? EXIT_INPUT : EXIT_SEEDS;
    return fail(why, status, "%s: is about %.120s and %.120s, and which of them is %.120s is not told by its "
                "folder and name", request->name, all->name, all->rival, photo);
}

bool annotation_is_chosen(const annotation_pictures *all, const char *name)
{
    return !all->several || (all->name && !strcmp(all->name, name));
}

void annotation_pictures_free(annotation_pictures *all)
{
    free(all->photo);
    free(all->name);
    free(all->rival);
    *all = (annotation_pictures){0};
}
