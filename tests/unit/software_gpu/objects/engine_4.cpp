// SPDX-License-Identifier: MIT
//
// engine_4.cpp - tiles_engine.cu for the simulated GPU, with its cooperative kernel registered.
#include "tiles_engine.cu"

static const bool known = soft_cooperative(tiles_kernel);
