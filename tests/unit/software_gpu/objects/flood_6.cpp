// SPDX-License-Identifier: MIT
//
// flood_6.cpp - part_flood_6.cu for the GPU in software, which has to know its cooperative kernel.
#include "part_flood_6.cu"

static const bool known = soft_cooperative(flood_kernel);
