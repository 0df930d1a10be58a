/* SPDX-License-Identifier: MIT
 *
 * make.c - the verb `make`: writes an instance of a family to files, as a photo with seeds or as a graph.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "synthetic.h"
#include "synthetic_photo.h"
#include "graph_file.h"
#include "image.h"
#include "inputs.h"
#include "json.h"
#include "machine.h"
#include "network_write.h"
#include "outputs.h"
#include "scan_families.h"
#include "scan_instance.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    const char *image, *output, *seeds_output;
    int size, corridor;
    int64_t depth, degree; /* size of a network; 0: the family's default */
    int64_t seed;
    double lambda; /* negative: the family's own */
} wanted;

static const option make_options[] = {
    OPTION_HEADING("Instance"),
    {.name = "output", .letter = 'o', .argument = "FILE",
     .help = "a graph (.tcg, .max, .bbk) or, of families with photos,\nthe photo (PNG, PPM, ...); networks are .max, "
             ".txt or .asn",
     .parse = option_file, .at = offsetof(wanted, output)},
    {.name = "seeds-output", .argument = "FILE", .help = "the seeds of the photo, as a trimap",
     .parse = option_file, .at = offsetof(wanted, seeds_output)},
    {.name = "size", .argument = "N",
     .help = "side in pixels, 64 to 8192; a photo becomes as large\nas the square of that side (default 512); of "
             "networks\nwhat their line says",
     .kind = OPTION_INT, .least = 2, .most = INT32_MAX, .wanted = "a whole number of 2 and more",
     .at = offsetof(wanted, size)},
    {.name = "depth", .argument = "N", .help = "frames, levels or columns of a network",
     .kind = OPTION_INT64, .least = 1, .most = INT64_MAX,
     .wanted = "a whole number of at least 1", .at = offsetof(wanted, depth)},
    {.name = "degree", .argument = "N", .help = "arcs of a node of a network",
     .kind = OPTION_INT64, .least = 1, .most = INT64_MAX,
     .wanted = "a whole number of at least 1", .at = offsetof(wanted, degree)},
    {.name = "seed", .argument = "N", .help = "the same number gives the same instance (default 1)",
     .kind = OPTION_INT64, .most = INT64_MAX, .wanted = "a whole number of at least 0", .at = offsetof(wanted, seed)},
    {.name = "corridor", .argument = "N", .help = "width of the corridors of a maze (default 7)",
     .parse = option_count, .at = offsetof(wanted, corridor)},
    {.name = "lambda", .argument = "F",
     .help = "weight of the boundary term in a graph made of a photo\n(default 50; 2.5 for hussein)",
     .parse = option_nonnegative, .at = offsetof(wanted, lambda)},
    {.name = "image", .argument = "FILE",
     .help = "the photo to rescale (photo) or to use instead of a\ntexture (spot, frame); photo takes its seeds "
             "from -s",
     .parse = option_file, .at = offsetof(wanted, image)},
    OPTIONS_END
};

/* ---- the run ---------------------------------------------------------------------------------- */

typedef struct work {
    const family *kind;
    outputs outputs;
    output *main_out, *seeds_out, *json_out;
    notes notes;
    loaded_photo photo;
    instance made;
    tilecut_graph *graph;
} work;

static void work_free(work *w)
{
    outputs_free(&w->outputs);
    notes_free(&w->notes);
    loaded_photo_free(&w->photo);
    tilecut_graph_destroy(w->graph);
    instance_free(&w->made);
}

static int find_kind(const char *name, const family **kind, failure *why)
{
    nearest near = {.word = name};
    *kind = family_find(name);
    if (*kind) return EXIT_DONE;
    for (int i = 0; family_name(i); i++) nearest_try(&near, family_name(i));
    for (const network_family *row = network_families; row->name; row++) nearest_try(&near, row->name);
    for (int i = 0; scan_instance_name(i); i++) nearest_try(&near, scan_instance_name(i));
    return fail(why, EXIT_USAGE, "%s: no such family; %s%s%s", name,
                near.best ? "did you mean '" : "'tilecut help make' lists them", near.best ? near.best : "",
                near.best ? "'?" : "");
}

static bool gives_seeds(const wanted *my)
{
    const seeds_request *const r = &my->in.request;
    return my->in.files.count || r->stroke_count || r->box_given || r->volume_box_given;
}

static int check_photo_options(const wanted *my, const family *kind, failure *why)
{
    const bool seeds_given = gives_seeds(my);
    if (my->image && !kind->takes_photo) return fail(why, EXIT_USAGE, "--image: %s is not made of a photo", kind->name);
    if (kind->needs_photo && (!my->image || !seeds_given))
        return fail(why, EXIT_USAGE, "%s: %s is missing; this family rescales a photo and its seeds", kind->name,
                    my->image ? "--seeds" : "--image");
    if (seeds_given && !kind->needs_photo) return fail(why, EXIT_USAGE, "--seeds: %s has seeds of its own", kind->name);
    if (my->corridor && strcmp(kind->name, "maze"))
        return fail(why, EXIT_USAGE, "--corridor: %s has no corridors; maze has", kind->name);
    if (my->lambda >= 0 && kind->is_graph)
        return fail(why, EXIT_USAGE, "--lambda: %s has no boundary term; its capacities are drawn", kind->name);
    return EXIT_DONE;
}

static int plan(const wanted *my, work *w, failure *why)
{
    const char *read[1 + 64];
    int count = 0, status;
    if (!my->output)
        return fail(why, EXIT_USAGE, "-o FILE is missing; a graph (.tcg, .max, .bbk) or a picture is written");
    if ((status = check_photo_options(my, w->kind, why)) != EXIT_DONE) return status;
    const bool picture = !graph_extension(my->output) && strcmp(my->output, "-");
    if (picture && w->kind->is_graph)
        return fail(why, EXIT_USAGE, "%s: %s is a graph and no picture; use .tcg, .max or .bbk", my->output,
                    w->kind->name);
    if (my->seeds_output && w->kind->is_graph)
        return fail(why, EXIT_USAGE, "--seeds-output: %s has no seeds", w->kind->name);
    if (picture && (status = image_can_write(my->output, IMAGE_PICTURE, 1, why)) != EXIT_DONE) return status;
    if (my->seeds_output && (status = image_can_write(my->seeds_output, IMAGE_GREY, 1, why)) != EXIT_DONE)
        return status;
    if (my->image) read[count++] = my->image;
    for (int i = 0; i < my->in.files.count && count < 64; i++) read[count++] = my->in.files.items[i];
    w->main_out = outputs_add(&w->outputs, "--output", my->output, true);
    w->seeds_out = outputs_add(&w->outputs, "--seeds-output", my->seeds_output, true);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    return outputs_check(&w->outputs, read, count, why);
}

static int read_photo(wanted *my, work *w, failure *why)
{
    if (!my->image) return EXIT_DONE;
    return loaded_photo_read(&my->in, my->image, w->kind->needs_photo, &w->photo, &w->notes, why);
}

static int make_instance(wanted *my, work *w, failure *why)
{
    const family_request request = {.size = my->size, .seed = (uint64_t)my->seed, .corridor = my->corridor,
                                    .lambda = my->lambda, .photo = my->image ? &w->photo.photo : NULL};
    return instance_make(w->kind, &request, &w->made, why);
}

static int encode_graph(const wanted *my, work *w, failure *why)
{
    const tilecut_status made = instance_graph(&w->made, NULL, &w->graph);
    if (made != TILECUT_OK) return engine_failure(made, w->kind->name, why);
    return graph_encode(my->output, w->graph, tilecut_graph_quantum(w->graph), &w->main_out->data, why);
}

static int encode_pictures(const wanted *my, work *w, failure *why)
{
    const instance *it = &w->made;
    const size_t pixels = (size_t)it->width * (size_t)it->height;
    int status = EXIT_DONE;
    if (!graph_extension(my->output) && strcmp(my->output, "-")) {
        const image_view view = {.width = it->width, .height = it->height, .channels = it->channels, .depth = 8,
                                 .pixels = it->pixels};
        status = image_encode(my->output, IMAGE_PICTURE, &view, &w->main_out->data, why);
    }
    if (status == EXIT_DONE && w->seeds_out) {
        static const uint8_t grey[] = {128, 0, 255, 0};
        const image_view view = {.width = it->width, .height = it->height, .channels = 1, .depth = 8,
                                 .pixels = it->labels};
        for (size_t p = 0; p < pixels; p++) it->labels[p] = grey[it->labels[p]];
        status = image_encode(my->seeds_output, IMAGE_GREY, &view, &w->seeds_out->data, why);
    }
    return status;
}

/* Refuses options that only instances of pictures have. */
static int check_network(const wanted *my, const network_family *kind, failure *why)
{
    const bool photo = !strcmp(kind->name, "rag");
    if (photo && my->image && my->size) return fail(why, EXIT_USAGE, "--size: the photo has one of its own");
    const char *const odd = my->image && !photo ? "image" : my->seeds_output ? "seeds-output"
                          : gives_seeds(my) ? "seeds" : my->corridor ? "corridor" : my->lambda >= 0 ? "lambda" : NULL;
    if (odd) return fail(why, EXIT_USAGE, "--%s: %s is a network, and has none", odd, kind->name);
    if (!my->output) return fail(why, EXIT_USAGE, "-o FILE is missing; a network is written");
    return network_write_check(kind, my->output, why);
}

/* A member of the report: its key and a number. */
typedef struct member {
    const char *key;
    int64_t value;
} member;

/* Writes the report. `size` has the sizes, under the names that the family uses; pictures have only two. */
static int write_json(const wanted *my, const char *name, const member size[3], const work *w, failure *why)
{
    json j = {0};
    if (!my->common.json) return EXIT_DONE;
    json_begin(&j);
    json_text(&j, "family", name);
    json_text(&j, "output", my->output);
    for (int i = 0; i < 3 && size[i].key; i++) json_integer(&j, size[i].key, size[i].value);
    json_integer(&j, "seed", my->seed);
    if (w->kind) {
        json_real(&j, "lambda", w->made.channels ? fmax(0, w->made.params.lambda) : NAN); /* TILECUT_NONE means 0 */
        json_real(&j, "quantum", w->graph ? tilecut_graph_quantum(w->graph) : NAN);
    }
    return json_write(&j, my->common.json, why);
}

/* Writes the instance and the report; nothing if `status` is a failure already. */
static int write_made(const wanted *my, const char *name, const member size[3], work *w, int status, failure *why)
{
    if (status == EXIT_DONE) status = outputs_write(&w->outputs, w->json_out, why);
    if (status == EXIT_DONE) status = write_json(my, name, size, w, why);
    if (status != EXIT_DONE) outputs_undo(&w->outputs);
    return status;
}

static int make_network(wanted *my, const network_family *kind, work *w, failure *why)
{
    network_request request = {.size = my->size, .depth = my->depth, .degree = my->degree, .seed = (uint64_t)my->seed};
    int status = check_network(my, kind, why);
    if (status == EXIT_DONE && my->image)
        status = loaded_photo_read(&my->in, my->image, false, &w->photo, &w->notes, why);
    if (status == EXIT_DONE && my->image) {
        request.photo = &w->photo.photo;
        request.size = w->photo.photo.width;
    }
    if (status == EXIT_DONE) status = network_request_check(kind, &request, why);
    if (status != EXIT_DONE) return status;
    w->main_out = outputs_add(&w->outputs, "--output", my->output, false);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    status = outputs_check(&w->outputs, &my->image, my->image ? 1 : 0, why);
    if (status == EXIT_DONE) status = network_write(kind, &request, inputs_memory(&my->in), &w->main_out->data, why);
    const member size[3] = {{"size", request.size}, {"depth", request.depth}, {"degree", request.degree}};
    return write_made(my, kind->name, size, w, status, why);
}

/* Refuses options that drawn volumes or their graphs do not have. */
static int check_volume(const wanted *my, const char *name, failure *why)
{
    const bool graph = my->output && graph_extension(my->output), drawn = scan_family_find(name);
    const char *const odd = my->image ? "image" : my->in.files.count ? "seeds" : my->corridor ? "corridor"
                          : my->lambda >= 0 && !(drawn && graph) ? "lambda" : my->depth ? "depth"
                          : my->degree ? "degree" : my->seeds_output && !drawn ? "seeds-output" : NULL;
    if (odd) return fail(why, EXIT_USAGE, "--%s: %s is a volume, and has none", odd, name);
    if (!my->output) return fail(why, EXIT_USAGE, "-o FILE is missing; a volume is written");
    return scan_instance_can_write(name, my->output, my->seeds_output, why);
}

static int make_volume(wanted *my, const char *name, work *w, failure *why)
{
    const scan_request what = {name, my->size ? my->size : 128, (uint64_t)my->seed, my->lambda};
    my->size = what.size;
    int status = check_volume(my, name, why);
    if (status) return status;
    w->main_out = outputs_add(&w->outputs, "--output", my->output, true);
    w->seeds_out = outputs_add(&w->outputs, "--seeds-output", my->seeds_output, true);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    status = outputs_check(&w->outputs, NULL, 0, why);
    if (!status)
        status = scan_instance_encode(&what, my->output, &w->main_out->data, my->seeds_output,
                                      w->seeds_out ? &w->seeds_out->data : NULL, why);
    const member size[3] = {{"width", my->size}, {"height", my->size}, {"depth", my->size}};
    return write_made(my, name, size, w, status, why);
}

static int make(wanted *my, const char *name, work *w, failure *why)
{
    const double start = machine_ms();
    const network_family *const network = network_family_find(name);
    if (network) return make_network(my, network, w, why);
    if (scan_instance_known(name)) return make_volume(my, name, w, why);
    if (my->depth || my->degree)
        return fail(why, EXIT_USAGE, "--%s: only networks have one", my->depth ? "depth" : "degree");
    if (!my->size) my->size = 512;
    int status = find_kind(name, &w->kind, why);
    if (status == EXIT_DONE) status = plan(my, w, why);
    if (status == EXIT_DONE) status = read_photo(my, w, why);
    if (status == EXIT_DONE) status = make_instance(my, w, why);
    const bool graph = graph_extension(my->output ? my->output : "") || !strcmp(my->output ? my->output : "", "-");
    if (status == EXIT_DONE && graph) status = encode_graph(my, w, why);
    if (status == EXIT_DONE) status = encode_pictures(my, w, why);
    notes_show(&w->notes, my->common.quiet);
    const member size[3] = {{"width", w->made.width}, {"height", w->made.height}};
    status = write_made(my, name, size, w, status, why);
    if (status == EXIT_DONE && my->common.verbose)
        fprintf(stderr, "tilecut: make %s %dx%d, %.1f ms\n", name, w->made.width, w->made.height, machine_ms() - start);
    return status;
}

static void list_families(char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "Families:");
    for (int i = 0; family_name(i) && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "\n  %-9s %s", family_name(i), family_summary(i));
    for (int i = 0; scan_instance_name(i) && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "\n  %-9s %s", scan_instance_name(i),
                                 scan_instance_summary(i));
    if (used < room) used += (size_t)snprintf(text + used, room - used, "\n\nNetworks:");
    for (const network_family *row = network_families; row->name && used < room; row++)
        used += (size_t)snprintf(text + used, room - used, "\n  %-11s %s", row->name, row->summary);
}

int verb_make(int argc, char **argv, failure *why)
{
    wanted my = {.seed = 1, .lambda = -1};
    work w = {0};
    char epilogue[4000];
    int status;
    const syntax usage = {
        .verb = "make", .synopsis = "FAMILY -o FILE [options]",
        .about = "Makes an instance to measure with: a photo with seeds, the graph of one, or a network of another\n"
                 "shape. The same family, sizes and seed give the same instance on every machine.",
        .epilogue = epilogue, .operands_min = 1, .operands_max = 1, .operands = "one FAMILY",
        .sets = {{make_options, &my}, {input_options, &my.in}, {common_options, &my.common}}};
    list_families(epilogue, sizeof epilogue);
    inputs_init(&my.in);
    if (options_parse(&usage, &argc, argv, &status, why)) status = make(&my, argv[0], &w, why);
    work_free(&w);
    inputs_free(&my.in);
    return status;
}
