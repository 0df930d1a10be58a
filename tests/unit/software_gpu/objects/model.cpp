// SPDX-License-Identifier: MIT
//
// model.cpp - device_model.cu for the GPU in software, which has to know its cooperative kernel.
#include "device_model.cu"

static const bool known = soft_cooperative(fit_kernel);
