/* SPDX-License-Identifier: MIT
 *
 * stand_ins.c - replaces the program's functions that print: in the module nothing is printed.
 */
#include "file.h"

int file_finish_lines(failure *why)
{
    (void)why;
    return EXIT_DONE;
}
