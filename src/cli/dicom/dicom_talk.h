/* SPDX-License-Identifier: MIT
 *
 * dicom_talk.h - what tilecut-dicom.so (src/dicom), which is linked with gdcm, tells of DICOM files. It is loaded in a
 * process of its own (apart.h), to which one question after the other is sent: a dicom_question, and the path. The
 * answer is dicom_facts; then dicom_frame of each frame, or the bytes of one.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dicom_answer {
    DICOM_DONE,
    DICOM_NO_LIBRARY,  /* text: what the loader says                     */
    DICOM_NO_IMAGE,    /* a directory of files, a report, strokes, no DICOM */
    DICOM_CUT_SHORT,
    DICOM_DAMAGED,     /* text: what is wrong                            */
    DICOM_UNSUPPORTED, /* text: what is not read                         */
    DICOM_UNDECODED,   /* text: how values are packed                    */
    DICOM_NO_MEMORY
};

typedef struct dicom_question {
    int32_t frame;  /* -1: what the header says; else the values of a frame, from 0 on */
    uint32_t path;  /* bytes of the path that follow                                   */
    uint64_t room;  /* bytes that answering may take                                   */
} dicom_question;

typedef struct dicom_facts {
    int32_t answer; /* a value of enum dicom_answer; all else is 0 unless it is DICOM_DONE */
    int32_t columns, rows, frames, channels;
    int32_t bytes;      /* bytes of a value: 1, 2 or 4                              */
    int32_t stored;     /* how many of the lowest bits of a value count             */
    int32_t is_signed;
    int32_t inverted;   /* MONOCHROME1: large values are dark                       */
    int32_t tabled;     /* a table says what values mean (Modality LUT)             */
    double spacing[2];  /* distance between columns and between rows; 0: not said   */
    double between;     /* distance between slices, as the header says it; 0: not said */
    uint64_t frame_bytes;
    char series[72], image[72], description[72], modality[20], text[160];
} dicom_facts;

typedef struct dicom_frame {
    int32_t placed;               /* position and direction are said                           */
    int32_t number, moment;       /* number of the image in its series, and in time; 0: not said */
    double position[3];           /* position of the first voxel, in millimetres to left, back and top */
    double direction[6];          /* directions of a row and of a column                       */
    double slope, offset;         /* a value v means slope * v + offset                        */
} dicom_frame;

/* The two calls of the object. They throw nothing. *frames is allocated by malloc(). */
void tilecut_dicom_look(const char *path, dicom_facts *facts, dicom_frame **frames);

/* Decodes frame number `frame`; *values are facts->frame_bytes bytes in this machine's byte order, channels side by
 * side, and stay valid until the next call. */
void tilecut_dicom_values(const char *path, int32_t frame, dicom_facts *facts, const char **values);

#ifdef __cplusplus
}
#endif
