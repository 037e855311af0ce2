// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#include <libyuv.h>

// Swift does not import the matrices, whose type is incomplete.
static inline int revue_yuv_nv12_to_bgra(const uint8_t *y, int y_stride, const uint8_t *uv, int uv_stride,
                                         uint8_t *bgra, int bgra_stride, int full_range, int width, int height) {
    return NV12ToARGBMatrix(y, y_stride, uv, uv_stride, bgra, bgra_stride,
                            full_range ? &kYuvJPEGConstants : &kYuvI601Constants, width, height);
}
