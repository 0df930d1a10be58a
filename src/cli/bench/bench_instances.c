/* SPDX-License-Identifier: MIT
 *
 * bench_instances.c - makes what the benchmark solves: families in several sizes, photos with several lambdas, mazes
 * with several widths of corridor, saved graphs.
 */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "bench.h"
#include "chance.h"
#include "engine.h"
#include "synthetic_photo.h"

/* ---- the plan --------------------------------------------------------------------------------- */

void bench_plan_free(bench_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        free(plan->specs[i].path);
        free(plan->specs[i].seeds_path);
    }
    free(plan->specs);
    *plan = (bench_plan){0};
}

static bench_spec *add_spec(bench_plan *plan)
{
    bench_spec *specs = realloc(plan->specs, ((size_t)plan->count + 1) * sizeof *specs);
    if (!specs) return NULL;
    plan->specs = specs;
    specs[plan->count] = (bench_spec){0};
    return &specs[plan->count++];
}

/* Copies a name, cut to what a row has room for. */
static void name_it(char out[BENCH_NAME], const char *text, int length)
{
    const size_t size = length < BENCH_NAME - 1 ? (size_t)length : BENCH_NAME - 1;
    memcpy(out, text, size);
    out[size] = 0;
    for (char *c = out; *c; c++)
        if (*c == ',' || *c == '"' || (unsigned char)*c < ' ') *c = '_'; /* names go into CSV */
}

/* Makes a name from a path: without folders and extension. */
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

static bool add_one(bench_plan *plan, const family *kind, const bench_wish *wish, int size, int corridor,
                    double lambda)
{
    bench_spec *spec = add_spec(plan);
    if (!spec) return false;
    spec->kind = kind;
    spec->request = (family_request){.size = size, .seed = (uint64_t)wish->seed, .corridor = corridor,
                                     .lambda = lambda, .connectivity = wish->connectivity};
    name_it(spec->family, kind->name, (int)strlen(kind->name));
    if (corridor) snprintf(spec->name, sizeof spec->name, "corridor%d", corridor);
    else snprintf(spec->name, sizeof spec->name, "seed%lld", (long long)wish->seed);
    name_neighbours(spec);
    return true;
}

static bool add_photo(bench_plan *plan, const family *kind, const bench_wish *wish, const char *path,
                      const char *scribbles)
{
    for (int s = 0; s < wish->size_count; s++)
        for (int l = 0; l < wish->lambda_count; l++) {
            if (!add_one(plan, kind, wish, wish->sizes[s], 0, wish->lambdas[l])) return false;
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

/* Finds the folder images/ near the program (which may lie in build/MODE/), or in the current folder. */
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

/* Adds every NAME_seeds.png that has a NAME.png or NAME.jpg. */
static bool add_photos(bench_plan *plan, const family *kind, const bench_wish *wish, int *added)
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
                snprintf(photo, PATH_MAX, "%s/%.*s.%s", folder, stem, list[i]->d_name, extensions[e]) >=
                    PATH_MAX ||
                access(photo, R_OK))
                continue;
            held = add_photo(plan, kind, wish, photo, scribbles);
            *added += held;
        }
        free(list[i]);
    }
    free(list);
    return held;
}

/* ---- families --------------------------------------------------------------------------------- */

static int add_family(bench_plan *plan, const bench_wish *wish, const char *word, notes *log, failure *why)
{
    static const int corridors[] = {1, 7};
    const family *kind = family_find(word);
    bool held = true;
    int photos = 0;
    if (!kind) {
        nearest near = {.word = word};
        for (int i = 0; family_name(i); i++) nearest_try(&near, family_name(i));
        return fail(why, EXIT_USAGE, "--family: no family '%s'%s%s%s", word, near.best ? "; did you mean '" : "",
                    near.best ? near.best : "", near.best ? "'?" : "; 'tilecut help make' lists them");
    }
    if (kind->takes_photo && wish->image) {
        held = add_photo(plan, kind, wish, wish->image, NULL);
    } else if (kind->needs_photo) {
        held = add_photos(plan, kind, wish, &photos);
        if (held && !photos)
            note(log, "photo: no folder images/ with photos and seeds was found; give --image and --seeds");
    } else {
        for (int s = 0; s < wish->size_count; s++)
            for (int c = 0; c < (strcmp(word, "maze") ? 1 : 2) && held; c++)
                held = add_one(plan, kind, wish, wish->sizes[s], strcmp(word, "maze") ? 0 : corridors[c], -1);
    }
    return held ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory");
}

/* Whether one of the families uses the photo that the user gave. */
static bool takes_image(const bench_wish *wish)
{
    for (int i = 0; i < wish->families.count; i++) {
        const family *kind = family_find(wish->families.items[i]);
        if (!kind || kind->takes_photo) return true; /* an unknown family is refused elsewhere */
    }
    return false;
}

int bench_plan_make(const bench_wish *wish, bench_plan *plan, notes *log, failure *why)
{
    int status = EXIT_DONE;
    *plan = (bench_plan){0};
    if (wish->image && !takes_image(wish))
        return fail(why, EXIT_USAGE, "--image: none of these families is made of a photo; photo, spot and frame are");
    for (int i = 0; i < wish->graphs.count && status == EXIT_DONE; i++) {
        bench_spec *spec = add_spec(plan);
        if (!spec || !(spec->path = strdup(wish->graphs.items[i])))
            return fail(why, EXIT_RESOURCES, "not enough memory");
        name_it(spec->family, "graph", 5);
        name_after(spec->name, spec->path);
        if (access(spec->path, R_OK)) return fail(why, EXIT_INPUT, "%s: cannot be read", spec->path);
    }
    for (int i = 0; i < wish->families.count && status == EXIT_DONE; i++)
        status = add_family(plan, wish, wish->families.items[i], log, why);
    if (status == EXIT_DONE && !plan->count)
        status = fail(why, EXIT_USAGE, "nothing to measure; --family, --graph or --image names instances");
    return status;
}

/* ---- making one ------------------------------------------------------------------------------- */

/* Copies the capacities of a graph made from an image into arrays, from which every contestant starts. */
static int into_arrays(const tilecut_graph *graph, const char *name, saved_graph *out, failure *why)
{
    int width, height, connectivity;
    tilecut_graph_size(graph, &width, &height, &connectivity);
    const int status = saved_graph_init(out, name, width, height, connectivity, true, why);
    int32_t *spare = status == EXIT_DONE ? malloc((size_t)width * sizeof *spare) : NULL;
    if (status != EXIT_DONE) return status;
    if (!spare) return fail(why, EXIT_RESOURCES, "%s: not enough memory", name);
    for (int y = 0; y < height; y++) {
        const size_t pixels = (size_t)width * (size_t)height, p = (size_t)y * (size_t)width;
        tilecut_row row = {.source = out->cells + p, .sink = out->cells + pixels + p};
        for (int k = 0; k < TILECUT_LINKS; k++) {
            row.to[k] = k < connectivity / 2 ? saved_graph_to(out, k, p) : spare;
            row.from[k] = spare; /* links of an energy are symmetric */
        }
        tilecut_graph_row(graph, y, &row);
    }
    free(spare);
    out->quantum = tilecut_graph_quantum(graph);
    return EXIT_DONE;
}

static int make_photo(const bench_spec *spec, bench_wish *wish, instance *out, failure *why)
{
    loaded_photo photo = {0};
    family_request request = spec->request;
    inputs own;
    inputs *in = &wish->in;
    const char *scribbles[1] = {spec->seeds_path};
    notes ignored = {0};
    if (spec->seeds_path) {
        inputs_init(&own);
        own.files = (option_list){scribbles, 1};
        in = &own;
    }
    int status = loaded_photo_read(in, spec->path, spec->kind->needs_photo, &photo, &ignored, why);
    request.photo = &photo.photo;
    if (status == EXIT_DONE) status = instance_make(spec->kind, &request, out, why);
    loaded_photo_free(&photo);
    notes_free(&ignored);
    return status;
}

/* Returns labels in which `share` of the seeds have moved. Starting at one random pixel, seeds are removed; starting
 * at another, as many are added next to existing seeds. */
static uint8_t *move_seeds(const instance *it, double share, uint64_t seed)
{
    enum { BESIDE = 3 };
    const size_t n = (size_t)it->width * (size_t)it->height;
    chance dice = chance_of(seed, 77);
    uint8_t *moved = malloc(n);
    size_t all = 0, left;
    if (!moved) return NULL;
    memcpy(moved, it->labels, n);
    for (size_t p = 0; p < n; p++) all += it->labels[p] != TILECUT_UNKNOWN;
    left = (size_t)((double)all * share);
    for (size_t i = 0, p = (size_t)chance_draw(&dice) % n; i < n && left; i++, p = (p + 1) % n)
        if (it->labels[p] != TILECUT_UNKNOWN) moved[p] = TILECUT_UNKNOWN, left--;
    left = (size_t)((double)all * share);
    for (size_t i = 0, p = (size_t)chance_draw(&dice) % n; i < n && left; i++, p = (p + 1) % n)
        if (p >= BESIDE && it->labels[p] == TILECUT_UNKNOWN && it->labels[p - BESIDE] != TILECUT_UNKNOWN)
            moved[p] = it->labels[p - BESIDE], left--;
    return moved;
}

static int make_arrays(const bench_spec *spec, bench_wish *wish, bench_instance *out, failure *why)
{
    int status = spec->path ? make_photo(spec, wish, &out->made, why)
                            : instance_make(spec->kind, &spec->request, &out->made, why);
    if (status != EXIT_DONE || !out->made.channels) return status;
    tilecut_graph *graph = NULL;
    const tilecut_status made = instance_graph(&out->made, NULL, &graph);
    out->lambda = fmax(0, out->made.params.lambda); /* TILECUT_NONE means 0 */
    status = made == TILECUT_OK ? into_arrays(graph, spec->name, &out->saved, why)
                                : engine_failure(made, spec->name, why);
    if (status == EXIT_DONE && (wish->move > 0 || wish->whole)) {
        out->photo = graph; /* keeps the pixels that it reads, too */
        if (!(wish->move > 0)) return EXIT_DONE;
        out->moved = move_seeds(&out->made, wish->move / 100, (uint64_t)wish->seed);
        return out->moved ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", spec->name);
    }
    tilecut_graph_destroy(graph);
    instance_free(&out->made);
    return status;
}

int bench_instance_make(const bench_spec *spec, bench_wish *wish, bench_instance *out, failure *why)
{
    *out = (bench_instance){.lambda = -1, .quantum = 1};
    const int status = spec->kind ? make_arrays(spec, wish, out, why)
                                  : graph_read(spec->path, machine_memory(), &out->saved, why);
    if (status != EXIT_DONE) return status;
    if (out->saved.cells) out->quantum = out->saved.quantum;
    const tilecut_arrays *arrays = out->saved.cells ? &out->saved.arrays : &out->made.arrays;
    out->width = arrays->width;
    out->height = arrays->height;
    return engine_failure(tilecut_graph_create(&out->graph, arrays), spec->name, why);
}

void bench_instance_free(bench_instance *it)
{
    tilecut_graph_destroy(it->graph);
    tilecut_graph_destroy(it->photo);
    saved_graph_free(&it->saved);
    instance_free(&it->made);
    free(it->moved);
    it->graph = it->photo = NULL;
    it->moved = NULL;
}
