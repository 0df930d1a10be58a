// SPDX-License-Identifier: MIT
//
// model.cpp - device_model.cu for the simulated GPU, with its cooperative kernel registered.
#include "device_model.cu"

static const bool known = soft_cooperative(fit_kernel, true);
