// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import CVpx

/// Which pictures a frame may refer to and replace, by its place in the pattern of temporal layers.
///
/// The base layer lives in "last", the middle layer of three in "golden"; the highest layer replaces nothing, so that any
/// of its frames can be dropped. Upper layers leave the entropy tables alone: who drops them must not notice.
struct TemporalPattern {
    let layer: Int
    /// Whether the frame refers to the base layer alone.
    let isSync: Bool
    let flags: Int

    /// What the frame `index` places after a keyframe is; a keyframe stands at 0.
    init(layers: Int, index: Int) {
        let lastOnly = revue_vpx_no_reference_golden | revue_vpx_no_reference_altref
        let leaveGolden = revue_vpx_no_update_golden | revue_vpx_no_update_altref
        let leaveLast = revue_vpx_no_update_last | revue_vpx_no_update_entropy
        switch (layers, layers == 3 ? index % 4 : index % 2) {
        case (2, 0), (3, 0):
            self.init(layer: 0, isSync: false, flags: lastOnly | leaveGolden)
        case (2, _):
            self.init(layer: 1, isSync: true, flags: lastOnly | leaveGolden | leaveLast)
        case (3, 2):
            self.init(layer: 1, isSync: true, flags: lastOnly | leaveLast | revue_vpx_no_update_altref)
        case (3, 1):
            self.init(layer: 2, isSync: true, flags: lastOnly | leaveGolden | leaveLast)
        case (3, _):
            self.init(layer: 2, isSync: false, flags: revue_vpx_no_reference_altref | leaveGolden | leaveLast)
        default:
            self.init(layer: 0, isSync: false, flags: 0)
        }
    }

    private init(layer: Int, isSync: Bool, flags: Int) {
        self.layer = layer
        self.isSync = isSync
        self.flags = flags
    }
}
