/* SPDX-License-Identifier: MIT
 *
 * dicom_child.h - the child process that reads DICOM files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "apart.h"
#include "dicom_talk.h"

/* True if tilecut-dicom.so and the library that it needs can be loaded. */
bool dicom_is_here(void);

/* Starts the process; end it with apart_finish(). Returns false on failure, with the reason in errno. */
bool dicom_begin(apart *its);

/* Reads the header of `path`. *frames has one entry per frame and is owned by the caller; it is NULL unless out->answer
 * is DICOM_DONE. Returns false if the process is gone. */
bool dicom_ask_header(apart *its, const char *path, dicom_facts *out, dicom_frame **frames);

/* Reads one frame: writes out->frame_bytes bytes to `values`, which has room for `size` bytes. Decoding may take `room`
 * bytes of memory. Returns false if the process is gone or the frame has another size. */
bool dicom_ask_values(apart *its, const char *path, int frame, size_t room, dicom_facts *out, void *values,
                      size_t size);
