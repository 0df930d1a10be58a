// SPDX-License-Identifier: MIT
//
// engine_6.cpp - tiles_engine_6.cu for the simulated GPU, with its cooperative kernel registered.
#include "tiles_engine_6.cu"

static const bool known = soft_cooperative(tiles_kernel);
