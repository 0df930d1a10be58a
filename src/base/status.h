/* SPDX-License-Identifier: MIT
 *
 * status.h - how the library reports a failure. tc_fail() raises it, once, with a sentence that explains it. TRY()
 * passes it up from a function that cleans up at its one label `done:`, and NEED() from a function that has nothing to
 * clean up.
 */
#pragma once

#include "tilecut.h"

/* Stores the message that tilecut_error_detail() returns in this thread. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void tc_keep_sentence(const char *format, ...);

/* Returns the message stored for this thread, "" if there is none. */
const char *tc_sentence(void);

static inline tilecut_status tc_with_sentence(tilecut_status status) { return status; }

/* tc_fail(status, format, ...) stores the message and returns `status`, which is evaluated once. It is a macro, so that
 * a static analyser sees that a failure is returned. */
#define tc_fail(status, ...) (tc_keep_sentence(__VA_ARGS__), tc_with_sentence(status))

/* For a function with a variable `tilecut_status status` and a label `done`. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status != TILECUT_OK) goto done;                                                                 \
    } while (0)

/* For a function that returns a tilecut_status and owns nothing yet. */
#define NEED(call)                                                                                           \
    do {                                                                                                     \
        const tilecut_status need_status = (call);                                                           \
        if (need_status != TILECUT_OK) return need_status;                                                   \
    } while (0)
