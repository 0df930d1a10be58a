/* SPDX-License-Identifier: MIT
 *
 * status.h - how the library reports a failure: raised once with a sentence by tc_fail(), passed up with
 * TRY(), cleaned up at the one `done:` label of each function.
 */
#ifndef TC_STATUS_H
#define TC_STATUS_H

#include "tilecut.h"

/* Keeps the sentence for tilecut_error_detail() of this thread and returns `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
tilecut_status tc_fail(tilecut_status status, const char *format, ...);

/* In a function with `tilecut_status status` and a label `done`. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status != TILECUT_OK) goto done;                                                                 \
    } while (0)

#endif
