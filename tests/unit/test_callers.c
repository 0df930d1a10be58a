/* SPDX-License-Identifier: MIT
 *
 * test_callers.c - the layout of a caller's memory and the caller's locale change no result: rows of any stride, memory
 * at any address that the header allows, a decimal comma.
 */
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"
#include "tilecut_volume.h"

enum { W = 37, H = 29, MOST_STRIDE = W * 6 + 40, ROOM = MOST_STRIDE * H + 16 };

/* Draws pixels in rows of `stride` bytes, `shift` bytes after a 16-byte boundary. The gaps between rows hold noise. */
static tilecut_image place(int channels, int depth, size_t stride, size_t shift, uint8_t *memory)
{
    uint64_t state = 5, noise = stride + shift;
    const size_t row = (size_t)W * (size_t)channels * (size_t)(depth / 8);
    for (size_t i = 0; i < ROOM; i++) memory[i] = (uint8_t)random_next(&noise);
    for (size_t y = 0; y < H; y++)
        for (size_t i = 0; i < row; i++)
            memory[shift + y * stride + i] = (uint8_t)(random_below(&state, 40) + (i / 7 % 5 > 2 && y > 9 ? 150 : 30));
    return (tilecut_image){.width = W, .height = H, .channels = channels, .depth = depth, .stride = stride,
                           .pixels = memory + shift};
}

/* Cuts with rows `gap` bytes apart, at a shifted address, and packs the mask. */
static void cut(int channels, int depth, size_t gap, size_t shift, uint8_t *packed)
{
    static _Alignas(16) uint8_t pixels[ROOM], seeds[ROOM], mask[ROOM];
    const size_t wide = (size_t)channels * (size_t)(depth / 8), labels = W + gap;
    const tilecut_image image = place(channels, depth, (size_t)W * wide + gap * (size_t)(depth / 8),
                                      shift * (size_t)(depth / 8), pixels);
    tilecut_params params = tilecut_params_default();
    params.seeds_stride = params.mask_stride = labels;
    memset(seeds, 99, sizeof seeds); /* fills the gaps between rows with an invalid label */
    memset(mask, 77, sizeof mask);
    for (size_t y = 0; y < H; y++)
        for (size_t x = 0; x < W; x++)
            seeds[shift + y * labels + x] = y < 2 ? TILECUT_BACKGROUND : y == 20 && x > 3 ? TILECUT_FOREGROUND
                                                                                          : TILECUT_UNKNOWN;
    ck_assert_msg(tilecut_segment(&image, seeds + shift, &params, mask + shift, NULL) == TILECUT_OK, "%s",
                  tilecut_error_detail());
    for (size_t y = 0; y < H; y++) memcpy(packed + y * W, mask + shift + y * labels, W);
    for (size_t y = 0; y + 1 < H; y++)
        for (size_t x = W; x < labels; x++) ck_assert_uint_eq(mask[shift + y * labels + x], 77);
}

TEST(stride_and_address_change_nothing)
{
    uint8_t first[W * H], other[W * H];
    for (int channels = 1; channels <= 3; channels += 2)
        for (int depth = 8; depth <= 16; depth += 8) {
            cut(channels, depth, 0, 0, first);
            for (size_t gap = 0; gap < 18; gap++)
                for (size_t shift = 0; shift < 3; shift++) {
                    cut(channels, depth, gap, shift, other);
                    ck_assert_msg(!memcmp(first, other, sizeof first), "%d channels of %d bits, gap %zu, shift %zu",
                                  channels, depth, gap, shift);
                }
        }
}

/* Writes a glibc locale with a decimal comma into the folder `home`. It has only the category LC_NUMERIC, as localedef
 * would write it. The file starts with a magic number, the number of items and the offset of each. */
static bool write_locale(const char *home)
{
    enum { ITEMS = 6, HEAD = 4 * (2 + ITEMS) };
    struct {
        uint32_t magic, items, at[ITEMS];
        char comma[2], none, no_groups;
        uint32_t wide[2];
        char codes[6];
    } file = {0x20031114, ITEMS, {HEAD, HEAD + 2, HEAD + 3, HEAD + 4, HEAD + 8, HEAD + 12},
              ",", 0, 0, {',', 0}, "UTF-8"};
    char path[256];
    snprintf(path, sizeof path, "%s/comma", home);
    if (mkdir(path, 0777) != 0) return false;
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", home);
    FILE *const out = fopen(path, "wb");
    const bool written = out && fwrite(&file, sizeof file, 1, out) == 1;
    return out && fclose(out) == 0 && written;
}

/* Selects a locale with a decimal comma: an installed one, or else one made here. Returns false if that is not
 * possible. */
static bool take_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "it_IT.UTF-8", "es_ES.UTF-8", "nl_NL.UTF-8",
                                        "ru_RU.UTF-8", "tr_TR.UTF-8"};
    char home[] = "/tmp/tilecut-locale-XXXXXX", path[300];
    bool comma = false;
    for (size_t i = 0; !comma && i < sizeof names / sizeof *names; i++)
        comma = setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',';
    if (comma || !mkdtemp(home)) return comma;
    setenv("LOCPATH", home, 1);
    comma = write_locale(home) && setlocale(LC_NUMERIC, "comma") && *localeconv()->decimal_point == ',';
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", home);
    unlink(path);
    snprintf(path, sizeof path, "%s/comma", home);
    rmdir(path);
    rmdir(home);
    return comma;
}

enum { WAYS = 5 };

/* Cuts with each colour model, in a session, and as a volume of one slice. Also stores the library's message for a
 * wrong parameter. */
static void cut_in_all_ways(uint8_t masks[WAYS][W * H], char *sentence, size_t room)
{
    static _Alignas(16) uint8_t pixels[ROOM];
    const tilecut_image image = place(3, 8, (size_t)W * 3, 0, pixels);
    uint8_t seeds[W * H];
    tilecut_params params = tilecut_params_default();
    static const char *const colors[] = {"gmm", "hist", "none"};
    for (int i = 0; i < W * H; i++)
        seeds[i] = i < 2 * W ? TILECUT_BACKGROUND : i / W == 20 ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
    for (int i = 0; i < 3; i++) {
        params.colors = colors[i];
        params.lambda = 7.5;
        params.connectivity = i == 1 ? 8 : 4;
        ck_assert_int_eq(tilecut_segment(&image, seeds, &params, masks[i], NULL), TILECUT_OK);
    }
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, masks[3], NULL), TILECUT_OK);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    const tilecut_volume slice = {.width = W, .height = H, .depth = 1, .type = TILECUT_VOXEL_U8, .voxels = pixels,
                                  .spacing = {0.5, 0.75, 1.25}};
    ck_assert_int_eq(tilecut_volume_segment(&slice, seeds, NULL, masks[4], NULL), TILECUT_OK);
    params.lambda = -1.5;
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, masks[3], NULL), TILECUT_EINVAL);
    snprintf(sentence, room, "%s", tilecut_error_detail());
}

TEST(a_decimal_comma_changes_nothing)
{
    static uint8_t first[WAYS][W * H], other[WAYS][W * H];
    char said[200], said_with_comma[200];
    cut_in_all_ways(first, said, sizeof said);
    if (!take_comma()) {
        puts("skipped: a decimal comma, there is no such locale and none could be made");
        return;
    }
    cut_in_all_ways(other, said_with_comma, sizeof said_with_comma);
    ck_assert_int_eq(*localeconv()->decimal_point, ','); /* checks that the library has not changed the locale */
    setlocale(LC_ALL, "C");
    ck_assert_mem_eq(first, other, sizeof first);
    ck_assert_str_eq(said, said_with_comma);
}

int main(void) { return run_suite((test_suite){.name = "callers", .seconds = 120}); }
