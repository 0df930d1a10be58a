/* SPDX-License-Identifier: MIT
 *
 * dicom_child.h - the process in which DICOM files are read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "apart.h"
#include "dicom_talk.h"

/* Whether tilecut-dicom.so and the library that it needs can be loaded. */
bool dicom_is_here(void);

/* Starts the process. False: errno says why. End it with apart_finish(). */
bool dicom_begin(apart *its);

/* What the header of `path` says; *frames, one for each, is owned by the caller, NULL unless DICOM_DONE. False: the
 * process is gone. */
bool dicom_ask_header(apart *its, const char *path, dicom_facts *out, dicom_frame **frames);

/* The values of one frame: out->frame_bytes bytes to `values`, which has room for `size`. Decoding takes at most `room`
 * bytes. False: the process is gone, or says another size. */
bool dicom_ask_values(apart *its, const char *path, int frame, size_t room, dicom_facts *out, void *values,
                      size_t size);
