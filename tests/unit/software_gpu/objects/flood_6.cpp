// SPDX-License-Identifier: MIT
//
// flood_6.cpp - part_flood_6.cu for the simulated GPU, with its cooperative kernel registered.
#include "part_flood_6.cu"

static const bool known = soft_cooperative(flood_kernel);
