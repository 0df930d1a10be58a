/* SPDX-License-Identifier: MIT
 *
 * heif_writer.h - the child process that encodes AVIF; heif_reader.h has the one that decodes.
 *   child -> program   heif_facts with the size of the file, then the file
 */
#pragma once

#include "heif_reader.h"
#include "image.h"

/* Runs the writer in a child process. `view` has 8 bits per sample. Does not return. */
void heif_write(int socket, const image_view *view) __attribute__((noreturn));
