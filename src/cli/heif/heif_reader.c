/* SPDX-License-Identifier: MIT
 *
 * heif_reader.c - the process that decodes: loads libheif, limits its own memory, and sends the picture. It never frees
 * memory, because it ends soon.
 */
#include "heif_reader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libheif/heif.h>

/* ---- The library ------------------------------------------------------------------------------ */

#define CALLS(CALL) \
    CALL(heif_context_alloc) \
    CALL(heif_context_read_from_memory_without_copy) \
    CALL(heif_context_get_number_of_top_level_images) \
    CALL(heif_context_get_list_of_top_level_image_IDs) \
    CALL(heif_context_get_primary_image_handle) \
    CALL(heif_context_get_image_handle) \
    CALL(heif_image_handle_get_width) \
    CALL(heif_image_handle_get_height) \
    CALL(heif_image_handle_get_ispe_width) \
    CALL(heif_image_handle_get_ispe_height) \
    CALL(heif_image_handle_has_alpha_channel) \
    CALL(heif_image_handle_get_luma_bits_per_pixel) \
    CALL(heif_image_handle_get_list_of_metadata_block_IDs) \
    CALL(heif_image_handle_get_metadata_size) \
    CALL(heif_image_handle_get_metadata) \
    CALL(heif_image_handle_get_raw_color_profile_size) \
    CALL(heif_image_handle_get_raw_color_profile) \
    CALL(heif_decoding_options_alloc) \
    CALL(heif_decode_image) \
    CALL(heif_image_get_width) \
    CALL(heif_image_get_height) \
    CALL(heif_image_get_bits_per_pixel_range) \
    CALL(heif_image_get_plane_readonly)

typedef struct heif_calls {
#define CALL(name) __typeof__(name) *name;
    CALLS(CALL)
#undef CALL
} heif_calls;

#define NAME(name) #name,
static const char *const names[] = {CALLS(NAME)};

bool heif_load(void **call, const char *const *name, size_t count)
{
    void *const library = dlopen(HEIF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool whole = library;
    for (size_t i = 0; whole && i < count; i++) whole = (call[i] = dlsym(library, name[i]));
    return whole;
}

bool heif_is_here(void)
{
    void *const library = dlopen(HEIF_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (library) dlclose(library);
    return library;
}

/* ---- The other process ------------------------------------------------------------------------ */

void heif_end(int socket, enum heif_answer answer, const char *text)
{
    heif_facts facts = {.answer = (int32_t)answer};
    snprintf(facts.text, sizeof facts.text, "%s", text ? text : "");
    apart_send(socket, &facts, sizeof facts);
    _exit(0);
}

static void check_heif(int socket, struct heif_error error)
{
    if (error.code == heif_error_Ok) return;
    if (error.subcode == heif_suberror_End_of_data) heif_end(socket, HEIF_CUT_SHORT, NULL);
    const bool large = error.subcode == heif_suberror_Security_limit_exceeded;
    if (error.code == heif_error_Memory_allocation_error && !large) heif_end(socket, HEIF_NO_MEMORY, NULL);
    const bool foreign = large || error.code == heif_error_Unsupported_feature ||
                         error.code == heif_error_Unsupported_filetype;
    heif_end(socket, foreign ? HEIF_UNSUPPORTED : HEIF_DAMAGED, error.message);
}

/* ---- The picture ------------------------------------------------------------------------------ */

typedef struct reader {
    heif_calls call;
    int socket;
    bool upright;
    heif_facts facts;
    struct heif_image_handle *handle;
    uint8_t *icc, *exif;
} reader;

static uint8_t *take_bytes(const reader *r, uint64_t size)
{
    uint8_t *const memory = malloc(size ? size : 1);
    if (!memory) heif_end(r->socket, HEIF_NO_MEMORY, NULL);
    return memory;
}

/* Finds the EXIF data. They begin with the offset of the TIFF header in them. EXIF with a wrong offset is ignored. */
static void find_exif(reader *r)
{
    enum { DISTANCE = 4 };
    heif_item_id id;
    if (r->call.heif_image_handle_get_list_of_metadata_block_IDs(r->handle, "Exif", &id, 1) != 1) return;
    const uint64_t size = r->call.heif_image_handle_get_metadata_size(r->handle, id);
    if (size <= DISTANCE) return;
    uint8_t *const data = take_bytes(r, size);
    if (r->call.heif_image_handle_get_metadata(r->handle, id, data).code != heif_error_Ok) return;
    const uint64_t distance =
        (uint64_t)data[0] << 24 | (uint64_t)data[1] << 16 | (uint64_t)data[2] << 8 | (uint64_t)data[3];
    if (distance >= size - DISTANCE) return;
    r->exif = data + DISTANCE + distance;
    r->facts.exif_size = size - DISTANCE - distance;
}

/* Finds picture `number` of the file. */
static void find_picture(reader *r, struct heif_context *context, int number)
{
    const int count = r->facts.pictures = r->call.heif_context_get_number_of_top_level_images(context);
    if (!number) {
        check_heif(r->socket, r->call.heif_context_get_primary_image_handle(context, &r->handle));
        return;
    }
    heif_item_id *const ids = (heif_item_id *)(void *)take_bytes(r, (uint64_t)count * sizeof *ids);
    if (number > r->call.heif_context_get_list_of_top_level_image_IDs(context, ids, count))
        heif_end(r->socket, HEIF_DAMAGED, "no such picture");
    check_heif(r->socket, r->call.heif_context_get_image_handle(context, ids[number - 1], &r->handle));
}

static void find_facts(reader *r, const bytes *file, int number)
{
    struct heif_context *const context = r->call.heif_context_alloc();
    if (!context) heif_end(r->socket, HEIF_NO_MEMORY, NULL);
    check_heif(r->socket, r->call.heif_context_read_from_memory_without_copy(context, file->data, file->size, NULL));
    find_picture(r, context, number);
    heif_facts *const f = &r->facts;
    f->width = r->upright ? r->call.heif_image_handle_get_width(r->handle)
                          : r->call.heif_image_handle_get_ispe_width(r->handle);
    f->height = r->upright ? r->call.heif_image_handle_get_height(r->handle)
                           : r->call.heif_image_handle_get_ispe_height(r->handle);
    f->channels = r->call.heif_image_handle_has_alpha_channel(r->handle) ? 4 : 3;
    f->depth = r->call.heif_image_handle_get_luma_bits_per_pixel(r->handle) > 8 ? 16 : 8;
    f->icc_size = r->call.heif_image_handle_get_raw_color_profile_size(r->handle);
    if (f->icc_size) r->icc = take_bytes(r, f->icc_size);
    if (f->icc_size &&
        r->call.heif_image_handle_get_raw_color_profile(r->handle, r->icc).code != heif_error_Ok) f->icc_size = 0;
    find_exif(r);
}

/* Widens samples of `bits` bits to 16. The upper bits are repeated in the lower ones, as in libheif's own tool. */
static void widen(uint16_t *row, size_t samples, int bits)
{
    if (bits < 9 || bits > 15) return;
    for (size_t i = 0; i < samples; i++)
        row[i] = (uint16_t)((unsigned)row[i] << (16 - bits) | (unsigned)row[i] >> (2 * bits - 16));
}

static void send_pixels(reader *r, const struct heif_image *picture)
{
    const heif_facts *const f = &r->facts;
    const size_t row = (size_t)f->width * (size_t)f->channels * (size_t)(f->depth / 8);
    const int bits = r->call.heif_image_get_bits_per_pixel_range(picture, heif_channel_interleaved);
    int stride = 0;
    const uint8_t *const from = r->call.heif_image_get_plane_readonly(picture, heif_channel_interleaved, &stride);
    uint8_t *const line = take_bytes(r, row);
    if (!from || stride < 0 || (size_t)stride < row) heif_end(r->socket, HEIF_DAMAGED, "no pixels");
    if (!apart_send(r->socket, f, sizeof *f)) _exit(0);
    for (int y = 0; y < f->height; y++) {
        memcpy(line, from + (size_t)y * (size_t)stride, row);
        if (f->depth == 16) widen((uint16_t *)(void *)line, row / 2, bits);
        if (!apart_send(r->socket, line, row)) _exit(0);
    }
}

void heif_read(int socket, const bytes *file, int number, bool upright)
{
    static const uint16_t one = 1;
    uint64_t room;
    reader r = {.socket = socket, .upright = upright};
    apart_withdraw();
    if (!heif_load((void **)&r.call, names, sizeof names / sizeof *names)) heif_end(socket, HEIF_NO_LIBRARY, dlerror());
    find_facts(&r, file, number);
    if (!apart_send(socket, &r.facts, sizeof r.facts) || !apart_receive(socket, &room, sizeof room)) _exit(0);
    apart_limit_memory(room);
    const bool little = *(const uint8_t *)&one, alpha = r.facts.channels == 4;
    const enum heif_chroma deep =
        little ? alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
               : alpha ? heif_chroma_interleaved_RRGGBBAA_BE : heif_chroma_interleaved_RRGGBB_BE;
    const enum heif_chroma plain = alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    struct heif_decoding_options *const options = r.call.heif_decoding_options_alloc();
    struct heif_image *picture = NULL;
    if (!options) heif_end(socket, HEIF_NO_MEMORY, NULL);
    options->ignore_transformations = !upright;
    if (options->version >= 3) options->strict_decoding = 1;
    check_heif(socket, r.call.heif_decode_image(r.handle, &picture, heif_colorspace_RGB,
                                           r.facts.depth == 16 ? deep : plain, options));
    r.facts.width = r.call.heif_image_get_width(picture, heif_channel_interleaved);
    r.facts.height = r.call.heif_image_get_height(picture, heif_channel_interleaved);
    send_pixels(&r, picture);
    apart_send(socket, r.icc, r.facts.icc_size);
    apart_send(socket, r.exif, r.facts.exif_size);
    _exit(0);
}
