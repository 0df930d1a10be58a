/* SPDX-License-Identifier: MIT
 *
 * fuzz.h - what the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput(), and with
 * LLVMFuzzerCustomMutator() where a checksum would keep random bytes out. It is linked with libFuzzer for long
 * runs (`make fuzz`) and with replay.c for the short one of `make check`.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* the fuzzer's own */

/* What must hold whatever the input. */
#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* A reader of the input "fuzz" has done it, or says in one line why it cannot. */
#define MUST_READ_OR_SAY(code, why)                                                                               \
    MUST((code) == EXIT_DONE || (((code) == EXIT_INPUT || (code) == EXIT_RESOURCES) && (why).status == (code) && \
                                 !strncmp((why).text, "fuzz", 4) && !strchr((why).text, '\n')))

/* The whole target where one expression of `data` and `size` tries the input; `answer`: 0. */
#define FUZZ_TARGET(answer) \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return answer; }

/* Takes numbers off the front of the input; 0 when there is nothing left. */
typedef struct supply {
    const uint8_t *at;
    size_t left;
} supply;

static inline unsigned take(supply *from)
{
    if (!from->left) return 0;
    from->left--;
    return *from->at++;
}

static inline unsigned take_below(supply *from, unsigned bound)
{
    return take(from) % bound;
}
