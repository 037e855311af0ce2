// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueCore
import RevueDispatch
import RevueFiles
import RevueOpenSSL
import RevueOpus
import RevueTox
import RevueVpx
import RevueYuv

extension Adapters {
    /// What an instance is plugged into unless told otherwise: toxcore, libvpx, Opus, libyuv, OpenSSL and the file system.
    ///
    /// There is no camera and no microphone yet: give `makeCamera` and `makeMicrophone` sources of your own.
    public static var `default`: Adapters {
        let scheduler = DispatchScheduler()
        return Adapters(
            scheduler: scheduler, makeTransport: { ToxTransport() },
            videoCodecs: [VpxCodecFactory()], audioCodecs: OpusCodecFactory(), pixelConverter: YuvConverter(),
            identityStore: FileIdentityStore(), licenseVerifier: Ed25519LicenseVerifier(),
            savedataCipher: ScryptCipher())
    }
}
