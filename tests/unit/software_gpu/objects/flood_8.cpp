// SPDX-License-Identifier: MIT
//
// flood_8.cpp - part_flood_8.cu for the simulated GPU, with its cooperative kernel registered.
#include "part_flood_8.cu"

static const bool known = soft_cooperative(flood_kernel);
