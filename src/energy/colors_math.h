/* SPDX-License-Identifier: MIT
 *
 * colors_math.h - the formulas of the colour models. Code that evaluates them elsewhere, on a GPU, gets the same bits.
 */
#pragma once


#include "exact_math.h"

/* ---- gmm: see colors_gmm.c -------------------------------------------------------------------- */

enum { TC_GMM_COLOUR_BITS = 6, TC_GMM_GREY_BITS = 8 };

/* A uniform density over all colours, per cubed 8-bit level, that is added to every density. Its integral is 0.02. */
#define TC_GMM_FLOOR (0.02 / (256.0 * 256.0 * 256.0))

static TC_BOTH inline double tc_srgb_to_linear(double level)
{
    const double v = level / 255;
    return v <= 0.04045 ? v / 12.92 : tc_exp(2.4 * tc_log((v + 0.055) / 1.055));
}

static TC_BOTH inline double tc_lab_curve(double t)
{
    return t > 216.0 / 24389 ? tc_exp(tc_log(t) / 3) : (24389.0 / 27 * t + 16) / 116;
}

/* Converts linear sRGB primaries, 0 to 1, to CIELAB under D65, scaled so that 100 becomes 255. */
static TC_BOTH inline void tc_linear_to_lab(double red, double green, double blue, double *color)
{
    const double x = tc_lab_curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    const double y = tc_lab_curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const double z = tc_lab_curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    color[0] = 2.55 * (116 * y - 16);
    color[1] = 2.55 * 500 * (x - y);
    color[2] = 2.55 * 200 * (y - z);
}

/* Converts sRGB (IEC 61966-2-1), 0 to 255, to CIELAB, scaled as in tc_linear_to_lab(). */
static TC_BOTH inline void tc_to_lab(double *color)
{
    tc_linear_to_lab(tc_srgb_to_linear(color[0]), tc_srgb_to_linear(color[1]), tc_srgb_to_linear(color[2]), color);
}

/* The level, 0 to 255, at the middle of the i-th of 2^bits bins. */
static TC_BOTH inline double tc_gmm_level(int bits, uint32_t i)
{
    return ((double)i + 0.5) * (256.0 / (1 << bits)) - 0.5;
}

/* Computes the colour at the middle of a bin in CIELAB; for grey, on the grey axis. */
static TC_BOTH inline void tc_gmm_color(int channels, int bits, uint32_t bin, double *color)
{
    for (int c = 2; c >= 0; c--) {
        color[c] = tc_gmm_level(bits, bin & ((1u << bits) - 1));
        if (channels == 3) bin >>= bits;
    }
    tc_to_lab(color);
}

/* The log-likelihood ratio of a colour with these densities: positive values are evidence for the foreground. */
static TC_BOTH inline double tc_gmm_favour(double foreground, double background)
{
    return tc_log((foreground + TC_GMM_FLOOR) / (background + TC_GMM_FLOOR));
}

/* The cost that a colour with these densities has in both classes: -log of the greater density. The tables leave it
 * out. */
static TC_BOTH inline double tc_gmm_common(double foreground, double background)
{
    return -tc_log((foreground > background ? foreground : background) + TC_GMM_FLOOR);
}

/* ---- hist: see colors_hist.c ------------------------------------------------------------------ */

enum { TC_HIST_COLOUR_BITS = 3, TC_HIST_GREY_BITS = 6 };

/* -log P(bin), where P(bin) = (n + 1) / (N + B) with n = count, N = total, B = bins. */
static TC_BOTH inline double tc_hist_cost(double count, double total, double bins)
{
    return -tc_log((count + 1) / (total + bins));
}
