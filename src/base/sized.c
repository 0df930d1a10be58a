/* SPDX-License-Identifier: MIT */
#include "sized.h"

#include <string.h>

#include "status.h"
#include "version.h"

/* No struct of this interface will ever have more bytes than this. A larger size means that the struct was not set to
 * zero. */
enum { MOST = 1 << 16 };

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

tilecut_status tc_sized_read(void *copy, size_t known, size_t first, const void *given, const char *name)
{
    const size_t size = size_of(given), size_or_first = size ? size : first;
    const unsigned char *const bytes = given;

    if (size_or_first < sizeof size || size_or_first > MOST)
        return tc_fail(TILECUT_EINVAL, "%s has a size of %zu; it is to be 0 or sizeof(%s), here %zu", name, size, name,
                       known);
    for (size_t i = known; i < size_or_first; i++)
        if (bytes[i])
            return tc_fail(TILECUT_EINVAL, "%s has %zu bytes, of which this library, %s, knows %zu, and asks for "
                           "something in the rest", name, size, TC_VERSION, known);
    memset(copy, 0, known);
    memcpy(copy, given, min_size(known, size_or_first));
    memcpy(copy, &known, sizeof known);
    return TILECUT_OK;
}

tilecut_status tc_sized_check(const void *given, const char *name)
{
    const size_t size = given ? size_of(given) : 0;
    if (size && size < sizeof size) return tc_fail(TILECUT_EINVAL, "%s has a size of %zu; it is to be 0 or "
                                                   "sizeof(%s)", name, size, name);
    return TILECUT_OK;
}

void tc_sized_write(void *given, size_t first, const void *report, size_t known)
{
    const size_t size = given ? size_of(given) : 0, size_or_first = size ? size : first, head = sizeof size;
    if (!given || size_or_first <= head) return;
    memcpy((char *)given + head, (const char *)report + head, min_size(known, size_or_first) - head);
}
