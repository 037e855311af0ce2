// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Macros that Swift does not import.
static const int revue_av_error_again = AVERROR(EAGAIN);
static const int revue_av_error_end = AVERROR_EOF;
static const int revue_av_error_missing = AVERROR(ENOENT);
static const int64_t revue_av_no_time = AV_NOPTS_VALUE;
