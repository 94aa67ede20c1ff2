/* SPDX-License-Identifier: MIT */
/* Reduces arrays along axes in the fake backend. */
#pragma once

#include "axis/device.h"

extern const struct axis_device fake_axis_device;
