// SPDX-License-Identifier: MIT
//
// flood_4.cpp - part_flood.cu for the GPU in software, which has to know its cooperative kernel.
#include "part_flood.cu"

static const bool known = soft_cooperative(flood_kernel);
