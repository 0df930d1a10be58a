/* SPDX-License-Identifier: MIT
 *
 * status.c - statuses as phrases. The sentence about the last failure, one per thread, is the library's only state.
 */
#include "status.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char detail[320];

/* Numbers are written with a decimal point, whatever the caller's locale. */
void tc_keep_sentence(const char *format, ...)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (!plain) return;
    uselocale(callers);
    freelocale(plain);
}

const char *tc_sentence(void)
{
    return detail;
}

const char *tilecut_error_detail(void)
{
    return tc_sentence();
}

const char *tilecut_strerror(tilecut_status status)
{
    switch (status) {
    case TILECUT_OK: return "done";
    case TILECUT_EINVAL: return "invalid argument";
    case TILECUT_ESEEDS: return "unusable seeds";
    case TILECUT_ENOMEM: return "out of memory";
    case TILECUT_ERANGE: return "capacity out of range";
    case TILECUT_ENODEVICE: return "no such device";
    case TILECUT_EDEVICE: return "device failure";
    case TILECUT_ECANCELLED: return "cancelled";
    case TILECUT_EUNPROVEN: return "certificate failed";
    }
    return "unknown status";
}
