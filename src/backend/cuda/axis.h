/* SPDX-License-Identifier: MIT */
/* The CUDA backend for arrays that are reduced along axes. */
#pragma once

#include "axis/device.h"

extern const struct axis_device cuda_axis_device;
