// SPDX-License-Identifier: MIT
//
// engine_4.cpp - tiles_engine.cu for the GPU in software, which has to know its cooperative kernel.
#include "tiles_engine.cu"

static const bool known = soft_cooperative(tiles_kernel);
