/* SPDX-License-Identifier: MIT
 *
 * replay.c - replaces libFuzzer with any compiler: runs a target on files, then for some seconds on random changes of
 * them. It does not measure coverage, so it finds less, but it needs nothing and runs everywhere.
 *
 *     replay-png SECONDS FILES...
 */
#include <string.h>
#include <time.h>

#include "fuzz.h"

enum { MOST = 1 << 16 };

__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static uint64_t state;

static unsigned draw(unsigned bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 32) % bound);
}

/* Makes one small change: flips a bit, changes a byte, writes an interesting number, or doubles, drops or inserts a
 * piece. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    static const uint8_t telling[] = {0, 1, 2, 127, 128, 254, 255, '0', '9', '-', '\n', '\t'};
    const size_t at = size ? draw((unsigned)size) : 0, left = size - at;
    const size_t piece = left ? 1 + draw((unsigned)(left < 16 ? left : 16)) : 0;
    switch (draw(6)) {
    case 0: if (size) data[at] ^= (uint8_t)(1u << draw(8)); return size;
    case 1: if (size) data[at] = (uint8_t)draw(256); return size;
    case 2: if (size) data[at] = telling[draw(sizeof telling)]; return size;
    case 3:
        memmove(data + at, data + at + piece, left - piece);
        return size - piece;
    case 4:
        if (size + piece > most) return size;
        memmove(data + at + piece, data + at, left);
        return size + piece;
    default:
        if (size == most) return size;
        memmove(data + at + 1, data + at, left);
        data[at] = (uint8_t)draw(256);
        return size + 1;
    }
}

static size_t change(uint8_t *data, size_t size)
{
    for (unsigned times = 1 + draw(6); times; times--)
        size = LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(data, size, MOST, draw(1 << 16))
                                       : LLVMFuzzerMutate(data, size, MOST);
    return size;
}

/* Runs the target on memory of exactly this size, so that a sanitizer sees reads past the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *const own = malloc(size ? size : 1);
    MUST(own);
    if (size) memcpy(own, data, size);
    LLVMFuzzerTestOneInput(own, size);
    free(own);
}

static size_t read_file(const char *path, uint8_t *data)
{
    FILE *const file = fopen(path, "rb");
    MUST(file);
    const size_t size = fread(data, 1, MOST, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv)
{
    static uint8_t data[MOST];
    const double seconds = argc > 1 ? atof(argv[1]) : 0;
    long runs = 0;

    state = (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u | 1;
    const char *const asked = getenv("FUZZ_SEED");
    if (asked) state = strtoull(asked, NULL, 10);
    printf("seed %llu\n", (unsigned long long)state); /* FUZZ_SEED repeats the run with this seed */
    fflush(stdout);
    MUST(argc > 2);
    for (int i = 2; i < argc; i++, runs++) run(data, read_file(argv[i], data));
    for (const clock_t start = clock(); (double)(clock() - start) / CLOCKS_PER_SEC < seconds; runs++)
        run(data, change(data, read_file(argv[2 + draw((unsigned)(argc - 2))], data)));
    printf("%ld runs, %d files\n", runs, argc - 2);
    return 0;
}
