// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#include <vpx/vpx_encoder.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vp8dx.h>

// Swift reads neither the version macros (sums of macros) nor flags made by shifting casts.
static inline vpx_codec_err_t revue_vpx_encoder_init(vpx_codec_ctx_t *context, const vpx_codec_enc_cfg_t *settings) {
    return vpx_codec_enc_init_ver(context, vpx_codec_vp8_cx(), settings, 0, VPX_ENCODER_ABI_VERSION);
}
static inline vpx_codec_err_t revue_vpx_decoder_init(vpx_codec_ctx_t *context, const vpx_codec_dec_cfg_t *settings) {
    return vpx_codec_dec_init_ver(context, vpx_codec_vp8_dx(), settings, 0, VPX_DECODER_ABI_VERSION);
}
static const long revue_vpx_force_keyframe = VPX_EFLAG_FORCE_KF;
static const long revue_vpx_no_reference_golden = VP8_EFLAG_NO_REF_GF;
static const long revue_vpx_no_reference_altref = VP8_EFLAG_NO_REF_ARF;
static const long revue_vpx_no_update_last = VP8_EFLAG_NO_UPD_LAST;
static const long revue_vpx_no_update_golden = VP8_EFLAG_NO_UPD_GF;
static const long revue_vpx_no_update_altref = VP8_EFLAG_NO_UPD_ARF;
static const long revue_vpx_no_update_entropy = VP8_EFLAG_NO_UPD_ENTROPY;
static const vpx_codec_frame_flags_t revue_vpx_frame_is_key = VPX_FRAME_IS_KEY;
