/* SPDX-License-Identifier: MIT
 *
 * stub.h - one row for each GPU function that a build without nvcc cannot have. A row repeats the prototype, so the
 * compiler sees if the two differ.
 *
 * Most of these functions take an object that another function opens, and here opening always fails. So they exist only
 * for the linker and are never called, and they leave their output arguments alone.
 *
 * Every function is a weak symbol: a test may define some of them itself, as a software GPU, and the linker then takes
 * the test's functions.
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
