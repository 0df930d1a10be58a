/* SPDX-License-Identifier: MIT
 *
 * test_seed_rows.c - the seeds of some rows of a photo equal those rows of the seeds of the whole photo: shapes of
 * every kind in annotation files, strokes, boxes, a trimap in strips or tiles, and pictures that are read whole, each
 * alone and together, for any division of the rows.
 */
#include "image.h"
#include "seeds.h"
#include "tilecut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_graph.h"

#undef fail
#undef fail

#include "run_suite.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>
#define WITH_TIFF 1
#else
#define WITH_TIFF 0
#endif

enum { WIDTH = 61, HEIGHT = 50, PIXELS = WIDTH * HEIGHT, ROUNDS = 400 };

static char folder[] = "/tmp/test_seed_rows.XXXXXX";
static char shapes_path[64], trimap_path[64], photo_path[64];
static uint8_t photo_pixels[PIXELS];
static const image photo = {.width = WIDTH, .height = HEIGHT, .channels = 1, .depth = 8, .pixels = photo_pixels};

/* ---- Files --------------------------------------------------------------------------------------- */

/* Returns a coordinate at the middle or the edge of a pixel, or in between. It may lie outside of the picture. */
static double coordinate(uint64_t *state, int side)
{
    return random_below(state, 4 * (side + 20)) / 4.0 - 10 + (random_below(state, 2) ? 0.1 : 0);
}

static void print_shape(FILE *to, uint64_t *state)
{
    static const char *const kinds[] = {"polygon", "rectangle", "circle", "line", "linestrip", "point"};
    static const int most[] = {7, 2, 2, 2, 6, 1}, least[] = {3, 2, 2, 2, 3, 1};
    const int kind = random_below(state, 6), count = least[kind] + random_below(state, most[kind] - least[kind] + 1);
    fprintf(to, "{\"label\": \"%s\", \"shape_type\": \"%s\", \"points\": [",
            random_below(state, 2) ? "background" : "cat", kinds[kind]);
    for (int i = 0; i < count; i++)
        fprintf(to, "%s[%.2f, %.2f]", i ? ", " : "", coordinate(state, WIDTH), coordinate(state, HEIGHT));
    fprintf(to, "]}");
}

static void write_shapes(uint64_t *state)
{
    FILE *const to = fopen(shapes_path, "w");
    const int count = 1 + random_below(state, 5);
    fprintf(to, "{\"imageWidth\": %d, \"imageHeight\": %d, \"shapes\": [", WIDTH, HEIGHT);
    for (int i = 0; i < count; i++) {
        fprintf(to, "%s", i ? ", " : "");
        print_shape(to, state);
    }
    fprintf(to, "]}\n");
    fclose(to);
}

/* Writes COCO run lengths, which go down the columns of the whole picture. */
static void write_runs(uint64_t *state)
{
    FILE *const to = fopen(shapes_path, "w");
    fprintf(to, "{\"images\": [{\"id\": 1, \"width\": %d, \"height\": %d, \"file_name\": \"photo.png\"}], "
            "\"annotations\": [{\"image_id\": 1, \"category_id\": 1, \"iscrowd\": 1, \"segmentation\": {\"size\": "
            "[%d, %d], \"counts\": [", WIDTH, HEIGHT, HEIGHT, WIDTH);
    int left = PIXELS;
    for (int run; left; left -= run) {
        run = 1 + random_below(state, 3 * HEIGHT);
        if (run > left) run = left;
        fprintf(to, "%d%s", run, run < left ? ", " : "");
    }
    fprintf(to, "]}}], \"categories\": [{\"id\": 1, \"name\": \"cat\"}]}\n");
    fclose(to);
}

#if WITH_TIFF
/* Writes a trimap of blots, in tiles of side `tile` or, if it is 0, in strips of 7 rows. */
static void write_trimap(uint64_t *state, uint32_t tile)
{
    static const uint8_t grey[] = {0, 128, 128, 255};
    uint8_t pixels[PIXELS], block[48 * 48];
    uint8_t blot[(WIDTH / 8 + 1) * (HEIGHT / 8 + 1)];
    for (size_t i = 0; i < sizeof blot; i++) blot[i] = grey[random_below(state, 4)];
    for (int p = 0; p < PIXELS; p++) pixels[p] = blot[p / WIDTH / 8 * (WIDTH / 8 + 1) + p % WIDTH / 8];
    TIFF *const t = TIFFOpen(trimap_path, tile ? "w8" : "w");
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, WIDTH);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, HEIGHT);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    if (tile) TIFFSetField(t, TIFFTAG_TILEWIDTH, tile);
    if (tile) TIFFSetField(t, TIFFTAG_TILELENGTH, tile);
    else TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 7);
    for (uint32_t y = 0; !tile && y < HEIGHT; y++) TIFFWriteScanline(t, pixels + y * WIDTH, y, 0);
    for (uint32_t y = 0; tile && y < HEIGHT; y += tile)
        for (uint32_t x = 0; x < WIDTH; x += tile) {
            for (uint32_t k = 0; k < tile && y + k < HEIGHT; k++)
                memcpy(block + k * tile, pixels + (y + k) * WIDTH + x, WIDTH - x < tile ? WIDTH - x : tile);
            TIFFWriteTile(t, block, x, y, 0, 0);
        }
    TIFFClose(t);
}
#endif

/* ---- Whole and rows ------------------------------------------------------------------------------- */

/* Reads the rows in pieces, each with one more row above and below, and compares them with the whole. */
static void compare(const seeds_request *request, const seeds *whole, uint64_t *state, unsigned seed)
{
    int64_t foreground = 0, background = 0, unknown = 0;
    for (int first = 0, own; first < HEIGHT; first += own) {
        own = 1 + random_below(state, 25);
        if (own > HEIGHT - first) own = HEIGHT - first;
        const int above = first > 0, below = first + own < HEIGHT;
        const seeds_rows rows = {.width = WIDTH, .height = own + above + below, .above = first - above,
                                 .whole_height = HEIGHT, .first = above, .own = own};
        seeds some;
        notes log = {0};
        failure why = {0};
        const int status = seeds_read_rows(request, &rows, photo_path, &some, &log, &why);
        ck_assert_msg(status == EXIT_DONE, "seed %u, rows %d and %d more: %s", seed, first, own, why.text);
        for (int p = 0; p < WIDTH * rows.height; p++)
            ck_assert_msg(some.label[p] == whole->label[p + WIDTH * (first - above)], "seed %u: pixel %d,%d", seed,
                          p % WIDTH, p / WIDTH + first - above);
        foreground += some.foreground, background += some.background, unknown += some.unknown;
        seeds_free(&some);
        notes_free(&log);
    }
    ck_assert_int_eq(foreground, whole->foreground);
    ck_assert_int_eq(background, whole->background);
    ck_assert_int_eq(unknown, whole->unknown);
}

static void read_both(seeds_request *request, uint64_t *state, unsigned seed, int *compared)
{
    notes log = {0};
    failure why = {0};
    seeds whole;
    request->mask_given = true; /* with a mask, a missing class is no error */
    if (seeds_read(request, &photo, photo_path, &whole, &log, &why) == EXIT_DONE) {
        compare(request, &whole, state, seed);
        seeds_free(&whole);
        ++*compared;
    }
    notes_free(&log);
}

TEST(rows_of_seeds_are_those_of_the_whole)
{
    static const enum seeds_conflict conflicts[] = {CONFLICT_FOREGROUND, CONFLICT_BACKGROUND, CONFLICT_DROP,
                                                    CONFLICT_LAST};
    int compared = 0;
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        uint64_t state = seed;
        const char *files[2];
        enum seeds_format formats[2];
        seeds_request request;
        seeds_request_init(&request);
        request.files = files;
        request.formats = formats;
        request.conflict = conflicts[random_below(&state, 4)];
        request.brush = random_below(&state, 5);
        if (random_below(&state, 4)) write_shapes(&state);
        else write_runs(&state);
        files[0] = shapes_path;
        formats[0] = random_below(&state, 3) ? SEEDS_UNNAMED : SEEDS_BOX;
        request.file_count = 1;
#if WITH_TIFF
        write_trimap(&state, 16 * (uint32_t)random_below(&state, 4));
        files[1] = trimap_path;
        formats[1] = SEEDS_TRIMAP;
        request.file_count += random_below(&state, 2);
#endif
        request.box_given = random_below(&state, 4) == 0;
        memcpy(request.box, (double[]){10, 8, 40, 33}, sizeof request.box);
        read_both(&request, &state, seed, &compared);
        seeds_request_free(&request);
    }
    ck_assert_int_gt(compared, RANDOM_CASES(ROUNDS) / 2);
}

/* ---- Pictures that are read whole ----------------------------------------------------------------- */

/* Writes a picture of blots, of which `blots` of 16 have one of two colours and the others the third. */
static void write_blots(const char *path, uint64_t *state, const uint8_t colors[3][3], int blots)
{
    FILE *const to = fopen(path, "w");
    uint8_t blot[(WIDTH / 8 + 1) * (HEIGHT / 8 + 1)];
    for (size_t i = 0; i < sizeof blot; i++)
        blot[i] = (uint8_t)(random_below(state, 16) < blots ? random_below(state, 2) : 2);
    blot[0] = 0, blot[1] = 1, blot[2] = 2;
    fprintf(to, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int p = 0; p < PIXELS; p++) fwrite(colors[blot[p / WIDTH / 8 * (WIDTH / 8 + 1) + p % WIDTH / 8]], 1, 3, to);
    fclose(to);
}

/* Strokes by colour, over a canvas or over the photo, masks with a band, and pictures whose format is recognised. */
TEST(pictures_that_must_be_seen_whole_are_read_for_any_rows)
{
    static const uint8_t strokes[3][3] = {{0, 255, 0}, {255, 0, 0}, {128, 128, 128}};
    static const uint8_t painted[3][3] = {{0, 255, 0}, {255, 0, 0}, {0, 0, 0}};
    static const uint8_t grey[3][3] = {{255, 255, 255}, {0, 0, 0}, {128, 128, 128}};
    static const uint8_t mask[3][3] = {{255, 255, 255}, {0, 0, 0}, {0, 0, 0}};
    static const struct { enum seeds_format format; const uint8_t (*colors)[3]; } kinds[] = {
        {SEEDS_AUTO, strokes}, {SEEDS_AUTO, grey}, {SEEDS_COLOR, strokes}, {SEEDS_DIFF, painted}, {SEEDS_MASK, mask}};
    static const enum seeds_conflict conflicts[] = {CONFLICT_FOREGROUND, CONFLICT_BACKGROUND, CONFLICT_DROP,
                                                    CONFLICT_LAST};
    enum { KINDS = sizeof kinds / sizeof *kinds, CASES = 16 * KINDS };
    int compared = 0;
    for (unsigned seed = 0; seed < CASES; seed++) {
        uint64_t state = seed + 1;
        const char *const files[] = {shapes_path, trimap_path};
        const enum seeds_format formats[] = {kinds[seed % KINDS].format, SEEDS_TRIMAP};
        seeds_request request;
        seeds_request_init(&request);
        request.files = files;
        request.formats = formats;
        request.file_count = 1 + random_below(&state, 2);
        request.conflict = conflicts[random_below(&state, 4)];
        request.band = 2;
        write_blots(shapes_path, &state, kinds[seed % KINDS].colors, 4);
        write_blots(trimap_path, &state, grey, 4);
        read_both(&request, &state, seed, &compared);
        seeds_request_free(&request);
    }
    ck_assert_int_eq(compared, CASES);
}

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(shapes_path, sizeof shapes_path, "%s/shapes.json", folder);
    snprintf(trimap_path, sizeof trimap_path, "%s/trimap.tif", folder);
    snprintf(photo_path, sizeof photo_path, "%s/photo.png", folder);
    FILE *const to = fopen(photo_path, "w");
    fprintf(to, "P5 %d %d 255\n", WIDTH, HEIGHT);
    fwrite(photo_pixels, 1, PIXELS, to);
    fclose(to);
}

static void remove_folder(void)
{
    unlink(shapes_path);
    unlink(trimap_path);
    unlink(photo_path);
    rmdir(folder);
}

int main(void) { return run_suite((test_suite){.name = "seed_rows", .begin = make_folder, .end = remove_folder}); }
