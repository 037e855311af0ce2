// SPDX-License-Identifier: Apache-2.0
#include <opus/opus.h>
