/* SPDX-License-Identifier: MIT
 *
 * pages.h - the files of src/web, which the build puts into the program (tools/make/web.mk).
 */
#pragma once

#include <stddef.h>

typedef struct page {
    const char *path; /* "/editor.js"; "/" for index.html         */
    const char *type; /* media type, such as "text/html" */
    const unsigned char *data;
    size_t size;
} page;

extern const page pages[]; /* ends with path NULL */
