/* SPDX-License-Identifier: MIT
 *
 * row_pack.c - see row_pack.h. Loops over 64 bytes have constant bounds, so that they become a few vector instructions.
 */
#include "row_pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simd.h"

enum { BLOCK = 64, DEAREST = BLOCK + 1 /* bytes of a block; and the most, with its width */ };

/* ---- Differences ------------------------------------------------------------------------------ */

/* Small differences of either sign become small numbers. */
static inline uint8_t fold(uint8_t d)
{
    return (uint8_t)(d << 1 ^ -(d >> 7));
}

static inline uint8_t unfold(uint8_t z)
{
    return (uint8_t)(z >> 1 ^ -(z & 1));
}

TC_VECTOR_LOOP static void fold_one(const uint8_t *restrict row, const uint8_t *restrict below, size_t n,
                                    uint8_t *restrict out)
{
    for (size_t i = 0; i < n; i++) out[i] = fold((uint8_t)(row[i] - below[i]));
}

/* Folds the differences of n pixels; the three channels are written to out, out + step and out + 2 step. */
TC_VECTOR_LOOP static void fold_three(const uint8_t *restrict row, const uint8_t *restrict below, size_t n,
                                      uint8_t *restrict green, uint8_t *restrict red, uint8_t *restrict blue)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t g = (uint8_t)(row[3 * i + 1] - below[3 * i + 1]);
        green[i] = fold(g);
        red[i] = fold((uint8_t)(row[3 * i] - below[3 * i] - g));
        blue[i] = fold((uint8_t)(row[3 * i + 2] - below[3 * i + 2] - g));
    }
}

TC_VECTOR_LOOP static void unfold_one(const uint8_t *restrict in, const uint8_t *restrict below, size_t n,
                                      uint8_t *restrict row)
{
    for (size_t i = 0; i < n; i++) row[i] = (uint8_t)(unfold(in[i]) + below[i]);
}

TC_VECTOR_LOOP static void unfold_three(const uint8_t *restrict green, const uint8_t *restrict red,
                                        const uint8_t *restrict blue, const uint8_t *restrict below, size_t n,
                                        uint8_t *restrict row)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t g = unfold(green[i]);
        row[3 * i] = (uint8_t)(unfold(red[i]) + g + below[3 * i]);
        row[3 * i + 1] = (uint8_t)(g + below[3 * i + 1]);
        row[3 * i + 2] = (uint8_t)(unfold(blue[i]) + g + below[3 * i + 2]);
    }
}

/* ---- Blocks ----------------------------------------------------------------------------------- */

/* A vector of 16 numbers. A block is four of these; number i of all four goes into the same byte as far as it has
 * room. */
typedef uint8_t sixteen __attribute__((vector_size(16)));

static inline sixteen load_sixteen(const uint8_t *from)
{
    sixteen all;
    memcpy(&all, from, sizeof all);
    return all;
}

static inline uint8_t *store(sixteen all, uint8_t *to)
{
    memcpy(to, &all, sizeof all);
    return to + sizeof all;
}

/* Writes the lowest `bits` bits of each of 64 numbers. They are split into up to three planes, of four, two and one
 * bits a number, according to the binary digits of `bits`. The lowest bits come first. */
static inline __attribute__((always_inline)) uint8_t *pack(const uint8_t *in, const int bits, uint8_t *out)
{
    const sixteen a = load_sixteen(in), b = load_sixteen(in + 16), c = load_sixteen(in + 32), d = load_sixteen(in + 48);
    const int two = bits & 4, one = bits & 6;
    if (bits == 8) {
        memcpy(out, in, BLOCK);
        return out + BLOCK;
    }
    if (bits & 4) {
        out = store((a & 15) | c << 4, out);
        out = store((b & 15) | d << 4, out);
    }
    if (bits & 2) out = store((a >> two & 3) | (b >> two & 3) << 2 | (c >> two & 3) << 4 | (d >> two) << 6, out);
    if (bits & 1) {
        const sixteen nibble = (a >> one & 1) | (b >> one & 1) << 1 | (c >> one & 1) << 2 | (d >> one & 1) << 3;
        uint64_t half[2];
        memcpy(half, &nibble, sizeof nibble);
        half[0] |= half[1] << 4;
        memcpy(out, half, sizeof *half);
        out += sizeof *half;
    }
    return out;
}

static inline __attribute__((always_inline)) const uint8_t *unpack(const uint8_t *in, const int bits, uint8_t *out)
{
    const int two = bits & 4, one = bits & 6;
    sixteen a = {0}, b = a, c = a, d = a;
    if (bits == 8) {
        memcpy(out, in, BLOCK);
        return in + BLOCK;
    }
    if (bits & 4) {
        const sixteen first = load_sixteen(in), second = load_sixteen(in + 16);
        a = first & 15, b = second & 15, c = first >> 4, d = second >> 4;
        in += 32;
    }
    if (bits & 2) {
        const sixteen all = load_sixteen(in);
        a |= (all & 3) << two, b |= (all >> 2 & 3) << two, c |= (all >> 4 & 3) << two, d |= all >> 6 << two;
        in += 16;
    }
    if (bits & 1) {
        uint64_t half[2];
        sixteen nibble;
        memcpy(half, in, sizeof *half);
        half[1] = half[0] >> 4;
        memcpy(&nibble, half, sizeof nibble);
        a |= (nibble & 1) << one, b |= (nibble >> 1 & 1) << one;
        c |= (nibble >> 2 & 1) << one, d |= (nibble >> 3 & 1) << one;
        in += sizeof *half;
    }
    (void)store(d, store(c, store(b, store(a, out))));
    return in;
}

static inline __attribute__((always_inline)) int width_of(const uint8_t *in)
{
    const sixteen any = load_sixteen(in) | load_sixteen(in + 16) | load_sixteen(in + 32) | load_sixteen(in + 48);
    uint64_t half[2];
    memcpy(half, &any, sizeof any);
    uint64_t all = half[0] | half[1];
    all |= all >> 32, all |= all >> 16, all |= all >> 8;
    return all & 255 ? 32 - __builtin_clz((uint32_t)(all & 255)) : 0;
}

/* Passes each width as a constant, so that the compiler can unroll the loops. */
#define EACH_WIDTH(call)             \
    case 1: call(in, 1, out); break; \
    case 2: call(in, 2, out); break; \
    case 3: call(in, 3, out); break; \
    case 4: call(in, 4, out); break; \
    case 5: call(in, 5, out); break; \
    case 6: call(in, 6, out); break; \
    case 7: call(in, 7, out); break; \
    default: call(in, 8, out);

/* Writes `blocks` blocks, each with its width before it. Returns the number of bytes written. */
TC_VECTOR_LOOP static size_t write_blocks(const uint8_t *in, size_t blocks, uint8_t *out)
{
    uint8_t *const first = out;
    for (; blocks; blocks--, in += BLOCK) {
        const int width = width_of(in);
        *out++ = (uint8_t)width;
        switch (width) {
        case 0: break;
        EACH_WIDTH(out = pack)
        }
    }
    return (size_t)(out - first);
}

TC_VECTOR_LOOP static void read_blocks(const uint8_t *in, size_t blocks, uint8_t *out)
{
    for (; blocks; blocks--, out += BLOCK)
        switch (*in++) {
        case 0: memset(out, 0, BLOCK); break;
        EACH_WIDTH(in = unpack)
        }
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* The size of the memory for the differences of one channel, in whole blocks. */
static size_t channel_room(const tc_row_pack *s)
{
    return (s->row / (size_t)s->channels + BLOCK - 1) / BLOCK * BLOCK;
}

static size_t blocks_of(const tc_row_pack *s)
{
    return (size_t)s->channels * channel_room(s) / BLOCK;
}

size_t tc_row_pack_room(const tc_row_pack *s)
{
    return blocks_of(s) * (BLOCK + DEAREST);
}

/* Compresses a row into room + blocks * BLOCK. Returns the compressed length, or the length of the row if compression
 * saves nothing. */
static size_t compress_row(const tc_row_pack *s, const uint8_t *row, const uint8_t *below, uint8_t *room)
{
    const size_t step = channel_room(s), blocks = blocks_of(s), n = s->row / (size_t)s->channels;
    for (int c = 0; c < s->channels; c++) memset(room + (size_t)c * step + n, 0, step - n);
    if (s->channels == 3) fold_three(row, below, n, room, room + step, room + 2 * step);
    else fold_one(row, below, n, room);
    const size_t length = write_blocks(room, blocks, room + blocks * BLOCK);
    return length < s->row ? length : s->row;
}

/* Decompresses a row from its `length` bytes at `from`, which may overlap the row's memory. */
static void open_row(const tc_row_pack *s, const uint8_t *from, size_t length, const uint8_t *below, uint8_t *room,
                     uint8_t *row)
{
    const size_t step = channel_room(s), n = s->row / (size_t)s->channels;
    if (length == s->row) {
        memmove(row, from, length);
        return;
    }
    read_blocks(from, blocks_of(s), room);
    if (s->channels == 3) unfold_three(room, room + step, room + 2 * step, below, n, row);
    else unfold_one(room, below, n, row);
}

/* ---- Bands ------------------------------------------------------------------------------------ */

bool tc_row_pack_init(tc_row_pack *s, void *data, size_t row, int height, int channels)
{
    *s = (tc_row_pack){.data = data, .row = row, .height = height, .channels = channels};
    s->length = malloc((size_t)height * sizeof *s->length);
    return s->length != NULL;
}

void tc_row_pack_free(tc_row_pack *s)
{
    free(s->length);
    *s = (tc_row_pack){0};
}

static int rows_in(const tc_row_pack *s, int band)
{
    const int left = s->height - band * TC_BAND;
    return left < TC_BAND ? left : TC_BAND;
}

/* Returns the whole memory pages between two addresses to the system. */
static void give_back(uint8_t *from, uint8_t *to)
{
#ifdef __linux__
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uint8_t *const first = from + (page - (uintptr_t)from % page) % page;
    uint8_t *const end = to - (uintptr_t)to % page;
    if (end > first) (void)madvise(first, (size_t)(end - first), MADV_DONTNEED);
#else
    (void)from, (void)to;
#endif
}

void tc_row_pack_band(tc_row_pack *s, int band, uint8_t *room)
{
    const int rows = rows_in(s, band);
    uint8_t *const first = s->data + (size_t)band * TC_BAND * s->row, *out = first + s->row;
    uint32_t *const length = s->length + (size_t)band * TC_BAND;
    for (int y = 1; y + 1 < rows; y++) {
        const uint8_t *const row = first + (size_t)y * s->row;
        length[y] = (uint32_t)compress_row(s, row, row + s->row, room);
        if (length[y] == s->row) memmove(out, row, s->row);
        else memcpy(out, room + blocks_of(s) * BLOCK, length[y]);
        out += length[y];
    }
    if (rows > 2) give_back(out, first + (size_t)(rows - 1) * s->row);
}

/* Decompresses rows from the last one up, because each row needs the row below it. The compressed rows lie above their
 * final places, so they are not overwritten too early. */
static void open_rows(const tc_row_pack *s, int band, uint8_t *room, uint8_t *rows)
{
    const int count = rows_in(s, band);
    const uint8_t *const first = s->data + (size_t)band * TC_BAND * s->row, *in = first + s->row;
    const uint32_t *const length = s->length + (size_t)band * TC_BAND;
    for (int y = 1; y + 1 < count; y++) in += length[y];
    for (int y = count - 2; y >= 1; y--) {
        uint8_t *const row = rows + (size_t)y * s->row;
        in -= length[y];
        open_row(s, in, length[y], row + s->row, room, row);
    }
}

void tc_row_pack_read(const tc_row_pack *s, int band, uint8_t *room, uint8_t *rows)
{
    const size_t last = (size_t)(rows_in(s, band) - 1) * s->row;
    const uint8_t *const first = s->data + (size_t)band * TC_BAND * s->row;
    memcpy(rows, first, s->row);
    memcpy(rows + last, first + last, s->row);
    open_rows(s, band, room, rows);
}

void tc_row_pack_open(tc_row_pack *s, int band, uint8_t *room)
{
    open_rows(s, band, room, s->data + (size_t)band * TC_BAND * s->row);
}
