/* SPDX-License-Identifier: MIT
 *
 * simd.h - compiles a plain loop several times: for the oldest x86-64, for AVX2 and for AVX-512. The version that suits
 * the processor is chosen when the program starts. Use this only for loops whose result does not depend on the order of
 * steps: loops over whole numbers, and floating point without contraction and without sums. All versions then give the
 * same bits.
 *
 * TC_WIDEST_VECTOR, in bits, leaves out versions with wider vectors: 256 stops at AVX2, 128 at SSE2. This makes it
 * possible to test and measure other processors on one that has AVX-512 (docs/lab/performance.md).
 */
#pragma once

#include <stdint.h> /* this header defines __GLIBC__ */

#ifndef TC_WIDEST_VECTOR
#define TC_WIDEST_VECTOR 512
#endif

/* gcc knows these names of architectures from version 12 on. Only glibc can choose such functions when a program
 * starts. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && TC_WIDEST_VECTOR >= 256
#if TC_WIDEST_VECTOR >= 512
#define TC_VECTOR_LOOP __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TC_VECTOR_LOOP __attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
#else
#define TC_VECTOR_LOOP
#endif

/* How to declare functions that only prefetch. gcc 12 sees no effect in such a function and removes calls of it, and so
 * the prefetches, unless it is always inlined. */
#define TC_FETCHES static inline __attribute__((always_inline))
