/* SPDX-License-Identifier: MIT
 *
 * heif_writer.h - the process that encodes AVIF, as heif_reader.h has one that decodes.
 *   writer -> asker   heif_facts with the size of the file, the file
 */
#pragma once

#include "heif_reader.h"
#include "image.h"

/* Runs the writer, in a process that was just forked. `view` has 8 bits. Does not return. */
void heif_write(int socket, const image_view *view) __attribute__((noreturn));
