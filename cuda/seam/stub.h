/* SPDX-License-Identifier: MIT
 *
 * stub.h - one row for each function of the GPU that a build without nvcc cannot have. A row repeats the prototype, so
 * the compiler sees if the two differ.
 *
 * Most of these functions work on something that another one opens, and that one always fails here. They are there for
 * the linker and are never called, so what they would tell through pointers stays as it is.
 *
 * Every function is weak: a test that defines some of them itself, as a device made of software, is linked with these
 * files, and its own functions count.
 */
#pragma once

#include "cuda_device.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define STUB __attribute__((weak))
#define STUB_GIVES(type, value, name, ...) \
    STUB type name(__VA_ARGS__)            \
    {                                      \
        return value;                      \
    }
#define STUB_FAILS(name, ...) STUB_GIVES(tilecut_status, tc_cuda_device(0, NULL, 0), name, __VA_ARGS__)
#define STUB_DOES_NOTHING(name, ...) \
    STUB void name(__VA_ARGS__)      \
    {                                \
    }
