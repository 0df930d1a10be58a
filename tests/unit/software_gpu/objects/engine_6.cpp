// SPDX-License-Identifier: MIT
//
// engine_6.cpp - tiles_engine_6.cu for the GPU in software, which has to know its cooperative kernel.
#include "tiles_engine_6.cu"

static const bool known = soft_cooperative(tiles_kernel);
