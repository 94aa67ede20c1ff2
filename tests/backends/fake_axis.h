/* SPDX-License-Identifier: MIT */
/* The fake backend's way to reduce arrays along axes. */
#pragma once

#include "axis/device.h"

extern const struct axis_device fake_axis_device;
