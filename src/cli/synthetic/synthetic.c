/* SPDX-License-Identifier: MIT
 *
 * synthetic.c - see synthetic.h. It has the table of families, and makes an instance of a family.
 */
#include "synthetic.h"

#include <string.h>

const family families[] = {
#define FAMILY(name, is_graph, needs_photo, takes_photo, make, summary) \
    {#name, summary, is_graph, needs_photo, takes_photo, make},
#include "families.def"
#undef FAMILY
    {NULL, NULL, false, false, false, NULL}};

const family *family_find(const char *name)
{
    for (const family *f = families; f->name; f++)
        if (!strcmp(f->name, name)) return f;
    return NULL;
}

const char *family_name(int index)
{
    return families[index].name;
}

const char *family_summary(int index)
{
    return families[index].summary;
}

/* ---- making ----------------------------------------------------------------------------------- */

int instance_make(const family *kind, const family_request *request, instance *out, failure *why)
{
    *out = (instance){0};
    if (request->size < FAMILY_SIZE_MIN || request->size > FAMILY_SIZE_MAX)
        return fail(why, EXIT_USAGE, "a size of %d; instances have sides of %d to %d pixels",
                    request->size, FAMILY_SIZE_MIN, FAMILY_SIZE_MAX);
    if (request->corridor < 0 || request->corridor > request->size / 4)
        return fail(why, EXIT_USAGE, "a corridor of %d pixels; at size %d a maze has corridors of 1 to %d",
                    request->corridor, request->size, request->size / 4);
    if (kind->needs_photo && !request->photo)
        return fail(why, EXIT_USAGE, "%s: needs a photo and its seeds", kind->name);
    const bool slanted = request->connectivity == 8;
    if (kind->make(request, out) && (!slanted || out->channels || instance_add_diagonals(out, request->seed))) {
        if (slanted) out->params.connectivity = 8;
        return EXIT_DONE;
    }
    instance_free(out);
    return fail(why, EXIT_RESOURCES, "no memory for an instance of %s of %d^2 pixels", kind->name, request->size);
}

tilecut_status instance_graph(const instance *it, const tilecut_params *engine, tilecut_graph **out)
{
    if (!it->channels) return tilecut_graph_create(out, &it->arrays);
    tilecut_params params = it->params;
    const tilecut_image image = {.width = it->width, .height = it->height, .channels = it->channels, .depth = 8,
                                 .pixels = it->pixels};
    params.threads = engine ? engine->threads : 1;
    params.cancel = engine ? engine->cancel : NULL;
    return tilecut_graph_from_image(out, &image, it->labels, &params);
}
