// SPDX-License-Identifier: MIT
//
// engine_8.cpp - tiles_engine_8.cu for the simulated GPU, with its cooperative kernel registered.
#include "tiles_engine_8.cu"

static const bool known = soft_cooperative(tiles_kernel);
