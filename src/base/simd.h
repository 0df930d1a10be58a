/* SPDX-License-Identifier: MIT
 *
 * simd.h - plain loops compiled several times, for the oldest x86-64 and for AVX2 and AVX-512, and chosen when
 * the program starts by what the processor has. Only for loops in which no step depends on the order of others: whole
 * numbers, and floating point that is neither contracted nor summed up. There all give the same bits.
 */
#ifndef TC_SIMD_H
#define TC_SIMD_H

/* gcc knows these names of architectures since 12. */
#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TC_VECTOR_LOOP __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TC_VECTOR_LOOP
#endif

#endif
