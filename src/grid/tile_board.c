/* SPDX-License-Identifier: MIT
 *
 * tile_board.c - compiles the bitboard kernels for each instruction set, and chooses among them at run time.
 */
#include "tile_board.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "simd.h"
#include "tuning.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const uint32_t row_number[TC_TILE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
#if TC_NEIGHBOURS == 6
static const uint32_t no_rows[TC_TILE];
#endif

/* Returns a word with all bits set up to the highest bit of n. */
static inline uint32_t all_below(uint32_t n)
{
    return n ? ~0u >> __builtin_clz(n) : 0;
}

/* Returns the number of bits set in n, computed by operations that vectors have, too. */
static inline int ones(uint32_t n)
{
    n -= n >> 1 & 0x55555555;
    n = (n & 0x33333333) + (n >> 2 & 0x33333333);
    n = (n + (n >> 4)) & 0x0f0f0f0f;
    n += n >> 8;
    n += n >> 16;
    return (int)(n & 63);
}

static const uint32_t lane_bit[16] = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                      1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};

/* For instruction sets without masks: the words of v whose bit is set, and 0 for the others. */
#define LANES_WHERE(bits, v) \
    (NAME(floats))((VEC)(v) & (VEC)(((bits) & NAME(load)(lane_bit)) != 0))

#if defined(__x86_64__)

#define LANES 16
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,popcnt")))
#define NAME(x) x##_avx512
#define ONES(n) __builtin_popcount(n)
#define SIGNS(v) _mm512_movepi32_mask((__m512i)(v))
#define POSITIVE(v) _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GT_OQ)
#define ABOVE16(p) POSITIVE(_mm512_loadu_ps(p))
#define LOWER(a, b) _mm512_min_ps(a, b)
#define HIGHER(a, b) _mm512_max_ps(a, b)
#define WHERE(bits, v) _mm512_maskz_mov_ps((__mmask16)(bits), v)
#define PREV_ROW(before, v) (VEC) _mm512_alignr_epi32((__m512i)(v), (__m512i)(before), 15)
#define NEXT_ROW(v, after) (VEC) _mm512_alignr_epi32((__m512i)(after), (__m512i)(v), 1)
#include "tile_board_kernels.h"

#define LANES 8
#define TARGET __attribute__((target("avx2,popcnt")))
#define NAME(x) x##_avx2
#define ONES(n) __builtin_popcount(n)
#define SIGNS(v) _mm256_movemask_ps((__m256)(v))
#define POSITIVE(v) _mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GT_OQ))
#define ABOVE16(p) (POSITIVE(_mm256_loadu_ps(p)) | POSITIVE(_mm256_loadu_ps((p) + 8)) << 8)
#define LOWER(a, b) _mm256_min_ps(a, b)
#define HIGHER(a, b) _mm256_max_ps(a, b)
#define WHERE(bits, v) LANES_WHERE(bits, v)
#define HALVES(low, high) _mm256_permute2x128_si256((__m256i)(low), (__m256i)(high), 0x21)
#define PREV_ROW(before, v) (VEC) _mm256_alignr_epi8((__m256i)(v), HALVES(before, v), 12)
#define NEXT_ROW(v, after) (VEC) _mm256_alignr_epi8(HALVES(v, after), (__m256i)(v), 4)
#include "tile_board_kernels.h"

/* Every x86-64 has SSE2, but not every one has an instruction that counts bits. */
#define LANES 4
#define TARGET
#define NAME(x) x##_plain
#define ONES(n) ones(n)
#define SIGNS(v) _mm_movemask_ps((__m128)(v))
#define POSITIVE(v) _mm_movemask_ps(_mm_cmpgt_ps(v, _mm_setzero_ps()))
#define ABOVE4(p) POSITIVE(_mm_loadu_ps(p))
#define ABOVE16(p) (ABOVE4(p) | ABOVE4((p) + 4) << 4 | ABOVE4((p) + 8) << 8 | ABOVE4((p) + 12) << 12)
#define LOWER(a, b) _mm_min_ps(a, b)
#define HIGHER(a, b) _mm_max_ps(a, b)
#define WHERE(bits, v) LANES_WHERE(bits, v)
#define PREV_ROW(before, v) \
    (VEC) _mm_or_si128(_mm_slli_si128((__m128i)(v), 4), _mm_srli_si128((__m128i)(before), 12))
#define NEXT_ROW(v, after) \
    (VEC) _mm_or_si128(_mm_srli_si128((__m128i)(v), 4), _mm_slli_si128((__m128i)(after), 12))
#include "tile_board_kernels.h"

#else

typedef uint32_t four_words __attribute__((vector_size(16)));

static inline uint32_t signs_of(four_words v)
{
    return v[0] >> 31 | v[1] >> 31 << 1 | v[2] >> 31 << 2 | v[3] >> 31 << 3;
}

typedef float four_floats __attribute__((vector_size(16)));

static inline four_floats lower_of(four_floats a, four_floats b)
{
    const four_words less = (four_words)(a < b);
    return (four_floats)(((four_words)a & less) | ((four_words)b & ~less));
}

static inline uint32_t above16(const float *p)
{
    uint32_t bits = 0;
    for (int i = 0; i < 16; i++) bits |= (uint32_t)(p[i] > 0) << i;
    return bits;
}

#define LANES 4
#define TARGET
#define NAME(x) x##_plain
#define ONES(n) ones(n)
#define SIGNS(v) signs_of((four_words)(v))
#define POSITIVE(v) signs_of((four_words)((v) > 0))
#define ABOVE16(p) above16(p)
#define LOWER(a, b) lower_of(a, b)
#define HIGHER(a, b) -lower_of(-(a), -(b))
#define WHERE(bits, v) LANES_WHERE(bits, v)
#define PREV_ROW(before, v) (VEC){(before)[3], (v)[0], (v)[1], (v)[2]}
#define NEXT_ROW(v, after) (VEC){(v)[1], (v)[2], (v)[3], (after)[0]}
#include "tile_board_kernels.h"

#endif

const tc_board_kernels *tc_board_kernels_at(int index)
{
    const tc_board_kernels *sets[3];
    int count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (TC_WIDEST_VECTOR >= 512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("popcnt"))
        sets[count++] = &kernels_avx512;
    if (TC_WIDEST_VECTOR >= 256 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        sets[count++] = &kernels_avx2;
#endif
    sets[count++] = &kernels_plain;
    return index < count ? sets[index] : NULL;
}

tc_board *tc_boards_take(int count)
{
    enum { LINE = 64, LARGE_PAGE = 1 << 21 };
    _Static_assert(sizeof(tc_board) % LINE == 0, "a board and the next share a cache line");
    const size_t bytes = (size_t)count * sizeof(tc_board), unit = bytes < LARGE_PAGE ? LINE : LARGE_PAGE;
    const size_t whole = (bytes + unit - 1) & ~(unit - 1);
    tc_board *const boards = aligned_alloc(unit, whole);
#ifdef MADV_HUGEPAGE
    if (boards && unit == LARGE_PAGE) (void)madvise(boards, whole, MADV_HUGEPAGE);
#endif
    return boards;
}
