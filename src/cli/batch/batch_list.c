/* SPDX-License-Identifier: MIT
 *
 * batch_list.c - see batch_list.h: expands patterns and makes jobs. batch_read.c reads lists, batch_walk.c walks
 * through folders, batch_check.c compares results with inputs.
 */
#include "batch_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotation.h"
#include "file.h"
#include "outputs.h"

/* ---- patterns --------------------------------------------------------------------------------- */

typedef struct piece {
    const char *text;
    size_t length;
} piece;

enum { STEM, NAME, EXT, DIR, SUB, OBJECT, PLACEHOLDERS };

static const char *const placeholders[PLACEHOLDERS] = {"{stem}", "{name}", "{ext}", "{dir}", "{sub}", "{object}"};

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
            return fail(why, EXIT_USAGE, "%s: %s: after { comes stem, name, ext, dir, sub or object, and }", option,
                        pattern);
    return EXIT_DONE;
}

int batch_names_check(const batch_names *names, failure *why)
{
    static const char *const option[BATCH_RESULTS] = {"--name", "--cutout", "--alpha", "--overlay", "--confidence"};
    int status = check_pattern("--mask", names->given, why);
    for (int i = 0; !status && i < BATCH_RESULTS; i++) status = check_pattern(option[i], names->result[i], why);
    for (int i = 0; !status && i < names->seed_count; i++) status = check_pattern("--seeds", names->seeds[i], why);
    return status;
}

static void take_apart(const char *photo, const char *sub, piece value[PLACEHOLDERS])
{
    const char *const slash = strrchr(photo, '/'), *const name = slash ? slash + 1 : photo;
    const char *const dot = outputs_extension(name);
    value[STEM] = (piece){name, (size_t)(dot - name)};
    value[NAME] = (piece){name, strlen(name)};
    value[EXT] = *dot ? (piece){dot + 1, strlen(dot + 1)} : (piece){"", 0};
    value[DIR] = slash ? (piece){photo, slash == photo ? 1 : (size_t)(slash - photo)} : (piece){".", 1};
    value[SUB] = (piece){sub, strlen(sub)};
}

/* Fills in the placeholders of a pattern and puts `folder` before it, unless the pattern is an absolute path. NULL: no
 * memory. */
static char *expand(const char *folder, const char *pattern, const char *photo, const char *sub, int object)
{
    piece value[PLACEHOLDERS];
    char number[16];
    bytes out = {0};
    bool room = !folder || file_is_absolute(pattern) ||
                (bytes_append(&out, folder, strlen(folder)) && bytes_append(&out, "/", 1));

    take_apart(photo, sub, value);
    value[OBJECT] = (piece){number, (size_t)snprintf(number, sizeof number, "%d", object ? object : 1)};
    const bool to_folder = *pattern && pattern[strlen(pattern) - 1] == '/';
    while (room && *pattern) {
        const int which = *pattern == '{' ? placeholder_at(pattern) : -1;
        if (which < 0) {
            room = bytes_append(&out, pattern++, 1);
        } else {
            room = bytes_append(&out, value[which].text, value[which].length);
            pattern += strlen(placeholders[which]);
            if (which == SUB && !*sub && *pattern == '/') pattern++; /* with an empty {sub}, "{sub}/x" becomes "x" */
        }
    }
    if (room && to_folder)
        room = bytes_append(&out, value[STEM].text, value[STEM].length) && bytes_append(&out, ".png", 4);
    if (room && bytes_append(&out, "", 1)) return (char *)out.data;
    bytes_free(&out);
    return NULL;
}

/* ---- the list --------------------------------------------------------------------------------- */

void batch_item_free(batch_item *item)
{
    for (int i = 0; item->seeds && i < item->seed_count; i++) free(item->seeds[i]);
    free(item->seeds);
    for (int i = 0; i < item->setting_count; i++) {
        free(item->setting[i].name);
        free(item->setting[i].value);
    }
    free(item->setting);
    free(item->photo);
    free(item->given);
    for (int i = 0; i < BATCH_RESULTS; i++) free(item->result[i]);
}

void batch_list_free(batch_list *list)
{
    for (int i = 0; i < list->count; i++) batch_item_free(&list->item[i]);
    free(list->item);
    notes_free(&list->notes);
    *list = (batch_list){0};
}

static bool fill_seeds(batch_item *item, const batch_names *names, const char *sub, const batch_words *words)
{
    item->seed_count = words->seed_count ? words->seed_count : names->seed_count;
    if (!item->seed_count) return true;
    item->seeds = calloc((size_t)item->seed_count, sizeof *item->seeds);
    for (int i = 0; item->seeds && i < item->seed_count; i++) {
        item->seeds[i] = words->seed_count ? strdup(words->seeds[i])
                                           : expand(NULL, names->seeds[i], item->photo, sub, 0);
        if (!item->seeds[i]) return false;
    }
    return item->seeds != NULL;
}

static bool fill_settings(batch_item *item, const batch_words *words)
{
    if (!words->setting_count) return true;
    item->setting = calloc((size_t)words->setting_count, sizeof *item->setting);
    if (!item->setting) return false;
    for (; item->setting_count < words->setting_count; item->setting_count++) {
        batch_setting *const own = &item->setting[item->setting_count];
        own->name = strdup(words->setting[item->setting_count].name);
        own->value = strdup(words->setting[item->setting_count].value);
        if (!own->name || !own->value) {
            item->setting_count++;
            return false;
        }
    }
    return true;
}

/* Sets the paths of the job's results: those that the list names, else those that the patterns give. Returns false if
 * memory ran out. */
static bool fill_results(batch_item *item, const batch_names *names, const char *sub, const batch_words *words)
{
    for (int i = 0; i < BATCH_RESULTS; i++) {
        const char *const named = words->result[i], *const pattern = names->result[i];
        if (!named && !pattern) continue;
        item->result[i] = named ? strdup(named) : expand(names->folder, pattern, item->photo, sub, item->object);
        if (!item->result[i]) return false;
    }
    return true;
}

/* Returns the path of the photo's mask in `folder`, trying the extensions of all picture formats. If no such file
 * exists, returns the path with the first extension. NULL: no memory. */
static char *find_given(const char *folder, const char *photo, const char *sub)
{
    char *first = NULL;
    for (int i = 0; image_extension(i); i++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "{stem}.%s", image_extension(i));
        char *const path = expand(folder, pattern, photo, sub, 0);
        if (!path || !access(path, F_OK)) {
            free(first);
            return path;
        }
        if (first) free(path);
        else first = path;
    }
    return first;
}

static bool fill_given(batch_item *item, const batch_names *names, const char *sub, const batch_words *words)
{
    struct stat about;
    if (!words->given && !names->given) return true;
    const bool folder = !words->given && !stat(names->given, &about) && S_ISDIR(about.st_mode);
    item->shared = !words->given && !folder && !strchr(names->given, '{');
    item->given = words->given ? strdup(words->given)
                  : folder     ? find_given(names->given, item->photo, sub)
                               : expand(NULL, names->given, item->photo, sub, 0);
    return item->given != NULL;
}

static bool fill_item(batch_item *item, const batch_names *names, const char *sub, const batch_words *words)
{
    item->photo = strdup(words->photo);
    item->object = words->object;
    return item->photo && fill_seeds(item, names, sub, words) && fill_settings(item, words) &&
           fill_given(item, names, sub, words) && fill_results(item, names, sub, words);
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

static bool is_standard(const char *path)
{
    return path && !strcmp(path, "-");
}

/* Returns `path` relative to the current folder, without "." and "..". Does not follow links. The caller owns the
 * result. NULL: no memory. */
static char *plain_path(const char *path)
{
    char *const here = file_is_absolute(path) ? strdup("") : realpath(".", NULL);
    char *const out = here ? malloc(strlen(here) + strlen(path) + 2) : NULL;
    size_t length = 0;
    if (out) {
        strcpy(out, here);
        length = strlen(out);
    }
    for (const char *at = path; out && *at; at += strspn(at, "/")) {
        const size_t part = strcspn(at, "/");
        if (part == 2 && !strncmp(at, "..", 2)) {
            while (length && out[--length] != '/') {}
        } else if (part && !(part == 1 && *at == '.')) {
            out[length++] = '/';
            memcpy(out + length, at, part);
            length += part;
        }
        at += part;
    }
    if (out) out[length] = '\0';
    free(here);
    return out;
}

/* Returns 1 if `path` lies in `folder` or below it, else 0; -1 if memory ran out. */
static int lies_in(const char *folder, const char *path)
{
    char *const outer = plain_path(folder), *const inner = plain_path(path);
    const size_t length = outer ? strlen(outer) : 0;
    const int inside = outer && inner ? !strncmp(inner, outer, length) && inner[length] == '/' : -1;
    free(outer);
    free(inner);
    return inside;
}

/* Refuses a result outside of the folder of -O. A list may come from somebody else, who must not choose
 * where files go. */
static int check_inside(const char *folder, const char *result, const char *from, failure *why)
{
    const int inside = lies_in(folder, result);
    if (inside < 0) return fail(why, EXIT_RESOURCES, "not enough memory for the name of a result");
    if (inside) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: %s lies outside %s, the folder of the results; leave -O out if that is meant",
                from, result, folder);
}

static int check_results(const batch_names *names, const batch_words *words, failure *why)
{
    for (int i = 0; names->folder && words->from && i < BATCH_RESULTS; i++)
        if (words->result[i]) STEP(check_inside(names->folder, words->result[i], words->from, why));
    return EXIT_DONE;
}

/* Returns the number of objects that a file of shapes has for the photo; 0 if it cannot be read or is no
 * file of shapes. */
static int count_objects(const batch_item *item, const batch_names *names)
{
    enum { LONGEST = 1 << 30 };
    const annotation_request about = {.name = item->given, .photo = item->photo, .label = names->label, .width = 1,
                                      .height = 1, .by_name = item->shared, .rules = names->rules};
    bytes text = {0};
    failure why = {0};
    const bool drawn = !file_read_if(item->given, LONGEST, image_json.probe, &text, &why) &&
                       image_json.probe(text.data, text.size);
    const int count = drawn ? annotation_objects(&about, text.data, text.size) : 0;
    bytes_free(&text);
    return count;
}

/* Splits the newest job into one job per object of the mask to begin from, if the pattern of its result has
 * {object}. */
static int add_objects(batch_list *list, const batch_names *names, const char *sub, const batch_words *words,
                       failure *why)
{
    batch_item *const item = &list->item[list->count - 1];
    const char *const pattern = names->result[BATCH_MASK];
    const bool numbered = !words->result[BATCH_MASK] && pattern && strstr(pattern, "{object}");
    if (words->object || !numbered || !item->given) return EXIT_DONE;
    const int count = count_objects(item, names);
    if (count) item->object = 1; /* the names of the job's results have this number already */
    for (int i = 2; i <= count; i++) {
        batch_words one = *words;
        one.object = i;
        const int status = batch_list_add(list, names, sub, &one, why);
        if (status) return status;
    }
    return EXIT_DONE;
}

int batch_list_add(batch_list *list, const batch_names *names, const char *sub, const batch_words *words, failure *why)
{
    batch_item item = {0};
    const char *const before = words->from ? words->from : words->photo;
    const int status = words->from ? EXIT_INPUT : EXIT_USAGE;
    bool standard = is_standard(words->photo) || is_standard(words->given ? words->given : names->given);
    bool nowhere = !words->result[BATCH_MASK];
    for (int i = 0; i < BATCH_RESULTS; i++) {
        standard = standard || is_standard(words->result[i]);
        nowhere = nowhere || (names->result[i] && !words->result[i]);
    }
    for (int i = 0; i < words->seed_count; i++) standard = standard || is_standard(words->seeds[i]);
    if (standard) return fail(why, status, "%s: a batch reads and writes files, not standard input or output", before);
    if (nowhere && !names->folder)
        return fail(why, status, "%s: nothing says where its results go; name a folder with -O", before);
    const int inside = check_results(names, words, why);
    if (inside) return inside;
    if (!make_room(list) || !fill_item(&item, names, sub, words)) {
        batch_item_free(&item);
        return fail(why, EXIT_RESOURCES, "not enough memory for the list of %d jobs", list->count + 1);
    }
    if (names->given_only && (!item.given || access(item.given, F_OK))) {
        note(&list->notes, "%s: has no mask to refine%s%s; left out", item.photo,
             item.given ? ", there is no " : "", item.given ? item.given : "");
        batch_item_free(&item);
        return EXIT_DONE;
    }
    list->item[list->count++] = item;
    return add_objects(list, names, sub, words, why);
}
