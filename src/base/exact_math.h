/* SPDX-License-Identifier: MIT
 *
 * exact_math.h - exp and log from plain additions and multiplications. Every machine, compiler, C library and GPU
 * gives the same bits, and loops that call them can be vectorised. The error is at most two units in the last place,
 * which is enough for all callers. Compile without contraction of a*b+c to one instruction (the Makefile does).
 */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define TC_BOTH __host__ __device__
#else
#define TC_BOTH
#endif

/* 1.5 * 2^52. Adding it rounds x to a whole number, ties to even, which is then in the low bits of the sum. */
#define TC_ROUNDING 6755399441055744.0

static TC_BOTH inline uint64_t tc_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static TC_BOTH inline double tc_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Rounds to the nearest whole number, ties to even. |x| < 2^51. */
static TC_BOTH inline double tc_round(double x)
{
    return (x + TC_ROUNDING) - TC_ROUNDING;
}

/* Returns e^x for x <= 700, and 0 below -700. It computes x = n ln 2 + r with |r| <= ln 2 / 2, and the Taylor series of
 * e^r. */
static TC_BOTH inline double tc_exp(double x)
{
    const double in_range = x < -700 ? -700 : x;
    const double shifted = in_range * 1.4426950408889634 + TC_ROUNDING, n = shifted - TC_ROUNDING;
    const double r = (in_range - n * 0.6931471803691238) - n * 1.9082149292705877e-10;
    double sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * r + 1;
    sum = sum * r + 1;
    /* 2^n: moves n, which is in the low bits of `shifted`, to the exponent */
    const double power = tc_from_bits((tc_bits(shifted) << 52) + (UINT64_C(1023) << 52));
    return x < -700 ? 0 : sum * power;
}

/* Returns the natural logarithm of a positive, finite, normal x. It computes x = 2^e m, with m from sqrt(1/2) to
 * sqrt(2), and the series of artanh at (m - 1) / (m + 1). */
static TC_BOTH inline double tc_log(double x)
{
    const uint64_t half_root = UINT64_C(0x3fe6a09e667f3bcd), bits = tc_bits(x);
    const uint64_t biased = (bits - half_root + (UINT64_C(1023) << 52)) >> 52; /* e + 1023 */
    const double m = tc_from_bits(bits - (biased << 52) + (UINT64_C(1023) << 52));
    const double e = tc_from_bits(UINT64_C(0x4338000000000000) + biased) - TC_ROUNDING - 1023;
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 1.0 / 23;
    sum = sum * z + 1.0 / 21;
    sum = sum * z + 1.0 / 19;
    sum = sum * z + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    sum = sum * z + 1.0 / 9;
    sum = sum * z + 1.0 / 7;
    sum = sum * z + 1.0 / 5;
    sum = sum * z + 1.0 / 3;
    return e * 0.6931471803691238 + (e * 1.9082149292705877e-10 + (2 * s + 2 * s * z * sum));
}
