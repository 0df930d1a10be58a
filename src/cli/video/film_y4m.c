/* SPDX-License-Identifier: MIT
 *
 * film_y4m.c - y4m, the YUV4MPEG2 of mjpegtools, as ffmpeg and others write it: a line with the shape, then for each
 * frame a line that begins with FRAME, and the planes. Samples have 8 bits, or up to 16, which are rounded to 8. A
 * sample of colour is for one, two or four pixels, or there is no colour. Y, Cb and Cr are those of ITU-R BT.601, 16 to
 * 235 unless XCOLORRANGE=FULL.
 */
#include <stdio.h>
#include <string.h>

#include "film.h"
#include "numbers.h"
#include "tilecut.h"

static const char magic[] = "YUV4MPEG2 ";

static bool probe_y4m(const uint8_t *begin, size_t size)
{
    return size >= sizeof magic - 1 && !memcmp(begin, magic, sizeof magic - 1);
}

/* Reads the subsampling of colour and the bits of a sample from the name after C: "420p10", "mono16". f->step_x is 0 if
 * there is no colour. Returns false for an unknown name. */
static bool read_colors(const char *name, film *f)
{
    static const struct {
        const char *name;
        int x, y;
        bool deep; /* bits may follow */
    } known[] = {{"420jpeg", 2, 2, false}, {"420mpeg2", 2, 2, false}, {"420paldv", 2, 2, false},
                 {"420", 2, 2, true}, {"422", 2, 1, true}, {"444", 1, 1, true}, {"411", 4, 1, true},
                 {"mono", 0, 0, true}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t length = strlen(known[i].name);
        int64_t bits = 8;
        if (strncmp(name, known[i].name, length) != 0) continue;
        const char *const rest = name + length, *const digits = rest + (known[i].x && *rest == 'p');
        if (*rest && (!known[i].deep || !parse_integer(digits, 9, 16, &bits))) continue;
        f->step_x = known[i].x, f->step_y = known[i].y, f->bits = (int)bits;
        return true;
    }
    return false;
}

static int read_word(film *f, const char *word, failure *why)
{
    const char *const name = file_input_name(f->path);
    int64_t value = 0;
    if ((*word == 'W' || *word == 'H') && !parse_integer(word + 1, 1, TILECUT_MAX_SIDE, &value))
        return fail(why, EXIT_INPUT, "%s: is damaged: '%s' in its first line is no side from 1 to 65536", name, word);
    if (*word == 'W') f->width = (int)value;
    if (*word == 'H') f->height = (int)value;
    if (*word == 'C' && !read_colors(word + 1, f))
        return fail(why, EXIT_INPUT, "%s: has its colours as %s; 8 to 16 bits a sample as 420, 422, 444, 411 or mono "
                    "are read (ffmpeg: -pix_fmt yuv420p)", name, word + 1);
    if (*word == 'F') snprintf(f->rate, sizeof f->rate, "%s", word + 1);
    if (*word == 'A') snprintf(f->aspect, sizeof f->aspect, "%s", word + 1);
    if (!strcmp(word, "XCOLORRANGE=FULL")) f->full_range = true;
    return EXIT_DONE;
}

static size_t plane_samples(const film *f)
{
    if (!f->step_x) return 0;
    const size_t w = (size_t)(f->width + f->step_x - 1) / (size_t)f->step_x;
    return w * ((size_t)(f->height + f->step_y - 1) / (size_t)f->step_y);
}

static size_t frame_samples(const film *f)
{
    return (size_t)f->width * (size_t)f->height + 2 * plane_samples(f);
}

static int begin_y4m(film *f, failure *why)
{
    char line[1024], *rest = line, *word;
    bool got;
    f->step_x = f->step_y = 2, f->bits = 8;
    int status = film_line(f, line, sizeof line, &got, why);
    strsep(&rest, " ");
    while (!status && got && (word = strsep(&rest, " ")) != NULL) status = read_word(f, word, why);
    if (status) return status;
    if (!f->width || !f->height)
        return fail(why, EXIT_INPUT, "%s: is damaged: its first line has no width or no height",
                    file_input_name(f->path));
    f->channels = f->step_x ? 3 : 1;
    return EXIT_DONE;
}

/* Returns the bytes of f->raw. Grey of 8 bits needs none, because its bytes are the pixels. */
static size_t raw_bytes(const film *f)
{
    return f->step_x || f->bits > 8 ? frame_samples(f) * (f->bits > 8 ? 2 : 1) : 0;
}

/* Rounds samples to 8 bits. Luma of 16 to 235 corresponds to 64 to 940 in ten bits, and so on; grey and full range end
 * at the largest number. */
static void narrow(const film *f, uint8_t *to)
{
    const uint32_t most = (1u << f->bits) - 1, unit = 1u << (f->bits - 8);
    const bool full = f->full_range || !f->step_x;
    for (size_t i = 0; i < frame_samples(f); i++) {
        const uint32_t v = f->raw[2 * i] | (uint32_t)f->raw[2 * i + 1] << 8, in = v < most ? v : most;
        const uint32_t near = full ? (2 * in * 255 + most) / (2 * most) : (in + unit / 2) / unit;
        to[i] = (uint8_t)(near < 255 ? near : 255);
    }
}

static inline uint8_t clip(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Converts a row to RGB in fixed point with 16 fractional bits: the factors of BT.601, 1.402 and so on, times 255/224
 * because chroma ranges from 16 to 240, and 255/219 because luma ranges from 16 to 235. */
static void convert_row(const film *f, const uint8_t *light, const uint8_t *blue, const uint8_t *red, uint8_t *rgb)
{
    const int one = f->full_range ? 65536 : 76309, black = f->full_range ? 0 : 16;
    const int to_red = f->full_range ? 91881 : 104597, to_blue = f->full_range ? 116130 : 132201;
    const int green_red = f->full_range ? 46802 : 53279, green_blue = f->full_range ? 22554 : 25675;
    for (int x = 0; x < f->width; x++) {
        const int y = one * (light[x] - black) + 32768, b = blue[x / f->step_x] - 128, r = red[x / f->step_x] - 128;
        rgb[3 * x] = clip((y + to_red * r) / 65536);
        rgb[3 * x + 1] = clip((y - green_red * r - green_blue * b) / 65536);
        rgb[3 * x + 2] = clip((y + to_blue * b) / 65536);
    }
}

static void convert(const film *f)
{
    const size_t width = (size_t)f->width, colors = (width + (size_t)f->step_x - 1) / (size_t)f->step_x;
    const uint8_t *const blue = f->raw + width * (size_t)f->height, *const red = blue + plane_samples(f);
    for (int y = 0; y < f->height; y++) {
        const size_t row = (size_t)(y / f->step_y) * colors;
        convert_row(f, f->raw + (size_t)y * width, blue + row, red + row, f->pixels + 3 * (size_t)y * width);
    }
}

static int read_frame(film *f, bool *more, failure *why)
{
    char line[1024];
    size_t got;
    int status = film_line(f, line, sizeof line, more, why);
    if (status || !*more) return status;
    if (strncmp(line, "FRAME", 5) != 0 || (line[5] && line[5] != ' '))
        return fail(why, EXIT_INPUT, "%s: is damaged: frame %lld does not begin with FRAME", file_input_name(f->path),
                    (long long)f->frames);
    const size_t size = frame_samples(f) * (f->bits > 8 ? 2 : 1);
    status = film_fill(f, f->raw ? f->raw : f->pixels, size, &got, why);
    if (!status && got < size) status = film_cut_short(f, got, size, why);
    if (status) return status;
    if (f->bits > 8) narrow(f, f->step_x ? f->raw : f->pixels);
    if (f->step_x) convert(f);
    return EXIT_DONE;
}

static bool head(const film *f, bytes *out)
{
    char line[160];
    const int n = snprintf(line, sizeof line, "%sW%d H%d F%s Ip A%s Cmono XCOLORRANGE=FULL\n", magic, f->width,
                           f->height, *f->rate ? f->rate : "25:1", *f->aspect ? f->aspect : "1:1");
    return bytes_append(out, line, (size_t)n);
}

const film_format film_y4m = {
    .name = "y4m",
    .summary = "a header, then frames of 8 to 16 bits a sample (420, 422, 444, 411, mono)",
    .probe = probe_y4m,
    .begin = begin_y4m,
    .raw_bytes = raw_bytes,
    .read = read_frame,
    .head = head,
    .before_each = "FRAME\n",
};
