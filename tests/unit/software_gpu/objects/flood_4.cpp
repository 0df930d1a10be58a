// SPDX-License-Identifier: MIT
//
// flood_4.cpp - part_flood.cu for the simulated GPU, with its cooperative kernel registered.
#include "part_flood.cu"

static const bool known = soft_cooperative(flood_kernel);
