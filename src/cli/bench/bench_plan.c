/* SPDX-License-Identifier: MIT
 *
 * bench_plan.c - plans what the benchmark solves: families in several sizes, photos with several lambdas, mazes with
 * several widths of corridor, networks, saved graphs. All words are checked before the first instance is made.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "file.h"

void bench_plan_free(bench_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        free(plan->specs[i].path);
        free(plan->specs[i].seeds_path);
    }
    free(plan->specs);
    *plan = (bench_plan){0};
}

/* Copies a name and shortens it to the length that a row can hold. */
static void name_it(char out[BENCH_NAME], const char *text, int length)
{
    const size_t size = length < BENCH_NAME - 1 ? (size_t)length : BENCH_NAME - 1;
    memcpy(out, text, size);
    out[size] = 0;
    for (char *c = out; *c; c++)
        if (*c == ',' || *c == '"' || (unsigned char)*c < ' ') *c = '_'; /* names go into CSV */
}

/* Adds an instance under the name of its family. NULL: no memory. */
static bench_spec *add_spec(bench_plan *plan, const char *heading)
{
    bench_spec *specs = realloc(plan->specs, ((size_t)plan->count + 1) * sizeof *specs);
    if (!specs) return NULL;
    plan->specs = specs;
    specs[plan->count] = (bench_spec){0};
    name_it(specs[plan->count].family, heading, (int)strlen(heading));
    return &specs[plan->count++];
}

/* Makes a name from a path, without folders and extension. */
static void name_after(char out[BENCH_NAME], const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    name_it(out, base, dot && dot != base ? (int)(dot - base) : (int)strlen(base));
}

static void name_neighbours(bench_spec *spec)
{
    const size_t length = strlen(spec->name);
    if (spec->request.connectivity == 8) snprintf(spec->name + length, sizeof spec->name - length, "-8");
}

static bool add_one(bench_plan *plan, const family *kind, const bench_request *reading, int size, int corridor,
                    double lambda)
{
    bench_spec *spec = add_spec(plan, kind->name);
    if (!spec) return false;
    spec->kind = kind;
    spec->request = (family_request){.size = size, .seed = (uint64_t)reading->seed, .corridor = corridor,
                                     .lambda = lambda, .connectivity = reading->connectivity};
    if (corridor) snprintf(spec->name, sizeof spec->name, "corridor%d", corridor);
    else snprintf(spec->name, sizeof spec->name, "seed%lld", (long long)reading->seed);
    name_neighbours(spec);
    return true;
}

static bool add_photo(bench_plan *plan, const family *kind, const bench_request *reading, const char *path,
                      const char *scribbles)
{
    for (int s = 0; s < reading->size_count; s++)
        for (int l = 0; l < reading->lambda_count; l++) {
            if (!add_one(plan, kind, reading, reading->sizes[s], 0, reading->lambdas[l])) return false;
            bench_spec *spec = &plan->specs[plan->count - 1];
            name_after(spec->name, path);
            name_neighbours(spec);
            spec->path = strdup(path);
            spec->seeds_path = scribbles ? strdup(scribbles) : NULL;
            if (!spec->path || (scribbles && !spec->seeds_path)) return false;
        }
    return true;
}

/* ---- the project's own photographs ------------------------------------------------------------ */

/* Finds the folder images/ near the program, which may lie in build/MODE/, or in the current folder. */
static bool find_images(char out[PATH_MAX])
{
    static const char *const places[] = {"images", "../images", "../../images"};
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash) slash[1] = 0;
    for (int i = 0; i < 3; i++) {
        if (snprintf(out, PATH_MAX, "%s%s", self, places[i]) < PATH_MAX && !access(out, R_OK)) return true;
    }
    return snprintf(out, PATH_MAX, "images") < PATH_MAX && !access(out, R_OK);
}

static int is_seeds(const struct dirent *entry)
{
    const char *end = strstr(entry->d_name, "_seeds.png");
    return end && !end[10];
}

/* Adds every photo NAME.png or NAME.jpg that has a NAME_seeds.png beside it. */
static bool add_photos(bench_plan *plan, const family *kind, const bench_request *reading, int *added)
{
    char folder[PATH_MAX], scribbles[PATH_MAX], photo[PATH_MAX];
    struct dirent **list = NULL;
    bool held = true;
    const int count = find_images(folder) ? scandir(folder, &list, is_seeds, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        const int stem = (int)strlen(list[i]->d_name) - 10;
        static const char *const extensions[] = {"png", "jpg"};
        for (int e = 0; e < 2 && held; e++) {
            if (snprintf(scribbles, PATH_MAX, "%s/%s", folder, list[i]->d_name) >= PATH_MAX ||
                snprintf(photo, PATH_MAX, "%s/%.*s.%s", folder, stem, list[i]->d_name, extensions[e]) >= PATH_MAX ||
                access(photo, R_OK))
                continue;
            held = add_photo(plan, kind, reading, photo, scribbles);
            *added += held;
        }
        free(list[i]);
    }
    free(list);
    return held;
}

/* ---- networks --------------------------------------------------------------------------------- */

/* Reads size, depth and degree of a family of networks from text such as "512x512x3". Numbers may be left out from the
 * end; a number that the family does not have is 0. */
static bool read_shape(const char *text, const network_family *kind, network_request *shape)
{
    int64_t *const field[] = {&shape->size, &shape->depth, &shape->degree};
    const int64_t usual[] = {kind->size, kind->depth, kind->degree};
    char word[24];
    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(text, "x");
        if (!length || length >= sizeof word) return false;
        memcpy(word, text, length);
        word[length] = 0;
        if (!parse_integer(word, usual[k] > 0, INT32_MAX, field[k])) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
    return false;
}

static int add_network(bench_plan *plan, const bench_request *reading, const network_family *kind, const char *shape,
                       failure *why)
{
    bench_spec *spec = add_spec(plan, kind->name);
    if (!spec) return fail(why, EXIT_RESOURCES, "not enough memory");
    spec->network = kind;
    spec->shape.seed = (uint64_t)reading->seed;
    if (shape && !read_shape(shape, kind, &spec->shape))
        return fail(why, EXIT_USAGE, "--family: '%s' is no size of %s; SIZE, SIZExDEPTH or SIZExDEPTHxDEGREE is, such "
                    "as 64x32", shape, kind->name);
    snprintf(spec->name, sizeof spec->name, "seed%lld", (long long)reading->seed);
    return network_request_check(kind, &spec->shape, why);
}

/* Adds the family of networks called `word`, or all of them. A size may follow a colon; without it the family has its
 * default size. */
static int add_networks(bench_plan *plan, const bench_request *reading, const char *word, bool *known, failure *why)
{
    const char *const colon = strchr(word, ':');
    const size_t length = colon ? (size_t)(colon - word) : strlen(word);
    const bool all = !strcmp(word, "networks");
    int status = EXIT_DONE;
    *known = false;
    for (const network_family *kind = network_families; kind->name && status == EXIT_DONE; kind++) {
        if (!all && (strlen(kind->name) != length || strncmp(word, kind->name, length) != 0)) continue;
        *known = true;
        status = add_network(plan, reading, kind, colon ? colon + 1 : NULL, why);
    }
    return status;
}

/* ---- in space --------------------------------------------------------------------------------- */

static int add_volume(bench_plan *plan, const bench_request *reading, const char *name, failure *why)
{
    static const int usual[] = {64, 128};
    const int count = reading->usual_sizes ? 2 : reading->size_count;
    if (reading->connectivity == 8)
        return fail(why, EXIT_USAGE, "--connectivity: %s is in space, where voxels have 6 neighbours", name);
    for (int s = 0; s < count; s++) {
        bench_spec *const spec = add_spec(plan, name);
        if (!spec) return fail(why, EXIT_RESOURCES, "not enough memory");
        const int size = reading->usual_sizes ? usual[s] : reading->sizes[s];
        spec->space = name;
        spec->request = (family_request){.size = size, .seed = (uint64_t)reading->seed,
                                         .lambda = reading->lambda_count ? reading->lambdas[0] : -1};
        snprintf(spec->name, sizeof spec->name, "seed%lld", (long long)reading->seed);
        if (scan_instance_check(size, why)) return why->status;
    }
    return EXIT_DONE;
}

/* Adds the family of volumes called `word`, or all of them. */
static int add_volumes(bench_plan *plan, const bench_request *reading, const char *word, bool *known, failure *why)
{
    const bool all = !strcmp(word, "volumes");
    int status = EXIT_DONE;
    *known = all || scan_instance_known(word);
    for (int i = 0; *known && scan_instance_name(i) && status == EXIT_DONE; i++)
        if (all || !strcmp(word, scan_instance_name(i))) status = add_volume(plan, reading, scan_instance_name(i), why);
    return status;
}

/* ---- many labels ------------------------------------------------------------------------------ */

/* Adds the family with many labels called `word`, or all of them. */
static int add_labels(bench_plan *plan, const bench_request *reading, const char *word, bool *known, failure *why)
{
    const bool all = !strcmp(word, "labels");
    *known = all || label_family_known(word);
    if (*known && reading->connectivity == 8)
        return fail(why, EXIT_USAGE, "--connectivity: %s has 4 neighbours a pixel", word);
    for (int i = 0; *known && label_family_name(i); i++)
        for (int s = 0; s < reading->size_count && (all || !strcmp(word, label_family_name(i))); s++) {
            bench_spec *const spec = add_spec(plan, label_family_name(i));
            if (!spec) return fail(why, EXIT_RESOURCES, "not enough memory");
            spec->many = (label_request){label_family_name(i), reading->sizes[s], reading->labels,
                                         (uint64_t)reading->seed};
            snprintf(spec->name, sizeof spec->name, "seed%lld-%d", (long long)reading->seed, reading->labels);
        }
    return EXIT_DONE;
}

/* ---- families --------------------------------------------------------------------------------- */

static int add_family(bench_plan *plan, const bench_request *reading, const char *word, notes *log, failure *why)
{
    static const int corridors[] = {1, 7};
    const family *kind = family_find(word);
    bool held = true, known = false;
    int photos = 0;
    if (!kind) {
        int status = add_networks(plan, reading, word, &known, why);
        if (!known) status = add_volumes(plan, reading, word, &known, why);
        if (!known && !status) status = add_labels(plan, reading, word, &known, why);
        if (known || status) return status;
        nearest near = {.word = word};
        for (int i = 0; family_name(i); i++) nearest_try(&near, family_name(i));
        for (int i = 0; scan_instance_name(i); i++) nearest_try(&near, scan_instance_name(i));
        for (int i = 0; label_family_name(i); i++) nearest_try(&near, label_family_name(i));
        for (int i = 0; network_families[i].name; i++) nearest_try(&near, network_families[i].name);
        return fail(why, EXIT_USAGE, "--family: no family '%s'%s%s%s", word, near.best ? "; did you mean '" : "",
                    near.best ? near.best : "", near.best ? "'?" : "; 'tilecut help make' lists them");
    }
    if (kind->takes_photo && reading->image) {
        held = add_photo(plan, kind, reading, reading->image, NULL);
    } else if (kind->needs_photo) {
        held = add_photos(plan, kind, reading, &photos);
        if (held && !photos)
            note(log, "photo: no folder images/ with photos and seeds was found; give --image and --seeds");
    } else {
        for (int s = 0; s < reading->size_count; s++)
            for (int c = 0; c < (strcmp(word, "maze") ? 1 : 2) && held; c++)
                held = add_one(plan, kind, reading, reading->sizes[s], strcmp(word, "maze") ? 0 : corridors[c], -1);
    }
    return held ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory");
}

/* True if one of the families uses the user's photo. */
static bool takes_image(const bench_request *reading)
{
    for (int i = 0; i < reading->families.count; i++) {
        const family *kind = family_find(reading->families.items[i]);
        /* An unknown family is refused elsewhere. */
        if (kind ? kind->takes_photo
                 : !network_family_find(reading->families.items[i]) &&
                       !scan_instance_known(reading->families.items[i]) &&
                       !label_family_known(reading->families.items[i]))
            return true;
    }
    return false;
}

static int add_files(bench_plan *plan, const option_list *files, enum bench_problem problem, const char *heading,
                     failure *why)
{
    for (int i = 0; i < files->count; i++) {
        bench_spec *spec = add_spec(plan, heading);
        if (!spec || !(spec->path = strdup(files->items[i]))) return fail(why, EXIT_RESOURCES, "not enough memory");
        spec->file = problem;
        name_after(spec->name, spec->path);
        if (access(spec->path, R_OK)) return file_open_failed(spec->path, errno, why);
    }
    return EXIT_DONE;
}

int bench_plan_make(const bench_request *reading, bench_plan *plan, notes *log, failure *why)
{
    *plan = (bench_plan){0};
    if (reading->image && !takes_image(reading))
        return fail(why, EXIT_USAGE, "--image: none of these families is made of a photo; photo, spot and frame are");
    int status = add_files(plan, &reading->graphs, BENCH_GRID, "graph", why);
    if (status == EXIT_DONE) status = add_files(plan, &reading->matches, BENCH_MATCH, "match", why);
    if (status == EXIT_DONE) status = add_files(plan, &reading->assigns, BENCH_ASSIGN, "assign", why);
    for (int i = 0; i < reading->families.count && status == EXIT_DONE; i++)
        status = add_family(plan, reading, reading->families.items[i], log, why);
    if (status == EXIT_DONE && !plan->count)
        status = fail(why, EXIT_USAGE, "nothing to measure; --family, --graph or --image names instances");
    return status;
}
