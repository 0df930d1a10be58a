/* SPDX-License-Identifier: MIT
 *
 * table.h - tables of rows, such as the table of solvers, whose texts can be read by index.
 */
#pragma once

#include <stddef.h>

#define TC_ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/* Defines a function that returns a text from row `index`; NULL past the end. */
#define TC_TEXT_OF_ROW(function, table, text)                                         \
    const char *function(int index)                                                   \
    {                                                                                 \
        return index >= 0 && index < TC_ROWS(table) ? (table)[index].text : NULL;     \
    }
