/* SPDX-License-Identifier: MIT
 *
 * stand_ins.c - what the program's parts would call if they printed: here nothing is printed.
 */
#include "file.h"

int file_finish_lines(failure *why)
{
    (void)why;
    return EXIT_DONE;
}
