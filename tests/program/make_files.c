/* SPDX-License-Identifier: MIT
 *
 * make_files.c - makes the pictures that the tests of the program read, good and bad, in the folder named
 * on the command line: one scene in many encodings, seeds of every kind, and damaged or hostile files.
 */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
/* stdio.h must come first, since jpeglib.h needs it */
#include <jpeglib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { W = 96, H = 64, PIXELS = W * H, LARGEST = 1 << 20 };

static uint8_t photo[PIXELS * 3];
static bool object[PIXELS];

static FILE *create(const char *name)
{
    FILE *file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(1);
    }
    return file;
}

static void finish(FILE *file, const char *name)
{
    if (fclose(file)) {
        perror(name);
        exit(1);
    }
}

static void write_bytes(const char *name, const void *data, size_t size)
{
    FILE *file = create(name);
    fwrite(data, 1, size, file);
    finish(file, name);
}

static size_t read_bytes(const char *name, uint8_t *data)
{
    FILE *file = fopen(name, "rb");
    const size_t size = file ? fread(data, 1, LARGEST, file) : 0;
    if (file) fclose(file);
    return size;
}

/* Draws an orange shape like a thick L, off the centre, on a bluish background, both with noise. No symmetry maps the
 * scene to itself, so a wrong orientation is always visible. */
static void make_scene(void)
{
    uint32_t random = 1;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int p = y * W + x;
            object[p] = (x >= 20 && x < 36 && y >= 10 && y < 54) || (x >= 20 && x < 70 && y >= 38 && y < 54);
            for (int c = 0; c < 3; c++) {
                static const int ground[3] = {60, 90, 150}, shape[3] = {220, 130, 40};
                random = random * 1664525u + 1013904223u;
                photo[3 * p + c] = (uint8_t)((object[p] ? shape[c] : ground[c]) + (int)(random >> 28));
            }
        }
}

/* ---- PNG -------------------------------------------------------------------------------------- */

typedef struct picture {
    int width, height, type, depth;
    const uint8_t *pixels;
    const png_color *palette;
    int colors;
    const uint8_t *alpha; /* alpha of the palette entries, or NULL */
} picture;

static int channels_of(int type)
{
    switch (type) {
    case PNG_COLOR_TYPE_RGB: return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA: return 4;
    case PNG_COLOR_TYPE_GRAY_ALPHA: return 2;
    default: return 1;
    }
}

static void write_png(const char *name, const picture *p)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = create(name);
    const size_t stride = (size_t)p->width * (size_t)(channels_of(p->type) * p->depth / 8);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, p->depth,
                 p->type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (p->palette) png_set_PLTE(png, info, p->palette, p->colors);
    if (p->alpha) png_set_tRNS(png, info, p->alpha, p->colors, NULL);
    png_write_info(png, info);
    for (int y = 0; y < p->height; y++) png_write_row(png, p->pixels + (size_t)y * stride);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    finish(file, name);
}

static void write_plain_png(const char *name, int width, int height, int type, const uint8_t *pixels)
{
    const picture whole = {.width = width, .height = height, .type = type, .depth = 8, .pixels = pixels};
    write_png(name, &whole);
}

/* ---- JPEG ------------------------------------------------------------------------------------- */

static void write_jpeg(const char *name, int width, int height, int components, const uint8_t *pixels,
                       int orientation, int quality)
{
    /* the letters "Exif", a big-endian TIFF header, and one entry: tag 0x112, SHORT, one value */
    uint8_t exif[] = {'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3,
                      0, 0, 0, 1, 0, (uint8_t)orientation, 0, 0, 0, 0, 0, 0};
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = create(name);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = components;
    jpeg.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&jpeg, TRUE);
    if (orientation) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
    for (int y = 0; y < height; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)y * (size_t)(width * components));
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    finish(file, name);
}

/* Writes the scene as stored by a camera, so that EXIF orientation `o` turns it upright. */
static void write_turned(const char *name, int o)
{
    static uint8_t turned[PIXELS * 3];
    const int width = o > 4 ? H : W, height = o > 4 ? W : H;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int mx = W - 1 - x, my = H - 1 - y;
            const int to_x[] = {x, mx, mx, x, y, y, my, my}, to_y[] = {y, y, my, my, x, mx, mx, x};
            memcpy(turned + 3 * (to_y[o - 1] * width + to_x[o - 1]), photo + 3 * (y * W + x), 3);
        }
    write_jpeg(name, width, height, 3, turned, o, 100);
}

/* ---- the photo -------------------------------------------------------------------------------- */

static void make_photos(void)
{
    static uint8_t rgba[PIXELS * 4], wide[PIXELS * 6], grey[PIXELS], cmyk[PIXELS * 4];
    FILE *file = create("photo.ppm");
    fprintf(file, "P6\n%d %d\n255\n", W, H);
    fwrite(photo, 3, PIXELS, file);
    finish(file, "photo.ppm");
    for (int p = 0; p < PIXELS; p++) {
        memcpy(rgba + 4 * p, photo + 3 * p, 3);
        rgba[4 * p + 3] = 255;
        grey[p] = photo[3 * p];
        memcpy(cmyk + 4 * p, photo + 3 * p, 3);
        for (int c = 0; c < 3; c++) wide[6 * p + 2 * c] = wide[6 * p + 2 * c + 1] = photo[3 * p + c];
    }
    write_plain_png("photo.png", W, H, PNG_COLOR_TYPE_RGB, photo);
    write_plain_png("grey.png", W, H, PNG_COLOR_TYPE_GRAY, grey);
    write_plain_png("opaque.png", W, H, PNG_COLOR_TYPE_RGB_ALPHA, rgba);
    for (int p = 0; p < 50; p++) rgba[4 * p + 3] = 0;
    write_plain_png("transparent.png", W, H, PNG_COLOR_TYPE_RGB_ALPHA, rgba);
    const picture deep = {.width = W, .height = H, .type = PNG_COLOR_TYPE_RGB, .depth = 16, .pixels = wide};
    write_png("deep.png", &deep);
    write_jpeg("photo.jpg", W, H, 3, photo, 0, 95);
    write_jpeg("cmyk.jpg", W, H, 4, cmyk, 0, 95);
    for (int o = 1; o <= 8; o++) {
        char name[] = "exif_0.jpg";
        name[5] = (char)('0' + o);
        write_turned(name, o);
    }
}

/* ---- seeds ------------------------------------------------------------------------------------ */

/* Returns the seed at (x, y): a foreground bar inside the object, and background along the left and upper border. */
static int seed_at(int x, int y)
{
    if (x >= 26 && x < 30 && y >= 14 && y < 48) return 2;
    return (x >= 4 && x < 8) || (y >= 2 && y < 5) ? 1 : 0;
}

/* Writes strokes in two colours on a transparent canvas, without a class whose colour is NULL. */
static void write_strokes(const char *name, const uint8_t *foreground, const uint8_t *background)
{
    static uint8_t rgba[PIXELS * 4];
    memset(rgba, 0, sizeof rgba);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int seed = seed_at(x, y);
            const uint8_t *color = seed == 2 ? foreground : seed == 1 ? background : NULL;
            if (!color) continue;
            memcpy(rgba + 4 * (y * W + x), color, 3);
            rgba[4 * (y * W + x) + 3] = 255;
        }
    write_plain_png(name, W, H, PNG_COLOR_TYPE_RGB_ALPHA, rgba);
}

static void write_grey_seeds(const char *name, uint8_t background, uint8_t unknown, uint8_t foreground)
{
    static uint8_t grey[PIXELS];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int seed = seed_at(x, y);
            grey[y * W + x] = seed == 2 ? foreground : seed == 1 ? background : unknown;
        }
    write_plain_png(name, W, H, PNG_COLOR_TYPE_GRAY, grey);
}

static void write_palette_seeds(const char *name, const png_color colors[3])
{
    static uint8_t index[PIXELS];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) index[y * W + x] = (uint8_t)seed_at(x, y);
    const picture whole = {.width = W, .height = H, .type = PNG_COLOR_TYPE_PALETTE, .depth = 8,
                             .pixels = index, .palette = colors, .colors = 3};
    write_png(name, &whole);
}

/* Writes a trimap with soft edges, and strokes of 47 % opacity. */
static void write_soft_seeds(void)
{
    static uint8_t grey[PIXELS], rgba[PIXELS * 4];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int p = y * W + x, seed = seed_at(x, y);
            grey[p] = seed == 2 ? 255 : seed == 1 ? 0 : x % 9 == 0 ? 64 : x % 9 == 1 ? 192 : 128;
            memcpy(rgba + 4 * p, (const uint8_t[4]){seed == 1 ? 255 : 0, seed == 2 ? 255 : 0, 0, seed ? 120 : 0}, 4);
        }
    write_plain_png("soft_trimap.png", W, H, PNG_COLOR_TYPE_GRAY, grey);
    write_plain_png("faint_strokes.png", W, H, PNG_COLOR_TYPE_RGB_ALPHA, rgba);
}

static void make_seeds(void)
{
    static const uint8_t green[3] = {0, 255, 0}, red[3] = {255, 0, 0};
    static uint8_t over[PIXELS * 3], canvas[PIXELS * 3], all[PIXELS], truth[PIXELS];
    static const png_color colors[3] = {{128, 128, 128}, {255, 0, 0}, {0, 255, 0}};
    static const png_color ramp[3] = {{128, 128, 128}, {0, 0, 0}, {255, 255, 255}};
    write_strokes("seeds.png", green, red);
    write_strokes("only_fg.png", green, NULL);
    write_strokes("only_bg.png", NULL, red);
    write_strokes("swapped.png", red, green);
    write_strokes("blank.png", NULL, NULL);
    write_grey_seeds("trimap.png", 0, 128, 255);
    write_grey_seeds("two_values.png", 0, 0, 255);
    write_grey_seeds("grabcut.png", 0, 3, 1);
    write_palette_seeds("palette_color.png", colors);
    write_palette_seeds("palette_grey.png", ramp);
    memcpy(over, photo, sizeof over);
    memset(canvas, 128, sizeof canvas);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int p = y * W + x, seed = seed_at(x, y);
            if (seed) memcpy(over + 3 * p, seed == 2 ? green : red, 3);
            if (seed) memcpy(canvas + 3 * p, seed == 2 ? green : red, 3);
            all[p] = object[p] ? 255 : 0;
            truth[p] = object[p] ? 255 : 0;
        }
    all[0] = 128;
    write_plain_png("over_photo.png", W, H, PNG_COLOR_TYPE_RGB, over);
    write_plain_png("canvas.png", W, H, PNG_COLOR_TYPE_RGB, canvas);
    write_plain_png("all_but_one.png", W, H, PNG_COLOR_TYPE_GRAY, all);
    write_plain_png("truth.png", W, H, PNG_COLOR_TYPE_GRAY, truth);
    write_plain_png("small_seeds.png", W / 2, H, PNG_COLOR_TYPE_GRAY, all);
    write_jpeg("seeds.jpg", W, H, 3, canvas, 0, 90);
    write_soft_seeds();
}

/* ---- damaged files ---------------------------------------------------------------------------- */

static uint32_t crc32_png(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Writes photo.png with another size in its header and a correct checksum. */
static void write_resized(const char *name, const uint8_t *png, size_t size, uint32_t width, uint32_t height)
{
    static uint8_t copy[LARGEST];
    memcpy(copy, png, size);
    put32(copy + 16, width);
    put32(copy + 20, height);
    put32(copy + 29, crc32_png(copy + 12, 17));
    write_bytes(name, copy, size);
}

/* Writes a PNG with many text chunks of one byte after its header, more than it has pixels. */
static void write_pieces(const char *name, const uint8_t *png, size_t size)
{
    enum { HEADER_END = 33, PIECES = 12000 };
    uint8_t piece[] = "\0\0\0\3tEXta\0b....";
    FILE *file = create(name);
    put32(piece + 11, crc32_png(piece + 4, 7));
    fwrite(png, 1, HEADER_END, file);
    for (int i = 0; i < PIECES; i++) fwrite(piece, 1, 15, file);
    fwrite(png + HEADER_END, 1, size - HEADER_END, file);
    finish(file, name);
}

static void make_damaged(void)
{
    static uint8_t data[LARGEST];
    size_t size = read_bytes("photo.png", data);
    write_bytes("truncated.png", data, size / 2);
    write_bytes("header_only.png", data, 8);
    write_pieces("pieces.png", data, size);
    write_resized("zero.png", data, size, 0, 0);
    write_resized("huge.png", data, size, 40000, 25000);
    write_resized("wide.png", data, size, 2000000000u, 2000000000u);
    data[size / 2] ^= 0x55;
    write_bytes("wrong_crc.png", data, size);
    size = read_bytes("photo.jpg", data);
    write_bytes("truncated.jpg", data, size / 2);
    write_bytes("text.png", "this is no picture\n", 19);
    write_bytes("empty.png", "", 0);
    write_bytes("zero.ppm", "P6\n0 0\n255\n", 11);
    write_bytes("short.ppm", "P6\n96 64\n255\nabc", 16);
    write_bytes("huge.pgm", "P5 40000 25000 255\n", 19);
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1])) {
        fprintf(stderr, "usage: make_files FOLDER\n");
        return 1;
    }
    make_scene();
    make_photos();
    make_seeds();
    make_damaged();
    return 0;
}
