/* SPDX-License-Identifier: MIT
 *
 * tiff_colors.c - converts inks (CMYK) and CIELAB to RGB, and divides colours by their alpha. CIELAB is relative to
 * daylight D50, as in TIFF 6.0; RGB is sRGB. Source: TIFF 6.0, sections 16 and 23; CIE 15; IEC 61966-2-1, with
 * Bradford's adaptation from D50 to D65.
 */
#include <math.h>
#include <string.h>

#include "tiff_page.h"

static uint32_t get(const uint8_t *at, int depth)
{
    uint16_t wide;
    if (depth == 8) return *at;
    memcpy(&wide, at, 2);
    return wide;
}

static void put_sample(uint8_t *at, int depth, uint32_t value)
{
    if (depth == 8) *at = (uint8_t)value;
    else memcpy(at, &(uint16_t){(uint16_t)value}, 2);
}

/* Converts CMYK to RGB: the share of light that an ink leaves, times the share that black ink leaves. */
static void light_of_inks(uint8_t *pixels, size_t count, int depth)
{
    const size_t size = (size_t)depth / 8;
    const uint64_t most = depth == 8 ? 255 : 65535;
    for (size_t p = 0; p < count; p++) {
        const uint64_t white = most - get(pixels + (4 * p + 3) * size, depth);
        for (size_t c = 0; c < 3; c++)
            put_sample(pixels + (3 * p + c) * size, depth,
                (uint32_t)(white * (most - get(pixels + (4 * p + c) * size, depth)) / most));
    }
}

/* Converts a share of light to sRGB, as an integer up to `most`. */
static uint32_t gamma_of(double light, double most)
{
    const double v = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint32_t)(fmin(fmax(v, 0), 1) * most + 0.5);
}

/* Converts CIELAB to RGB: L is from 0 to 100; a and b are in the same unit. */
static void rgb_of_lab(const double lab[3], double most, uint32_t rgb[3])
{
    static const double white[3] = {0.96422, 1, 0.82521}; /* D50 */
    static const double to_rgb[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                        {-0.9787684, 1.9161415, 0.0334540},
                                        {0.0719453, -0.2289914, 1.4052427}};
    const double y = (lab[0] + 16) / 116, f[3] = {y + lab[1] / 500, y, y - lab[2] / 200};
    double xyz[3];
    for (int k = 0; k < 3; k++)
        xyz[k] = white[k] * (f[k] > 6.0 / 29 ? f[k] * f[k] * f[k] : (f[k] - 16.0 / 116) * 3 * 36 / 841);
    for (int c = 0; c < 3; c++)
        rgb[c] = gamma_of(to_rgb[c][0] * xyz[0] + to_rgb[c][1] * xyz[1] + to_rgb[c][2] * xyz[2], most);
}

/* Converts CIELAB pixels to RGB. In the encoding of TIFF, a and b are signed numbers. In that of ICC, they start at
 * -128, and with 16 bits the largest L is 65280. */
static void light_of_lab(uint8_t *pixels, size_t count, int depth, bool icc)
{
    const size_t size = (size_t)depth / 8;
    const double unit = depth == 8 ? 1 : 256, most = depth == 8 ? 255 : 65535;
    const double lightest = depth == 16 && icc ? 65280 : most;
    uint32_t last[3] = {0}, rgb[3] = {0};
    for (size_t p = 0; p < count; p++) {
        uint8_t *const at = pixels + 3 * p * size;
        uint32_t v[3];
        for (size_t c = 0; c < 3; c++) v[c] = get(at + c * size, depth);
        if (p == 0 || memcmp(v, last, sizeof v) != 0) {
            const double a = icc ? v[1] / unit - 128 : (depth == 8 ? (double)(int8_t)v[1] : (int16_t)v[1] / unit);
            const double b = icc ? v[2] / unit - 128 : (depth == 8 ? (double)(int8_t)v[2] : (int16_t)v[2] / unit);
            rgb_of_lab((const double[3]){fmin(v[0] * 100.0 / lightest, 100), a, b}, most, rgb);
            memcpy(last, v, sizeof v);
        }
        for (size_t c = 0; c < 3; c++) put_sample(at + c * size, depth, rgb[c]);
    }
}

/* Restores colours that have been multiplied by their alpha. */
static void divide_by_alpha(uint8_t *pixels, size_t count, size_t n, int depth)
{
    const uint32_t most = depth == 16 ? 65535 : 255;
    for (size_t p = 0; p < count; p++)
        for (size_t c = 0; c + 1 < n; c++) {
            uint16_t wide[2];
            uint32_t v = pixels[p * n + c], a = pixels[p * n + n - 1];
            if (depth == 16) {
                memcpy(wide, pixels + 2 * (p * n + c), 2);
                memcpy(wide + 1, pixels + 2 * (p * n + n - 1), 2);
                v = wide[0], a = wide[1];
            }
            v = !a ? 0 : v >= a ? most : (uint32_t)(((uint64_t)v * most + a / 2) / a);
            if (depth == 16) memcpy(pixels + 2 * (p * n + c), &(uint16_t){(uint16_t)v}, 2);
            else pixels[p * n + c] = (uint8_t)v;
        }
}

bool tiff_page_has_inks(const tiff_page *p)
{
    return !p->converted && p->photometric == PHOTOMETRIC_SEPARATED;
}

bool tiff_page_has_lab(const tiff_page *p)
{
    return !p->converted && (p->photometric == PHOTOMETRIC_CIELAB || p->photometric == PHOTOMETRIC_ICCLAB);
}

void tiff_page_colors(const tiff_page *p, uint8_t *pixels, size_t count)
{
    const bool plain = p->format == SAMPLEFORMAT_UINT && p->depth <= 16;
    if (tiff_page_has_inks(p)) light_of_inks(pixels, count, p->depth);
    else if (tiff_page_has_lab(p)) light_of_lab(pixels, count, p->depth, p->photometric == PHOTOMETRIC_ICCLAB);
    else if (p->premultiplied && p->alpha >= 0 && plain)
        divide_by_alpha(pixels, count, (size_t)p->colors + 1, p->depth);
}
