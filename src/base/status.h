/* SPDX-License-Identifier: MIT
 *
 * status.h - how the library reports a failure. tc_fail() raises it, once, with a sentence; TRY() passes it up; each
 * function cleans up at its one `done:` label.
 */
#ifndef TC_STATUS_H
#define TC_STATUS_H

#include "tilecut.h"

/* Keeps the sentence for tilecut_error_detail() of this thread and returns `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
tilecut_status tc_fail(tilecut_status status, const char *format, ...);

/* For a function with a variable `tilecut_status status` and a label `done`. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status != TILECUT_OK) goto done;                                                                 \
    } while (0)

#endif
