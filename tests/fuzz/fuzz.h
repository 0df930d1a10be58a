/* SPDX-License-Identifier: MIT
 *
 * fuzz.h - shared by the fuzz targets. A target is one file with LLVMFuzzerTestOneInput(), and with
 * LLVMFuzzerCustomMutator() if a checksum would reject random bytes. It is linked with libFuzzer for long runs (`make
 * fuzz`) and with replay.c for the short run of `make check`.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer or replay.c defines this function */

/* Ends the program unless the condition holds, as it must for every input. */
#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* Checks that a reader of the input "fuzz" has succeeded, or says in one line why it cannot. */
#define MUST_READ_OR_SAY(code, why)                                                                               \
    MUST((code) == EXIT_DONE || (((code) == EXIT_INPUT || (code) == EXIT_RESOURCES) && (why).status == (code) && \
                                 !strncmp((why).text, "fuzz", 4) && !strchr((why).text, '\n')))

/* Defines a whole target in which one expression of `data` and `size` tries the input. The expression must be 0. */
#define FUZZ_TARGET(answer) \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return answer; }

/* Takes numbers from the front of the input, or 0 if nothing is left. */
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
