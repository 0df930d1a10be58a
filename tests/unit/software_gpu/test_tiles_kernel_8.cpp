// SPDX-License-Identifier: MIT
//
// test_tiles_kernel_8.cpp - test_tiles_kernel.cpp for 8 neighbours.
#define TC_NEIGHBOURS 8
#include "test_tiles_kernel.cpp"
