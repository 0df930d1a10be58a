/* SPDX-License-Identifier: MIT
 *
 * grid.c - fuzz target: tilecut's own format of grids. The mutator corrects the checksum of the header
 * (docs/guide/formats.md: FNV-1a of the first 56 bytes).
 */
#include "saved.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    enum { COVERED = 56, HEADER = 64 };
    uint64_t hash = 0xcbf29ce484222325u;
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 == 0 || size < HEADER) return size;
    for (size_t i = 0; i < COVERED; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
    memcpy(data + COVERED, &hash, sizeof hash);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_saved(&graph_format_grid, data, size);
}
