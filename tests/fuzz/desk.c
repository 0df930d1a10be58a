/* SPDX-License-Identifier: MIT
 *
 * desk.c - fuzz target: requests from the page of the editor, in any order and form. The first bytes select a photo, a
 * scan or neither. The messages follow: the number of a call, two bytes of length, and that many bytes. Every answer
 * must have data or an error message.
 */
#include "desk.h"

#include <string.h>

#include "fuzz.h"

enum { MOST_SIDE = 12, MOST_SLICES = 5, MOST_MESSAGES = 12, CALLS = 14 };

static void make_photo(supply *input, image *out)
{
    const int width = 1 + (int)take_below(input, MOST_SIDE), height = 1 + (int)take_below(input, MOST_SIDE);
    const int channels = 1 + (int)take_below(input, 4), depth = take_below(input, 4) ? 8 : 16;
    const size_t size = (size_t)width * (size_t)height * (size_t)channels * (size_t)(depth / 8);
    *out = (image){.width = width, .height = height, .channels = channels, .depth = depth, .orientation = 1,
                   .format = "PNG", .pixels = malloc(size)};
    MUST(out->pixels);
    for (size_t i = 0; i < size; i++) out->pixels[i] = (uint8_t)(take(input) & 0xf0);
}

static int prepare(void *context, desk *d, failure *why)
{
    (void)context, (void)why;
    d->whole = d->small = tilecut_params_default();
    d->whole.threads = d->small.threads = 1;
    return EXIT_DONE;
}

/* Makes a scan as if it had been read from a file. */
static void make_scan(supply *input, scan_job *out)
{
    static const inputs nothing = {.max_pixels = 0};
    static const job_request request = {.inputs = &nothing};
    static const scan_options usual = {.ranged = false};
    scan *const s = &out->scan;
    *s = (scan){.width = 1 + (int)take_below(input, MOST_SIDE), .height = 1 + (int)take_below(input, MOST_SIDE),
                .depth = 1 + (int)take_below(input, MOST_SLICES), .type = TILECUT_VOXEL_I16, .slope = 1};
    for (int k = 0; k < 3; k++) s->spacing[k] = 1 + (int)take_below(input, 3);
    const size_t count = scan_count(s);
    int16_t *const voxels = malloc(count * sizeof *voxels);
    MUST(voxels);
    s->voxels = voxels;
    for (size_t i = 0; i < count; i++) voxels[i] = (int16_t)((take(input) & 0xf0) - 100);
    out->options = &usual;
    out->base->request = &request;
    out->base->files.photo = "scan.nii";
    out->base->seeds.label = calloc(count, 1);
    MUST(out->base->seeds.label);
}

/* A scan open in the editor. */
typedef struct opened {
    scan_desk table; /* must be the first member of the struct */
    job base;
    scan_job work;
} opened;

static scan_desk *open_scan(supply *input)
{
    failure why = {0};
    opened *const o = calloc(1, sizeof *o);
    MUST(o);
    o->work.base = &o->base;
    make_scan(input, &o->work);
    MUST(scan_desk_begin(&o->table, &o->work, &why) == EXIT_DONE);
    return &o->table;
}

static void close_scan(scan_desk *table)
{
    opened *const o = (opened *)(void *)table;
    scan_desk_free(table);
    scan_free(&o->work.scan);
    free(o->base.seeds.label);
    free(o);
}

/* Makes a photo or a scan from the bytes of a file that the page sends. */
static int read_file(void *context, const char *name, const uint8_t *file, size_t size, desk_file_read *out,
                     failure *why)
{
    supply input = {file, size};
    (void)context;
    if (size < 3) return fail(why, EXIT_INPUT, "%s: is no photo", name);
    if (take_below(&input, 4)) make_photo(&input, &out->photo);
    else out->scan = open_scan(&input);
    return EXIT_DONE;
}

/* Takes the next message from the input, in memory of exactly its size, so that sanitizers see reads past its end. Most
 * messages get the line that names their sender, because random bytes would never contain it. */
static uint8_t *take_message(supply *input, int tab, size_t *size)
{
    char own[24] = "";
    const bool stranger = take_below(input, 8) == 0;
    const size_t wanted = take(input) | (size_t)take_below(input, 4) << 8;
    const size_t rest = wanted < input->left ? wanted : input->left;
    const size_t head = stranger ? 0 : (size_t)snprintf(own, sizeof own, "tab\t%d\n", tab);
    uint8_t *const text = malloc(head + rest + 1);
    MUST(text);
    memcpy(text, own, head);
    if (rest) memcpy(text + head, input->at, rest);
    input->at += rest;
    input->left -= rest;
    *size = head + rest;
    return text;
}

static void ask(desk *d, supply *input)
{
    const desk_call *const call = &desk_calls[take_below(input, CALLS)];
    answer got = {.http = 200};
    message m;
    size_t size;
    uint8_t *const text = take_message(input, d->tab, &size);
    MUST(call->path);
    if (desk_find_call(call->path) == call && size <= desk_limit(d, call) && message_read(text, size, &m)) {
        desk_run(d, call, &m, &got);
        MUST(got.http == 200 || (*got.why.text && !strchr(got.why.text, '\n')));
    }
    bytes_free(&got.data);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const common shared = {.threads = 1};
    supply input = {data, size};
    image photo;
    failure why = {0};
    desk d = {.name = "photo.png", .common = &shared, .memory = 1 << 24, .read = read_file, .prepare = prepare,
              .close = close_scan};

    desk_init(&d);
    prepare(NULL, &d, &why);
    const int what = (int)take_below(&input, 8);
    if (what == 1) {
        MUST(desk_take_scan(&d, open_scan(&input), &why) == EXIT_DONE);
    } else if (what) {
        make_photo(&input, &photo);
        MUST(desk_take(&d, &photo, NULL, &why) == EXIT_DONE);
    }
    for (int i = 0; i < MOST_MESSAGES && input.left; i++) ask(&d, &input);
    desk_free(&d);
    return 0;
}
