// SPDX-License-Identifier: MIT
//
// test_tiles_kernel_6.cpp - test_tiles_kernel.cpp for volumes.
#define TC_NEIGHBOURS 6
#include "test_tiles_kernel.cpp"
